//! How a transaction begins.

use std::time::Duration;

use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Outcome};

/// How a transaction begins, and how often it is tried: for [`begin_with`](crate::Pool::begin_with) and
/// [`transaction_with`](crate::Pool::transaction_with).
///
/// What is not set is as the server has it.
///
/// ```
/// use ark_mysql::{Isolation, TransactionOptions};
///
/// let report = TransactionOptions::new().isolation(Isolation::RepeatableRead).consistent_snapshot().read_only();
/// # let _ = report;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransactionOptions {
    isolation: Option<Isolation>,
    read_only: bool,
    consistent_snapshot: bool,
    attempts: Option<u32>,
    deadline: Option<Deadline>,
}

/// What a transaction sees of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Also what was not committed.
    ReadUncommitted,
    /// What was committed before each statement.
    ReadCommitted,
    /// What was committed before its first read; the servers' default.
    RepeatableRead,
    /// As if transactions ran one after the other: every read locks.
    Serializable,
}

impl TransactionOptions {
    /// Nothing but the server's defaults.
    pub const fn new() -> Self {
        Self {
            isolation: None,
            read_only: false,
            consistent_snapshot: false,
            attempts: None,
            deadline: None,
        }
    }

    /// Sets the isolation level, for this transaction alone.
    pub const fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = Some(isolation);
        self
    }

    /// The server refuses writes (error 1792).
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// All reads see what was committed when the transaction began, not when it first read. Needs repeatable read.
    pub const fn consistent_snapshot(mut self) -> Self {
        self.consistent_snapshot = true;
        self
    }

    /// How often [`transaction`](crate::Pool::transaction) runs its body at most, in place of the pool's
    /// [`transaction_attempts`](crate::PoolBuilder::transaction_attempts).
    pub const fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// How long [`transaction_with`](crate::Pool::transaction_with) may take, and what a [`Retry`](crate::Retry) does: waiting for connections, all runs of the
    /// body, the pauses between them, and COMMIT. A transaction that is begun by hand has [`deadline`](crate::Operation::deadline)s of its parts instead.
    ///
    /// When it has passed the error is `Timeout`, and all is rolled back (outcome `Rejected`, or `NotSent` before a transaction began); a COMMIT that was
    /// sent and not answered by then is `CommitOutcomeUnknown`.
    ///
    /// ```ignore
    /// let options = TransactionOptions::new().deadline(Duration::from_secs(2));
    /// pool.transaction_with(options, async |tx| transfer(tx, from, to, amount).await).await?;
    /// ```
    pub const fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(Deadline::after(time));
        self
    }

    pub(super) fn time(&self) -> Option<Deadline> {
        self.deadline
    }

    pub(super) fn attempts_or(&self, usual: u32) -> u32 {
        self.attempts.unwrap_or(usual).max(1)
    }

    /// What is sent in front of `START TRANSACTION`.
    pub(crate) fn isolation_sql(&self) -> Option<&'static str> {
        self.isolation.map(|isolation| match isolation {
            Isolation::ReadUncommitted => "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
            Isolation::ReadCommitted => "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            Isolation::RepeatableRead => "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            Isolation::Serializable => "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        })
    }

    /// # Errors
    /// `Configuration`: a snapshot at another level than repeatable read; the server would only warn, and take none.
    pub(crate) fn start_sql(&self) -> Result<&'static str, Error> {
        let repeatable = matches!(self.isolation, None | Some(Isolation::RepeatableRead));
        if self.consistent_snapshot && !repeatable {
            let detail =
                "a consistent snapshot is only to be had at the isolation level repeatable read";
            return Err(Error::new(
                ErrorKind::Configuration,
                Outcome::NotSent,
                detail,
            ));
        }
        Ok(match (self.consistent_snapshot, self.read_only) {
            (false, false) => "START TRANSACTION",
            (false, true) => "START TRANSACTION READ ONLY",
            (true, false) => "START TRANSACTION WITH CONSISTENT SNAPSHOT",
            (true, true) => "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
        })
    }
}
