use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    let names = vec![(Some("Ann"), Some(1_i16))];
    insert_many!("INSERT INTO users (name, age, born, photo, settings) VALUES (?, ?, NOW(), '', '{}')", names.iter().map(|(name, age)| (name, age))).execute(conn).await?;
    Ok(())
}

fn main() {}
