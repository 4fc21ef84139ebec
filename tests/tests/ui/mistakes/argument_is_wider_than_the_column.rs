use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, age: i64) -> Result<()> {
    query!("UPDATE users SET age = ? WHERE id = ?", age, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
