use ark_mysql::{Connection, Result, query_scalar};

async fn names(conn: &mut Connection, ids: Vec<i32>) -> Result<Vec<String>> {
    query_scalar!("SELECT name FROM users WHERE id IN (?)", ids).fetch_all(conn).await
}

fn main() {}
