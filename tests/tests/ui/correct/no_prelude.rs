#![no_implicit_prelude]
#![deny(warnings)]
//! Without the names that Rust brings into every file.

async fn names(conn: &mut ::ark_mysql::Connection) -> ::ark_mysql::Result<()> {
    let users = ::ark_mysql::query!("SELECT id, name, email FROM users WHERE id = ?", 1).fetch_all(&mut *conn).await?;
    for user in users {
        let _ = (user.id, user.name, user.email);
    }
    let count = ::ark_mysql::query_scalar!("SELECT COUNT(*) FROM users").fetch_one(conn).await?;
    let _: i64 = count;
    ::std::result::Result::Ok(())
}

fn main() {
    let _ = names;
}
