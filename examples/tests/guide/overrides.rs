//! `ark-mysql/src/guide/overrides.md`

use ark_mysql::{Pool, query};

#[derive(Debug, ark_mysql::Type)]
struct UserId(u64);

async fn aliases(pool: Pool) -> ark_mysql::Result<UserId> {
    let row = query!(r#"SELECT id AS "id: UserId", SUM(total) AS "sum!" FROM orders GROUP BY id"#)
        .fetch_one(&pool)
        .await?;
    println!("{}", row.sum);
    Ok(row.id)
}

#[derive(Debug, ark_mysql::Type)]
#[ark_mysql(rename_all = "snake_case")]
enum Status {
    Open,
    Paid,
    Shipped,
    Cancelled,
}

async fn labels(pool: Pool) -> ark_mysql::Result<Status> {
    let row = query!(
        "SELECT status AS `status: Status` FROM orders WHERE status <> ?",
        Status::Cancelled
    )
    .fetch_one(&pool)
    .await?;
    Ok(row.status)
}
