// 2 errors: each of the arguments has its own.
use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection) -> Result<()> {
    query!("UPDATE users SET name = ? WHERE id = ?", 1, "Ann").execute(conn).await?;
    Ok(())
}

fn main() {}
