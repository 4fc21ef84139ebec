#![deny(warnings, missing_docs, unused, nonstandard_style, future_incompatible, rust_2018_idioms, let_underscore, keyword_idents)]
#![deny(absolute_paths_not_starting_with_crate, elided_lifetimes_in_paths, explicit_outlives_requirements, macro_use_extern_crate)]
#![deny(missing_copy_implementations, missing_debug_implementations, non_ascii_idents, single_use_lifetimes, trivial_casts)]
#![deny(trivial_numeric_casts, unit_bindings, unnameable_types, unreachable_pub, unused_extern_crates, unused_import_braces)]
#![deny(unused_lifetimes, unused_qualifications, unused_results, variant_size_differences, unsafe_code)]
//! Whatever lints a crate denies, the code that the macros make gives them no reason to speak.

use ark_mysql::{Connection, Result, query, query_as, query_scalar};

/// A row.
#[derive(Debug)]
pub struct User {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
}

/// A row that borrows.
#[derive(Debug)]
struct Borrowed<'a> {
    name: &'a str,
    photo: &'a [u8],
}

async fn all(conn: &mut Connection) -> Result<Vec<User>> {
    let names = query!("SELECT id, name, email FROM users WHERE id = :id OR age > :age", id = 1, age = 2).fetch_all(&mut *conn).await?;
    for row in &names {
        let _same = row.clone() == *row;
        println!("{} {} {:?} {row:?}", row.id, row.name, row.email);
    }
    let _done = query!("UPDATE users SET name = ? WHERE id = ?", "Ann", 1).execute(&mut *conn).await?;
    let _count = query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&mut *conn).await?;
    query_as!(Borrowed<'_>, "SELECT name, photo FROM users").for_each(&mut *conn, |row| {
        println!("{} {}", row.name, row.photo.len());
        Ok(())
    }).await?;
    let _id = query!("SELECT id AS `id!: u64` FROM users").fetch_one(&mut *conn).await?.id;
    query_as!(User, "SELECT id, name FROM users").fetch_all(conn).await
}

fn main() {
    let _all = all;
}
