use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection) -> Result<()> {
    query!("UPDATE orders SET total = ? WHERE id = ?", 9.99, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
