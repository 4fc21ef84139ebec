//! Who buys.

use ark_mysql::{query, query_as};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::money::Money;
use crate::router::Service;

/// What a client sends.
#[derive(Debug, Deserialize)]
pub(crate) struct NewCustomer {
    name: String,
    email: Option<String>,
    country: String,
    birthday: Option<NaiveDate>,
}

/// What a client gets.
#[derive(Debug, Serialize)]
pub(crate) struct Customer {
    id: u64,
    name: String,
    email: Option<String>,
    credit: Money,
    created_at: DateTime<Utc>,
    orders: i64,
}

/// What was made.
#[derive(Debug, Serialize)]
pub(crate) struct Created {
    pub(crate) id: u64,
}

/// `POST /customers`; an email that somebody has is a 409, a country of three letters a 422.
pub(crate) async fn create(
    State(service): State<Service>,
    Json(new): Json<NewCustomer>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let done = query!(
        "INSERT INTO customers (name, email, country, birthday) VALUES (?, ?, ?, ?)",
        new.name,
        new.email,
        new.country,
        new.birthday,
    )
    .execute(&service.pool)
    .await?;
    let id = done.last_insert_id();
    Ok((StatusCode::CREATED, Json(Created { id })))
}

/// `GET /customers/7`
pub(crate) async fn one(
    State(service): State<Service>,
    Path(id): Path<u64>,
) -> Result<Json<Customer>, Failure> {
    let customer = query_as!(
        Customer,
        "SELECT id, name, email, credit, created_at,
                (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS `orders!`
         FROM customers c WHERE id = ?",
        id,
    )
    .fetch_one(&service.pool)
    .await?;
    Ok(Json(customer))
}

/// What may change.
#[derive(Debug, Deserialize)]
pub(crate) struct Changes {
    newsletter: bool,
}

/// `PATCH /customers/7`
///
/// Affected rows are the rows that changed, so none of them says nothing about whether the customer exists: where that matters, lock the row and look.
pub(crate) async fn update(
    State(service): State<Service>,
    Path(id): Path<u64>,
    Json(changes): Json<Changes>,
) -> Result<StatusCode, Failure> {
    let mut tx = service.pool.begin().await?;
    query!("SELECT id FROM customers WHERE id = ? FOR UPDATE", id)
        .fetch_one(&mut tx)
        .await?;
    query!(
        "UPDATE customers SET newsletter = ? WHERE id = ?",
        changes.newsletter,
        id
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
