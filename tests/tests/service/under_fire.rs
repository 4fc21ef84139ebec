//! B6: a thousand tasks on few connections, some of them aborted, some connections killed: nothing leaks, nothing is dirty, nobody is forgotten.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ark_mysql::{Connection, Error, ErrorKind, Pool, PoolMetrics, Result, query};
use tests::{Database, Server, on_every_server};
use tokio::task::JoinHandle;

use crate::by_hand::{run, statement};
use crate::support::{Random, reached, times};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Slow(value): "SELECT CAST(? AS SIGNED) AS echo, SLEEP(0.002) AS s" => Slept { echo: Option<i64> = BigInt Nullable, s: i64 = BigInt NotNull });
statement!(Session SetVariable(): "SET @mine = 42" => Nothing {});
statement!(Read Variable(): "SELECT CAST(@mine AS SIGNED) AS v" => Mine { v: Option<i64> = BigInt Nullable });

const SIZE: usize = 16;

/// One operation of one of the tasks; wrong answers panic.
async fn operation(pool: &Pool, number: i64) -> Result<()> {
    match number % 8 {
        0..4 => assert_eq!(run!(Echo, number).fetch_one(pool).await?.echo, Some(number)),
        4 => assert_eq!(run!(Slow, number).fetch_one(pool).await?.echo, Some(number)),
        5 => {
            let mut conn = pool.acquire().await?;
            assert_eq!(
                run!(Variable).fetch_one(&mut conn).await?.v,
                None,
                "somebody's dirt"
            );
            run!(SetVariable).execute(&mut conn).await?;
            assert_eq!(run!(Variable).fetch_one(&mut conn).await?.v, Some(42));
        }
        6 => {
            let mut tx = pool.begin().await?;
            query("INSERT INTO t VALUES (?)")
                .bind(number)
                .execute(&mut tx)
                .await?;
            tx.rollback().await?;
        }
        _ => {
            let mut conn = pool.acquire().await?;
            assert!(!conn.in_transaction());
            for step in 0..3 {
                assert_eq!(
                    run!(Echo, number + step).fetch_one(&mut conn).await?.echo,
                    Some(number + step)
                );
            }
        }
    }
    Ok(())
}

/// Kills a random connection for each hundred operations, and sees how many there are at most.
async fn killer(
    url: String,
    pool: Pool,
    over: Arc<AtomicBool>,
    most: Arc<AtomicUsize>,
) -> Result<u64> {
    let mut admin = Connection::connect(url).await?;
    let mut random = Random::new();
    let mut kills = 0;
    while !over.load(Ordering::SeqCst) {
        let ids: Vec<u64> =
            query("SELECT id FROM information_schema.processlist WHERE user = 'pooled' AND command <> 'Killed'")
                .fetch_all(&mut admin)
                .await?
                .iter()
                .map(|row| row.get(0))
                .collect::<Result<_>>()?;
        most.fetch_max(ids.len(), Ordering::SeqCst);
        if !ids.is_empty() && kills < pool.metrics().acquired / 100 {
            let victim = ids[random.below(ids.len())];
            kills += u64::from(
                query(format!("KILL {victim}"))
                    .execute(&mut admin)
                    .await
                    .is_ok(),
            );
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    Ok(kills)
}

/// What the tasks have met.
#[derive(Default)]
struct Seen {
    /// Operations that a KILL cost.
    lost: AtomicUsize,
    /// For each lease that was waited for, how many others got theirs meanwhile.
    passed: Mutex<Vec<u64>>,
}

async fn one_task(pool: Pool, seen: Arc<Seen>, task: i64, operations: usize) {
    for step in 0..operations {
        let before = pool.metrics().acquired;
        if step % 4 == 1
            && let Ok(lease) = pool.acquire().await
        {
            let others = pool.metrics().acquired - before;
            drop(lease);
            seen.passed.lock().unwrap().push(others);
        }
        let number = task * 31 + i64::try_from(step).unwrap() * 7;
        if let Err(error) = operation(&pool, number).await {
            assert!(is_of_a_kill(&error), "{error}");
            seen.lost.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn is_of_a_kill(error: &Error) -> bool {
    let told = error
        .server()
        .is_some_and(|server| matches!(server.code, 1317 | 1927 | 1053));
    told || matches!(
        error.kind(),
        ErrorKind::ConnectionLost
            | ErrorKind::ConnectionClosed
            | ErrorKind::TransactionEnded
            | ErrorKind::Connect
    )
}

/// Aborts every tenth at some time, and waits for all: how many were aborted before their end, how many panicked.
async fn abort_some(tasks: Vec<JoinHandle<()>>) -> (usize, usize) {
    let mut random = Random::new();
    let mut aborted = 0;
    for task in tasks.iter().step_by(10) {
        let pause = u64::try_from(random.below(8000)).unwrap();
        tokio::time::sleep(Duration::from_micros(pause)).await;
        aborted += usize::from(!task.is_finished());
        task.abort();
    }
    let mut panics = 0;
    for task in tasks {
        panics += usize::from(task.await.is_err_and(|error| error.is_panic()));
    }
    (aborted, panics)
}

/// Nothing is lent, what was opened is idle or closed, and as many connections as ever can be had at once.
async fn is_whole(pool: &Pool) -> Result<PoolMetrics> {
    let metrics = pool.metrics();
    assert_eq!((metrics.lent, metrics.waiting), (0, 0), "{metrics:?}");
    assert!(
        metrics.idle <= SIZE && metrics.idle + metrics.lent == pool.size(),
        "{metrics:?}"
    );
    assert_eq!(
        metrics.opened,
        metrics.closed + u64::try_from(metrics.idle).unwrap(),
        "{metrics:?}"
    );
    let mut all = Vec::new();
    for _ in 0..SIZE {
        let lease = tokio::time::timeout(Duration::from_secs(2), pool.acquire()).await;
        all.push(lease.expect("a permit leaked")?);
    }
    Ok(metrics)
}

async fn fire_at(kind: Server) -> Result<()> {
    let server = tokio::task::spawn_blocking(move || kind.builder().start().unwrap())
        .await
        .unwrap();
    Connection::connect(server.url()).await?.run_script("CREATE DATABASE b6; CREATE TABLE b6.t (id BIGINT); CREATE USER pooled; GRANT ALL ON b6.* TO pooled").await?;
    let url = format!("{}?ssl-mode=disabled", server.url_for("b6")).replace("root@", "pooled@");
    let pool = Pool::builder()
        .max_connections(SIZE)
        .acquire_timeout(Duration::from_secs(60))
        .connect(url)
        .await?;
    let (over, most) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let killer = tokio::spawn(killer(
        server.url(),
        pool.clone(),
        Arc::clone(&over),
        Arc::clone(&most),
    ));
    let operations = times(10, 100);
    let seen = Arc::new(Seen::default());
    let began = Instant::now();
    let tasks: Vec<_> = (0..1000)
        .map(|task| tokio::spawn(one_task(pool.clone(), Arc::clone(&seen), task, operations)))
        .collect();
    let (aborted, panics) = abort_some(tasks).await;
    let took = began.elapsed();
    over.store(true, Ordering::SeqCst);
    let kills = killer.await.unwrap()?;
    while pool.idle() < pool.size() {
        assert!(
            began.elapsed() < took + Duration::from_secs(2),
            "{:?}",
            pool.metrics()
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(panics, 0);
    let metrics = is_whole(&pool).await?;
    // Fairness is a matter of order: how long a lease takes depends on who else uses this machine.
    let mut passed = std::mem::take(&mut *seen.passed.lock().unwrap());
    passed.sort_unstable();
    let (half, worst) = (passed[passed.len() / 2], passed[passed.len() - 1]);
    let late = metrics.wait.quantile(0.99);
    assert!(
        worst <= half * 10,
        "somebody was forgotten: {half}, {worst}"
    );
    assert_eq!(metrics.timeouts, 0, "{metrics:?}");
    // Those that somebody killed end by themselves.
    assert!(most.load(Ordering::SeqCst) <= SIZE);
    reached(
        "B6",
        format_args!(
            "{kind}: 1000 tasks x {operations} on {SIZE} in {took:.1?}, {aborted} aborted, {kills} kills, {} errors, 0 leaked, 0 dirty, at most {} at the server, {} opened, {} resets; 99 % waited less than {late:.1?}; others served while one waited: half below {half}, at most {worst}",
            seen.lost.load(Ordering::SeqCst),
            most.load(Ordering::SeqCst),
            metrics.opened,
            metrics.resets,
        ),
    );
    pool.close().await;
    Ok(())
}

on_every_server! {
    async fn a_pool(database: Database) -> Result<()> {
        fire_at(database.kind()).await
    }
}
