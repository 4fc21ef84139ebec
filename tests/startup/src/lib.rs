//! A program that looks at its database when it starts. A package of its own, because `verify_schema!` is about all statements of one.
//!
//! Its cache: `cargo run -p cargo-ark-mysql -- prepare -p tests-startup --dev --migrations tests/startup --prune`.

use ark_mysql::{Connection, Executor, Operation, Result, query, query_as, query_scalar};

/// What the program does when it starts.
pub fn start<'a>(on: impl Executor + 'a) -> Operation<'a, ()> {
    ark_mysql::verify_schema!(on)
}

/// A row.
#[derive(Debug)]
pub struct User {
    /// Never NULL.
    pub id: i32,
    /// Never NULL.
    pub name: String,
    /// May be.
    pub age: Option<i32>,
}

/// What it does with its database.
///
/// # Errors
/// What can happen to statements.
pub async fn work(conn: &mut Connection, id: i32, name: &str) -> Result<()> {
    query_as!(User, "SELECT id, name, age FROM users WHERE id = ?", id)
        .fetch_optional(&mut *conn)
        .await?;
    query!("UPDATE users SET note = ? WHERE name = ?", Some("x"), name)
        .execute(&mut *conn)
        .await?;
    // What is not given stays what it is.
    query!(
        "UPDATE users SET name = COALESCE(?, name) WHERE id = ?",
        None::<&str>,
        id
    )
    .execute(&mut *conn)
    .await?;
    // Never NULL whatever the table declares.
    query!("SELECT note FROM users WHERE note IS NOT NULL")
        .fetch_all(&mut *conn)
        .await?;
    query!("SELECT u.name, SUM(o.total) AS total FROM users u JOIN orders o ON o.user_id = u.id WHERE o.paid GROUP BY u.name")
        .fetch_all(&mut *conn)
        .await?;
    query!(
        "INSERT INTO orders (user_id, total) VALUES (:id, :total)",
        id,
        total = 5
    )
    .execute(&mut *conn)
    .await?;
    query_scalar!("SELECT COUNT(*) FROM gone_tomorrow WHERE word = ?", name)
        .fetch_one(&mut *conn)
        .await?;
    query!(concat!("SELECT NOW() AS ", "now"))
        .fetch_one(&mut *conn)
        .await?;
    query!("SELECT o.id, u.seen FROM orders o LEFT JOIN users u ON u.id = o.user_id")
        .fetch_all(conn)
        .await
        .map(drop)
}
