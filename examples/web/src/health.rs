//! Whether this instance should get requests.

use ark_mysql::query_scalar;
use axum::extract::State;
use axum::http::StatusCode;

use crate::failure::Failure;
use crate::router::Service;

/// `GET /health`: 204 if the database answers, else the status of what is wrong.
pub(crate) async fn ready(State(service): State<Service>) -> Result<StatusCode, Failure> {
    query_scalar!("SELECT COUNT(*) FROM products WHERE id = 0")
        .fetch_one(&service.pool)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
