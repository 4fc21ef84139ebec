use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection, address: u32) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE photo = INET6_ATON(?)", address).fetch_all(conn).await?;
    Ok(())
}

fn main() {}
