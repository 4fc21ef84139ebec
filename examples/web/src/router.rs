//! Which path is answered by which function.

use ark_mysql::Pool;
use axum::Router;
use axum::routing::{get, post};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::{customers, figures, health, orders, products};

/// What the functions share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Service {
    /// The database.
    pub pool: Pool,
    /// What `/metrics` shows: see [`figures::install`].
    pub figures: PrometheusHandle,
}

/// The service, to be served or to be called by a test.
pub fn router(service: Service) -> Router {
    Router::new()
        .route("/products", get(products::list))
        .route("/products/{id}", get(products::one))
        .route("/customers", post(customers::create))
        .route(
            "/customers/{id}",
            get(customers::one).patch(customers::update),
        )
        .route("/orders", post(orders::create))
        .route("/orders/{id}", get(orders::one))
        .route("/health", get(health::ready))
        .route("/metrics", get(figures::show))
        .with_state(service)
}
