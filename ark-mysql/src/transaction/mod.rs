//! Transactions.
//!
//! | file | what it decides |
//! |---|---|
//! | `options` | how a transaction begins |
//! | `retry` | when it may run again |
//! | `unknown` | what is kept of a COMMIT that was not answered |

mod options;
mod retry;
mod unknown;

use std::fmt;
use std::pin::pin;

pub use self::options::{Isolation, TransactionOptions};
pub use self::retry::Retry;
pub use self::unknown::UnknownCommit;

use crate::connection::{Connection, Rollback};
use crate::deadline::Clock;
use crate::error::{Error, ErrorKind, Outcome};
use crate::executor::Executor as _;
use crate::operation::Operation;
use crate::pool::{Pool, PoolConnection};

/// A transaction, or a savepoint in one. Dropping it rolls back, before anything else runs on its connection.
///
/// `&mut Transaction` is an [`Executor`](crate::Executor). How the transaction stands is taken from what the server says: once it
/// was ended by the server (a deadlock, a statement that commits implicitly), every further statement through this object is the
/// error `TransactionEnded`, and nothing is sent: it would be committed by itself.
///
/// ```ignore
/// let mut tx = pool.begin().await?;
/// query!("UPDATE accounts SET balance = balance - ? WHERE id = ?", amount, from).execute(&mut tx).await?;
/// query!("UPDATE accounts SET balance = balance + ? WHERE id = ?", amount, to).execute(&mut tx).await?;
/// tx.commit().await?;
/// ```
pub struct Transaction<'c> {
    held: Held<'c>,
    /// 0: the transaction itself; else the number of its savepoint.
    depth: u32,
    finished: bool,
}

enum Held<'c> {
    Borrowed(&'c mut Connection),
    Pooled(Box<PoolConnection>),
}

impl Held<'_> {
    fn connection(&mut self) -> &mut Connection {
        match self {
            Self::Borrowed(connection) => connection,
            Self::Pooled(connection) => connection,
        }
    }
}

impl<'c> Transaction<'c> {
    pub(crate) fn begin(
        connection: &'c mut Connection,
        options: TransactionOptions,
    ) -> Operation<'c, Self> {
        Operation::new(async move |clock| {
            connection.start_in_time(options, clock).await?;
            Ok(Self {
                held: Held::Borrowed(connection),
                depth: 0,
                finished: false,
            })
        })
    }

    pub(crate) fn begin_pooled(
        pool: &'c Pool,
        options: TransactionOptions,
    ) -> Operation<'c, Transaction<'static>> {
        Operation::new(move |clock| Self::begin_pooled_in_time(pool, options, clock))
    }

    pub(crate) async fn begin_pooled_in_time(
        pool: &Pool,
        options: TransactionOptions,
        clock: Clock,
    ) -> Result<Transaction<'static>, Error> {
        let mut connection = pool.lease_by(clock).await?;
        connection.start_in_time(options, clock).await?;
        Ok(Transaction {
            held: Held::Pooled(Box::new(connection)),
            depth: 0,
            finished: false,
        })
    }

    /// Commits. For a savepoint: keeps what was done since, as a part of the outer transaction.
    ///
    /// # Errors
    /// * `CommitOutcomeUnknown`: the link broke after COMMIT was sent. Whether it took place can only be found out by looking: see
    ///   [`Error::unknown_commit`] and the marker row of [`Pool::transaction`](crate::Pool::transaction).
    /// * `ConnectionLost` or `ConnectionClosed` with the outcome `NotSent`: it broke before, so the server rolls back.
    /// * `TransactionEnded`: the server ended the transaction earlier; nothing was sent.
    /// * `Server`: it refused, and rolled back.
    ///
    /// # Cancelling
    /// Whether a COMMIT that was dropped took place is unknown.
    pub fn commit(mut self) -> Operation<'c, ()> {
        Operation::new(async move |clock| self.commit_in_time(clock).await)
    }

    pub(crate) async fn commit_in_time(&mut self, clock: Clock) -> Result<(), Error> {
        self.held.connection().begin_operation();
        let result = {
            let committing = pin!(self.commit_now());
            clock.run(committing).await
        };
        match result {
            Some(result) => result,
            None => self.commit_late(clock).await,
        }
    }

    /// What the server says a moment later still counts.
    #[cold]
    async fn commit_late(&mut self, clock: Clock) -> Result<(), Error> {
        let connection = self.held.connection();
        let error = clock.end(connection.link(), "COMMIT").await;
        match error.outcome() {
            Outcome::Done => {
                if self.depth == 0 {
                    connection.transaction_closed();
                }
                self.finished = true;
                Ok(())
            }
            Outcome::Unknown if self.depth == 0 => Err(unknown(error, connection)),
            _ => Err(error),
        }
    }

    async fn commit_now(&mut self) -> Result<(), Error> {
        self.checked().await?;
        match self.depth {
            0 => self.commit_outermost().await,
            depth => {
                self.held
                    .connection()
                    .end_transaction(&format!("RELEASE SAVEPOINT ark_{depth}"))
                    .await?;
                self.finished = true;
                Ok(())
            }
        }
    }

    // Until an answer comes `finished` stays false: if this future is dropped, a ROLLBACK follows. It ends a transaction whose
    // COMMIT was never sent, and does nothing behind one that was.

    async fn commit_outermost(&mut self) -> Result<(), Error> {
        let connection = self.held.connection();
        connection.see_alive()?;
        let result = connection.end_transaction("COMMIT").await;
        if result.is_ok() {
            connection.transaction_closed();
            self.finished = true;
        }
        result.map_err(|error| match (error.outcome(), error.kind()) {
            (Outcome::Unknown, _) => unknown(error, connection),
            // Interrupted while it committed, or while it told others.
            (Outcome::Rejected, ErrorKind::ConnectionLost | ErrorKind::Interrupted) => {
                unknown(error.with_outcome(Outcome::Unknown), connection)
            }
            _ => error,
        })
    }

    /// Whether all that it did is undone for certain, for a reason that may be gone when it runs again.
    pub(crate) fn may_run_again(&mut self) -> bool {
        self.held.connection().transaction_may_run_again()
    }

    /// Of one that is no more: whether nothing of it stays. The server said so, or ends it with its connection, on which nothing was sent that commits.
    pub(super) fn is_undone(&mut self) -> bool {
        let connection = self.held.connection();
        connection.transaction_may_run_again()
            || connection.is_closed() && connection.sent_nothing_that_commits()
    }

    /// Rolls back now, and says whether that worked. Dropping does the same before the next use.
    ///
    /// # Errors
    /// The connection was lost: the server rolls back by itself then.
    pub fn rollback(mut self) -> Operation<'c, ()> {
        Operation::new(async move |clock: Clock| {
            self.abandon();
            self.finished = true;
            let connection = self.held.connection();
            connection.begin_operation();
            let result = {
                let settling = pin!(connection.settle());
                clock.run(settling).await
            };
            match result {
                Some(result) => result,
                None => Err(clock.end(connection.link(), "ROLLBACK").await),
            }
        })
    }

    /// Sets a savepoint: an inner transaction that can be rolled back alone.
    ///
    /// # Errors
    /// `TransactionEnded`, or the server's.
    pub fn savepoint(&mut self) -> Operation<'_, Transaction<'_>> {
        Operation::new(async move |clock: Clock| {
            let depth = self.depth + 1;
            self.held.connection().begin_operation();
            let result = {
                let setting = pin!(async {
                    let connection = self.checked().await?;
                    let sql = format!("SAVEPOINT ark_{depth}");
                    connection.end_transaction(&sql).await
                });
                clock.run(setting).await
            };
            let connection = self.held.connection();
            match result {
                Some(result) => result?,
                None => return Err(clock.end(connection.link(), "SAVEPOINT").await),
            }
            Ok(Transaction {
                held: Held::Borrowed(connection),
                depth,
                finished: false,
            })
        })
    }

    /// Runs `body` in a savepoint: keeps what it did when it returns `Ok`, undoes it when it returns an error.
    ///
    /// ```ignore
    /// let sent = tx.nested(async |inner| { reserve(&mut *inner).await?; send(inner).await }).await; // what follows can still commit
    /// ```
    ///
    /// # Errors
    /// The body's; `TransactionEnded` and the server's by your error's `From`.
    pub async fn nested<T, E, F>(&mut self, body: F) -> Result<T, E>
    where
        E: From<Error>,
        F: for<'i> AsyncFnOnce(&mut Transaction<'i>) -> Result<T, E>,
    {
        let mut inner = self.savepoint().await?;
        match body(&mut inner).await {
            Ok(value) => inner.commit().await.map(|()| value).map_err(E::from),
            Err(error) => {
                let _or_all_of_it_is_undone = inner.rollback().await;
                Err(error)
            }
        }
    }

    /// The connection, for what looks by itself whether the transaction is still there.
    pub(crate) fn unchecked(&mut self) -> &mut Connection {
        self.held.connection()
    }

    /// The connection, once it is sure that the transaction is still there.
    pub(crate) async fn checked(&mut self) -> Result<&mut Connection, Error> {
        let connection = self.held.connection();
        connection.check_transaction().await?;
        Ok(connection)
    }

    /// Whether something in it went unanswered.
    pub(crate) fn may_have_happened(&mut self) -> bool {
        self.held.connection().transaction_may_have_happened()
    }

    fn abandon(&mut self) {
        let rollback = match self.depth {
            0 => Rollback::All,
            depth => Rollback::To(depth),
        };
        self.held.connection().abandon_transaction(rollback);
    }
}

#[cold]
fn unknown(error: Error, connection: &Connection) -> Error {
    error
        .with_kind(ErrorKind::CommitOutcomeUnknown)
        .with_unknown_commit(UnknownCommit::of(connection))
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.abandon();
            if self.depth == 0
                && let Held::Borrowed(connection) = &mut self.held
            {
                connection.roll_back_at_once(); // a pool does more when it gets its connection back
            }
        }
    }
}

impl fmt::Debug for Transaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction")
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}
