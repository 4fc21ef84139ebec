//! What a client is told when the database is not there, or is busy.

use std::time::Duration;

use ark_mysql::{ConnectOptions, Pool};
use axum::http::StatusCode;

use crate::{ask, service};

#[ark_mysql::test(migrations = false)]
async fn a_database_without_tables_is_not_ready_and_our_fault(pool: Pool) {
    let (status, text) = ask(&service(&pool), "GET /health", None).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(!text.contains("products"), "{text}");
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR")]
async fn no_connection_free_is_a_503_and_passes(options: ConnectOptions) -> ark_mysql::Result<()> {
    let pool = Pool::builder()
        .max_connections(1)
        .acquire_timeout(Duration::from_secs(5)) // the connection itself is opened in it, on a machine that may be busy
        .connect(options)
        .await?;
    let router = service(&pool);
    let held = pool.acquire().await?;
    let (status, text) = ask(&router, "GET /products/1", None).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(text.contains("nothing was done; try again"), "{text}");
    drop(held);
    assert_eq!(
        ask(&router, "GET /health", None).await.0,
        StatusCode::NO_CONTENT
    );
    Ok(())
}

#[ark_mysql::test(migrator = "examples_web::MIGRATOR", fixtures("shop"))]
async fn a_statement_that_the_server_was_told_to_end_is_a_503(pool: Pool) -> ark_mysql::Result<()> {
    let mut tx = pool.begin().await?;
    ark_mysql::query("LOCK TABLES products WRITE")
        .execute(&mut tx)
        .await?;
    let (status, text) = ask(&service(&pool), "GET /products", None).await;
    // A server that is too busy to say that it has stopped leaves it open whether it has: another status.
    let ended = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];
    assert!(ended.contains(&status), "{status}: {text}");
    Ok(())
}
