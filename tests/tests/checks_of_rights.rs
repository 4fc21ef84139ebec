//! A user of `DATABASE_URL` that may write to a table and not read it: what nobody may look at is not checked, and the statement is described all the same.

use std::env;

use ark_mysql_check::describe::describe_with;
use ark_mysql_check::description::Kind;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tests::{Database, Server, Transport};

const SCHEMA: &str = "
    CREATE TABLE secret (id INT NOT NULL PRIMARY KEY, word VARCHAR(9) NOT NULL, kind ENUM('a', 'b') NOT NULL);
    CREATE TABLE open (id INT NOT NULL PRIMARY KEY, word VARCHAR(9) NOT NULL);
    CREATE VIEW seen AS SELECT id, word FROM secret;
";

/// What the parameters stand against: a column, or `_` for what is not known, so that every value fits.
fn params(settings: &Settings, sql: &str) -> String {
    let described = describe_with(&Sql::parse(sql).unwrap(), settings);
    let described = described.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let params = described.description.params.iter().map(|param| {
        let Some(against) = &param.against else {
            return "_".to_owned();
        };
        match (&against.table, &against.column) {
            (Some(table), Some(column)) => format!("{table}.{column}"),
            _ => against.kind.to_string(),
        }
    });
    params.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_may_not_be_read_is_not_checked() {
    for server in Server::ALL {
        let database = Database::with_schema(server, SCHEMA);
        let writer = format!("{}_writer", database.name());
        database.run(&format!("CREATE USER '{writer}'@'%'"));
        for right in [
            "INSERT ON secret",
            "SELECT, INSERT ON open",
            "SELECT ON seen",
        ] {
            let (what, table) = right.split_once(" ON ").unwrap();
            let name = database.name();
            database.run(&format!(
                "GRANT {what} ON `{name}`.{table} TO '{writer}'@'%'"
            ));
        }
        let url = database.url_by(Transport::Tcp).replace("root", &writer);
        let settings = Settings::load(&env::temp_dir(), &|name| {
            (name == "DATABASE_URL").then(|| url.clone().into())
        });
        let settings = settings.unwrap();
        for (sql, expected) in [
            (
                "INSERT INTO secret (id, word, kind) VALUES (?, ?, ?)",
                "_ _ _",
            ),
            (
                "INSERT INTO open (id, word) VALUES (?, ?)",
                "open.id open.word",
            ),
            ("SELECT word FROM open WHERE id = ?", "open.id"),
            // The view may be read, and what it is made of may not: its columns are its own.
            ("SELECT word FROM seen WHERE id = ?", "seen.id"),
        ] {
            assert_eq!(params(&settings, sql), expected, "{server}: {sql}");
        }
        let sql = Sql::parse("SELECT id, word FROM seen").unwrap();
        let seen = describe_with(&sql, &settings).unwrap().description;
        let kinds: Vec<Kind> = seen.columns.iter().map(|column| column.kind).collect();
        assert_eq!(kinds[1], Kind::Text, "{server}");
        assert!(
            seen.columns
                .iter()
                .all(|column| column.table.as_deref().is_none_or(|table| table == "seen")),
            "{server}: {seen:?}"
        );
        database.run(&format!("DROP USER '{writer}'@'%'"));
    }
}
