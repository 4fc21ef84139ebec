//! A build that asks the wrong one, or nobody, or says nothing useful: the macros and `cargo ark-mysql` on crates made for the test.

use std::fs;

use tests::{Database, Flavor};

use crate::support::Generated;

const WORKSPACE: (&str, &str) = (
    "Cargo.toml",
    "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"lib\"]\n",
);
const APP: (&str, &str) = (
    "app/Cargo.toml",
    "[package]\nname = \"app{number}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\nark-mysql = {ark}\n",
);
const LIB: (&str, &str) = (
    "lib/Cargo.toml",
    "[package]\nname = \"lib{number}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\nark-mysql = {ark}\n",
);
const APP_SOURCE: &str = r#"
use ark_mysql::{Connection, Result, query, query_scalar};

macro_rules! counted {
    ($table:ident: $sql:literal) => {
        pub async fn $table(conn: &mut Connection) -> Result<i64> {
            query_scalar!($sql).fetch_one(conn).await
        }
    };
}
counted!(users: "SELECT COUNT(*) FROM users");

pub async fn named(conn: &mut Connection, id: u32) -> Result<(u32, String, Option<i32>)> {
    let row = query!("SELECT id, name, age FROM users WHERE id = ?", id).fetch_one(conn).await?;
    Ok((row.id, row.name, row.age))
}

fn main() {}
"#;
const LIB_SOURCE: &str = r#"
pub async fn rename(conn: &mut ark_mysql::Connection, name: &str, id: u32) -> ark_mysql::Result<u64> {
    let done = ark_mysql::query!("UPDATE users SET name = :name WHERE id = :id", name, id).execute(conn).await?;
    Ok(done.rows_affected())
}
"#;

fn generated() -> Generated {
    Generated::new(&[
        WORKSPACE,
        APP,
        LIB,
        ("app/src/main.rs", APP_SOURCE),
        ("lib/src/lib.rs", LIB_SOURCE),
    ])
}

/// A database with the schema, and an address for a user with a password whom the server has not seen, as a newcomer writes it.
fn newcomer(flavor: Flavor, password: &str) -> (Database, String) {
    let database = Database::new(flavor);
    database.load_schema();
    let account = database.account(password);
    let url = format!(
        "mysql://{}:{password}@127.0.0.1:{}/{}",
        account.name,
        database.server().port(),
        database.name()
    );
    (database, url)
}

fn asks_the_server(flavor: Flavor) {
    const PASSWORD: &str = "Wagtail5zq8";
    let (database, url) = newcomer(flavor, PASSWORD);
    let crates = generated();
    let live = [("DATABASE_URL", url.as_str())];
    database.forget_passwords();
    crates.check(&live).is(0, &[]);
    // Mistakes, each with the server's words, the SQL and the place.
    for (right, wrong, words) in [
        (
            "SELECT id, name, age FROM users WHERE id = ?",
            "SELECT id, nmae, age FROM users WHERE id = ?",
            &["1054", "nmae", "^^^^", "main.rs"][..],
        ),
        (
            "FROM users WHERE id = ?",
            "FROM usres WHERE id = ?",
            &["1146", "usres", "^^^^^"],
        ),
        (
            "SELECT id, name, age",
            "SELEC id, name, age",
            &["1064", "SELEC"],
        ),
        ("Option<i32>", "i32", &["mismatched types"]),
        ("WHERE id = ?\", id)", "WHERE id = ?\")", &["1"]),
    ] {
        crates.write("app/src/main.rs", &APP_SOURCE.replace(right, wrong));
        database.forget_passwords();
        let said = crates.check(&live);
        said.is(101, words);
        assert!(!said.text.contains(PASSWORD), "{}", said.text);
    }
    crates.write("app/src/main.rs", APP_SOURCE);
    crates.check(&live).is(0, &[]);
    // The way is told when the login is wrong, and the password is not.
    crates.write("app/src/main.rs", &format!("{APP_SOURCE}\n// changed\n"));
    let wrong = url.replace(PASSWORD, &format!("{PASSWORD}x"));
    let said = crates.check(&[("DATABASE_URL", &wrong)]);
    said.is(101, &["1045"]);
    assert!(!said.text.contains(PASSWORD), "{}", said.text);
    // Also by TLS-capable `localhost`, the socket, and from a file.
    let socket = format!(
        "mysql://{}@localhost/{}?socket={}",
        &url["mysql://".len()..url.find('@').unwrap()],
        database.name(),
        database.server().socket().display()
    );
    for url in [url.replace("127.0.0.1", "localhost"), socket] {
        crates.write(
            "app/src/main.rs",
            &format!("{APP_SOURCE}\n// {}\n", url.len()),
        );
        database.forget_passwords();
        crates.check(&[("DATABASE_URL", &url)]).is(0, &[]);
    }
    crates.write(".env", &format!("DATABASE_URL={url}\n"));
    crates.write("app/src/main.rs", &format!("{APP_SOURCE}\n// from .env\n"));
    crates.check(&[]).is(0, &[]);
}

fn needs_no_server(flavor: Flavor) {
    let (database, url) = newcomer(flavor, "pw");
    let crates = generated();
    // Neither a server nor a cache: both ways out are named.
    crates
        .check(&[])
        .is(101, &["DATABASE_URL", "cargo ark-mysql prepare"]);
    database.forget_passwords();
    crates
        .tool(&["prepare"], &[("DATABASE_URL", &url)])
        .is(0, &[]);
    assert_eq!(
        (crates.cache("app").len(), crates.cache("lib").len()),
        (2, 1)
    );
    crates.check(&[]).is(0, &[]);
    let nobody = [
        ("DATABASE_URL", "mysql://root@127.0.0.1:1/nobody"),
        ("ARK_MYSQL_OFFLINE", "1"),
    ];
    crates.check(&nobody).is(0, &[]);
    // A server that cannot be reached is not silently replaced by the cache.
    crates.write("app/src/main.rs", &format!("{APP_SOURCE}\n// changed\n"));
    crates
        .check(&nobody[..1])
        .is(101, &["ARK_MYSQL_OFFLINE", "when-unreachable"]);
    crates.write("ark-mysql.toml", "when-unreachable = \"cache\"\n");
    crates.check(&nobody[..1]).is(0, &[]);
    // A cache file that was tampered with.
    let file = crates.cache("lib").remove(0);
    let good = fs::read_to_string(&file).unwrap();
    for bad in [
        "{",
        "",
        "null",
        &good.replace("\"format\": 1", "\"format\": 99"),
        &good.replace("UPDATE", "DELETE"),
        &good.replace("params", "parms"),
        &good.repeat(2),
    ] {
        fs::write(&file, bad).unwrap();
        crates.write(
            "lib/src/lib.rs",
            &format!("{LIB_SOURCE}\n// {}\n", bad.len()),
        );
        crates.check(&[]).is(
            101,
            &[
                file.file_name().unwrap().to_str().unwrap(),
                "cargo ark-mysql prepare",
            ],
        );
    }
}

fn tells_what_is_out_of_date(flavor: Flavor) {
    let (database, url) = newcomer(flavor, "pw");
    let crates = generated();
    let live = [("DATABASE_URL", url.as_str())];
    crates.tool(&["check"], &[]).is(1, &["main.rs"]);
    crates.tool(&["prepare"], &live).is(0, &[]);
    let before: Vec<_> = crates
        .cache("app")
        .iter()
        .map(|file| fs::read(file).unwrap())
        .collect();
    let modified = fs::metadata(crates.path("app/src/main.rs"))
        .unwrap()
        .modified()
        .unwrap();
    // All is well, with and without the server, and preparing again changes nothing.
    crates.tool(&["check"], &[]).is(0, &[]);
    crates.tool(&["check"], &live).is(0, &[]);
    crates.tool(&["prepare"], &live).is(0, &[]);
    assert_eq!(
        crates
            .cache("app")
            .iter()
            .map(|file| fs::read(file).unwrap())
            .collect::<Vec<_>>(),
        before
    );
    assert_eq!(
        fs::metadata(crates.path("app/src/main.rs"))
            .unwrap()
            .modified()
            .unwrap(),
        modified,
        "sources are not touched"
    );
    // The statement in macro_rules is among them.
    let all: String = before
        .iter()
        .map(|file| String::from_utf8_lossy(file).into_owned())
        .collect();
    assert!(all.contains("SELECT COUNT(*) FROM users"), "{all}");
    // Missing.
    let gone = crates.cache("app").remove(0);
    let kept = fs::read(&gone).unwrap();
    fs::remove_file(&gone).unwrap();
    crates.tool(&["check"], &[]).is(1, &["missing", "main.rs"]);
    fs::write(&gone, &kept).unwrap();
    crates.tool(&["check"], &[]).is(0, &[]);
    // Stale: of a statement that is no more.
    crates.write("lib/src/lib.rs", "");
    let stale = crates.cache("lib").remove(0);
    crates
        .tool(&["check"], &[])
        .is(1, &[stale.file_name().unwrap().to_str().unwrap()]);
    crates.tool(&["prepare", "--prune"], &live).is(0, &[]);
    assert!(crates.cache("lib").is_empty());
    crates.tool(&["check"], &[]).is(0, &[]);
    // Different: the table was altered.
    database.run("ALTER TABLE users MODIFY age BIGINT NULL");
    crates.tool(&["check"], &[]).is(0, &[]);
    crates.tool(&["check"], &live).is(
        1,
        &["users.age: Option<i32> → Option<i64> in 1 statement (app/src/main.rs:"],
    );
    crates.tool(&["prepare"], &live).is(1, &[]);
    // (The code does not compile with the new type, which the tool says; the statement is known all the same.)
    crates.write(
        "app/src/main.rs",
        &APP_SOURCE.replace("Option<i32>", "Option<i64>"),
    );
    crates.tool(&["prepare"], &live).is(0, &[]);
    crates.tool(&["check"], &live).is(0, &[]);
    // A statement that the server does not like.
    database.run("ALTER TABLE users DROP COLUMN age");
    crates.tool(&["check"], &live).is(1, &["age", "main.rs"]);
    // No server where one is named.
    crates
        .tool(
            &["prepare"],
            &[(
                "DATABASE_URL",
                "mysql://root:Wagtail5zq8@127.0.0.1:1/nobody",
            )],
        )
        .is(2, &["127.0.0.1:1"]);
}

/// One test for each flavor, without a runtime around it.
macro_rules! on_both {
    ($($name:ident)+) => {
        $(mod $name {
            use super::*;

            #[test]
            fn mysql() {
                super::$name(Flavor::MySql);
            }

            #[test]
            fn mariadb() {
                super::$name(Flavor::MariaDb);
            }
        })+
    };
}

on_both! { asks_the_server needs_no_server tells_what_is_out_of_date }
