//! `ark-mysql/src/guide/from_sqlx.md`

use ark_mysql::{Pool, insert_many, query};
use chrono::NaiveDateTime;

async fn changed(pool: &Pool, id: u64, newsletter: bool) -> ark_mysql::Result<bool> {
    let mut tx = pool.begin().await?;
    let found = query!("SELECT id FROM customers WHERE id = ? FOR UPDATE", id)
        .fetch_optional(&mut tx)
        .await?;
    if found.is_none() {
        return Ok(false);
    }
    query!(
        "UPDATE customers SET newsletter = ? WHERE id = ?",
        newsletter,
        id
    )
    .execute(&mut tx)
    .await?;
    tx.commit().await?;
    Ok(true)
}

async fn stricter(pool: Pool) -> ark_mysql::Result<Vec<String>> {
    let emails = query!(r#"SELECT id, LOWER(email) AS "email!" FROM customers WHERE newsletter"#)
        .fetch_all(&pool)
        .await?;
    Ok(emails.into_iter().map(|row| row.email).collect())
}

async fn lists(pool: Pool, ids: &[u64], new: Vec<(String, String)>) -> ark_mysql::Result<usize> {
    let names = query!(
        "SELECT name FROM customers WHERE id IN (?) AND country = ?",
        ..ids,
        "AT"
    )
    .fetch_all(&pool)
    .await?;
    insert_many!("INSERT INTO customers (name, country) VALUES (?, ?)", &new)
        .execute(&pool)
        .await?; // new: Vec<(String, String)>
    Ok(names.len())
}

async fn named(pool: Pool, since: NaiveDateTime) -> ark_mysql::Result<usize> {
    let orders = query!(
        "SELECT id, total FROM orders WHERE placed_at >= :since OR shipped_at >= :since",
        since
    )
    .fetch_all(&pool)
    .await?;
    Ok(orders.len())
}

async fn again(pool: Pool, pieces: i32, product: u32, order: u64) -> ark_mysql::Result<()> {
    pool.transaction(async move |tx| {
        query!(
            "UPDATE products SET stock = stock - ? WHERE id = ?",
            pieces,
            product
        )
        .execute(&mut *tx)
        .await?;
        query!("UPDATE orders SET status = 'paid' WHERE id = ?", order)
            .execute(&mut *tx)
            .await?;
        Ok::<_, ark_mysql::Error>(())
    })
    .await?;
    Ok(())
}
