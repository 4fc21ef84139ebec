use ark_mysql::{Connection, Result, query};

struct Name(String);

async fn rename(conn: &mut Connection, name: Name) -> Result<()> {
    query!("UPDATE users SET name = ? WHERE id = ?", name, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
