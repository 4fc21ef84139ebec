use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, user: i32) -> Result<()> {
    query!("UPDATE orders SET user_id = ? WHERE id = ?", user, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
