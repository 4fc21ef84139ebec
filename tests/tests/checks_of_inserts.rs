//! INSERTs that cannot work are refused while compiling, and no others: our verdict beside what each server does when it runs them.

use std::env;

use ark_mysql::{Connection, Result};
use ark_mysql_check::describe::describe_with;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tests::{Database, on_every_server};

const SCHEMA: &str = "
    CREATE TABLE t (
        id INT NOT NULL PRIMARY KEY AUTO_INCREMENT,
        must INT NOT NULL,
        may INT NULL,
        has INT NOT NULL DEFAULT 7,
        at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
        label ENUM('a', 'b') NOT NULL,
        twice INT AS (must * 2),
        kept INT AS (must * 3) STORED
    );
    CREATE TABLE free (id INT NOT NULL PRIMARY KEY AUTO_INCREMENT, n INT NULL, x INT NOT NULL DEFAULT (1 + 1));
    CREATE TABLE two (a INT NOT NULL, b DATE NOT NULL);
    CREATE TABLE filled (a INT NOT NULL, b INT NOT NULL);
    CREATE TRIGGER fills BEFORE INSERT ON filled FOR EACH ROW SET NEW.b = 5;
    CREATE VIEW seen AS SELECT id, must, may FROM t;
    INSERT INTO t (must) VALUES (0);
";

const STATEMENTS: &[&str] = &[
    "INSERT INTO t (must) VALUES (1)",
    "INSERT INTO t (MUST) VALUES (1)",
    "INSERT INTO `t` (`must`, `label`) VALUES (1, 'b'), (2, 'a')",
    "INSERT INTO t (may) VALUES (1)",
    "INSERT INTO t (may, has) VALUES (1, 2), (3, 4)",
    "INSERT INTO t () VALUES ()",
    "INSERT INTO free () VALUES ()",
    "INSERT INTO free VALUES ()",
    "INSERT INTO free (n) VALUES (NULL)",
    "INSERT INTO free (x) VALUES (NULL)",
    "INSERT INTO free (id) VALUES (NULL)",
    "INSERT INTO two VALUES (1, '2020-01-01')",
    "INSERT INTO two (a) VALUES (1)",
    "INSERT INTO two (b) VALUES (NULL)",
    "INSERT INTO two () VALUES ()",
    "INSERT IGNORE INTO two (a) VALUES (1)",
    "INSERT INTO t SET may = 1",
    "INSERT INTO t SET must = 1, may = NULL",
    "INSERT INTO t SET must = NULL",
    "REPLACE INTO t (id, may) VALUES (1, 1)",
    "REPLACE INTO t (id, must) VALUES (1, 1)",
    "INSERT INTO t (must, twice) VALUES (1, 2)",
    "INSERT INTO t (must, kept) VALUES (1, 3)",
    "INSERT INTO t (must, twice) VALUES (1, DEFAULT)",
    "INSERT INTO t (must, twice) SELECT 1, 2",
    "INSERT INTO t (must, twice) SELECT 1, NULL",
    "INSERT IGNORE INTO t (must, twice) VALUES (1, 2)",
    "INSERT IGNORE INTO t (must) VALUES (NULL)",
    "INSERT INTO t (must, may) SELECT NULL, 1 FROM t WHERE may = 5",
    "INSERT INTO t (must) VALUES (1), (DEFAULT)",
    "INSERT INTO t (must, has) VALUES (1, DEFAULT)",
    "INSERT INTO two VALUES (1, NULL)",
    "INSERT INTO two VALUES (1, '2020-01-01') ON DUPLICATE KEY UPDATE a = 2",
    "INSERT INTO t (must) VALUES (1, 2)",
    "INSERT INTO t (nothing) VALUES (1)",
    "INSERT INTO t (must) SELECT 1",
    "INSERT INTO t (may) SELECT 1",
    "INSERT INTO t (id, may) VALUES (1, 2) ON DUPLICATE KEY UPDATE may = 3",
    "INSERT INTO t (id, must) VALUES (1, 2) ON DUPLICATE KEY UPDATE may = 3",
    "INSERT INTO filled (a) VALUES (1)",
    "INSERT INTO filled (a, b) VALUES (1, NULL)",
    "INSERT INTO seen (must) VALUES (1)",
];

/// What our check says.
fn checked(sql: &str, url: &str) -> std::result::Result<(), String> {
    let folder = env::current_dir().expect("a folder");
    let settings = Settings::load(&folder, &|name| {
        (name == "DATABASE_URL").then(|| url.to_owned().into())
    });
    let sql = Sql::parse(sql).expect("a statement");
    describe_with(&sql, &settings.expect("settings"))
        .map(drop)
        .map_err(|error| error.to_string())
}

/// What the server says, leaving nothing behind.
async fn done(sql: &str, conn: &mut Connection) -> Result<()> {
    conn.run_script("START TRANSACTION").await?;
    let done = conn.run_script(sql).await;
    conn.run_script("ROLLBACK").await?;
    done.map(drop)
}

/// Compares both; returns how many statements are refused. Each address has a session of its own, with the sql_mode of its time.
async fn compare(url: &str) -> Result<usize> {
    let mut conn = Connection::connect(url).await?;
    let mut wrong = Vec::new();
    let mut refused = 0;
    for sql in STATEMENTS {
        let (ours, theirs) = (checked(sql, url), done(sql, &mut conn).await);
        refused += usize::from(ours.is_err());
        if ours.is_ok() != theirs.is_ok() {
            wrong.push(format!(
                "{sql}\n    we: {ours:?}\n    the server: {theirs:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(refused)
}

on_every_server! {
    async fn as_the_server_does(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let strict = compare(&database.url()).await?;
        database.run("SET GLOBAL sql_mode = ''");
        let loose = compare(&database.socket_url()).await;
        database.run("SET GLOBAL sql_mode = DEFAULT");
        assert!(strict > loose? + 5, "strict refuses more: {strict}");
        Ok(())
    }
}
