#![deny(warnings)]
//! Closures, async blocks, arguments of other macros, arms, generics, statics, modules, macros that make calls.

use ark_mysql::{Connection, Executor, Pool, Result, query, query_as, query_scalar};

pub struct Name {
    pub name: String,
}

macro_rules! find {
    ($sql:literal $(, $value:expr)*) => {
        query_scalar!($sql $(, $value)*)
    };
}

macro_rules! find_with {
    ($id:ident) => {
        query_scalar!("SELECT name FROM users WHERE id = :id", id = $id)
    };
}

pub async fn in_blocks(pool: &Pool) -> Result<Vec<Option<String>>> {
    let by_id = |id: u32| async move { query_scalar!("SELECT name FROM users WHERE id = ?", id).fetch_optional(pool).await };
    let block = async { query!("SELECT name FROM users WHERE id = ?", 1).fetch_one(pool).await.map(|row| row.name) };
    let names = vec![by_id(1).await?, Some(block.await?), find!("SELECT name FROM users WHERE id = ?", 1 + 1).fetch_optional(pool).await?];
    let number = 7;
    println!("{} {}", find_with!(number).fetch_one(pool).await?, query_scalar!("SELECT COUNT(*) FROM users").fetch_one(pool).await?);
    let name = match names.len() {
        0 => query_as!(Name, "SELECT name FROM users").fetch_one(pool).await?,
        _ => query_as!(Name, "SELECT name FROM users WHERE id = ?", names.len() as u32).fetch_one(pool).await?,
    };
    tokio::spawn({
        let pool = pool.clone();
        async move { query!("UPDATE users SET name = ? WHERE id = ?", name.name, 1).execute(&pool).await }
    });
    Ok(names)
}

pub async fn generic<E: Executor>(on: E) -> Result<i64> {
    query_scalar!("SELECT COUNT(*) FROM users").fetch_one(on).await
}

pub struct Users<'a>(pub &'a mut Connection);

impl Users<'_> {
    const WHO: &'static str = "Ann";

    pub async fn rename(&mut self, id: u32) -> Result<u64> {
        Ok(query!("UPDATE users SET name = ? WHERE id = ?", Self::WHO, id).execute(&mut *self.0).await?.rows_affected())
    }

    pub async fn text(&mut self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let mut rows = query_scalar!("SELECT name FROM users").text().fetch(&mut *self.0);
        while let Some(name) = rows.next().await? {
            names.push(name);
        }
        Ok(names)
    }
}

pub fn not_async() {
    let query = query!("SELECT name FROM users WHERE id = ?", 1);
    println!("{query:?}");
}

fn main() {}
