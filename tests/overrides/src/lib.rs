//! A crate whose `ark-mysql.toml` gives types to columns: what it says is tested in `tests/`.

use ark_mysql::Type;
use ark_mysql::types::Decimal;

/// Whoever is in `users`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type)]
pub struct UserId(pub u32);

/// Whatever is in `orders`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type)]
pub struct OrderId(pub u64);

/// Years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type)]
pub struct Age(pub i32);

/// An amount.
#[derive(Clone, Debug, PartialEq, Type)]
pub struct Money(pub Decimal);

/// What a scale shows.
#[derive(Clone, Copy, Debug, PartialEq, Type)]
pub struct Weight(pub f32);

/// How far a ticket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type)]
#[ark_mysql(rename_all = "snake_case")]
pub enum State {
    /// Nobody looks after it.
    Open,
    /// Somebody does.
    InReview,
    /// Nobody needs to.
    Done,
}
