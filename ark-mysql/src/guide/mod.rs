//! The guide: how to live with this library, chapter by chapter.
//!
//! 1. [The first query](first_query): from an empty crate to a statement that is checked while it compiles
//! 2. [CI without a database](ci): the committed cache, merges, and drift
//! 3. [Migrations](migrations): the schema, step by step
//! 4. [Testing](testing): a database for each test, and a server for them
//! 5. [Types](types): which Rust type goes with which SQL type
//! 6. [Types of your own](overrides): what an alias, a struct and a derive say about columns
//! 7. [Errors](errors): what each kind means, and whether you may try again
//! 8. [Deploying](deploying): replicas, proxies, failover: what to set
//! 9. [Coming from sqlx](from_sqlx): what is the same, what differs, what to rename
//!
//! There is nothing in here to call.

#[doc = include_str!("first_query.md")]
pub mod first_query {}

#[doc = include_str!("ci.md")]
pub mod ci {}

#[doc = include_str!("migrations.md")]
pub mod migrations {}

#[doc = include_str!("testing.md")]
pub mod testing {}

#[doc = include_str!("types.md")]
pub mod types {}

#[doc = include_str!("overrides.md")]
pub mod overrides {}

#[doc = include_str!("errors.md")]
pub mod errors {}

#[doc = include_str!("deploying.md")]
pub mod deploying {}

#[doc = include_str!("from_sqlx.md")]
pub mod from_sqlx {}
