use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO users (name) VALUES ('Ann')", [()]).execute(conn).await?;
    Ok(())
}

fn main() {}
