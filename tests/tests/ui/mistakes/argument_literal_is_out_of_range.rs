use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection) -> Result<()> {
    query!("UPDATE users SET age = ? WHERE id = ?", 40_000, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
