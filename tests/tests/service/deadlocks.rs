//! B10: deadlocks, lock waits and DDL end transactions; nothing is committed by itself through a dead one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result, Transaction, query};
use tests::{Database, on_every_server};
use tokio::sync::Barrier;

use crate::support::{code, fails, reached, seen, times};

const SCHEMA: &str = "CREATE TABLE pairs (id INT PRIMARY KEY, n INT NOT NULL); CREATE TABLE log (n INT);
    INSERT INTO pairs WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 63) SELECT i, 0 FROM d";

async fn add(tx: &mut Transaction<'_>, id: i32) -> Result<()> {
    query("UPDATE pairs SET n = n + 1 WHERE id = ?")
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Two that each want what the other has. Every victim tries to go on; gives back how many there were.
async fn collide(pool: &Pool, pair: i32) -> Result<usize> {
    let both = Arc::new(Barrier::new(2));
    let sides = [(pair, pair + 1), (pair + 1, pair)].map(|(first, second)| {
        let (pool, both) = (pool.clone(), Arc::clone(&both));
        tokio::spawn(async move {
            let mut tx = pool.begin().await?;
            add(&mut tx, first).await?;
            both.wait().await;
            match add(&mut tx, second).await {
                Ok(()) => tx.commit().await.map(|()| 0),
                Err(error) => {
                    assert_eq!(
                        (code(&error), error.outcome()),
                        (Some(1213), Outcome::Rejected),
                        "{error}"
                    );
                    for _ in 0..3 {
                        let result = query("INSERT INTO log VALUES (1)").execute(&mut tx).await;
                        fails(result, ErrorKind::TransactionEnded, Outcome::NotSent);
                    }
                    fails(
                        tx.commit().await,
                        ErrorKind::TransactionEnded,
                        Outcome::NotSent,
                    );
                    Ok::<_, ark_mysql::Error>(1)
                }
            }
        })
    });
    let mut victims = 0;
    for side in sides {
        victims += side.await.unwrap()?;
    }
    Ok(victims)
}

on_every_server! {
    async fn forced(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(16).acquire_timeout(Duration::from_secs(60)).connect(database.url()).await?;
        let rounds = times(100, 400);
        let mut victims = 0;
        for _ in 0..rounds / 4 {
            let pairs = (0..4).map(|pair| { let pool = pool.clone(); tokio::spawn(async move { collide(&pool, pair * 2).await }) });
            for pair in pairs.collect::<Vec<_>>() {
                victims += pair.await.unwrap()?;
            }
        }
        let committed: i64 = seen(&database, "SELECT COUNT(*) FROM log").await?;
        assert_eq!((victims, committed), (rounds, 0));
        reached("B10", format_args!("{} deadlocks: {victims} of {rounds} ended their transaction, {committed} rows committed by themselves", database.flavor()));
        Ok(())
    }

    async fn that_run_again_all_come_through(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(8).acquire_timeout(Duration::from_secs(60)).transaction_attempts(50).connect(database.url()).await?;
        let runs = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..8).map(|task| {
            let (pool, runs) = (pool.clone(), Arc::clone(&runs));
            tokio::spawn(async move {
                for step in 0..25 {
                    let (first, second) = if (task + step) % 2 == 0 { (1, 2) } else { (2, 1) };
                    pool.transaction(async |tx| {
                        runs.fetch_add(1, Ordering::SeqCst);
                        add(tx, first).await?;
                        tokio::task::yield_now().await;
                        add(tx, second).await
                    }).await?;
                }
                Ok::<_, ark_mysql::Error>(())
            })
        }).collect();
        for task in tasks {
            task.await.unwrap()?;
        }
        let sum: i64 = seen(&database, "SELECT CAST(SUM(n) AS SIGNED) FROM pairs").await?;
        assert_eq!(sum, 8 * 25 * 2, "each once");
        reached("B10", format_args!("{} transactions: 200 of 200 done, each once, in {} runs", database.flavor(), runs.load(Ordering::SeqCst)));
        Ok(())
    }

    async fn lock_waits_leave_it_as_the_server_says(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let rounds = times(20, 100);
        let mut holder = Connection::connect(database.url()).await?;
        let mut held = holder.begin().await?;
        add(&mut held, 0).await?;
        let waiting = (0..rounds).map(|round| {
            let url = database.url();
            tokio::spawn(async move {
                let mut conn = Connection::connect(url).await?;
                conn.run_script("SET innodb_lock_wait_timeout = 1").await?;
                let mut tx = conn.begin().await?;
                query("INSERT INTO log VALUES (1)").execute(&mut tx).await?;
                let error = fails(add(&mut tx, 0).await, ErrorKind::Server, Outcome::Rejected);
                assert_eq!(code(&error), Some(1205));
                query("INSERT INTO log VALUES (1)").execute(&mut tx).await?;
                if round % 2 == 0 { tx.commit().await?; } else { tx.rollback().await?; }
                Ok::<_, ark_mysql::Error>(())
            })
        });
        for waiting in waiting.collect::<Vec<_>>() {
            waiting.await.unwrap()?;
        }
        let committed: i64 = seen(&database, "SELECT COUNT(*) FROM log").await?;
        assert_eq!(committed, i64::try_from(rounds).unwrap(), "half of them, with both of their rows");
        reached("B10", format_args!("{} lock waits: {rounds} of {rounds} went on in their transaction", database.flavor()));
        Ok(())
    }

    async fn ddl_ends_it(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let rounds = times(20, 50);
        for round in 0..rounds {
            let mut tx = pool.begin().await?;
            query(format!("CREATE TABLE ddl_{round} (id INT)")).execute(&mut tx).await?;
            for _ in 0..2 {
                fails(query("INSERT INTO log VALUES (1)").execute(&mut tx).await, ErrorKind::TransactionEnded, Outcome::NotSent);
            }
            if round % 2 == 0 { fails(tx.commit().await, ErrorKind::TransactionEnded, Outcome::NotSent); }
        }
        let committed: i64 = seen(&database, "SELECT COUNT(*) FROM log").await?;
        assert_eq!(committed, 0);
        reached("B10", format_args!("{} DDL: {rounds} of {rounds} ended their transaction, {committed} rows committed by themselves", database.flavor()));
        Ok(())
    }
}
