//! Writes a crate with many different checked statements, for this library or for the rival: the same SQL, the same work a query.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// Whose macros the crate uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// This library.
    Ark,
    /// The rival.
    Sqlx,
    /// None: this library with SQL that is only known at run time.
    Nobody,
}

/// Tables that the statements go over.
pub(super) const TABLES: usize = 10;
/// Functions a file: what is touched is one file of several, as in a real crate.
const FUNCTIONS_A_FILE: usize = 50;
const COLUMNS: [&str; 10] = [
    "id", "org", "name", "email", "score", "flags", "note", "created", "updated", "qty",
];

impl Driver {
    /// How tables call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Ark => "ark-mysql",
            Self::Sqlx => "sqlx 0.9",
            Self::Nobody => "without macros",
        }
    }

    /// The package that holds its macros; the folder is called by it.
    pub fn macros_package(self) -> &'static str {
        match self {
            Self::Nobody => "no-macros",
            Self::Ark => "ark-mysql-macros",
            Self::Sqlx => "sqlx-macros",
        }
    }

    fn dependencies(self) -> String {
        let driver = match self {
            Self::Ark | Self::Nobody => format!("ark-mysql = {{ path = {:?} }}", repository().join("ark-mysql")),
            Self::Sqlx => concat!(
                "sqlx = { version = \"0.9\", default-features = false, ",
                "features = [\"mysql\", \"macros\", \"runtime-tokio\", \"tls-rustls-ring-webpki\", \"chrono\"] }"
            )
            .to_owned(),
        };
        format!(
            "{driver}\ntokio = {{ version = \"1\", features = [\"full\"] }}\nchrono = {{ version = \"0.4\", default-features = false }}\n"
        )
    }

    fn function(self, number: usize) -> String {
        let (sql, arguments) = statement(number);
        let (connection, error, call) = match self {
            Self::Ark => (
                "ark_mysql::Connection",
                "ark_mysql::Error",
                "ark_mysql::query!",
            ),
            Self::Sqlx => ("sqlx::MySqlConnection", "sqlx::Error", "sqlx::query!"),
            Self::Nobody => return unchecked(number, &sql, arguments),
        };
        format!(
            "pub async fn q{number}(c: &mut {connection}) -> Result<usize, {error}> {{\n    \
             let rows = {call}(\"{sql}\", {arguments}).fetch_all(c).await?;\n    Ok(rows.len())\n}}\n"
        )
    }
}

/// The same function without a macro.
fn unchecked(number: usize, sql: &str, arguments: &str) -> String {
    format!(
        "pub async fn q{number}(c: &mut ark_mysql::Connection) -> Result<usize, ark_mysql::Error> {{\n    \
         let _ = ({arguments},);\n    let rows = ark_mysql::query(\"{sql}\").fetch_all(c).await?;\n    Ok(rows.len())\n}}\n"
    )
}

/// Writes the crate with `count` statements into `folder`.
///
/// # Errors
/// Fails when the folder cannot be written.
pub(super) fn write(driver: Driver, count: usize, folder: &Path) -> Result<()> {
    let source = folder.join("src");
    fs::create_dir_all(&source)?;
    let mut main = String::new();
    let mut uses = String::new();
    for (file, first) in (0..count).step_by(FUNCTIONS_A_FILE).enumerate() {
        let numbers = first..count.min(first + FUNCTIONS_A_FILE);
        let text: String = numbers.map(|number| driver.function(number)).collect();
        fs::write(
            source.join(format!("m{file}.rs")),
            format!("#![allow(unused)]\n{text}"),
        )?;
        writeln!(main, "mod m{file};")?;
        writeln!(uses, "    let _ = m{file}::q{first};")?;
    }
    fs::write(
        source.join("main.rs"),
        format!("{main}fn main() {{\n{uses}    println!(\"ok\");\n}}\n"),
    )?;
    let name = format!(
        "compile_bench_{}",
        driver.macros_package().replace('-', "_")
    );
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{}",
        driver.dependencies()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    Ok(())
}

/// The statements that make the tables, without `;`.
pub(super) fn schema() -> impl Iterator<Item = String> {
    let columns = "id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, org INT NOT NULL, name VARCHAR(64) NOT NULL, \
                   email VARCHAR(128) NULL, score DOUBLE NOT NULL, flags TINYINT(1) NOT NULL, note TEXT NULL, \
                   created DATETIME NOT NULL, updated DATETIME(6) NULL, qty INT UNSIGNED NOT NULL, KEY(org), KEY(created)";
    (0..TABLES).map(move |table| format!("CREATE TABLE IF NOT EXISTS cb_t{table} ({columns})"))
}

/// The SQL and the arguments of one function: five shapes, all different.
pub(super) fn statement(number: usize) -> (String, &'static str) {
    let (table, other) = (number % TABLES, (number * 7 + 3) % TABLES);
    let columns: Vec<&str> = COLUMNS
        .iter()
        .copied()
        .cycle()
        .skip(number % COLUMNS.len())
        .take(3 + number % 6)
        .collect();
    match number % 5 {
        0 => (
            format!(
                "SELECT {} FROM cb_t{table} WHERE id = ? AND {number} = {number}",
                columns.join(", ")
            ),
            "1u64",
        ),
        1 => {
            let columns: Vec<String> = columns.iter().map(|column| format!("x.{column}")).collect();
            let columns = columns.join(", ");
            let tables = format!("cb_t{table} x LEFT JOIN cb_t{other} y ON y.org = x.org");
            (
                format!(
                    "SELECT {columns}, y.email AS yemail FROM {tables} WHERE x.org = ? AND {number} > 0"
                ),
                "1i32",
            )
        }
        2 => (
            format!(
                "SELECT COUNT(*) AS n, MAX(score) AS top FROM cb_t{table} WHERE created > ? AND {number} > 0"
            ),
            "chrono::NaiveDateTime::default()",
        ),
        3 => {
            let columns = columns.join(", ");
            (
                format!(
                    "SELECT {columns} FROM cb_t{table} WHERE org = ? AND qty > ? AND {number} > 0 ORDER BY id LIMIT 10"
                ),
                "1i32, 2u32",
            )
        }
        _ => (
            format!(
                "SELECT name, COUNT(*) AS n FROM cb_t{table} WHERE org > ? AND {number} > 0 GROUP BY name HAVING n > 1"
            ),
            "1i32",
        ),
    }
}

/// The checkout that this program was built from.
pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::statement;

    #[test]
    fn no_two_statements_are_the_same() {
        let all: BTreeSet<String> = (0..400).map(|number| statement(number).0).collect();
        assert_eq!(all.len(), 400);
    }
}
