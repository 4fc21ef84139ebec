use ark_mysql::{Connection, Result, query};

async fn rename(conn: &mut Connection) -> Result<u64> {
    let done = query!("UPDATE users SET name = ? WHERE id = ?", "Ann", 1).fetch_one(conn).await?;
    Ok(done.rows_affected())
}

fn main() {}
