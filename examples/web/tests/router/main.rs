//! Tests call the router, each on a database of its own: a copy of the migrated one with the rows of `fixtures/shop.sql`.

mod customers;
mod figures;
mod life;
mod orders;
mod products;
mod schema;
mod trouble;

use std::sync::OnceLock;

use ark_mysql::Pool;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Request, StatusCode};
use examples_web::{Service, figures as metrics, router};
use metrics_exporter_prometheus::PrometheusHandle;
use serde_json::Value;
use tower::ServiceExt as _;

/// One for the process, as in `main`.
fn counting() -> PrometheusHandle {
    static FIGURES: OnceLock<PrometheusHandle> = OnceLock::new();
    FIGURES.get_or_init(|| metrics::install().unwrap()).clone()
}

fn service(pool: &Pool) -> Router {
    router(Service {
        pool: pool.clone(),
        figures: counting(),
    })
}

/// Sends `GET /path`, or another method with a JSON body, and returns what came.
async fn ask(router: &Router, line: &str, body: Option<Value>) -> (StatusCode, String) {
    let (method, path) = line.split_once(' ').unwrap();
    let request = Request::builder().method(method).uri(path);
    let request = match body {
        Some(body) => request
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    };
    let response = router.clone().oneshot(request.unwrap()).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// The same where the answer is JSON.
async fn json(router: &Router, line: &str, body: Option<Value>) -> (u16, Value) {
    let (status, text) = ask(router, line, body).await;
    let value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}: {text}"));
    (status.as_u16(), value)
}
