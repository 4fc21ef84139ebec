use ark_mysql::{Connection, Result, query};

async fn names(conn: &mut Connection, id: u32) -> Result<Vec<String>> {
    let rows = query!("SELECT nmae FROM users WHERE id = ?", id).fetch_all(conn).await?;
    let mut names = Vec::new();
    for row in rows {
        names.push(row.nmae.to_uppercase());
    }
    Ok(names)
}

fn main() {}
