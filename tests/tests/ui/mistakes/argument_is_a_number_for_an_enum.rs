use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT id FROM orders WHERE state = ?", 1).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
