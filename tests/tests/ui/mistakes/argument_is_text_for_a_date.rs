use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE born < ?", "2001-02-03").fetch_all(conn).await?;
    Ok(())
}

fn main() {}
