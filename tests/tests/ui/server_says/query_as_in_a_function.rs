use ark_mysql::{Connection, Result, query_as};

struct User {
    id: u32,
}

async fn users(conn: &mut Connection, id: u32) -> Result<Vec<User>> {
    let users = query_as!(User, "SELECT id FROM users WHERE nmae = ?", id).fetch_all(conn).await?;
    Ok(users.into_iter().filter(|user| user.id > 7).collect())
}

fn main() {}
