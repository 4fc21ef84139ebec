#![deny(warnings)]
//! Everything that the derive takes, where every lint is an error.

use std::marker::PhantomData;

use ark_mysql::{Pool, Result, Type, query, query_as, query_scalar};

#[derive(Clone, Copy, Debug, PartialEq, Type)]
pub struct UserId(u32);

mod hidden {
    #[derive(Debug, ark_mysql::Type)]
    pub(super) struct Inner(pub(super) String);
}

#[derive(Debug, Type)]
pub struct Name(hidden::Inner);

#[derive(Debug, Type)]
#[ark_mysql(transparent)]
pub struct Id<'a, T: ?Sized + 'a, const N: usize = 1>
where
    T: Clone,
{
    id: u32,
    of: PhantomData<(&'a T, [u8; N])>,
}

#[derive(Debug, Type)]
#[ark_mysql(rename_all = "snake_case", crate = ark_mysql)]
pub enum State {
    Open,
    Sent,
    #[ark_mysql(other)]
    Other { label: Box<str> },
}

#[derive(Clone, Copy, Debug, PartialEq, Type)]
#[ark_mysql(rename_all = "lowercase")]
pub enum Exact {
    Open,
    Sent,
    Lost,
}

#[derive(Debug, Type)]
pub struct Wrapped(Exact);

pub struct Order<'a> {
    pub state: Exact,
    pub again: Option<Exact>,
    pub wrapped: Wrapped,
    pub text: &'a str,
}

#[derive(Clone, Copy, Debug, Type)]
#[repr(i16)]
pub enum Age {
    Young = 1 << 3,
    Old,
    #[ark_mysql(other)]
    Other(i16),
}

#[derive(Debug, Default, Type)]
#[ark_mysql(set, rename_all = "kebab-case")]
pub struct Flags {
    can_read: bool,
    r#type: bool,
    #[ark_mysql(other)]
    others: Vec<String>,
}

macro_rules! newtypes {
    ($($vis:vis $name:ident($inner:ty),)*) => {
        $(#[derive(Debug, Type)]
        $vis struct $name($vis $inner);)*
    };
}

newtypes! {
    Bare(u32),
    pub Public(Option<u32>),
    pub(crate) Inside(u32),
}

#[derive(Debug)]
pub struct User {
    pub id: Id<'static, str2::Str>,
    pub name: Name,
    pub age: Option<Age>,
}

mod str2 {
    #[derive(Clone, Debug)]
    pub struct Str;
}

pub async fn all(pool: &Pool) -> Result<()> {
    query_as!(User, "SELECT id, name, age FROM users WHERE id IN (?)", ..[UserId(1), UserId(2)]).fetch_all(pool).await?;
    let row = query!("SELECT user_id AS `id: UserId`, state AS `state: State`, CAST(state AS CHAR) AS `flags!: Flags` FROM orders WHERE state = ?", State::Open);
    let row = row.fetch_one(pool).await;
    if let Ok(row) = row {
        let _: (State, Flags) = (row.state, row.flags);
    }
    query_as!(Order<'_>, "SELECT state, state AS again, state AS wrapped, state AS text FROM orders").for_each(pool, |_| Ok(())).await?;
    query_scalar!("SELECT state AS `state: Option<Exact>` FROM orders").fetch_one(pool).await?;
    query_scalar!("SELECT id FROM users WHERE id = ? OR id = ? OR id = ?", Bare(1), Public(None), &Inside(1)).fetch_all(pool).await?;
    query!("UPDATE users SET age = ? WHERE name = ?", Some(Age::Old), Name(hidden::Inner(String::new()))).execute(pool).await?;
    Ok(())
}

fn main() {}
