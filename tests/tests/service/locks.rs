//! Locks of somebody who has gone: they are given up at once, and not when the connection is used next, which may be never.

use std::time::Duration;

use ark_mysql::{Connection, Pool, Result, query};
use tests::{Database, Transport, on_every_server};
use tokio::time::{sleep, timeout};

use crate::by_hand::{run, statement};
use crate::support::{Proxy, one};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Write Lock(): "UPDATE t SET n = n + 1 WHERE id = 1" => Locked {});
statement!(Write LockSlowly(): "UPDATE t SET n = n + SLEEP(0.3) WHERE id = 1" => LockedSlowly {});

const SCHEMA: &str =
    "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL); INSERT INTO t VALUES (1, 0)";
/// Far more than it takes, and less than the servers wait for a lock.
const SOON: Duration = Duration::from_secs(20);

/// Somebody else gets the row, and finds what was committed in it.
async fn is_free(other: &mut Connection, n: i32, what: &str) -> Result<()> {
    let taking = query("UPDATE t SET n = n + 100 WHERE id = 1").execute(&mut *other);
    let taken = timeout(SOON, taking).await;
    taken.unwrap_or_else(|_| panic!("{what}: the row is still locked"))?;
    assert_eq!(
        one::<i32>(other, "SELECT n FROM t").await?,
        n + 100,
        "{what}"
    );
    query("UPDATE t SET n = 0").execute(other).await?;
    Ok(())
}

on_every_server! {
    async fn of_a_transaction_that_was_dropped(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut other = Connection::connect(database.url()).await?;
        for transport in Transport::ALL {
            let mut conn = Connection::connect(database.url_by(transport)).await?;
            for round in 0..3 {
                let mut tx = conn.begin().await?;
                run!(Lock).execute(&mut tx).await?;
                let mut inner = tx.savepoint().await?;
                run!(Lock).execute(&mut inner).await?;
                drop(inner);
                drop(tx);
                is_free(&mut other, 0, &format!("{transport:?}")).await?;
                // And it is in step.
                assert!(!conn.is_closed());
                assert_eq!(run!(Echo, round).fetch_one(&mut conn).await?.echo, Some(round));
                assert!(!conn.in_transaction());
            }
        }
        Ok(())
    }

    async fn of_one_that_was_dropped_with_its_statement(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut other = Connection::connect(database.url()).await?;
        let mut conn = Connection::connect(database.url()).await?;
        for (kept, wait) in [(false, 0), (true, 400)] {
            let mut tx = conn.begin().await?;
            run!(Lock).execute(&mut tx).await?;
            assert!(timeout(Duration::from_millis(30), run!(LockSlowly).execute(&mut tx)).await.is_err());
            drop(tx);
            is_free(&mut other, 0, "once the statement is over").await?;
            sleep(Duration::from_millis(wait)).await;
            if !kept {
                conn = Connection::connect(database.url()).await?;
                continue;
            }
            // What was dropped has been answered meanwhile.
            assert_eq!(run!(Echo, 7).fetch_one(&mut conn).await?.echo, Some(7));
            assert!(!conn.in_transaction());
        }
        Ok(())
    }

    async fn of_one_that_was_dropped_at_any_poll(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut other = Connection::connect(database.url()).await?;
        let mut conn = Connection::connect(database.url()).await?;
        let mut dropped = 0;
        for number in 1..60 {
            let inserting = async {
                let mut tx = conn.begin().await?;
                for id in 2..9 {
                    query("INSERT INTO t VALUES (?, 0)").bind(id).execute(&mut tx).await?;
                }
                tx.rollback().await
            };
            dropped += i32::from(crate::support::polled(inserting, number).await.is_none());
            let inserted = timeout(SOON, query("INSERT INTO t VALUES (2, 1)").execute(&mut other)).await;
            inserted.expect("the row is still locked")?;
            query("DELETE FROM t WHERE id > 1").execute(&mut other).await?;
            assert_eq!(run!(Echo, 7).fetch_one(&mut conn).await?.echo, Some(7));
        }
        assert!(dropped > 3, "{dropped}");
        Ok(())
    }

    async fn of_a_lease_that_went_back(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut other = Connection::connect(database.url()).await?;
        for transport in Transport::ALL {
            let pool = Pool::builder().max_connections(1).connect(database.url_by(transport)).await?;
            for way in ["a dropped transaction", "a raw transaction", "a statement in it", "LOCK TABLES", "an aborted task"] {
                let what = format!("{transport:?}, {way}");
                match way {
                    "a raw transaction" => {
                        let mut lease = pool.acquire().await?;
                        lease.run_script("START TRANSACTION; UPDATE t SET n = n + 1").await?;
                    }
                    "LOCK TABLES" => pool.acquire().await?.run_script("LOCK TABLES t WRITE").await?,
                    "an aborted task" => {
                        let pool = pool.clone();
                        let task = tokio::spawn(async move {
                            pool.transaction(async |tx| {
                                run!(Lock).execute(&mut *tx).await?;
                                std::future::pending::<Result<()>>().await
                            }).await
                        });
                        sleep(Duration::from_millis(50)).await;
                        task.abort();
                        assert!(task.await.unwrap_err().is_cancelled());
                    }
                    _ => {
                        let mut tx = pool.begin().await?;
                        run!(Lock).execute(&mut tx).await?;
                        if way == "a statement in it" {
                            assert!(timeout(Duration::from_millis(30), run!(LockSlowly).execute(&mut tx)).await.is_err());
                        }
                    }
                }
                is_free(&mut other, 0, &what).await?;
                for value in 0..3 {
                    assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value), "{what}");
                }
            }
            query("SELECT GET_LOCK(?, 0)").bind(database.name()).fetch_all(&pool).await?;
            let lock = format!("SELECT GET_LOCK('{}', 20)", database.name());
            assert_eq!(one::<i64>(&mut other, &lock).await?, 1, "{transport:?}");
            query("DO RELEASE_ALL_LOCKS()").execute(&mut other).await?;
            // One connection did it all, but for that whose statement ran for too long.
            let metrics = pool.metrics();
            assert!(metrics.opened <= 2 && metrics.resets >= 5, "{transport:?}: {metrics:?}");
        }
        Ok(())
    }

    async fn of_a_lease_dropped_outside_of_a_runtime(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut other = Connection::connect(database.url()).await?;
        let pool = Pool::builder().max_connections(1).connect(database.tls_url()).await?;
        let mut tx = pool.begin().await?;
        run!(Lock).execute(&mut tx).await?;
        std::thread::spawn(move || drop(tx)).join().unwrap();
        is_free(&mut other, 0, "dropped by a thread").await?;
        assert_eq!(run!(Echo, 7).fetch_one(&pool).await?.echo, Some(7));
        Ok(())
    }

    /// What could not be sent at once is sent by the next user, and nothing of it twice.
    async fn where_the_rollback_cannot_be_sent_at_once(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let mut conn = Connection::connect(format!("{url}&compat=proxy")).await?;
        for polls in 1..12 {
            let mut tx = conn.begin().await?;
            run!(Lock).execute(&mut tx).await?;
            proxy.in_pieces_of(1);
            let asking = crate::support::polled(run!(Echo, 5).fetch_one(&mut tx), polls).await;
            proxy.in_pieces_of(0);
            drop(tx);
            match run!(Echo, 9).fetch_one(&mut conn).await {
                Ok(row) => assert_eq!(row.echo, Some(9), "{polls} polls, {}", asking.is_some()),
                Err(error) => panic!("{polls} polls: {error}"),
            }
            assert!(!conn.in_transaction());
        }
        let mut other = Connection::connect(database.url()).await?;
        is_free(&mut other, 0, "in the end").await
    }
}
