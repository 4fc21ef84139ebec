use ark_mysql::{Connection, Result, query_scalar};

async fn run(conn: &mut Connection) -> Result<()> {
    query_scalar!(
        "SELECT u.name FROM users u JOIN orders AS o ON o.user_id = u.id WHERE o.total > 5 AND o.id = ?",
        "1"
    )
    .fetch_all(conn)
    .await?;
    Ok(())
}

fn main() {}
