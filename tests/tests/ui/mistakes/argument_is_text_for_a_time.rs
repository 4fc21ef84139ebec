use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection) -> Result<()> {
    query!("UPDATE orders SET took = ? WHERE id = ?", "12:00:00", 1).execute(conn).await?;
    Ok(())
}

fn main() {}
