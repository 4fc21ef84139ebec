//! `README.md`
#![expect(unused_variables, reason = "twenty lines do not print")]

use ark_mysql::{Pool, query, query_as, query_scalar};

struct Customer {
    id: u64,
    name: String,
    email: Option<String>, // the column is nullable; `String` here would not compile
}

async fn example() -> ark_mysql::Result<()> {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL is set"); // mysql://app:secret@127.0.0.1:3306/shop
    let pool = Pool::connect(url).await?;

    let id = 7u64;
    let customer = query_as!(
        Customer,
        "SELECT id, name, email FROM customers WHERE id = ?",
        id
    )
    .fetch_one(&pool)
    .await?;
    let orders = query!(
        "SELECT id, placed_at, total FROM orders WHERE customer_id = :id",
        id
    )
    .fetch_all(&pool)
    .await?;
    let open = query_scalar!("SELECT COUNT(*) FROM orders WHERE status = 'open'")
        .fetch_one(&pool)
        .await?; // i64

    let mut tx = pool.begin().await?;
    query!("UPDATE customers SET name = ? WHERE id = ?", "Ada", id)
        .execute(&mut tx)
        .await?;
    tx.commit().await?; // dropping `tx` instead rolls back
    Ok(())
}
