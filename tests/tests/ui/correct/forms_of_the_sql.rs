#![deny(warnings)]
//! Case 95: every way to write a text that is there while compiling, and every place for a call.

use ark_mysql::{Pool, Result, query, query_file, query_file_as, query_file_scalar, query_scalar};

pub struct User {
    pub id: u32,
    pub name: String,
}

pub async fn all(pool: &Pool) -> Result<()> {
    query_scalar!(r"SELECT name FROM users WHERE name <> '\\'").fetch_one(pool).await?;
    query_scalar!(r##"SELECT name FROM users WHERE name <> "#""##).fetch_one(pool).await?;
    query_scalar!(concat!("SELECT name ", "FROM users WHERE id = ", 3)).fetch_one(pool).await?;
    query_scalar!("SELECT name \
        FROM users").fetch_one(pool).await?;
    query!(
        "
        -- It's a remark with a quote, and a question: why? :not
        SELECT name /* ? :nor */ FROM users # this '?
        WHERE id = ?
        ",
        1,
    )
    .fetch_one(pool)
    .await?;
    query_scalar!(include_str!("../queries/name.sql")).fetch_one(pool).await?;
    query_file!("queries/names.sql", 1).fetch_one(pool).await?;
    query_file_as!(User, "queries/names.sql", 1).fetch_one(pool).await?;
    query_file_scalar!("queries/name.sql").fetch_one(pool).await?;
    query!(crate = ark_mysql, "SELECT name FROM users").fetch_one(pool).await?;
    query_scalar!("SELECT `name` FROM `users` WHERE `name` <> 'why?' AND `name` <> \":no\" /* :nor ? */ AND id = ?;", 1).fetch_one(pool).await?;
    query_scalar!("SELECT /*!50000 name */ FROM users WHERE name <> 'it''s ?' AND id = :type", r#type = 1).fetch_one(pool).await?;
    query_scalar!("SELECT name FROM users -- ?\n WHERE id = ? # ?", 1).fetch_one(pool).await?;
    Ok(())
}

macro_rules! of_literal {
    ($pool:expr, $q:literal $(, $argument:expr)*) => {
        query_scalar!($q $(, $argument)*).fetch_one($pool).await
    };
}

macro_rules! of_tokens {
    ($pool:expr, $($q:tt)*) => {
        query_scalar!($($q)*).fetch_one($pool).await
    };
}

pub async fn places<T: Sync>(pool: &Pool, _: T) -> Result<Vec<String>> {
    let text = format!("{} {}", of_literal!(pool, "SELECT name FROM users")?, of_tokens!(pool, r"SELECT name FROM users WHERE id = ?", 1)?);
    let names = vec![text, query_scalar!("SELECT name FROM users").fetch_one(pool).await?];
    let closure = async |id: u32| of_literal!(pool, "SELECT name FROM users WHERE id = ?", id);
    let found = match query_scalar!("SELECT name FROM users").fetch_optional(pool).await? {
        Some(name) if name.is_empty() => name,
        _ => closure(1).await?,
    };
    Ok([names, vec![found]].concat())
}

fn main() {
    let _ = places::<u8>;
}
