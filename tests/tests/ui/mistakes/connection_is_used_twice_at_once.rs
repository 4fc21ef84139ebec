use ark_mysql::{Connection, Result, query, query_scalar};

async fn names(conn: &mut Connection) -> Result<()> {
    let mut rows = query_scalar!("SELECT name FROM users").fetch(&mut *conn);
    while let Some(name) = rows.next().await? {
        query!("UPDATE users SET name = ? WHERE id = ?", name, 1).execute(&mut *conn).await?;
    }
    Ok(())
}

fn main() {}
