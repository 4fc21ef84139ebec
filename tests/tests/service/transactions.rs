//! Transactions as closures and loops, with options, run again where that is legal and only there.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ark_mysql::dev_server::Flavor;
use ark_mysql::{
    ConnectOptions, Connection, Error, ErrorKind, Isolation, Outcome, Pool, Result, Transaction,
    TransactionOptions, query,
};
use tests::{Database, on_every_server};

use crate::by_hand::{run, statement};
use crate::support::{Cut, Proxy, code, fails, one, seen};

statement!(Write AddTen(): "UPDATE accounts SET balance = balance + 10 WHERE id = 1" => Added {});

const SCHEMA: &str = "CREATE TABLE accounts (id INT PRIMARY KEY, balance INT NOT NULL); INSERT INTO accounts VALUES (1, 100), (2, 100), (3, 100)";
const SUM: &str = "SELECT CAST(SUM(balance) AS SIGNED) FROM accounts";
const FIRST: &str = "SELECT balance FROM accounts WHERE id = 1";

async fn add(tx: &mut Transaction<'_>, id: i32, amount: i32) -> Result<()> {
    query("UPDATE accounts SET balance = balance + ? WHERE id = ?")
        .bind(amount)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// An error of the program's own.
#[derive(Debug)]
enum Failure {
    Database(Error),
    TooPoor,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

on_every_server! {
    async fn what_returns_ok_is_committed_and_what_fails_is_undone(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        let amount = String::from("7");
        let balance: i32 = pool.transaction(async move |tx| {
            add(tx, 1, amount.parse().unwrap()).await?;
            query(FIRST).fetch_one(tx).await?.get(0)
        }).await?;
        assert_eq!(balance, 107);
        let runs = AtomicU32::new(0);
        let result: Result<(), Failure> = pool.transaction(async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            add(tx, 1, -1000).await?;
            Err(Failure::TooPoor)
        }).await;
        assert!(matches!(result, Err(Failure::TooPoor)));
        let result: Result<(), Failure> = pool.transaction(async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            query("INSERT INTO accounts VALUES (1, 1)").execute(&mut *tx).await?;
            Ok(())
        }).await;
        assert!(matches!(result, Err(Failure::Database(error)) if code(&error) == Some(1062)));
        assert_eq!((runs.load(Ordering::SeqCst), seen::<i32>(&database, FIRST).await?), (2, 107));
        Ok(())
    }

    async fn a_future_of_it_can_be_spawned(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        let tasks: Vec<_> = (0..4).map(|_| {
            let pool = pool.clone();
            tokio::spawn(async move {
                let amount = 1;
                pool.transaction(async |tx| add(tx, 1, amount).await).await?;
                pool.transaction(async move |tx| {
                    add(tx, 2, amount).await?;
                    tx.nested(async |inner| add(inner, 3, amount).await).await
                }).await
            })
        }).collect();
        for task in tasks {
            task.await.unwrap()?;
        }
        assert_eq!(seen::<i64>(&database, SUM).await?, 312);
        Ok(())
    }

    async fn a_nested_part_can_fail_alone(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::connect(database.url()).await?;
        pool.transaction(async |tx| {
            add(tx, 1, 1).await?;
            let failed: Result<(), Failure> = tx.nested(async |inner| {
                add(inner, 2, 50).await?;
                inner.nested(async |innermost| add(innermost, 3, 50).await).await?;
                Err(Failure::TooPoor)
            }).await;
            assert!(failed.is_err());
            tx.nested(async |inner| add(inner, 3, 1).await).await
        }).await?;
        assert_eq!(seen::<i64>(&database, SUM).await?, 302);
        Ok(())
    }

    async fn a_lock_wait_runs_again_and_one_that_was_got_over_does_not(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(2).transaction_attempts(3).connect(database.url()).await?;
        let mut other = Connection::connect(database.url()).await?;
        let mut holder = other.begin().await?;
        add(&mut holder, 1, 1).await?;
        let runs = AtomicU32::new(0);
        let wait = async |tx: &mut Transaction<'_>| {
            query("SET innodb_lock_wait_timeout = 1").execute(&mut *tx).await?;
            add(tx, 1, 1).await
        };
        let result = pool.transaction(async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            wait(tx).await
        }).await;
        assert_eq!((code(&result.unwrap_err()), runs.swap(0, Ordering::SeqCst)), (Some(1205), 3), "as often as was said");
        let result: Result<(), Failure> = pool.transaction(async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            wait(tx).await.unwrap_err();
            add(tx, 2, 1).await?;
            Err(Failure::TooPoor)
        }).await;
        assert!(matches!(result, Err(Failure::TooPoor)));
        assert_eq!(runs.swap(0, Ordering::SeqCst), 1);
        let result = pool.transaction_with(TransactionOptions::new().attempts(1), async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            wait(tx).await
        }).await;
        assert_eq!((code(&result.unwrap_err()), runs.swap(0, Ordering::SeqCst)), (Some(1205), 1));
        holder.rollback().await?;
        assert_eq!(seen::<i64>(&database, SUM).await?, 300);
        Ok(())
    }

    async fn a_row_that_changed_since_the_snapshot_ends_it_and_it_runs_again(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let isolating = database.flavor() == Flavor::MariaDb;
        let mut options: ConnectOptions = database.url().parse()?;
        if isolating {
            options = options.init_statement("SET innodb_snapshot_isolation = ON"); // the default since MariaDB 11.6
        }
        let pool = Pool::connect(options).await?;
        let mut other = Connection::connect(database.url()).await?;
        let other = tokio::sync::Mutex::new(&mut other);
        let (runs, ended) = (AtomicU32::new(0), AtomicU32::new(0));
        pool.transaction(async |tx| {
            query(FIRST).fetch_all(&mut *tx).await?; // the snapshot
            if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                query("UPDATE accounts SET balance = 200 WHERE id = 1").execute(&mut **other.lock().await).await?;
            }
            let first = add(tx, 1, 1).await;
            if let Err(error) = &first {
                assert_eq!((code(error), error.outcome(), error.is_transient()), (Some(1020), Outcome::Rejected, true));
                let next = add(tx, 2, 1).await.unwrap_err();
                assert_eq!(next.kind(), ErrorKind::TransactionEnded, "nothing is committed through what has ended");
                ended.fetch_add(1, Ordering::SeqCst);
            }
            first
        }).await?;
        let overtaken = u32::from(isolating);
        assert_eq!((runs.into_inner(), ended.into_inner()), (1 + overtaken, overtaken));
        assert_eq!(seen::<i64>(&database, SUM).await?, 401);
        Ok(())
    }

    async fn a_deadline_for_all_of_it(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(2).connect(database.url()).await?;
        let short = TransactionOptions::new().deadline(Duration::from_millis(150));
        let enough = TransactionOptions::new().deadline(Duration::from_secs(100));
        pool.transaction_with(enough, async |tx| add(tx, 1, 1).await).await?;
        assert_eq!(seen::<i32>(&database, FIRST).await?, 101);
        // In the body, between its statements.
        let runs = AtomicU32::new(0);
        let slow = pool.transaction_with(short, async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            add(tx, 1, 1).await?;
            std::future::pending::<Result<()>>().await
        }).await;
        let error = fails(slow, ErrorKind::Timeout, Outcome::Rejected);
        assert!(error.to_string().contains("within 150ms; it was rolled back"), "{error}");
        // In a statement that waits for a lock: checked statements commit nothing, of others nobody knows.
        let mut other = Connection::connect(database.url()).await?;
        let mut holder = other.begin().await?;
        add(&mut holder, 1, 1).await?;
        let waits = pool.transaction_with(short, async |tx| run!(AddTen).execute(tx).await.map(drop)).await;
        fails(waits, ErrorKind::Timeout, Outcome::Rejected);
        let waits = pool.transaction_with(short, async |tx| query("UPDATE accounts SET balance = balance + 10 WHERE id = 1").execute(tx).await.map(drop)).await;
        fails(waits, ErrorKind::Timeout, Outcome::Unknown);
        // While it waits for a connection, and while it runs again and again.
        let held = (pool.acquire().await?, pool.acquire().await?);
        let error = fails(pool.transaction_with(short, async |tx| add(tx, 1, 1).await).await, ErrorKind::Timeout, Outcome::NotSent);
        let text = error.to_string();
        assert!(text.contains("no connection could be had within 150ms") && text.contains("2 of 2 are lent, 0 idle"), "{text}");
        drop(held);
        holder.rollback().await?;
        let again = TransactionOptions::new().deadline(Duration::from_millis(300)).attempts(u32::MAX);
        let runs = AtomicU32::new(0);
        let endless = pool.transaction_with(again, async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213").execute(tx).await.map(drop)
        }).await;
        let error = endless.unwrap_err();
        assert!(code(&error) == Some(1213) || error.kind() == ErrorKind::Timeout, "{error}");
        assert!(runs.load(Ordering::SeqCst) > 1);
        assert_eq!(seen::<i32>(&database, FIRST).await?, 101);
        Ok(())
    }

    async fn the_loop_form_does_the_same(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().transaction_attempts(4).connect(database.url()).await?;
        let mut retry = pool.retry();
        let mut failures = 0;
        let balance: i32 = loop {
            let mut tx = retry.begin().await?;
            add(&mut tx, 1, 1).await?;
            let result = match failures {
                0..3 => {
                    failures += 1;
                    query("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1205, MESSAGE_TEXT = 'as if'").execute(&mut tx).await.map(|_| 0)
                }
                _ => query(FIRST).fetch_one(&mut tx).await?.get(0),
            };
            if let Some(result) = retry.end(tx, result).await {
                break result?;
            }
        };
        assert_eq!((retry.attempts(), balance, seen::<i32>(&database, FIRST).await?), (4, 101, 101));
        Ok(())
    }

    async fn what_was_not_sent_runs_again_and_what_may_have_run_does_not(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(tests::Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(2).connect(url).await?;
        let runs = AtomicU32::new(0);
        // The line is cut in front of COMMIT: the server undoes it, and it may run again.
        pool.transaction(async |tx| {
            add(tx, 1, 1).await?;
            if runs.fetch_add(1, Ordering::SeqCst) == 0 {
                proxy.cut_now().await;
            }
            Ok::<_, Error>(())
        }).await?;
        assert_eq!((runs.swap(0, Ordering::SeqCst), seen::<i32>(&database, FIRST).await?), (2, 101));
        // A statement without an answer.
        for cut in [Cut::BeforeServer, Cut::BeforeAnswer] {
            let result = pool.transaction(async |tx| {
                runs.fetch_add(1, Ordering::SeqCst);
                add(tx, 2, 1).await?;
                proxy.cut(cut);
                add(tx, 1, 1).await
            }).await;
            fails(result, ErrorKind::ConnectionLost, Outcome::Unknown);
            assert_eq!(runs.swap(0, Ordering::SeqCst), 1);
        }
        // The same, and the body does not care.
        let result = pool
            .transaction(async |tx| {
                runs.fetch_add(1, Ordering::SeqCst);
                add(tx, 2, 1).await?; // prepared from here on: it is not the PREPARE that is cut off
                proxy.cut(Cut::BeforeServer);
                add(tx, 1, 1).await.unwrap_err();
                Ok::<_, Error>(())
            })
            .await;
        fails(result, ErrorKind::ConnectionClosed, Outcome::NotSent);
        assert_eq!(runs.swap(0, Ordering::SeqCst), 1);
        // COMMIT without an answer.
        let result = pool.transaction(async |tx| {
            runs.fetch_add(1, Ordering::SeqCst);
            add(tx, 1, 1).await?;
            proxy.cut(Cut::BeforeAnswer);
            Ok::<_, Error>(())
        }).await;
        let error = fails(result, ErrorKind::CommitOutcomeUnknown, Outcome::Unknown);
        let commit = error.unknown_commit().unwrap();
        assert!(error.to_string().contains(&commit.connection_id().to_string()), "{error}");
        while !commit.is_settled(&pool).await? {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!((runs.load(Ordering::SeqCst), seen::<i32>(&database, FIRST).await?), (1, 102), "it was committed");
        Ok(())
    }

    async fn options_hold_for_one_transaction(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let mut other = Connection::connect(database.url()).await?;
        let mut tx = pool.begin_with(TransactionOptions::new().read_only()).await?;
        let error = fails(add(&mut tx, 1, 1).await, ErrorKind::Server, Outcome::Rejected);
        assert_eq!(code(&error), Some(1792));
        assert_eq!(query(FIRST).fetch_one(&mut tx).await?.get::<i32>(0)?, 100, "it goes on");
        drop(tx);
        // What others commit is seen at one level and not at the other.
        for (isolation, sees) in [(Isolation::ReadCommitted, true), (Isolation::RepeatableRead, false), (Isolation::ReadUncommitted, true)] {
            let before: i32 = one(&mut other, FIRST).await?;
            let mut tx = pool.begin_with(TransactionOptions::new().isolation(isolation)).await?;
            query(FIRST).fetch_one(&mut tx).await?;
            query("UPDATE accounts SET balance = balance + 1 WHERE id = 1").execute(&mut other).await?;
            let now: i32 = query(FIRST).fetch_one(&mut tx).await?.get(0)?;
            assert_eq!(now != before, sees, "{isolation:?}");
            tx.rollback().await?;
        }
        let mut tx = pool.begin().await?;
        query(FIRST).fetch_one(&mut tx).await?;
        let before: i32 = one(&mut other, FIRST).await?;
        query("UPDATE accounts SET balance = balance + 1 WHERE id = 1").execute(&mut other).await?;
        assert_eq!(query(FIRST).fetch_one(&mut tx).await?.get::<i32>(0)?, before, "repeatable read again");
        drop(tx);
        // A snapshot is taken at the beginning, not by the first read.
        for snapshot in [true, false] {
            let options = TransactionOptions::new().isolation(Isolation::RepeatableRead);
            let mut tx = pool.begin_with(if snapshot { options.consistent_snapshot().read_only() } else { options }).await?;
            let before: i32 = one(&mut other, FIRST).await?;
            query("UPDATE accounts SET balance = balance + 1 WHERE id = 1").execute(&mut other).await?;
            let now: i32 = query(FIRST).fetch_one(&mut tx).await?.get(0)?;
            assert_eq!(now == before, snapshot);
            tx.commit().await?;
        }
        let contradiction = TransactionOptions::new().isolation(Isolation::Serializable).consistent_snapshot();
        fails(pool.begin_with(contradiction).await, ErrorKind::Configuration, Outcome::NotSent);
        Ok(())
    }

    async fn a_body_that_panics_or_is_dropped_leaves_nothing(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let panicking = tokio::spawn({
            let pool = pool.clone();
            async move {
                pool.transaction(async |tx| {
                    add(tx, 1, 1).await?;
                    assert!(tx.nested(async |inner| add(inner, 1, 1).await).await.is_err(), "a panic on purpose");
                    Ok::<_, Error>(())
                }).await
            }
        });
        assert!(panicking.await.unwrap_err().is_panic());
        let dropped = pool.transaction(async |tx| {
            add(tx, 1, 1).await?;
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok::<_, Error>(())
        });
        assert!(tokio::time::timeout(Duration::from_millis(300), dropped).await.is_err());
        assert_eq!(query(SUM).fetch_one(&pool).await?.get::<i64>(0)?, 300);
        Ok(())
    }
}
