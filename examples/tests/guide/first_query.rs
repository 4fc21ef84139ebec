//! `ark-mysql/src/guide/first_query.md`

use chrono::{NaiveDateTime, TimeDelta};

use ark_mysql::{Pool, query};

#[tokio::main]
async fn main() -> ark_mysql::Result<()> {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL is set");
    let pool = Pool::connect(url).await?;
    let id = 1u64;
    let customer = query!("SELECT id, name, email FROM customers WHERE id = ?", id)
        .fetch_one(&pool)
        .await?;
    println!("{}: {:?}", customer.name, customer.email);
    Ok(())
}

async fn parameters(
    pool: &Pool,
    id: u64,
    today: NaiveDateTime,
    days: TimeDelta,
) -> ark_mysql::Result<usize> {
    let recent = query!(
        "SELECT id FROM orders WHERE customer_id = :id AND placed_at >= :since",
        id,
        since = today - days
    );
    Ok(recent.fetch_all(pool).await?.len())
}

async fn lists(
    pool: &Pool,
    ids: &[u64],
    country: &str,
    orders: &[Order],
    pairs: Vec<(u64, &str)>,
) -> ark_mysql::Result<()> {
    let some = query!(
        "SELECT name FROM customers WHERE id IN (?) AND country = ?",
        ..ids,
        country
    );
    let others = query!(
        "SELECT name FROM customers WHERE id NOT IN (:ids)",
        ids = ..orders.iter().map(|order| order.customer_id)
    );
    let placed = query!(
        "SELECT id FROM orders WHERE (customer_id, status) IN ((?, ?))",
        ..pairs
    ); // a Vec<(u64, &str)>
    some.fetch_all(pool).await?;
    others.fetch_all(pool).await?;
    placed.fetch_all(pool).await?;
    Ok(())
}

struct Order {
    customer_id: u64,
}
