#![deny(warnings)]
#![allow(non_upper_case_globals)]
//! Items of the user's that are called as the generated code calls its own.

pub mod ark {}
pub mod ark_row {}
pub mod core {}
pub mod std {}

#[derive(Clone, Copy)]
pub struct Row(pub u32);
pub struct Statement;
pub struct Query;
pub struct ArkRowType;
pub struct ArkColumnType0;
pub enum Option {}
pub enum Result {}
pub struct String;
pub struct Vec;
pub trait Source {}
pub trait Column {}
pub trait Clone {}
pub const Ok: u8 = 1;
pub const Some: u8 = 1;
pub const row: u8 = 1;
pub const index: u8 = 1;
pub const id: u8 = 1;

#[allow(non_camel_case_types)]
pub struct u32_;

pub async fn all(conn: &mut ::ark_mysql::Connection) -> ::std::result::Result<(), ::ark_mysql::Error> {
    let found = ::ark_mysql::query!("SELECT id, name, email FROM users WHERE id = ?", Row(1).0).fetch_all(&mut *conn).await?;
    for user in found {
        let _: (u32, ::std::string::String, ::std::option::Option<::std::string::String>) = (user.id, user.name, user.email);
    }
    let value = ::ark_mysql::query!("SELECT id AS `id: Wide` FROM users").fetch_one(conn).await?;
    let _: u64 = value.id;
    ::std::result::Result::Ok(())
}

pub type Wide = u64;

fn main() {}
