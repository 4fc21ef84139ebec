use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, weight: f64) -> Result<()> {
    query!("UPDATE orders SET weight = ? WHERE id = ?", weight, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
