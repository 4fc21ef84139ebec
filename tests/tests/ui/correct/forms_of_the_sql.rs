#![deny(warnings)]
//! Every way to write a text that is there while compiling.

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
    Ok(())
}

fn main() {}
