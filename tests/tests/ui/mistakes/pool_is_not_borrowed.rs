// 3 errors: rustc tells of a bound of an async function at the argument, the call and the await.
use ark_mysql::{Pool, Result, query_scalar};

async fn name(pool: Pool) -> Result<String> {
    query_scalar!("SELECT name FROM users").fetch_one(pool).await
}

fn main() {}
