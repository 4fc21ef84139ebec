//! A pool that lends one connection twice, waits for ever, keeps dead ones, or hands on what a borrower left behind.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ark_mysql::{ErrorKind, Outcome, Pool, PoolConnection, Result, query, query_scalar};
use tests::{Database, Server, on_every_server};

use crate::support::{fails, one, open, until_gone};

async fn variable(conn: &mut PoolConnection, sql: &str) -> Result<Option<String>> {
    one(conn, &format!("SELECT CAST({sql} AS CHAR)")).await
}

on_every_server! {
    async fn are_lent_to_one_at_a_time(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::builder().max_connections(3).acquire_timeout(Duration::from_secs(120)).connect(database.url()).await?;
        let lent = Arc::new(Mutex::new(HashSet::new()));
        let tasks: Vec<_> = (0..40u32).map(|number| {
            let (pool, lent) = (pool.clone(), Arc::clone(&lent));
            tokio::spawn(async move {
                for round in 0..10 {
                    let mut conn = pool.acquire().await?;
                    assert!(lent.lock().unwrap().insert(conn.id()), "lent twice");
                    let sum = number * 100 + round;
                    let row = query("SELECT ? + 0 AS sum").bind(sum).fetch_one(&mut conn).await?;
                    assert_eq!(row.get::<u32>("sum")?, sum);
                    if number % 3 == 0 {
                        tokio::task::yield_now().await;
                    }
                    assert!(pool.size() <= 3);
                    lent.lock().unwrap().remove(&conn.id());
                }
                Ok::<_, ark_mysql::Error>(())
            })
        }).collect();
        for task in tasks {
            task.await.unwrap()?;
        }
        assert_eq!((pool.size(), pool.idle()), (pool.idle(), pool.size()), "all came back");
        Ok(())
    }

    async fn come_back_from_tasks_that_are_aborted(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::builder().max_connections(2).acquire_timeout(Duration::from_secs(120)).connect(database.url()).await?;
        for round in 0..30u64 {
            let tasks: Vec<_> = (0..6).map(|_| {
                let pool = pool.clone();
                tokio::spawn(async move {
                    let mut tx = pool.begin().await?;
                    query!("UPDATE users SET age = age + 1 WHERE id = ?", 1u32).execute(&mut tx).await?;
                    query("SELECT SLEEP(0.001)").execute(&mut tx).await?;
                    drop(tx);
                    Ok::<_, ark_mysql::Error>(())
                })
            }).collect();
            tokio::time::sleep(Duration::from_micros(round * 100)).await;
            for task in tasks {
                task.abort();
                let _ = task.await;
            }
            assert!(pool.size() <= 2);
        }
        assert_eq!(query_scalar!("SELECT age FROM users WHERE id = 1").fetch_one(&pool).await?, Some(30), "nothing was committed");
        // Both are there at the same time.
        let both = [pool.acquire().await?, pool.acquire().await?];
        drop(both);
        Ok(())
    }

    async fn are_waited_for_until_the_deadline(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).max_waiting(2).acquire_timeout(Duration::from_millis(300)).connect(database.url()).await?;
        let only = pool.acquire().await?;
        let error = fails(pool.acquire().await, ErrorKind::PoolTimeout, Outcome::NotSent);
        assert!(error.is_transient(), "{error}");
        fails(pool.begin().await, ErrorKind::PoolTimeout, Outcome::NotSent);
        fails(query("SELECT 1").fetch_one(&pool).await, ErrorKind::PoolTimeout, Outcome::NotSent);
        // Two wait; the third one is told at once.
        let (one, two, three) = tokio::join!(pool.acquire(), pool.acquire(), async {
            tokio::task::yield_now().await;
            let refused = pool.acquire().await;
            drop(only);
            refused
        });
        let error = fails(three, ErrorKind::PoolTimeout, Outcome::NotSent);
        assert!(error.to_string().contains('2'), "{error}");
        assert!(one.is_ok() ^ two.is_ok(), "one of them got it, and holds it");
        Ok(())
    }

    async fn are_closed_with_their_pool(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(2).acquire_timeout(Duration::from_secs(20)).connect(database.url()).await?;
        let held = [pool.acquire().await?, pool.acquire().await?];
        let ids = [held[0].id(), held[1].id()];
        let waiting = tokio::spawn({ let pool = pool.clone(); async move { pool.acquire().await } });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let closing = tokio::spawn({ let pool = pool.clone(); async move { pool.close().await } });
        fails(waiting.await.unwrap(), ErrorKind::PoolClosed, Outcome::NotSent);
        fails(pool.acquire().await, ErrorKind::PoolClosed, Outcome::NotSent);
        drop(held);
        closing.await.unwrap();
        assert!(pool.is_closed());
        for id in ids {
            until_gone(&database, id).await?;
        }
        fails(query("SELECT 1").execute(&pool).await, ErrorKind::PoolClosed, Outcome::NotSent);
        Ok(())
    }

    async fn are_clean_whatever_was_done_to_them(database: Database) -> Result<()> {
        open(&database).await?;
        let other = Database::new(database.kind());
        let pool = Pool::builder().max_connections(1).acquire_timeout(Duration::from_secs(60)).connect(database.url()).await?;
        let lock = format!("lock of {}", database.name());
        let mode: String = one(&mut *pool.acquire().await?, "SELECT @@sql_mode").await?;
        let isolation = match database.kind() {
            Server::MariaDb10 => "@@tx_isolation", // its older name
            Server::MySql | Server::MariaDb => "@@transaction_isolation",
        };
        let dirt = [
            "SET @x = 1".to_owned(),
            "SET SESSION sql_mode = ''".to_owned(),
            "SET time_zone = '+05:00'".to_owned(),
            "SET NAMES latin1".to_owned(),
            "SET autocommit = 0".to_owned(),
            "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE".to_owned(),
            "SET foreign_key_checks = 0".to_owned(),
            "CREATE TEMPORARY TABLE users (id INT)".to_owned(),
            format!("SELECT GET_LOCK('{lock}', 0)"),
            "LOCK TABLES users WRITE".to_owned(),
            format!("USE {}", other.name()),
            "START TRANSACTION; UPDATE users SET age = 99".to_owned(),
            "SELECT * FROM users FOR UPDATE".to_owned(),
            "PREPARE p FROM 'SELECT 1'".to_owned(),
        ];
        for dirt in dirt {
            pool.acquire().await?.run_script(&dirt).await?;
            let mut conn = pool.acquire().await?;
            assert_eq!(variable(&mut conn, "@x").await?, None, "{dirt}");
            assert_eq!(variable(&mut conn, "@@sql_mode").await?.as_ref(), Some(&mode), "{dirt}");
            assert_eq!(variable(&mut conn, "@@time_zone").await?.as_deref(), Some("+00:00"), "{dirt}");
            assert_eq!(variable(&mut conn, "@@character_set_client").await?.as_deref(), Some("utf8mb4"), "{dirt}");
            assert_eq!(variable(&mut conn, "@@autocommit + 0").await?.as_deref(), Some("1"), "{dirt}");
            assert_eq!(variable(&mut conn, isolation).await?.as_deref(), Some("REPEATABLE-READ"), "{dirt}");
            assert_eq!(variable(&mut conn, "@@foreign_key_checks + 0").await?.as_deref(), Some("1"), "{dirt}");
            assert_eq!(variable(&mut conn, &format!("IS_FREE_LOCK('{lock}')")).await?.as_deref(), Some("1"), "{dirt}");
            // A reset leaves the database as it is, so that has to be put right, or the connection left.
            assert_eq!(variable(&mut conn, "DATABASE()").await?.as_deref(), Some(database.name()), "{dirt}");
            assert_eq!(query_scalar!("SELECT age FROM users WHERE id = 1").fetch_one(&mut conn).await?, Some(30), "{dirt}");
            assert!(!conn.in_transaction(), "{dirt}");
            let error = query("EXECUTE p").execute(&mut conn).await.unwrap_err();
            assert_eq!(error.server().map(|server| server.code), Some(1243), "{dirt}");
            // Nobody is kept waiting by a lock that was left.
            database.run("SET lock_wait_timeout = 5, innodb_lock_wait_timeout = 5; UPDATE users SET age = 30 WHERE id = 1");
        }
        Ok(())
    }

    async fn have_no_database_where_the_address_has_none(database: Database) -> Result<()> {
        let url = database.url().replace(database.name(), "");
        let pool = Pool::builder().max_connections(1).connect(url).await?;
        for _ in 0..2 {
            let mut conn = pool.acquire().await?;
            assert_eq!(variable(&mut conn, "DATABASE()").await?, None);
            conn.run_script(&format!("USE {}", database.name())).await?;
            // Another text, because a handle keeps the database that it was prepared in.
            assert_eq!(variable(&mut conn, "SCHEMA()").await?.as_deref(), Some(database.name()));
        }
        Ok(())
    }

    async fn cost_nothing_when_they_are_clean(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let id = pool.acquire().await?.id();
        for id in 1..4u32 {
            query!("SELECT id, name FROM users WHERE id = ?", id).fetch_one(&pool).await?;
            query!("UPDATE users SET age = ? WHERE id = ?", 1, id).execute(&pool).await?;
        }
        let conn = pool.acquire().await?;
        assert_eq!((conn.id(), conn.cached_statements()), (id, 2), "not reset, and the statements are still prepared");
        Ok(())
    }

    async fn keep_a_transaction_that_was_forgotten_to_themselves(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        for _ in 0..3 {
            let mut tx = pool.begin().await?;
            query!("UPDATE users SET age = ? WHERE id = ?", 99, 1u32).execute(&mut tx).await?;
            drop(tx);
            assert_eq!(query_scalar!("SELECT age FROM users WHERE id = 1").fetch_one(&pool).await?, Some(30));
        }
        Ok(())
    }
}
