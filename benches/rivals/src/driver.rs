//! What a driver can do.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};

use crate::address::Address;
use crate::row::Row;

/// One connection of a driver. Those that block do so within futures that are ready at once, see [`Waiter`].
pub trait Driver: Sized + Send {
    /// Whether its calls block, so that it needs no runtime.
    const BLOCKS: bool;
    /// As it reads a row of fourteen columns.
    type Row: Row;
    /// A prepared statement, where the driver gives it out of its hand.
    type Statement: Send;

    fn connect(address: &Address) -> impl Future<Output = Result<Self>>;

    /// The server's number of the connection.
    fn id(&mut self) -> impl Future<Output = Result<u64>>;

    fn prepare(&mut self, sql: &str) -> impl Future<Output = Result<Self::Statement>>;

    /// The row with that key, by [`POINT`](benches_common::test1::POINT).
    fn point(
        &mut self,
        statement: &mut Self::Statement,
        key: i32,
    ) -> impl Future<Output = Result<Self::Row>>;

    /// The first rows, by [`SCAN`](benches_common::test1::SCAN), handed over one by one.
    fn scan(
        &mut self,
        statement: &mut Self::Statement,
        rows: u64,
        each: impl FnMut(Self::Row) -> Result<()> + Send,
    ) -> impl Future<Output = Result<()>>;

    /// A row into `inserts`, by [`INSERT`]. How many rows came in, where the driver tells.
    fn insert(
        &mut self,
        statement: &mut Self::Statement,
        number: i32,
    ) -> impl Future<Output = Result<Option<u64>>>;

    /// The blob of that size, by [`payload::SELECT`](benches_common::payload::SELECT).
    fn blob(
        &mut self,
        statement: &mut Self::Statement,
        size: u32,
    ) -> impl Future<Output = Result<Vec<u8>>>;

    /// The same by a statement with its value written out.
    fn blob_by_text(&mut self, sql: &str) -> impl Future<Output = Result<Vec<u8>>>;

    fn close(self) -> impl Future<Output = Result<()>>;
}

/// The statement of [`Driver::insert`].
pub const INSERT: &str = "INSERT INTO inserts (number) VALUES (?)";

/// Who waits for a driver's futures.
pub enum Waiter {
    /// A runtime of one thread, as ours has.
    Tokio(Runtime),
    /// Nobody: what blocks is ready when it returns.
    Nobody,
}

impl Waiter {
    /// # Errors
    /// The system has no room for a runtime.
    pub fn of<D: Driver>() -> Result<Self> {
        Ok(if D::BLOCKS {
            Self::Nobody
        } else {
            Self::Tokio(Builder::new_current_thread().enable_all().build()?)
        })
    }

    pub fn wait<F: Future>(&self, future: F) -> F::Output {
        match self {
            Self::Tokio(runtime) => runtime.block_on(future),
            Self::Nobody => match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(output) => output,
                Poll::Pending => panic!("a driver that blocks has nothing to wait for"),
            },
        }
    }
}
