#![deny(warnings)]
//! Columns called like keywords become raw identifiers.

use ark_mysql::{Connection, Result, query, query_as};

pub struct Typed {
    pub r#type: u32,
    pub r#match: String,
}

pub async fn all(conn: &mut Connection) -> Result<()> {
    let row = query!("SELECT id AS type, name AS `match`, id AS gen, id AS async FROM users").fetch_one(&mut *conn).await?;
    let _: (u32, String, u32, u32) = (row.r#type, row.r#match, row.r#gen, row.r#async);
    let typed = query_as!(Typed, "SELECT id AS type, name AS `match` FROM users").fetch_one(&mut *conn).await?;
    let _ = (typed.r#type, typed.r#match);
    let r#type = 1;
    query!("SELECT name FROM users WHERE id = :type").fetch_one(&mut *conn).await?;
    query!("SELECT name FROM users WHERE id = :type", r#type).fetch_one(conn).await?;
    Ok(())
}

fn main() {}
