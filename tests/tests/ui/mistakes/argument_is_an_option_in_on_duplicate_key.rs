use ark_mysql::{Connection, Result, query};

async fn run(conn: &mut Connection, name: Option<&str>) -> Result<()> {
    query!(
        "INSERT INTO users (id, name, born, photo, settings) VALUES (1, 'Ann', '2001-02-03', '', '{}') ON DUPLICATE KEY UPDATE name = ?",
        name
    )
    .execute(conn)
    .await?;
    Ok(())
}

fn main() {}
