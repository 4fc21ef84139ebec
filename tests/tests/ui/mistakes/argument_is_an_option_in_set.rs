use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, name: Option<String>) -> Result<()> {
    query!("UPDATE users SET name = ? WHERE id = ?", name, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
