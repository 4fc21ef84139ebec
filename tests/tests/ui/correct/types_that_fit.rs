#![deny(warnings)]
//! Every type that holds all values of its column.

use std::borrow::Cow;
use std::sync::Arc;

use ark_mysql::types::{Decimal, Json, Time};
use ark_mysql::{Pool, Result, query, query_as};

pub struct Wide<'a> {
    pub id: u64,
    pub name: &'a str,
    pub email: Option<Cow<'a, str>>,
    pub age: Option<i64>,
    pub photo: &'a [u8],
    pub settings: Json<Vec<u8>>,
}

pub struct Order {
    pub id: u64,
    pub total: Decimal,
    pub paid: bool,
    pub delta: Option<i64>,
    pub placed: chrono::NaiveDateTime,
    pub changed: chrono::DateTime<chrono::Utc>,
    pub took: Time,
    pub weight: f64,
    pub state: Arc<str>,
}

pub async fn all(pool: &Pool) -> Result<()> {
    query_as!(Wide<'_>, "SELECT id, name, email, age, photo, settings FROM users").for_each(pool, |_| Ok(())).await?;
    query_as!(Order, "SELECT id, total, paid, delta, placed, changed, took, weight, state FROM orders").fetch_all(pool).await?;
    let row = query!("SELECT id AS `id!: i64`, email AS 'email!', name AS \"name?\" FROM users").fetch_one(pool).await?;
    let _: (i64, String, Option<String>) = (row.id, row.email, row.name);
    Ok(())
}

fn main() {}
