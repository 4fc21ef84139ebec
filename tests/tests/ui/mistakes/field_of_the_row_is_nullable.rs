use ark_mysql::{Connection, Result, query};

async fn email(conn: &mut Connection) -> Result<String> {
    let user = query!("SELECT email FROM users").fetch_one(conn).await?;
    Ok(user.email)
}

fn main() {}
