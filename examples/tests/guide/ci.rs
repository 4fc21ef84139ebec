//! `ark-mysql/src/guide/ci.md`

use ark_mysql::Pool;

async fn at_start(pool: Pool) -> ark_mysql::Result<()> {
    ark_mysql::verify_schema!(&pool).await?;
    Ok(())
}
