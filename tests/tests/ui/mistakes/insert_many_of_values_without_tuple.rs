use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, 1, NOW(), '', '{}')", ["Ann", "Bob"]).execute(conn).await?;
    Ok(())
}

fn main() {}
