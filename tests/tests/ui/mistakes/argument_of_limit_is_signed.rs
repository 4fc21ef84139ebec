use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, most: i64) -> Result<()> {
    query_scalar!("SELECT name FROM users LIMIT ?", most).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
