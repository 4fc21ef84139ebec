// 3 errors: rustc tells of a bound of an async function at the argument, the call and the await.
use ark_mysql::{Connection, Result, query_scalar};

async fn name(conn: Connection) -> Result<String> {
    query_scalar!("SELECT name FROM users").fetch_one(conn).await
}

fn main() {}
