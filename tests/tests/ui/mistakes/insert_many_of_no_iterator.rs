use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", ("Ann", 1_i16)).execute(conn).await?;
    Ok(())
}

fn main() {}
