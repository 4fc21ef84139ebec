//! A library in edition 2021 that uses the macros, as users' libraries do.

use ark_mysql::{query, query_as, query_scalar, Connection, Executor, Result};

/// A row of more than one statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
}

/// A row that borrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserRef<'a> {
    /// Its number.
    pub id: u32,
    /// Its name, in the connection's buffer.
    pub name: &'a str,
}

/// One of them.
///
/// # Errors
/// Those of the statement.
pub async fn by_id(id: u32, on: impl Executor) -> Result<User> {
    query_as!(User, "SELECT id, name FROM users WHERE id = ?", id)
        .fetch_one(on)
        .await
}

/// All of a name, by another statement into the same struct.
///
/// # Errors
/// Those of the statement.
pub async fn by_name(name: &str, on: impl Executor) -> Result<Vec<User>> {
    let users = query_as!(
        User,
        "SELECT name, id FROM users WHERE name = :name ORDER BY id",
        name
    );
    users.fetch_all(on).await
}

/// How long all names are, without a copy of any.
///
/// # Errors
/// Those of the statement.
pub async fn letters(conn: &mut Connection) -> Result<usize> {
    let mut letters = 0;
    let walk = query_as!(UserRef<'_>, "SELECT id, name FROM users").for_each(conn, |user| {
        letters += user.name.len();
        Ok(())
    });
    walk.await?;
    Ok(letters)
}

/// Adds one, and tells its number.
///
/// # Errors
/// Those of the statement.
pub async fn add(name: String, on: impl Executor) -> Result<u64> {
    let done = query!(
        "INSERT INTO users (name, age) VALUES (?, ?)",
        name,
        None::<i32>
    )
    .execute(on)
    .await?;
    drop(name); // borrowed above, still ours
    Ok(done.last_insert_id())
}

/// How many there are.
///
/// # Errors
/// Those of the statement.
pub async fn count(on: impl Executor) -> Result<i64> {
    query_scalar!("SELECT COUNT(*) FROM users")
        .fetch_one(on)
        .await
}
