use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO users (name, age) VALUES (?, 1) ON DUPLICATE KEY UPDATE age = ?", [("Ann", 1_i16)]).execute(conn).await?;
    Ok(())
}

fn main() {}
