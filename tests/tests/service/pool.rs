//! What a pool promises: waiting is fair, errors show the cause, figures are true, nobody waits for somebody else's trouble.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, on_every_server};

use crate::by_hand::{run, statement};
use crate::support::{Proxy, fails};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Slow(value): "SELECT CAST(? AS SIGNED) AS echo, SLEEP(0.002) AS s" => Slept { echo: Option<i64> = BigInt Nullable, s: i64 = BigInt NotNull });
statement!(Read Id(): "SELECT CONNECTION_ID() AS id" => Connected { id: u64 = BigIntUnsigned NotNull });
statement!(Session SetVariable(): "SET @mine = 42" => Nothing {});
statement!(Read Variable(): "SELECT CAST(@mine AS SIGNED) AS v" => Mine { v: Option<i64> = BigInt Nullable });

on_every_server! {
    async fn waiting_tasks_are_served_in_order(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).acquire_timeout(Duration::from_secs(60)).connect(database.url()).await?;
        let held = pool.acquire().await?;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for number in 0..100 {
            let (waiting, order) = (pool.clone(), Arc::clone(&order));
            let mut task = Box::pin(async move {
                let mut conn = waiting.acquire().await?;
                order.lock().unwrap().push(number);
                run!(Id).fetch_one(&mut conn).await
            });
            // Its first poll, which puts it into the queue, is here: the order in which spawned tasks begin is nobody's promise.
            let first = std::future::poll_fn(|context| std::task::Poll::Ready(task.as_mut().poll(context).is_pending())).await;
            assert!(first && pool.metrics().waiting == number + 1);
            tasks.push(tokio::spawn(task));
        }
        drop(held);
        for task in tasks {
            task.await.unwrap()?;
        }
        assert_eq!(*order.lock().unwrap(), (0..100).collect::<Vec<_>>());
        let metrics = pool.metrics();
        assert_eq!((metrics.acquired, metrics.opened, metrics.wait.count(), metrics.hold.count()), (102, 1, 102, 102), "{metrics:?}");
        Ok(())
    }

    async fn errors_show_who_holds_the_connections_and_what_failed(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(tests::Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(2).acquire_timeout(Duration::from_millis(300)).connect(url).await?;
        let (one, two) = (pool.acquire().await?, pool.acquire().await?);
        let began = Instant::now();
        let error = fails(pool.acquire().await, ErrorKind::PoolTimeout, Outcome::NotSent);
        assert!(began.elapsed() < Duration::from_millis(900));
        let text = error.to_string();
        for part in ["2 of 2 are lent".to_owned(), format!("held longest: connection {} for", one.id()), format!("connection {} for", two.id())] {
            assert!(text.contains(&part), "{part}: {text}");
        }
        let metrics = pool.metrics();
        assert_eq!((metrics.timeouts, metrics.lent, metrics.max_connections), (1, 2, 2), "{metrics:?}");
        drop((one, two));
        // The server goes away: the error names what happened when connecting, in one deadline with the queue.
        proxy.cut_now().await;
        drop(proxy);
        tokio::time::sleep(Duration::from_millis(20)).await;
        let error = run!(Id).fetch_one(&pool).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Connect, Outcome::NotSent), "{error}");
        assert!(pool.metrics().open_failures > 0);
        Ok(())
    }

    async fn a_lease_may_have_a_deadline_of_its_own(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).acquire_timeout(Duration::from_millis(300)).connect(database.url()).await?;
        let held = pool.acquire().deadline(Duration::from_millis(1)).await?; // free ones are there at once
        // Shorter than the pool's.
        let began = Instant::now();
        let error = fails(pool.acquire().deadline(Duration::from_millis(50)).await, ErrorKind::PoolTimeout, Outcome::NotSent);
        assert!(began.elapsed() >= Duration::from_millis(50));
        assert!(error.to_string().contains("no connection became free within 50ms: 1 of 1 are lent"), "{error}");
        // And longer.
        let waiting = tokio::spawn({
            let pool = pool.clone();
            async move { pool.acquire().deadline(Duration::from_secs(60)).await.map(drop) }
        });
        fails(pool.acquire().await, ErrorKind::PoolTimeout, Outcome::NotSent);
        assert!(!waiting.is_finished());
        drop(held);
        waiting.await.unwrap()?;
        // Nothing happens before it is awaited, and nothing is left of one that is dropped.
        let never = pool.acquire();
        assert_eq!((pool.metrics().lent, pool.metrics().waiting), (0, 0));
        drop(never);
        let held = pool.acquire().await?;
        assert!(crate::support::polled(pool.acquire(), 3).await.is_none());
        assert_eq!(pool.metrics().waiting, 0);
        drop(held);
        assert_eq!(pool.idle(), 1);
        Ok(())
    }

    async fn closing_cuts_what_does_not_come_back(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(4).connect(database.url()).await?;
        let running = tokio::spawn({ let pool = pool.clone(); async move { query("SELECT SLEEP(20)").fetch_one(&pool).await.map(drop) } });
        let mut held = pool.acquire().await?;
        let short = tokio::spawn({ let pool = pool.clone(); async move { run!(Slow, 1).fetch_one(&pool).await.map(drop) } });
        while pool.metrics().lent < 3 && !short.is_finished() {
            tokio::task::yield_now().await;
        }
        let began = Instant::now();
        let cut = pool.close_within(Duration::from_millis(200)).await;
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(cut, 2);
        short.await.unwrap()?;
        fails(running.await.unwrap(), ErrorKind::ConnectionLost, Outcome::Unknown);
        fails(run!(Id).fetch_one(&mut held).await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        fails(pool.acquire().await, ErrorKind::PoolClosed, Outcome::NotSent);
        drop(held);
        assert_eq!(pool.size(), 0);
        Ok(())
    }

    async fn idle_connections_go_before_the_server_ends_them(database: Database) -> Result<()> {
        // A server of its own: no other test's connections are to end so soon.
        let start = move || database.kind().builder().argument("--wait-timeout=2").start();
        let server = tokio::task::spawn_blocking(start).await.unwrap().unwrap();
        let pool = Pool::builder().max_connections(3).connect(server.url()).await?;
        drop((pool.acquire().await?, pool.acquire().await?, pool.acquire().await?));
        assert_eq!(pool.size(), 3);
        for _ in 0..18 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            run!(Id).fetch_one(&pool).await?;
        }
        // Two were not needed, and were given up before the server did it.
        assert_eq!(pool.size(), 1, "{:?}", pool.metrics());
        Ok(())
    }

    async fn a_reset_prepares_what_is_used_again(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        for value in 0..3 {
            run!(Echo, value).fetch_one(&pool).await?;
        }
        run!(Variable).fetch_one(&pool).await?;
        run!(SetVariable).execute(&pool).await?;
        let mut conn = pool.acquire().await?;
        assert_eq!(conn.cached_statements(), 1, "the one that was used twice");
        assert_eq!(run!(Echo, 7).fetch_one(&mut conn).await?.echo, Some(7));
        assert_eq!(run!(Variable).fetch_one(&mut conn).await?.v, None);
        drop(conn);
        assert_eq!(pool.metrics().resets, 1);
        // One that can be prepared no more harms nobody.
        query("CREATE TABLE gone (id INT)").execute(&pool).await?;
        for _ in 0..3 {
            query("SELECT id FROM gone WHERE id = ?").bind(1).fetch_all(&pool).await?;
        }
        database.run("DROP TABLE gone");
        for value in 0..3 {
            assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value));
        }
        Ok(())
    }

    async fn a_slow_connect_blocks_nobody(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(tests::Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(4).acquire_timeout(Duration::from_secs(60)).connect(url).await?;
        let held = pool.acquire().await?;
        // Whoever opens one now waits for long, and others behind it.
        proxy.mute_new_ones();
        let mut waiting = Vec::new();
        for number in 0..20 {
            let waiter = pool.clone();
            waiting.push(tokio::spawn(async move { run!(Echo, number).fetch_one(&waiter).await }));
        }
        while pool.metrics().waiting < 20 {
            tokio::task::yield_now().await;
        }
        let began = Instant::now();
        drop(held);
        for (number, task) in (0..).zip(waiting) {
            assert_eq!(task.await.unwrap()?.echo, Some(number));
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        // A close does not wait for it either.
        let began = Instant::now();
        assert_eq!(pool.close_within(Duration::from_secs(30)).await, 0);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        Ok(())
    }

    async fn some_are_always_there(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(5).min_connections(3).idle_timeout(Duration::from_millis(400)).connect(database.url()).await?;
        let began = Instant::now();
        for _ in 0..2 {
            while pool.idle() < 3 {
                assert!(began.elapsed() < Duration::from_secs(20), "{:?}", pool.metrics());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert_eq!(pool.size(), 3);
            tokio::time::sleep(Duration::from_millis(600)).await; // without a checkout
        }
        let metrics = pool.metrics();
        assert!(metrics.closed >= 3 && metrics.opened >= 6, "old ones went, new ones came: {metrics:?}");
        let end = Connection::connect(database.url()).await?;
        drop(pool);
        drop(end);
        Ok(())
    }

    async fn old_ones_go_without_a_checkout(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(3).max_lifetime(Duration::from_millis(500)).connect(database.url()).await?;
        drop([pool.acquire().await?, pool.acquire().await?, pool.acquire().await?]);
        let began = Instant::now();
        while pool.size() > 0 {
            assert!(began.elapsed() < Duration::from_secs(20), "{:?}", pool.metrics());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(pool.metrics().closed, pool.metrics().opened);
        Ok(())
    }

    async fn a_slow_drain_blocks_nobody(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(3).connect(database.url()).await?;
        drop((pool.acquire().await?, pool.acquire().await?, pool.acquire().await?));
        for round in 0..2 {
            let slow = query("SELECT SLEEP(0.3)").fetch_one(&pool);
            assert!(tokio::time::timeout(Duration::from_millis(5), slow).await.is_err());
            let began = Instant::now();
            assert_eq!(run!(Echo, round).fetch_one(&pool).await?.echo, Some(round));
            assert!(began.elapsed() < Duration::from_millis(250), "{:?}", began.elapsed());
        }
        Ok(())
    }
}
