use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, address: &str) -> Result<()> {
    query_scalar!("SELECT INET6_NTOA(?)", address).fetch_one(conn).await?;
    Ok(())
}

fn main() {}
