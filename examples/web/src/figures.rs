//! The figures of the pool, as Prometheus reads them.

use axum::extract::State;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use crate::router::Service;

/// Has this process count. Once, and before the pool is made.
///
/// # Errors
/// Somebody else counts already.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    PrometheusBuilder::new().install_recorder()
}

/// `GET /metrics`
pub(crate) async fn show(State(service): State<Service>) -> String {
    service.figures.run_upkeep();
    service.figures.render()
}
