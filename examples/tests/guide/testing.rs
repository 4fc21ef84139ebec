//! `ark-mysql/src/guide/testing.md`, which is run, too.

use ark_mysql::{Pool, query_scalar};

#[ark_mysql::test(fixtures("customers"))]
async fn customers_are_counted(pool: Pool) -> ark_mysql::Result<()> {
    let count = query_scalar!("SELECT COUNT(*) FROM customers")
        .fetch_one(&pool)
        .await?;
    assert_eq!(count, 2);
    Ok(())
}
