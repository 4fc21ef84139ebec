use ark_mysql::{Connection, Result, query};

async fn rename<T>(conn: &mut Connection, name: T) -> Result<()> {
    query!("UPDATE users SET name = ? WHERE id = ?", name, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
