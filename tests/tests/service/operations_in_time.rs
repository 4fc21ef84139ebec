//! Deadlines of what is no query: transactions, pipelines, scripts. Each error says what is known.

use std::time::{Duration, Instant};

use ark_mysql::{Connection, Deadline, Error, ErrorKind, Outcome, Pool, Result};
use tests::{Database, Transport, on_every_server};
use tokio::time::timeout;

use crate::by_hand::{run, statement};
use crate::support::{Cut, Proxy, fails, one, seen};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Write Add(n): "INSERT INTO log VALUES (?)" => Logged {});
statement!(Write Hold(): "UPDATE log SET n = n + SLEEP(3) WHERE n = 0" => Nothing {});

const SHORT: Duration = Duration::from_millis(300);
/// How much later the error may come: 50 ms by promise, the rest for a busy machine.
const LATE: Duration = Duration::from_millis(1500);

#[track_caller]
fn in_time(began: Instant, error: &Error) {
    let took = began.elapsed();
    assert!(took >= SHORT && took < SHORT + LATE, "{took:?}: {error}");
}

async fn logged(database: &Database) -> Result<i64> {
    seen(database, "SELECT COUNT(*) FROM log").await
}

on_every_server! {
    async fn beginning_on_a_silent_server(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(1).connect(url).await?;
        proxy.cut(Cut::Silence);
        let began = Instant::now();
        in_time(began, &fails(pool.begin().deadline(SHORT).await, ErrorKind::Timeout, Outcome::NotSent));
        // The wait for a connection counts.
        let held = pool.acquire().await?;
        let began = Instant::now();
        in_time(began, &fails(pool.begin().deadline(SHORT).await, ErrorKind::Timeout, Outcome::NotSent));
        drop(held);
        pool.begin().deadline(SHORT * 20).await?.commit().deadline(SHORT * 20).await?;
        Ok(())
    }

    async fn a_commit_without_an_answer_is_unknown(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT)");
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(1).connect(url).await?;
        let mut tx = pool.begin().await?;
        run!(Add, 1).execute(&mut tx).await?;
        proxy.cut(Cut::Silence);
        let began = Instant::now();
        let error = fails(tx.commit().deadline(SHORT).await, ErrorKind::CommitOutcomeUnknown, Outcome::Unknown);
        in_time(began, &error);
        assert!(error.unknown_commit().is_some(), "{error}");
        // A savepoint's end is no commit.
        let mut tx = pool.begin().await?;
        let mut inner = tx.savepoint().deadline(SHORT * 20).await?;
        run!(Add, 2).execute(&mut inner).await?;
        proxy.cut(Cut::Silence);
        let began = Instant::now();
        in_time(began, &fails(inner.commit().deadline(SHORT).await, ErrorKind::Timeout, Outcome::Unknown));
        fails(tx.commit().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        // Nor is a savepoint that was not set.
        let mut tx = pool.begin().await?;
        proxy.cut(Cut::Silence);
        fails(tx.savepoint().deadline(SHORT).await.map(drop), ErrorKind::Timeout, Outcome::Unknown);
        drop(tx);
        let mut tx = pool.begin().await?;
        run!(Add, 3).execute(&mut tx).await?;
        proxy.cut(Cut::Silence);
        assert_eq!(tx.rollback().deadline(SHORT).await.unwrap_err().kind(), ErrorKind::Timeout);
        proxy.cut_now().await; // the server still has their transactions
        assert_eq!(logged(&database).await?, 0);
        assert_eq!(run!(Echo, 5).fetch_one(&pool).await?.echo, Some(5));
        Ok(())
    }

    async fn of_a_pipeline_is_told_item_by_item(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT); INSERT INTO log VALUES (0)");
        let mut conn = Connection::connect(database.url()).await?;
        // All prepared.
        let (echo, add) = conn.pipeline((run!(Echo, 1).one(), run!(Add, 1).run())).deadline(SHORT * 20).await?;
        assert!(echo.is_ok() && add.is_ok());
        let began = Instant::now();
        let (first, hold, last) = conn.pipeline((run!(Echo, 7).one(), run!(Hold).run(), run!(Add, 2).run())).deadline(SHORT).await?;
        assert_eq!(first?.echo, Some(7), "answered in time");
        let hold = hold.unwrap_err();
        assert_eq!(hold.kind(), ErrorKind::Timeout, "{hold}");
        in_time(began, &hold);
        match conn.is_mariadb() {
            // Its own limit ends the UPDATE; what follows runs.
            true if !conn.is_closed() => assert_eq!((hold.outcome(), last.is_ok()), (Outcome::Rejected, true)),
            _ => {
                assert_eq!(hold.outcome(), Outcome::Unknown);
                fails(last, ErrorKind::Timeout, Outcome::Unknown);
                fails(run!(Echo, 1).fetch_one(&mut conn).await, ErrorKind::ConnectionClosed, Outcome::NotSent);
            }
        }
        // With KILL what hangs is ended, what follows it runs, and the connection is kept.
        let mut conn = Connection::connect(database.url()).await?;
        let deadline = Deadline::after(SHORT).and_kill();
        let (first, hold, last) = conn.pipeline((run!(Echo, 7).one(), run!(Hold).run(), run!(Add, 3).run())).deadline(deadline).await?;
        assert_eq!((first?.echo, last.is_ok()), (Some(7), true));
        fails(hold, ErrorKind::Timeout, Outcome::Rejected);
        assert_eq!(run!(Echo, 8).fetch_one(&mut conn).await?.echo, Some(8));
        Ok(())
    }

    async fn of_many_statements_is_told_one_by_one(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT)");
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let mut conn = Connection::connect(&*url).await?;
        let numbers: Vec<i32> = (0..1000).collect();
        let all = conn.execute_many(numbers[..10].iter().map(|n| run!(Add, *n))).deadline(SHORT * 20).await?;
        assert!(all.len() == 10 && all.iter().all(|result| result.is_ok()));
        proxy.cut(Cut::Silence);
        let began = Instant::now();
        let results = conn.execute_many(numbers.iter().map(|n| run!(Add, *n))).deadline(SHORT).await?;
        assert_eq!(results.len(), 1000, "each has its result");
        let mut unknown = 0;
        for result in results {
            let error = result.unwrap_err();
            in_time(began, &error);
            assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
            unknown += match error.outcome() {
                Outcome::Unknown => 1,
                outcome => { assert_eq!(outcome, Outcome::NotSent, "{error}"); 0 }
            };
        }
        assert!((1..1000).contains(&unknown), "{unknown}");
        proxy.cut_now().await;
        assert_eq!(logged(&database).await?, 10);
        Ok(())
    }

    async fn of_scripts_and_pings(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT); INSERT INTO log VALUES (0)");
        let mut conn = Connection::connect(database.url()).await?;
        conn.ping().deadline(SHORT * 20).await?;
        let began = Instant::now();
        let deadline = Deadline::after(SHORT).and_kill();
        let error = conn.run_script("INSERT INTO log VALUES (1);\nUPDATE log SET n = n + SLEEP(3) WHERE n = 0").deadline(deadline).await.unwrap_err();
        in_time(began, &error);
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Timeout, Outcome::Partial), "{error}");
        assert!(error.to_string().contains("line 2"), "{error}");
        assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM log").await?, 2);
        // The runtime's own timeout around any of them.
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let held = pool.acquire().await?;
        assert!(timeout(SHORT, pool.begin()).await.is_err());
        drop(held);
        let mut tx = pool.begin().await?;
        run!(Add, 5).execute(&mut tx).await?;
        drop(tx.commit());
        assert_eq!(logged(&database).await?, 2, "a commit that was never awaited did not take place");
        assert_eq!(run!(Echo, 5).fetch_one(&pool).await?.echo, Some(5));
        Ok(())
    }

    /// Where a string ends in it is asked of the session first: a question that has no more time than the script.
    async fn of_a_script_whose_strings_depend_on_the_session(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT)");
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let mut conn = Connection::connect(url).await?;
        conn.run_script(r"INSERT INTO log VALUES (LENGTH('\'; '))").await?;
        proxy.cut(Cut::Silence);
        let began = Instant::now();
        let error = fails(conn.run_script(r"INSERT INTO log VALUES (LENGTH('\'; '))").deadline(SHORT).await, ErrorKind::Timeout, Outcome::NotSent);
        in_time(began, &error);
        assert!(error.to_string().contains("sql_mode"), "{error}");
        assert_eq!(logged(&database).await?, 1);
        Ok(())
    }
}
