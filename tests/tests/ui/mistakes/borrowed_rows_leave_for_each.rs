use ark_mysql::{Connection, Result, query_as};

async fn longest(conn: &mut Connection) -> Result<String> {
    let mut longest = "";
    let walk = query_as!(&str, "SELECT name FROM users").for_each(conn, |name| {
        longest = name;
        Ok(())
    });
    walk.await?;
    Ok(longest.to_owned())
}

fn main() {}
