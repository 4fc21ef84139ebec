use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, photo: String) -> Result<()> {
    query!("UPDATE users SET photo = ? WHERE id = ?", photo, 1).execute(conn).await?;
    Ok(())
}

fn main() {}
