//! Who bought what.

mod place;

use ark_mysql::{query, query_as};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

use crate::customers::Created;
use crate::failure::Failure;
use crate::labels::Status;
use crate::money::Money;
use crate::router::Service;

/// What a client sends. Prices are ours.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NewOrder {
    customer: u64,
    lines: Vec<NewLine>,
}

#[derive(Clone, Debug, Deserialize)]
struct NewLine {
    product: u32,
    quantity: u16,
}

/// What a client gets.
#[derive(Debug, Serialize)]
pub(crate) struct Order {
    id: u64,
    customer: u64,
    status: Status,
    total: Money,
    placed_at: NaiveDateTime,
    lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    product: u32,
    title: String,
    quantity: i32,
    price: Money,
}

/// `POST /orders`
pub(crate) async fn create(
    State(service): State<Service>,
    Json(order): Json<NewOrder>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let id = place::place(&service.pool, &order).await?;
    Ok((StatusCode::CREATED, Json(Created { id })))
}

/// `GET /orders/7`: two statements in one round trip.
pub(crate) async fn one(
    State(service): State<Service>,
    Path(id): Path<u64>,
) -> Result<Json<Order>, Failure> {
    let head = query!(
        "SELECT id, customer_id, status AS `status: Status`, total AS `total: Money`, placed_at FROM orders WHERE id = ?",
        id
    );
    let lines = query_as!(
        Line,
        "SELECT l.product_id AS product, p.title, l.quantity, l.price
         FROM order_lines l JOIN products p ON p.id = l.product_id WHERE l.order_id = ? ORDER BY l.line",
        id,
    );
    let mut connection = service.pool.acquire().await?;
    let (head, lines) = connection.pipeline((head.one(), lines.all())).await?;
    let head = head?;
    Ok(Json(Order {
        id: head.id,
        customer: head.customer_id,
        status: head.status,
        total: head.total,
        placed_at: head.placed_at,
        lines: lines?,
    }))
}
