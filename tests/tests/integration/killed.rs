//! Somebody ends a statement or a connection at the server while it works.

use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query, query_scalar};
use tests::{Database, Flavor, on_every_server};

use crate::support::{code, connect, fails, one, open};

/// Waits until the connection runs a statement with this in its text.
async fn until_it_runs(database: &Database, id: u32, text: &str) -> Result<()> {
    let mut admin = connect(database).await?;
    let sql = "SELECT COUNT(*) FROM information_schema.processlist WHERE id = ? AND info LIKE ?";
    while query(sql)
        .bind(id)
        .bind(format!("%{text}%"))
        .fetch_one(&mut admin)
        .await?
        .get::<i64>(0)?
        == 0
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(())
}

on_every_server! {
    async fn a_statement_that_runs(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = conn.id();
        let (done, killed) = tokio::join!(query("SELECT BENCHMARK(1000000000000, SHA2('x', 512))").execute(&mut conn), async {
            until_it_runs(&database, id, "BENCHMARK(10").await?;
            connect(&database).await?.run_script(&format!("KILL QUERY {id}")).await
        });
        killed?;
        // A killed BENCHMARK is a success to the servers: what the reply says is what the caller gets.
        if let Err(error) = done {
            assert_eq!((error.kind(), error.outcome(), code(&error)), (ErrorKind::Interrupted, Outcome::Rejected, Some(1317)), "{error}");
        }
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }

    async fn a_sleep(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = conn.id();
        let (slept, killed) = tokio::join!(one::<i64>(&mut conn, "SELECT SLEEP(100)"), async {
            until_it_runs(&database, id, "SLEEP(100)").await?;
            connect(&database).await?.run_script(&format!("KILL QUERY {id}")).await
        });
        killed?;
        match database.flavor() {
            Flavor::MySql => assert_eq!(slept?, 1),
            Flavor::MariaDb => assert_eq!(code(&fails(slept, ErrorKind::Interrupted, Outcome::Rejected)), Some(1317)),
        }
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }

    async fn a_statement_while_it_sends_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        conn.run_script("INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 999) SELECT i, REPEAT('x', 200) FROM d").await?;
        let id = conn.id();
        let mut rows = query!("SELECT x.n, y.pad FROM numbers x, numbers y, numbers z").fetch(&mut conn);
        rows.next().await?.expect("a billion rows");
        connect(&database).await?.run_script(&format!("KILL QUERY {id}")).await?;
        let error = loop {
            match rows.next().await {
                Ok(row) => assert!(row.is_some(), "the end of a billion rows"),
                Err(error) => break error,
            }
        };
        assert_eq!((error.kind(), code(&error)), (ErrorKind::Interrupted, Some(1317)), "{error}");
        assert!(rows.next().await?.is_none());
        drop(rows);
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }

    async fn a_connection_while_it_sends_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        conn.run_script("INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 999) SELECT i, REPEAT('x', 200) FROM d").await?;
        let id = conn.id();
        let killing = async {
            until_it_runs(&database, id, "numbers z").await?;
            connect(&database).await?.run_script(&format!("KILL {id}")).await
        };
        let (rows, killed) = tokio::join!(query_scalar!("SELECT x.n FROM numbers x, numbers y, numbers z").for_each(&mut conn, |_| Ok(())), killing);
        killed?;
        let error = rows.expect_err("a billion rows");
        assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::Server), "{error}");
        assert!(!error.is_transient() || error.outcome() == Outcome::Rejected, "{error}");
        let error = conn.ping().await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ConnectionClosed | ErrorKind::ConnectionLost), "{error}");
        Ok(())
    }

    async fn a_connection_in_a_transaction(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = conn.id();
        let mut tx = conn.begin().await?;
        query!("UPDATE users SET age = ? WHERE id = ?", 99, 1u32).execute(&mut tx).await?;
        database.run(&format!("KILL {id}"));
        crate::support::until_gone(&database, id).await?;
        let error = query!("UPDATE users SET age = ? WHERE id = ?", 98, 2u32).execute(&mut tx).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed | ErrorKind::TransactionEnded), "{error}");
        let error = tx.commit().await.unwrap_err();
        assert!(error.kind() != ErrorKind::CommitOutcomeUnknown && error.outcome() == Outcome::NotSent, "COMMIT was never sent: {error}");
        let ages = query_scalar!("SELECT age FROM users ORDER BY id").fetch_all(&mut connect(&database).await?).await?;
        assert_eq!(ages, [Some(30), None, Some(50)]);
        Ok(())
    }

    async fn the_time_that_a_statement_may_take_is_over(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let (limit, expected) = match database.flavor() {
            Flavor::MySql => ("SET max_execution_time = 100, cte_max_recursion_depth = 100000000", 3024),
            Flavor::MariaDb => ("SET max_statement_time = 0.1, max_recursive_iterations = 100000000", 1969),
        };
        conn.run_script(limit).await?;
        let sql = "WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 100000000) SELECT COUNT(*) FROM d";
        let error = one::<i64>(&mut conn, sql).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome(), code(&error)), (ErrorKind::Server, Outcome::Rejected, Some(expected)), "{error}");
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }
}

/// Not only what was prepared is lost with a link: whether a statement was sent at all is told.
#[tokio::test]
async fn what_is_known_of_the_statement() -> Result<()> {
    for kind in tests::Server::ALL {
        let database = Database::new(kind);
        let mut conn = open(&database).await?;
        database.run(&format!("KILL {}", conn.id()));
        let insert = async |conn: &mut Connection| {
            query!("INSERT INTO users (name, age) VALUES (?, ?)", "Lost", 1)
                .execute(conn)
                .await
        };
        let error = tests::in_time(insert(&mut conn)).await.unwrap_err();
        assert_eq!(
            error.outcome(),
            Outcome::NotSent,
            "a PREPARE was all that was sent: {error}"
        );
        let mut conn = connect(&database).await?;
        insert(&mut conn).await?;
        database.run(&format!("KILL {}", conn.id()));
        let error = tests::in_time(insert(&mut conn)).await.unwrap_err();
        assert!(
            matches!(error.outcome(), Outcome::Unknown | Outcome::NotSent),
            "{error}"
        );
        assert_eq!(
            one::<i64>(
                &mut connect(&database).await?,
                "SELECT COUNT(*) FROM users WHERE name = 'Lost'"
            )
            .await?,
            1
        );
    }
    Ok(())
}
