use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT n FROM (SELECT id AS n FROM users) x WHERE n = ?", "1").fetch_all(conn).await?;
    Ok(())
}

fn main() {}
