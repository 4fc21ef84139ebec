//! Transactions.

use std::fmt;

use crate::connection::{Connection, Rollback};
use crate::error::{Error, ErrorKind, Outcome};
use crate::pool::PoolConnection;

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
    pub(crate) async fn begin(connection: &'c mut Connection) -> Result<Self, Error> {
        connection.start_transaction().await?;
        Ok(Self {
            held: Held::Borrowed(connection),
            depth: 0,
            finished: false,
        })
    }

    pub(crate) async fn begin_pooled(mut connection: PoolConnection) -> Result<Self, Error> {
        connection.start_transaction().await?;
        Ok(Self {
            held: Held::Pooled(Box::new(connection)),
            depth: 0,
            finished: false,
        })
    }

    /// Commits. For a savepoint: keeps what was done since, as a part of the outer transaction.
    ///
    /// # Errors
    /// * `CommitOutcomeUnknown`: the link broke after COMMIT was sent. Whether it took place can only be found out by looking.
    /// * `TransactionEnded`: the server ended the transaction earlier; nothing was sent.
    /// * `Server`: it refused, and rolled back.
    ///
    /// # Cancelling
    /// Whether a COMMIT that was dropped took place is unknown.
    pub async fn commit(mut self) -> Result<(), Error> {
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
        let result = connection.end_transaction("COMMIT").await;
        if result.is_ok() {
            connection.transaction_closed();
            self.finished = true;
        }
        result.map_err(|error| match error.outcome() {
            Outcome::Unknown => error.with_kind(ErrorKind::CommitOutcomeUnknown).with_advice(
                "look in the database for what the transaction wrote before doing it again (a marker row makes that certain)",
            ),
            _ => error,
        })
    }

    /// Rolls back now, and says whether that worked. Dropping does the same before the next use.
    ///
    /// # Errors
    /// The connection was lost: the server rolls back by itself then.
    pub async fn rollback(mut self) -> Result<(), Error> {
        self.abandon();
        self.finished = true;
        self.held.connection().settle().await
    }

    /// Sets a savepoint: an inner transaction that can be rolled back alone.
    ///
    /// # Errors
    /// `TransactionEnded`, or the server's.
    pub async fn savepoint(&mut self) -> Result<Transaction<'_>, Error> {
        let depth = self.depth + 1;
        let connection = self.checked().await?;
        connection
            .end_transaction(&format!("SAVEPOINT ark_{depth}"))
            .await?;
        Ok(Transaction {
            held: Held::Borrowed(connection),
            depth,
            finished: false,
        })
    }

    /// The connection, once it is sure that the transaction is still there.
    pub(crate) async fn checked(&mut self) -> Result<&mut Connection, Error> {
        let connection = self.held.connection();
        connection.check_transaction().await?;
        Ok(connection)
    }

    fn abandon(&mut self) {
        let rollback = match self.depth {
            0 => Rollback::All,
            depth => Rollback::To(depth),
        };
        self.held.connection().abandon_transaction(rollback);
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.abandon();
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
