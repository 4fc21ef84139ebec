//! One row of fourteen columns by its key, again and again on one connection: what a query costs beyond the bytes.

mod limit;
mod limit_on_tokio;
mod typed;

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;

use crate::driver::Driver;

/// Who sends the queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// A raw socket, following packet framing only: the limit.
    Limit,
    /// The same, waiting by tokio as the library does.
    LimitOnTokio,
    /// `query_as!(…).fetch_one(&mut connection)`.
    Typed,
    /// The same under `block_on`, without a runtime.
    Alone,
    /// `query_as!(…).fetch_one(&pool)`.
    Pool,
    /// `query_as!(…).for_each(&mut connection, …)` into a struct that borrows.
    Borrowed,
}

/// A client with its connection, ready to run.
pub trait Contender {
    /// The server's number for each connection that it uses.
    ///
    /// # Errors
    /// Fails when the connection does.
    fn connections(&mut self) -> Result<Vec<u64>>;

    /// Selects each key and checks every column of every row.
    ///
    /// # Errors
    /// Says what came where something else was expected.
    fn verify(&mut self, keys: &[i32]) -> Result<()>;

    /// Selects each key, checking that its own row came, and returns how long that took.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    fn run(&mut self, keys: &[i32]) -> Result<Duration>;
}

impl Client {
    /// How tables call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Limit => "raw socket, framing only",
            Self::LimitOnTokio => "raw socket on tokio, framing only",
            Self::Typed => "ark-mysql, query_as! on a connection",
            Self::Alone => "ark-mysql, the same under block_on",
            Self::Pool => "ark-mysql, query_as! on a pool",
            Self::Borrowed => "ark-mysql, query_as! borrowed",
        }
    }

    /// Connects.
    ///
    /// # Errors
    /// Fails when the server cannot be reached or refuses.
    pub fn connect(self, url: &str) -> Result<Box<dyn Contender>> {
        Ok(match self {
            Self::Limit => Box::new(limit::Limit::connect(url)?),
            Self::LimitOnTokio => Box::new(limit_on_tokio::LimitOnTokio::connect(url)?),
            Self::Typed => Box::new(typed::Typed::connect(Driver::runtime()?, url)?),
            Self::Alone => Box::new(typed::Typed::connect(Driver::Thread, url)?),
            Self::Pool => Box::new(typed::Pooled::connect(url)?),
            Self::Borrowed => Box::new(typed::Borrowed::connect(url)?),
        })
    }
}
