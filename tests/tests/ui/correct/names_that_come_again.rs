#![deny(warnings)]
//! A name that stands in several places of the SQL, with a value that is made for it: once.

use ark_mysql::{Pool, Result, query, query_scalar};

pub struct Page {
    pub first: u32,
    pub name: Option<String>,
}

impl Page {
    fn name(self) -> String {
        self.name.unwrap_or_default()
    }
}

pub async fn computed(pool: &Pool, page: Page, ids: &[u32]) -> Result<()> {
    let (before, is_late) = (3, page.first > 5);
    query!(
        "SELECT id FROM users WHERE id >= :first AND (id < :first + 10 OR id = :first) AND id <> :before",
        first = page.first * 10 + 1
    )
    .fetch_all(pool)
    .await?;
    // A value that is moved into the call, and a block.
    query!("SELECT id FROM users WHERE name = :name OR email = :name", name = page.name()).fetch_all(pool).await?;
    let longest = {
        let mut calls = 0;
        query_scalar!(
            "SELECT name FROM users WHERE age > :age AND -age < :age OR age = :age",
            age = {
                calls += 1;
                calls
            }
        )
        .fetch_optional(pool)
        .await?
    };
    query!(
        "SELECT id FROM users WHERE id IN (:ids) OR id + 1 IN (:ids) OR name = :name",
        ids = ..ids.iter().map(|id| id + 1),
        name = longest.as_deref().unwrap_or("nobody")
    )
    .fetch_all(pool)
    .await?;
    query!("UPDATE users SET age = :age WHERE age IS NULL OR age < :age", age = i16::from(is_late) + 1).execute(pool).await?;
    Ok(())
}

/// What is selected is text, or what a CAST says.
pub async fn selected(pool: &Pool, text: &str) -> Result<(Option<String>, Option<i64>)> {
    let text = query_scalar!("SELECT ? AS text", text).fetch_one(pool).await?;
    let number = query_scalar!("SELECT CAST(? AS SIGNED) AS number", 5).fetch_one(pool).await?;
    Ok((text, number))
}

fn main() {}
