//! Rows that differ by the way in which they are fetched.

use std::future::poll_fn;
use std::pin::pin;

use ark_mysql::{ErrorKind, Outcome, Pool, Result, query, query_as, query_scalar};
use futures_core::Stream;
use tests::{Database, on_every_server};

use crate::support::{code, fails, open};

#[derive(Debug, PartialEq)]
struct User {
    id: u32,
    name: String,
    age: Option<i32>,
}

/// Every way, by this macro of a fresh statement.
macro_rules! by_every_way {
    ($conn:expr, $query:expr) => {{
        let all = $query.fetch_all($conn).await?;
        assert_eq!($query.fetch_optional($conn).await?.as_ref(), all.first());
        match all.first() {
            Some(first) => assert_eq!($query.fetch_one($conn).await?, *first),
            None => drop(fails(
                $query.fetch_one($conn).await,
                ErrorKind::RowNotFound,
                Outcome::Done,
            )),
        }
        let mut streamed = Vec::new();
        let mut rows = $query.fetch($conn);
        while let Some(row) = rows.next().await? {
            streamed.push(row);
        }
        assert!(rows.next().await?.is_none(), "still over");
        drop(rows);
        assert_eq!(streamed, all);
        let mut streamed = Vec::new();
        {
            let mut stream = pin!($query.fetch($conn).into_stream());
            while let Some(row) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
                streamed.push(row?);
            }
        }
        assert_eq!(streamed, all);
        let mut walked = Vec::new();
        $query
            .for_each($conn, |row| {
                walked.push(row);
                Ok(())
            })
            .await?;
        assert_eq!(walked, all);
        assert_eq!($query.execute($conn).await?.rows_affected(), 0);
        all
    }};
}

on_every_server! {
    async fn gives_the_same_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for id in [0u32, 1, 2, 3, 4] {
            let prepared = by_every_way!(&mut conn, query_as!(User, "SELECT id, name, age FROM users WHERE id >= ? ORDER BY id", id)).len();
            let text = by_every_way!(&mut conn, query_as!(User, "SELECT id, name, age FROM users WHERE id >= ? ORDER BY id", id).text()).len();
            assert_eq!((prepared, text), (4usize.saturating_sub(id.max(1) as usize), prepared), "{id}");
        }
        assert_eq!(conn.cached_statements(), 1, "many call sites, but one text and one list of types");
        let pool = Pool::connect(database.url()).await?;
        assert_eq!(by_every_way!(&pool, query_as!(User, "SELECT id, name, age FROM users ORDER BY id DESC")).len(), 3);
        let mut tx = conn.begin().await?;
        assert_eq!(by_every_way!(&mut tx, query_as!(User, "SELECT id, name, age FROM users ORDER BY id DESC")).len(), 3);
        tx.commit().await
    }

    async fn counts_what_was_done(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let done = query!("INSERT INTO users (name, age) VALUES (?, ?)", "Dan", 7).execute(&mut conn).await?;
        assert_eq!((done.rows_affected(), done.last_insert_id(), done.warnings()), (1, 4, 0));
        let done = query!("INSERT INTO users (name, age) VALUES (?, ?)", "Eve", None::<i8>).text().execute(&mut conn).await?;
        assert_eq!((done.rows_affected(), done.last_insert_id()), (1, 5));
        for text in [false, true] {
            let update = query!("UPDATE users SET age = ? WHERE id > ?", 1, 3);
            let done = if text { update.text().execute(&mut conn).await? } else { update.execute(&mut conn).await? };
            assert_eq!(done.last_insert_id(), 0);
        }
        let done = query!("DELETE FROM users WHERE id > ?", 3).execute(&mut conn).await?;
        assert_eq!(done.rows_affected(), 2);
        assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
        Ok(())
    }

    async fn says_what_the_server_refused(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for (sql, expected) in [
            ("SELECT * FROM no_such_table", 1146),
            ("SELECT no_such_column FROM users", 1054),
            ("SELEC 1", 1064),
            ("INSERT INTO users (id, name) VALUES (1, 'again')", 1062),
            ("INSERT INTO users (name) VALUES (NULL)", 1048),
            ("SELECT (SELECT id FROM users)", 1242),
        ] {
            let prepared = query(sql).fetch_all(&mut conn).await;
            let text = query(sql).execute(&mut conn).await;
            for error in [fails(prepared, ErrorKind::Server, Outcome::Rejected), fails(text, ErrorKind::Server, Outcome::Rejected)] {
                assert_eq!(code(&error), Some(expected), "{sql}: {error}");
                assert_eq!(error.server().unwrap().sql_state.len(), 5, "{sql}: {error}");
                assert!(!error.is_transient(), "{sql}: {error}");
            }
        }
        let error = fails(query!("INSERT INTO users (id, name) VALUES (?, ?)", 1, "again").execute(&mut conn).await, ErrorKind::Server, Outcome::Rejected);
        assert_eq!(code(&error), Some(1062));
        assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
        Ok(())
    }

    async fn an_error_in_the_middle_of_rows_is_an_error(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        // The scalar subquery has one row for the first users and two for the last one.
        database.run("INSERT INTO orders (user_id, amount, at) VALUES (3, 1, '2020-01-01'), (3, 2, '2020-01-01')");
        let sql = "SELECT id, (SELECT amount FROM orders WHERE user_id = users.id AND users.id > 1) AS amount FROM users ORDER BY id";
        for _ in 0..2 {
            let error = fails(query(sql).fetch_all(&mut conn).await.map(drop), ErrorKind::Server, Outcome::Rejected);
            assert_eq!(code(&error), Some(1242), "{error}");
            assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
        }
        Ok(())
    }

    async fn statements_made_at_run_time(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = query("SELECT id, name, age, 1.50 AS d FROM users WHERE id <> ? ORDER BY id").bind(9).fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| row.get::<String>("name").unwrap()).collect::<Vec<_>>(), ["Ann", "Bob", "Cyd"]);
        assert_eq!((rows[0].get::<u32>("ID")?, rows[1].get::<Option<i64>>(2)?, rows[0].get::<String>("d")?), (1, None, "1.50".to_owned()));
        for (error, expected) in [
            (rows[0].get::<i64>("aeg").unwrap_err(), "id, name, age, d"),
            (rows[0].get::<i64>(4).unwrap_err(), "id, name, age, d"),
            (rows[1].get::<i64>("age").unwrap_err(), "NULL"),
            (rows[0].get::<i64>("name").unwrap_err(), "VARCHAR"),
        ] {
            assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
            assert!(error.to_string().contains(expected) || expected == "VARCHAR", "{error}");
        }
        let wrong = query("SELECT ?").bind(1).bind(2).fetch_one(&mut conn).await;
        fails(wrong, ErrorKind::Encode, Outcome::NotSent);
        let wrong = query("SELECT ?, ?").bind(1).execute(&mut conn).await;
        fails(wrong, ErrorKind::Encode, Outcome::NotSent);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            fails(query("SELECT ?").bind(value).fetch_one(&mut conn).await, ErrorKind::Encode, Outcome::NotSent);
        }
        conn.ping().await
    }

    async fn what_cannot_be_prepared_runs_as_text(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for sql in [
            "LOCK TABLES users READ",
            "UNLOCK TABLES",
            "CREATE PROCEDURE two() BEGIN SELECT id FROM users ORDER BY id; SELECT name FROM users ORDER BY id; UPDATE users SET age = 1; END",
            "CREATE TRIGGER t BEFORE DELETE ON users FOR EACH ROW SET @deleted = OLD.id",
        ] {
            query(sql).execute(&mut conn).await?;
            // What has rows goes by PREPARE first.
            let _ = query(sql).fetch_all(&mut conn).await;
        }
        for _ in 0..3 {
            assert_eq!(query("CALL two()").fetch_all(&mut conn).await?.len(), 3, "the rows of the first result");
            query("CALL two()").fetch_optional(&mut conn).await?;
            query("CALL two()").execute(&mut conn).await?;
            assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
        }
        Ok(())
    }

    async fn an_error_behind_a_first_result_says_that_a_part_was_done(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query("CREATE PROCEDURE p() BEGIN UPDATE users SET age = 7 WHERE id = 1; SELECT id FROM users ORDER BY id; SELECT (SELECT id FROM users); END").execute(&mut conn).await?;
        for text in [false, true] {
            let called = if text { query("CALL p()").execute(&mut conn).await.map(drop) } else { query("CALL p()").fetch_all(&mut conn).await.map(drop) };
            let error = fails(called, ErrorKind::Server, Outcome::Partial);
            assert_eq!(code(&error), Some(1242), "{error}");
            assert!(!error.is_transient(), "{error}");
            assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 3);
        }
        Ok(())
    }

    async fn a_script_stops_at_its_first_error_and_names_the_line(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let script = "SELECT 1;\n\n-- a comment; with a semicolon\nINSERT INTO users (name) VALUES ('a;b');\nSELEC 1;\nDROP TABLE users";
        let error = conn.run_script(script).await.unwrap_err();
        assert_eq!((error.outcome(), code(&error)), (Outcome::Partial, Some(1064)), "{error}");
        assert!(error.to_string().contains("line 5"), "{error}");
        assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut conn).await?, 4);
        Ok(())
    }
}
