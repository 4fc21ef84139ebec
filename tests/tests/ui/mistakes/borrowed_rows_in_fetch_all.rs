use ark_mysql::{Connection, Result, query_as};

struct User<'a> {
    id: u32,
    name: &'a str,
}

async fn all(conn: &mut Connection) -> Result<usize> {
    Ok(query_as!(User<'_>, "SELECT id, name FROM users").fetch_all(conn).await?.len())
}

fn main() {}
