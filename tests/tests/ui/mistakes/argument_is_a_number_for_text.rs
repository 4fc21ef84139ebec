use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, name: i64) -> Result<()> {
    query_scalar!("SELECT id FROM users WHERE name = ?", name).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
