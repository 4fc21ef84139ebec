use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, settings: Vec<u8>) -> Result<()> {
    query!("UPDATE users SET settings = ? WHERE id = ?", settings, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
