use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, at: String) -> Result<()> {
    query!("UPDATE orders SET placed = ? WHERE id = ?", at, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
