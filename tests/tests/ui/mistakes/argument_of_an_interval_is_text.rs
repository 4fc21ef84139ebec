use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!("SELECT name FROM users WHERE born > CURDATE() - INTERVAL ? DAY", "30").fetch_all(conn).await?;
    Ok(())
}

fn main() {}
