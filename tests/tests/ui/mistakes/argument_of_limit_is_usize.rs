use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, most: usize) -> Result<()> {
    query_scalar!("SELECT name FROM users LIMIT ? OFFSET 10", most).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
