use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("INSERT INTO tags (name) SELECT ?", [("a",)]).execute(conn).await?;
    Ok(())
}

fn main() {}
