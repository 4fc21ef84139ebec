use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, id: &str) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE id = ?", id).fetch_one(conn).await?;
    Ok(())
}

fn main() {}
