//! ALTER between two executions of one statement: every change that was seen to change what comes. Never a wrong value: the right one, the
//! server's own error, or `SchemaChanged` with each column that differs.

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query_as};
use tests::{Database, on_every_server};

use crate::support::{fails, open};

#[derive(Clone, Debug, PartialEq)]
struct Altered {
    id: i32,
    whole: i32,
    big: i64,
    twice: f64,
    word: String,
    maybe: Option<i32>,
}

fn row() -> Altered {
    Altered {
        id: 1,
        whole: 5,
        big: 6,
        twice: 7.0,
        word: "abc".to_owned(),
        maybe: Some(8),
    }
}

/// What becomes of a statement.
#[derive(Clone, Copy, Debug)]
enum Becomes {
    /// The right values.
    Same,
    /// `SchemaChanged`, and its message names all of these.
    Changed(&'static [&'static str]),
    /// The server refuses it, by this number.
    Refused(u16),
}

use Becomes::{Changed, Refused, Same};

/// What is done, what undoes it, what becomes of a list of columns, and of `SELECT *`.
const CHANGES: &[(&str, &str, Becomes, Becomes)] = &[
    (
        "ALTER TABLE altered MODIFY whole BIGINT NOT NULL",
        "ALTER TABLE altered MODIFY whole INT NOT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered MODIFY whole TINYINT NOT NULL",
        "ALTER TABLE altered MODIFY whole INT NOT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered MODIFY big DOUBLE NOT NULL",
        "ALTER TABLE altered MODIFY big BIGINT NOT NULL",
        Changed(&["`big`: BIGINT expected, DOUBLE came"]),
        Changed(&["`big`: BIGINT expected, DOUBLE came"]),
    ),
    (
        "ALTER TABLE altered MODIFY whole INT UNSIGNED NOT NULL",
        "ALTER TABLE altered MODIFY whole INT NOT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered MODIFY word BLOB NOT NULL",
        "ALTER TABLE altered MODIFY word VARCHAR(10) NOT NULL",
        Changed(&["`word`"]),
        Changed(&["`word`"]),
    ),
    (
        "ALTER TABLE altered MODIFY maybe INT NOT NULL",
        "ALTER TABLE altered MODIFY maybe INT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered MODIFY word VARCHAR(10) NULL",
        "ALTER TABLE altered MODIFY word VARCHAR(10) NOT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered CHANGE whole entire INT NOT NULL",
        "ALTER TABLE altered CHANGE entire whole INT NOT NULL",
        Refused(1054),
        Changed(&["`whole` expected, `entire` came"]),
    ),
    (
        "ALTER TABLE altered MODIFY twice INT NOT NULL",
        "ALTER TABLE altered MODIFY twice DOUBLE NOT NULL",
        Same,
        Same,
    ),
    (
        "ALTER TABLE altered MODIFY whole VARCHAR(20) NOT NULL",
        "ALTER TABLE altered MODIFY whole INT NOT NULL",
        Changed(&["`whole`"]),
        Changed(&["`whole`"]),
    ),
    (
        "ALTER TABLE altered ADD COLUMN more INT NOT NULL DEFAULT 1",
        "ALTER TABLE altered DROP COLUMN more",
        Same,
        Changed(&["6 columns expected, 7 came"]),
    ),
    (
        "ALTER TABLE altered ADD COLUMN more INT NOT NULL DEFAULT 1 FIRST",
        "ALTER TABLE altered DROP COLUMN more",
        Same,
        Changed(&[
            "6 columns expected, 7 came",
            "`id` expected, `more` came",
            "`word`",
            "`maybe`",
        ]),
    ),
    (
        "ALTER TABLE altered DROP COLUMN maybe",
        "ALTER TABLE altered ADD COLUMN maybe INT NULL; UPDATE altered SET maybe = 8",
        Refused(1054),
        Changed(&["6 columns expected, 5 came"]),
    ),
    (
        "ALTER TABLE altered MODIFY word VARCHAR(10) NOT NULL FIRST",
        "ALTER TABLE altered MODIFY word VARCHAR(10) NOT NULL AFTER twice",
        Same,
        Changed(&[
            "`id` expected, `word` came",
            "`whole` expected, `id` came",
            "`twice`",
        ]),
    ),
    (
        "ALTER TABLE altered MODIFY big BIGINT NOT NULL AFTER id",
        "ALTER TABLE altered MODIFY big BIGINT NOT NULL AFTER whole",
        Same,
        Changed(&[
            "`whole` expected, `big` came",
            "`big` expected, `whole` came",
        ]),
    ),
    (
        "ALTER TABLE altered DROP COLUMN maybe, ADD COLUMN other INT NULL",
        "ALTER TABLE altered DROP COLUMN other, ADD COLUMN maybe INT NULL; UPDATE altered SET maybe = 8",
        Refused(1054),
        Changed(&["`maybe` expected, `other` came"]),
    ),
    (
        "RENAME TABLE altered TO gone",
        "RENAME TABLE gone TO altered",
        Refused(1146),
        Refused(1146),
    ),
    (
        "RENAME TABLE altered TO kept; CREATE TABLE altered (id DOUBLE NOT NULL, whole VARCHAR(9) NOT NULL, big DATE NOT NULL, twice BLOB NOT NULL, word INT NOT NULL, maybe DATETIME NULL); INSERT INTO altered VALUES (1, '5', '2024-01-01', 'x', 4, NULL)",
        "DROP TABLE altered; RENAME TABLE kept TO altered",
        Changed(&["`id`", "`whole`", "`big`", "`twice`", "`word`", "`maybe`"]),
        Changed(&["`id`", "`whole`", "`big`", "`twice`", "`word`", "`maybe`"]),
    ),
];

async fn named(conn: &mut Connection, text: bool) -> Result<Altered> {
    let rows = query_as!(
        Altered,
        "SELECT id, whole, big, twice, word, maybe FROM altered"
    );
    if text {
        rows.text().fetch_one(conn).await
    } else {
        rows.fetch_one(conn).await
    }
}

async fn all(conn: &mut Connection, text: bool) -> Result<Altered> {
    let rows = query_as!(Altered, "SELECT * FROM altered");
    if text {
        rows.text().fetch_one(conn).await
    } else {
        rows.fetch_one(conn).await
    }
}

fn holds(result: Result<Altered>, becomes: Becomes, what: &str) {
    match becomes {
        Same => assert_eq!(
            result.unwrap_or_else(|error| panic!("{what}: {error}")),
            row(),
            "{what}"
        ),
        Changed(names) => {
            let told = fails(result, ErrorKind::SchemaChanged, Outcome::Done).to_string();
            assert!(
                names.iter().all(|name| told.contains(name)),
                "{what}: {told}"
            );
        }
        Refused(code) => {
            let error = fails(result, ErrorKind::Server, Outcome::Rejected);
            assert_eq!(
                error.server().map(|server| server.code),
                Some(code),
                "{what}: {error}"
            );
        }
    }
}

on_every_server! {
    async fn every_change_between_two_executions(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for (change, back, becomes, becomes_of_all) in CHANGES {
            for text in [false, true, false] {
                holds(named(&mut conn, text).await, Same, &format!("before {change}"));
                holds(all(&mut conn, text).await, Same, &format!("before {change}, all"));
            }
            database.run(change);
            for text in [false, true, false, false] {
                holds(named(&mut conn, text).await, *becomes, &format!("{change}, text {text}"));
                holds(all(&mut conn, text).await, *becomes_of_all, &format!("{change}, all, text {text}"));
            }
            database.run(back);
        }
        for text in [false, true] {
            holds(named(&mut conn, text).await, Same, "in the end");
            holds(all(&mut conn, text).await, Same, "in the end, all");
        }
        Ok(())
    }

    // Two changes at once, and the second behind the back of a statement that has just failed.
    async fn one_change_after_another(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        holds(all(&mut conn, false).await, Same, "before");
        database.run("ALTER TABLE altered MODIFY big DOUBLE NOT NULL, CHANGE word words BLOB NOT NULL");
        holds(all(&mut conn, false).await, Changed(&["`big`", "`word` expected, `words` came", "`word`: "]), "both");
        database.run("ALTER TABLE altered MODIFY big BIGINT NOT NULL");
        holds(all(&mut conn, false).await, Changed(&["`word` expected, `words` came"]), "one of them");
        database.run("ALTER TABLE altered CHANGE words word VARCHAR(10) NOT NULL");
        holds(all(&mut conn, false).await, Same, "none");
        Ok(())
    }
}
