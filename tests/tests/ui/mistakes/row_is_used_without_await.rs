use ark_mysql::{Connection, query};

async fn name(conn: &mut Connection) -> String {
    query!("SELECT name FROM users").fetch_one(conn).name
}

fn main() {}
