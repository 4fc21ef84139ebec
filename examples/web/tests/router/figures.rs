//! What Prometheus reads.

use std::net::TcpListener;
use std::time::Duration;

use ark_mysql::{ConnectOptions, Connection, Pool, PoolMetrics, query};
use axum::Router;
use axum::http::StatusCode;

use crate::{ask, counting, service};

#[ark_mysql::test(migrator = "examples_web::MIGRATOR")]
async fn the_pool_counts_under_its_name(options: ConnectOptions) -> ark_mysql::Result<()> {
    counting();
    let pool = Pool::builder()
        .name("counted")
        .max_connections(3)
        .connect(options)
        .await?;
    let router = service(&pool);
    ask(&router, "GET /products", None).await;
    let (status, text) = ask(&router, "GET /metrics", None).await;
    assert_eq!(status, StatusCode::OK);
    for line in [
        "ark_mysql_pool_max_connections{pool=\"counted\"} 3",
        "ark_mysql_pool_opened_total{pool=\"counted\"} 1",
        "ark_mysql_pool_lent{pool=\"counted\"} 0",
    ] {
        assert!(text.contains(line), "{line} is missing in:\n{text}");
    }
    Ok(())
}

/// The figure behind a name and the pool's label.
#[track_caller]
fn figure(text: &str, pool: &str, name: &str) -> f64 {
    let start = format!("ark_mysql_pool_{name}{{pool=\"{pool}\"}} ");
    let found = text.lines().find_map(|line| line.strip_prefix(&*start));
    let found = found.unwrap_or_else(|| panic!("{start}is missing in:\n{text}"));
    found.parse().unwrap()
}

/// What is shown, and what the pool says of itself at the same time: nothing changed meanwhile.
async fn both_sides(router: &Router, pool: &Pool) -> (String, PoolMetrics) {
    loop {
        let before = format!("{:?}", pool.metrics());
        let (_, text) = ask(router, "GET /metrics", None).await;
        let own = pool.metrics();
        if before == format!("{own:?}") {
            return (text, own);
        }
    }
}

/// All that is shown of a pool is what the pool says of itself.
async fn is_as_the_pool_says(router: &Router, pool: &Pool, name: &str) -> PoolMetrics {
    let (text, own) = both_sides(router, pool).await;
    let count = |count: u64| f64::from(u32::try_from(count).unwrap());
    let size = |size: usize| f64::from(u32::try_from(size).unwrap());
    for (figure_name, expected) in [
        ("max_connections", size(own.max_connections)),
        ("idle", size(own.idle)),
        ("lent", size(own.lent)),
        ("waiting", size(own.waiting)),
        ("opened_total", count(own.opened)),
        ("open_failures_total", count(own.open_failures)),
        ("closed_total", count(own.closed)),
        ("resets_total", count(own.resets)),
        ("timeouts_total", count(own.timeouts)),
        ("refused_total", count(own.refused)),
    ] {
        assert_eq!(
            figure(&text, name, figure_name),
            expected,
            "{figure_name} in:\n{text}"
        );
    }
    for (histogram, own) in [("wait_seconds", &own.wait), ("hold_seconds", &own.hold)] {
        if own.count() > 0 {
            assert_eq!(
                figure(&text, name, &format!("{histogram}_count")),
                count(own.count()),
                "{text}"
            );
            let (sum, expected) = (
                figure(&text, name, &format!("{histogram}_sum")),
                own.sum().as_secs_f64(),
            );
            assert!(
                (sum - expected).abs() < 0.001,
                "{histogram}: {sum}, not {expected}"
            );
        }
    }
    own
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR")]
async fn every_figure_is_the_pools_own(options: ConnectOptions) -> ark_mysql::Result<()> {
    counting();
    let pool = Pool::builder()
        .name("busy")
        .max_connections(2)
        .max_waiting(1);
    let pool = pool.connect(options.clone()).await?;
    let router = service(&pool);
    ask(&router, "GET /products", None).await;
    let (mut one, two) = (pool.acquire().await?, pool.acquire().await?);
    let both = is_as_the_pool_says(&router, &pool, "busy").await;
    assert_eq!((both.lent, both.idle), (2, 0));
    // One waits in vain; the next is turned away meanwhile, as the figures say that somebody waits.
    let waits = pool.acquire().deadline(Duration::from_secs(2));
    let meanwhile = async {
        assert!(pool.acquire().await.is_err());
        is_as_the_pool_says(&router, &pool, "busy").await.waiting
    };
    let (waited, waiting) = tokio::join!(waits, meanwhile);
    assert!(waited.is_err() && waiting == 1);
    query("SET @mine = 1").execute(&mut one).await?;
    let ids = [one.id(), two.id()];
    drop((one, two));
    let mut both = (pool.acquire().await?, pool.acquire().await?);
    both.0.ping().await?;
    both.1.ping().await?;
    drop(both);
    let mut admin = Connection::connect(options).await?;
    admin
        .run_script(&format!("KILL {}; KILL {}", ids[0], ids[1]))
        .await?;
    let mut closed = 0;
    for _ in 0..100 {
        query("SELECT 1").fetch_one(&pool).await?;
        closed = is_as_the_pool_says(&router, &pool, "busy").await.closed;
        if closed > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let own = pool.metrics();
    assert!(
        closed > 0 && own.resets > 0 && own.hold.count() > 3,
        "{own:?}"
    );
    assert_eq!((own.timeouts, own.refused), (1, 1));
    Ok(())
}

#[tokio::test]
async fn what_could_not_be_opened_is_counted() {
    counting();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = nobody.local_addr().unwrap().port();
    drop(nobody);
    let pool = Pool::builder()
        .name("lost")
        .acquire_timeout(Duration::from_millis(300));
    let pool = pool
        .connect_lazy(format!("mysql://app@127.0.0.1:{port}/d"))
        .unwrap();
    assert!(query("SELECT 1").fetch_one(&pool).await.is_err());
    let own = is_as_the_pool_says(&service(&pool), &pool, "lost").await;
    assert!(own.open_failures > 0, "{own:?}");
}
