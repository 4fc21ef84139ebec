use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT name FROM users LIMIT ?", -1).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
