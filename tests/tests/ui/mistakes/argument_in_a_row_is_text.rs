use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE (id, name) = (?, ?)", "1", "Ann").fetch_all(conn).await?;
    Ok(())
}

fn main() {}
