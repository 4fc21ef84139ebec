use ark_mysql::{Connection, Result, insert_many};

async fn run(conn: &mut Connection) -> Result<()> {
    insert_many!("UPDATE users SET name = ? WHERE id = ?", [("Ann", 1_u32)]).execute(conn).await?;
    Ok(())
}

fn main() {}
