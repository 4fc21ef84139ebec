use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection) -> Result<()> {
    query!("UPDATE users SET age = age + ? WHERE id = ?", "1", 1).execute(conn).await?;
    Ok(())
}

fn main() {}
