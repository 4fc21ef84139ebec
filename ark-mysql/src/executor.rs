//! What a statement can run on.

use std::future::Future;
use std::pin::pin;

use crate::connection::Connection;
use crate::deadline::Clock;
use crate::error::{Error, Outcome};
use crate::pool::{Pool, PoolConnection};
use crate::transaction::Transaction;

/// Something that a statement can run on: `&Pool`, `&mut Connection`, `&mut PoolConnection`, `&mut Transaction`.
///
/// Functions may take `impl Executor`. One that runs several statements takes `&mut Connection` or `&mut Transaction`, so that all
/// of them run on the same connection.
///
/// ```ignore
/// async fn user(id: u64, on: impl Executor) -> Result<User, Error> {
///     query_as!(User, "SELECT id, name FROM users WHERE id = ?", id).fetch_one(on).await
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "a statement cannot run on `{Self}`",
    label = "this is a `{Self}`",
    note = "it runs on `&Pool`, `&mut Connection`, `&mut PoolConnection`, `&mut Transaction`; a `conn: &mut Connection` is lent once more by `&mut *conn`"
)]
pub trait Executor: sealed::Sealed + Send + Sized {
    /// The connection, for as long as the statement needs it.
    #[doc(hidden)]
    type Lease: Lease;

    /// Gets the connection.
    #[doc(hidden)]
    fn lease(self) -> impl Future<Output = Result<Self::Lease, Error>> + Send;

    /// The same in time.
    #[doc(hidden)]
    #[inline]
    fn lease_by(self, clock: Clock) -> impl Future<Output = Result<Self::Lease, Error>> + Send {
        async move {
            let leased = {
                let leasing = pin!(self.lease());
                clock.run(leasing).await
            };
            leased.unwrap_or_else(|| Err(clock.too_late(NO_CONNECTION, Outcome::NotSent)))
        }
    }
}

const NO_CONNECTION: &str = "no connection could be had";

/// A connection for a while.
#[doc(hidden)]
pub trait Lease: sealed::Sealed + Send {
    /// The connection.
    fn connection(&mut self) -> &mut Connection;
}

impl<'c> Executor for &'c mut Connection {
    type Lease = &'c mut Connection;

    async fn lease(self) -> Result<Self::Lease, Error> {
        Ok(self)
    }
}

impl<'c> Executor for &'c mut PoolConnection {
    type Lease = &'c mut Connection;

    async fn lease(self) -> Result<Self::Lease, Error> {
        Ok(&mut *self)
    }
}

impl<'c> Executor for &'c mut Transaction<'_> {
    type Lease = &'c mut Connection;

    async fn lease(self) -> Result<Self::Lease, Error> {
        self.checked().await
    }
}

impl Executor for &Pool {
    type Lease = PoolConnection;

    async fn lease(self) -> Result<Self::Lease, Error> {
        self.acquire().await
    }

    /// Who waited in vain is told who has the connections, as by [`Pool::acquire`].
    #[inline]
    async fn lease_by(self, clock: Clock) -> Result<Self::Lease, Error> {
        let leased = {
            let leasing = pin!(self.acquire());
            clock.run(leasing).await
        };
        leased.unwrap_or_else(|| {
            let error = clock.too_late(NO_CONNECTION, Outcome::NotSent);
            Err(self.with_cause(error))
        })
    }
}

impl Lease for &mut Connection {
    #[inline]
    fn connection(&mut self) -> &mut Connection {
        self
    }
}

impl Lease for PoolConnection {
    #[inline]
    fn connection(&mut self) -> &mut Connection {
        self
    }
}

mod sealed {
    use super::{Connection, Pool, PoolConnection, Transaction};

    pub trait Sealed {}

    impl Sealed for &mut Connection {}
    impl Sealed for &mut PoolConnection {}
    impl Sealed for PoolConnection {}
    impl Sealed for &mut Transaction<'_> {}
    impl Sealed for &Pool {}
}
