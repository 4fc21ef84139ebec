#![deny(warnings)]
//! Every type that goes with what it stands against, and what is taken as it is.

use std::borrow::Cow;
use std::sync::Arc;

use ark_mysql::types::{Decimal, Json, Time};
use ark_mysql::value::{Encode, EncodeError, ParamSink, ParamType};
use ark_mysql::{Pool, Result, kind, query, query_scalar};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

pub struct UserId(pub u32);

impl<K> Encode<K> for UserId
where
    u32: Encode<K>,
{
    const TYPE: ParamType = <u32 as Encode<K>>::TYPE;
    fn encode<S: ParamSink>(&self, out: &mut S) -> std::result::Result<(), EncodeError> {
        Encode::<K>::encode(&self.0, out)
    }
}

pub async fn compared(pool: &Pool, wide: i64, narrow: i8, unsigned: u64, day: NaiveDate, moment: NaiveDateTime, now: DateTime<Utc>) -> Result<()> {
    let sql = query_scalar!("SELECT name FROM users WHERE id IN (?, ?, ?, ?)", wide, narrow, unsigned, UserId(1));
    sql.fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE id > ?", 4_000_000_000).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE age > ?", 1.5).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE age = ?", None::<u8>).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE (? IS NULL OR id = ?)", Some(1), Some(1u8)).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE total > ?", 5).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE total > ?", 9.99).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE paid = ? AND paid <> ?", true, 0).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE placed BETWEEN ? AND ?", day, moment).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE changed < ?", now).fetch_all(pool).await?;
    query_scalar!("SELECT id FROM orders WHERE state IN (?, ?)", "open", String::from("sent")).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE name LIKE ?", Cow::Borrowed("A%")).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users LIMIT ? OFFSET ?", 10, u64::MAX).fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE settings = ?", 1).fetch_all(pool).await?;
    Ok(())
}

pub async fn stored(pool: &Pool, day: NaiveDate, moment: NaiveDateTime, now: DateTime<Utc>) -> Result<()> {
    query!(
        "INSERT INTO users (id, name, email, age, born, photo, settings) VALUES (?, ?, ?, ?, ?, ?, ?)",
        None::<u32>,
        Arc::<str>::from("Ann"),
        Some("ann@example.com"),
        Some(30i16),
        day,
        &b"..."[..],
        Json(vec![1, 2, 3])
    )
    .execute(pool)
    .await?;
    query!("UPDATE users SET age = ?, photo = ?, settings = ? WHERE id = ?", -1, vec![1u8], "{}", UserId(1)).execute(pool).await?;
    query!(
        "INSERT INTO orders SET user_id = ?, total = ?, paid = ?, delta = ?, placed = ?, changed = ?, took = ?, weight = ?, state = ?",
        UserId(1),
        "5.00".parse::<Decimal>().unwrap(),
        true,
        -5,
        moment,
        now,
        Time::MAX,
        1.5,
        "open"
    )
    .execute(pool)
    .await?;
    query!("UPDATE orders SET total = ?, paid = ?, weight = ? WHERE id = ?", 5, 1, 2, 1).execute(pool).await?;
    Ok(())
}

/// What is meant otherwise is said in the SQL.
pub async fn meant_otherwise(pool: &Pool) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE id = CAST(? AS CHAR)", "1abc").fetch_all(pool).await?;
    query_scalar!("SELECT name FROM users WHERE born > CAST(? AS DATE)", "2001-02-03").fetch_all(pool).await?;
    query!("UPDATE users SET age = CAST(? AS SIGNED) WHERE id = 1", 5i64).execute(pool).await?;
    Ok(())
}

pub async fn generic<T: Encode<kind::Text> + Sync>(pool: &Pool, name: T) -> Result<Vec<u32>> {
    query_scalar!("SELECT id FROM users WHERE name = ?", name).fetch_all(pool).await
}

fn main() {}
