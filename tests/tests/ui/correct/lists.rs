#![deny(warnings)]
//! Everything that can be a list.

use std::collections::BTreeSet;
use std::sync::Arc;

use ark_mysql::{Connection, Pool, Result, query, query_scalar};

pub struct Filter<'a> {
    pub ids: &'a [u32],
    pub names: Vec<String>,
}

pub async fn found(filter: &Filter<'_>, shared: Arc<[u32]>, set: &BTreeSet<&str>, pool: &Pool) -> Result<Vec<String>> {
    let before = query_scalar!("SELECT name FROM users WHERE id IN (?) AND age = ? AND name NOT IN (?) AND id IN (?)",
        ..filter.ids, 7, ..filter.names, ..shared);
    before.fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE (id, name) IN ((?, ?))", ..filter.ids.iter().zip(set)).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE (name, id) IN ((:rows, :rows)) OR id IN (:ids)", rows = ..[("a", 1)], ids = ..filter.ids).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE id IN (?)", ..filter.ids.iter().filter(|id| **id > 2)).fetch_all(pool).await
}

pub async fn spawned(pool: Pool, conn: &'static mut Connection, ids: Vec<u32>) {
    let task = tokio::spawn(async move {
        query!("DELETE FROM users WHERE id IN (?)", ..ids).execute(&pool).await?;
        query!("DELETE FROM users WHERE id IN (?)", ..ids.iter().copied()).text().execute(conn).await
    });
    drop(task);
}

fn main() {}
