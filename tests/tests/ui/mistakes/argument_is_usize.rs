use ark_mysql::{Connection, Result, query_scalar};

async fn name(conn: &mut Connection, id: usize) -> Result<String> {
    query_scalar!("SELECT name FROM users WHERE id = ?", id).fetch_one(conn).await
}

fn main() {}
