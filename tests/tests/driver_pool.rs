//! What could go wrong with a pool: connections lost, dirty sessions, waiters forgotten, drops in the wrong place.

mod by_hand;

use std::time::{Duration, Instant};

use ark_mysql::{ErrorKind, Outcome, Pool, Result};
use by_hand::{run, statement};
use tests::Database;

statement!(Read Id(): "SELECT CONNECTION_ID() AS id" => Connected { id: u64 = BigIntUnsigned NotNull });
statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Session SetVariable(): "SET @secret = 42" => Nothing {});

async fn id(pool: &Pool) -> Result<u64> {
    Ok(run!(Id).fetch_one(pool).await?.id)
}

async fn variable(pool: &Pool) -> Result<Option<i64>> {
    ark_mysql::query("SELECT CAST(@secret AS SIGNED) AS v")
        .fetch_one(pool)
        .await?
        .get("v")
}

tests::on_every_server! {
    async fn many_tasks_share_few_connections(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(4).acquire_timeout(Duration::from_secs(30)).connect(database.url()).await?;
        let tasks: Vec<_> = (0..50i64).map(|task| {
            let pool = pool.clone();
            tokio::spawn(async move {
                for step in 0..20 {
                    let value = task * 1000 + step;
                    if step % 7 == 3 {
                        let limit = Duration::from_micros(u64::try_from(value % 400).unwrap());
                        let _dropped = tokio::time::timeout(limit, run!(Echo, value).fetch_one(&pool)).await;
                    }
                    assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value));
                }
                Ok::<_, ark_mysql::Error>(())
            })
        }).collect();
        for task in tasks {
            task.await.unwrap()?;
        }
        assert!(pool.size() <= 4 && pool.size() == pool.idle(), "{pool:?}");
        Ok(())
    }

    async fn a_clean_connection_is_used_again_as_it_is(database: Database) -> Result<()> {
        let pool = Pool::connect(database.url()).await?;
        let first = id(&pool).await?;
        assert_eq!(pool.acquire().await?.cached_statements(), 1, "a reset would have forgotten it");
        let mut tx = pool.begin().await?;
        run!(Echo, 1).fetch_one(&mut tx).await?;
        tx.commit().await?;
        assert_eq!(id(&pool).await?, first);
        assert_eq!(pool.acquire().await?.cached_statements(), 2, "a transaction that is over leaves nothing behind");
        Ok(())
    }

    async fn nothing_of_a_borrower_is_seen_by_the_next(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (id INT)");
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let first = id(&pool).await?;
        run!(SetVariable).execute(&pool).await?;
        assert_eq!(variable(&pool).await?, None);
        ark_mysql::query("SET @secret = 43").execute(&pool).await?;
        assert_eq!(variable(&pool).await?, None);
        ark_mysql::query("SET time_zone = '+05:00'").execute(&pool).await?;
        ark_mysql::query("START TRANSACTION").execute(&pool).await?;
        ark_mysql::query("SET NAMES latin1").execute(&pool).await?;
        let row = ark_mysql::query("SELECT @@time_zone AS z, @@character_set_client AS c, @@character_set_results AS r").fetch_one(&pool).await?;
        assert_eq!((row.get::<String>("z")?, row.get::<String>("c")?, row.get::<String>("r")?), ("+00:00".into(), "utf8mb4".into(), "utf8mb4".into()));
        let mut conn = pool.acquire().await?;
        ark_mysql::query("START TRANSACTION").execute(&mut conn).await?;
        ark_mysql::query("INSERT INTO t VALUES (1)").execute(&mut conn).await?;
        drop(conn);
        assert_eq!(ark_mysql::query("SELECT COUNT(*) FROM t").fetch_one(&pool).await?.get::<i64>(0)?, 0);
        assert_eq!(id(&pool).await?, first, "resets keep the connection");
        Ok(())
    }

    async fn a_dead_connection_is_not_handed_out(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(3).connect(database.url()).await?;
        let (one, two) = (pool.acquire().await?, pool.acquire().await?);
        let ids = [one.id(), two.id()];
        drop((one, two));
        for id in ids {
            database.run(&format!("KILL {id}"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        for value in 0..5 {
            assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value));
        }
        Ok(())
    }

    async fn waiting_ends_at_the_deadline_and_in_order(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).max_waiting(2).acquire_timeout(Duration::from_millis(200)).connect(database.url()).await?;
        let held = pool.acquire().await?;
        let began = Instant::now();
        let error = pool.acquire().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::PoolTimeout, Outcome::NotSent), "{error}");
        assert!(began.elapsed() >= Duration::from_millis(190) && error.is_transient());
        let waiters: Vec<_> = (0..3).map(|_| tokio::spawn({ let pool = pool.clone(); async move { id(&pool).await.map_err(|error| error.to_string()) } })).collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(held);
        let mut refused = 0;
        for waiter in waiters {
            if let Err(error) = waiter.await.unwrap() {
                assert!(error.contains("2 are waiting already"), "{error}");
                refused += 1;
            }
        }
        assert_eq!(refused, 1);
        assert_eq!(pool.idle(), 1);
        Ok(())
    }

    async fn a_closed_pool_says_so_to_everybody(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).acquire_timeout(Duration::from_millis(500)).connect(database.url()).await?;
        let held = pool.acquire().await?;
        let waiter = tokio::spawn({ let pool = pool.clone(); async move { pool.acquire().await.map(drop) } });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let closing = tokio::spawn({ let pool = pool.clone(); async move { pool.close().await } });
        assert_eq!(waiter.await.unwrap().unwrap_err().kind(), ErrorKind::PoolClosed);
        drop(held);
        closing.await.unwrap();
        assert_eq!(pool.acquire().await.unwrap_err().kind(), ErrorKind::PoolClosed);
        assert_eq!(pool.size(), 0);
        Ok(())
    }

    async fn a_connection_dropped_outside_of_a_runtime_goes_back_quietly(database: Database) -> Result<()> {
        let url = database.url();
        let (pool, held) = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let made = runtime.block_on(async {
                let pool = Pool::connect(url).await?;
                let held = pool.acquire().await?;
                let mut tx = pool.begin().await?;
                run!(Echo, 1).fetch_one(&mut tx).await?;
                drop(tx);
                Ok::<_, ark_mysql::Error>((pool, held))
            });
            drop(runtime);
            made
        }).join().unwrap()?;
        std::thread::spawn(move || drop(held)).join().unwrap();
        // Its runtime is gone, so the pool throws those connections away and opens new ones on this one.
        assert_eq!(run!(Echo, 3).fetch_one(&pool).await?.echo, Some(3));
        Ok(())
    }

    async fn no_secret_is_shown(database: Database) -> Result<()> {
        let account = database.account("h0rse-battery");
        let url = account.url_by(tests::Transport::Socket);
        let pool = Pool::connect(url).await?;
        let conn = pool.acquire().await?;
        let shown = format!("{pool:?} {conn:?} {:?}", run!(Echo, 77_777));
        assert!(!shown.contains("h0rse") && !shown.contains("77777") && !shown.contains("77_777"), "{shown}");
        Ok(())
    }
}
