//! A table that was altered behind a statement: the new columns are noticed at once, and never read as the old ones.

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query, query_as, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{fails, one, open};

#[derive(Clone, Debug, PartialEq)]
struct User {
    id: u32,
    name: String,
    age: Option<i32>,
}

/// Again and again the same statement, prepared once.
async fn all(conn: &mut Connection, text: bool) -> Result<Vec<User>> {
    let users = query_as!(User, "SELECT * FROM users ORDER BY users.id");
    if text {
        users.text().fetch_all(conn).await
    } else {
        users.fetch_all(conn).await
    }
}

on_every_server! {
    async fn changes_that_fit_do_not_matter(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let before = all(&mut conn, false).await?;
        for change in [
            "MODIFY age BIGINT NULL",
            "MODIFY age TINYINT NULL",
            "MODIFY age SMALLINT NULL",
            "MODIFY age MEDIUMINT NULL",
            "MODIFY age INT NOT NULL DEFAULT 0",
            "MODIFY age INT NULL",
            "MODIFY id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT",
            "MODIFY id INT NOT NULL AUTO_INCREMENT",
            "MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT",
            "MODIFY name VARCHAR(400) NOT NULL",
            "MODIFY name TEXT NOT NULL",
            "MODIFY name VARCHAR(50) CHARACTER SET latin1 NOT NULL",
            "MODIFY name CHAR(50) NOT NULL",
            "ADD KEY (name)",
        ] {
            if change.contains("NOT NULL DEFAULT") {
                database.run("UPDATE users SET age = 0 WHERE age IS NULL");
            }
            database.run(&format!("ALTER TABLE users {change}"));
            for text in [false, true, false] {
                let mut rows = all(&mut conn, text).await.unwrap_or_else(|error| panic!("{change}, text {text}: {error}"));
                rows.iter_mut().for_each(|row| row.age = row.age.filter(|age| *age != 0));
                assert_eq!(rows, before, "{change}, text {text}");
            }
        }
        Ok(())
    }

    async fn changes_that_do_not_fit_are_listed(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let before = all(&mut conn, false).await?;
        for (change, back, columns) in [
            ("MODIFY age DOUBLE NULL", "MODIFY age INT NULL", &["`age`"][..]),
            ("MODIFY name VARBINARY(50) NOT NULL", "MODIFY name VARCHAR(50) NOT NULL", &["`name`"]),
            ("ADD COLUMN c INT FIRST", "DROP COLUMN c", &["c"]),
            ("ADD COLUMN c INT", "DROP COLUMN c", &["c"]),
            ("RENAME COLUMN age TO years", "RENAME COLUMN years TO age", &["age", "years"]),
            ("MODIFY age INT NULL AFTER id", "MODIFY age INT NULL AFTER name", &["age", "name"]),
            ("MODIFY age DATE NULL, MODIFY name BLOB NOT NULL", "MODIFY name VARCHAR(50) NOT NULL", &["age", "name"]),
        ] {
            if change.contains("DATE") {
                database.run("UPDATE users SET age = NULL");
            }
            database.run(&format!("ALTER TABLE users {change}"));
            for text in [false, true, false] {
                let error = fails(all(&mut conn, text).await, ErrorKind::SchemaChanged, Outcome::Done);
                let shown = error.to_string();
                assert!(columns.iter().all(|column| shown.contains(column)), "{change}: {shown}");
            }
            // The connection is none the worse, and so is the statement once the table is as before.
            assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
            database.run(&format!("ALTER TABLE users {back}"));
            if !change.contains("DATE") {
                for text in [false, true, false] {
                    assert_eq!(all(&mut conn, text).await?, before, "{back}");
                }
            }
        }
        Ok(())
    }

    async fn a_value_that_does_not_fit_any_more_is_named(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        all(&mut conn, false).await?;
        database.run("ALTER TABLE users MODIFY age BIGINT NULL; UPDATE users SET age = 1 << 40 WHERE id = 2");
        for text in [false, true, false] {
            let error = fails(all(&mut conn, text).await, ErrorKind::Decode, Outcome::Done);
            assert!(error.to_string().contains("`age`") && error.to_string().contains("row 2"), "{error}");
        }
        database.run("ALTER TABLE users MODIFY id BIGINT NOT NULL AUTO_INCREMENT; UPDATE users SET age = 1, id = -id WHERE id = 2");
        for text in [false, true] {
            let error = fails(all(&mut conn, text).await, ErrorKind::Decode, Outcome::Done);
            assert!(error.to_string().contains("`id`"), "{error}");
        }
        Ok(())
    }

    async fn a_dropped_table_is_the_servers_word(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        all(&mut conn, false).await?;
        database.run("RENAME TABLE users TO people");
        fails(all(&mut conn, false).await, ErrorKind::Server, Outcome::Rejected);
        fails(all(&mut conn, true).await, ErrorKind::Server, Outcome::Rejected);
        database.run("RENAME TABLE people TO users");
        assert_eq!(all(&mut conn, false).await?.len(), 3);
        Ok(())
    }

    // MariaDB leaves the columns out while they are as before; MySQL sends them always.
    async fn columns_that_are_left_out_are_those_sent_last(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for round in 0..3 {
            for (change, fits) in [("MODIFY age BIGINT NULL", true), ("MODIFY age DOUBLE NULL", false), ("MODIFY age INT NULL", true)] {
                for _ in 0..3 {
                    match all(&mut conn, false).await {
                        Ok(rows) => assert_eq!(rows[0].age, Some(30), "{round}, before {change}"),
                        Err(error) => assert_eq!(error.kind(), ErrorKind::SchemaChanged, "{round}, before {change}: {error}"),
                    }
                }
                database.run(&format!("ALTER TABLE users {change}"));
                for _ in 0..3 {
                    let rows = all(&mut conn, false).await;
                    assert_eq!(rows.is_ok(), fits, "{round}, {change}: {rows:?}");
                }
            }
        }
        assert_eq!(conn.cached_statements(), 1);
        Ok(())
    }

    async fn another_database_has_other_tables(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        all(&mut conn, false).await?;
        let other = Database::with_schema(database.kind(), "CREATE TABLE users (id DOUBLE NOT NULL, name INT NOT NULL, age BLOB); INSERT INTO users VALUES (1, 2, 3)");
        conn.run_script(&format!("USE {}", other.name())).await?;
        // The handle belongs to the table that it was prepared with; as text it means the other one.
        let error = fails(all(&mut conn, true).await, ErrorKind::SchemaChanged, Outcome::Done);
        assert!(["id", "name", "age"].iter().all(|column| error.to_string().contains(column)), "{error}");
        assert_eq!(all(&mut conn, false).await.map_or(3, |users| users.len()), 3);
        Ok(())
    }
}

/// The first test of statements by their handles when the server forgot them.
mod stale {
    use super::*;

    on_every_server! {
        async fn a_statement_that_must_be_prepared_again(database: Database) -> Result<()> {
            let mut conn = open(&database).await?;
            let count = async |conn: &mut Connection| query!("SELECT id, name FROM users WHERE id = ?", 1u32).fetch_one(conn).await;
            assert_eq!(count(&mut conn).await?.name, "Ann");
            // Dropping and creating again is what makes servers prepare anew, or ask for it (1615).
            for _ in 0..5 {
                database.run("FLUSH TABLES; ALTER TABLE users ENGINE = InnoDB; DROP TABLE IF EXISTS spare; CREATE TABLE spare LIKE users; INSERT INTO spare SELECT * FROM users; DROP TABLE users; RENAME TABLE spare TO users");
                assert_eq!(count(&mut conn).await?.name, "Ann");
                assert_eq!(conn.cached_statements(), 1);
            }
            let prepared: String = query("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'").fetch_one(&mut conn).await?.get(1)?;
            assert!(prepared.parse::<u32>().unwrap() < 10, "{prepared}");
            assert_eq!(one::<i64>(&mut conn, "SELECT 1").await?, 1);
            Ok(())
        }
    }
}
