//! What is sold.

use std::time::Duration;

use ark_mysql::query_as;
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::labels::Category;
use crate::money::Money;
use crate::router::Service;

/// A list that takes longer helps nobody. The server is told, and stops.
const PATIENCE: Duration = Duration::from_secs(2);
/// The size of a page.
const PAGE: u64 = 20;

/// Filled by two statements; it derives nothing of ark-mysql's.
#[derive(Debug, Serialize)]
pub(crate) struct Product {
    id: u32,
    title: String,
    description: Option<String>,
    category: Category,
    price: Money,
    stock: i32,
}

/// Which products.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    category: Option<Category>,
    /// The last id of the page before.
    #[serde(default)]
    after: u32,
}

/// `GET /products?category=book&after=20`
pub(crate) async fn list(
    State(service): State<Service>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Vec<Product>>, Failure> {
    let products = query_as!(
        Product,
        "SELECT id, title, description, category, price, stock FROM products
         WHERE id > :after AND (:category IS NULL OR category = :category) ORDER BY id LIMIT :page",
        after = wanted.after,
        category = wanted.category,
        page = PAGE,
    )
    .deadline(PATIENCE)
    .fetch_all(&service.pool)
    .await?;
    Ok(Json(products))
}

/// `GET /products/7`; that there is none is the error `RowNotFound`, which is a 404.
pub(crate) async fn one(
    State(service): State<Service>,
    Path(id): Path<u32>,
) -> Result<Json<Product>, Failure> {
    let product = query_as!(
        Product,
        "SELECT id, title, description, category, price, stock FROM products WHERE id = ?",
        id,
    )
    .fetch_one(&service.pool)
    .await?;
    Ok(Json(product))
}
