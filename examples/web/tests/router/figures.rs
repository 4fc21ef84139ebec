//! What Prometheus reads.

use ark_mysql::{ConnectOptions, Pool};
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
