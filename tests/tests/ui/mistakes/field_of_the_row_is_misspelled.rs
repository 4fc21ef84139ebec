use ark_mysql::{Connection, Result, query};

async fn name(conn: &mut Connection) -> Result<String> {
    let user = query!("SELECT name FROM users").fetch_one(conn).await?;
    Ok(user.nmae)
}

fn main() {}
