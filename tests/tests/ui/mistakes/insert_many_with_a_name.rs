use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO users (name, age) VALUES (:name, :age)", [("Ann", 1_i16)]).execute(conn).await?;
    Ok(())
}

fn main() {}
