//! Running a transaction again where that is legal.
//!
//! Legal means: the server has undone all of it and said so (deadlock 1213, lock wait 1205, a row that changed meanwhile
//! 1020), or the link broke before the first byte of what failed had left, so that the server undoes it. Never when a statement or the COMMIT may have happened.

use std::time::Duration;

use super::{Transaction, TransactionOptions};
use crate::deadline::Clock;
use crate::error::{Error, ErrorKind, Outcome};
use crate::pool::Pool;

/// The loop form of [`Pool::transaction`], for code that cannot be a closure: generic code, code with `break` in it, other futures.
///
/// ```ignore
/// let mut retry = pool.retry();
/// let balance = loop {
///     let mut tx = retry.begin().await?;
///     let result = transfer(&mut tx, from, to, amount).await;
///     if let Some(result) = retry.end(tx, result).await {
///         break result?;
///     }
/// };
/// ```
#[derive(Debug)]
pub struct Retry<'p> {
    pool: &'p Pool,
    options: TransactionOptions,
    limit: u32,
    attempts: u32,
    /// None: not begun.
    clock: Option<Clock>,
}

/// The first pause is about this long; each one after it twice that.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// Pauses double so often: 128 ms.
const DOUBLINGS: u32 = 7;

impl<'p> Retry<'p> {
    pub(crate) fn new(pool: &'p Pool, options: TransactionOptions, usual: u32) -> Self {
        let limit = options.attempts_or(usual);
        Self {
            pool,
            options,
            limit,
            attempts: 0,
            clock: None,
        }
    }

    /// Starts the next attempt: after the first one with a pause before it, of random length and without a connection.
    ///
    /// # Errors
    /// Those of [`Pool::begin_with`]; the number of attempts is limited here, too.
    pub async fn begin(&mut self) -> Result<Transaction<'static>, Error> {
        let clock = self.clock();
        loop {
            self.pause().await;
            self.attempts += 1;
            let begun = Transaction::begin_pooled_in_time(self.pool, self.options, clock);
            match Box::pin(begun).await {
                Err(error) if self.goes_on(is_legal(&error)) => {}
                result => return result,
            }
        }
    }

    /// It starts when it is first looked at.
    fn clock(&mut self) -> Clock {
        let time = self.options.time();
        *self.clock.get_or_insert_with(|| Clock::start(time))
    }

    /// Ends an attempt: commits after `Ok`, rolls back after `Err`. `None`: begin again.
    ///
    /// Whether the transaction may run again is told by what the server said in it, whatever your error is.
    pub async fn end<T, E: From<Error>>(
        &mut self,
        mut tx: Transaction<'_>,
        result: Result<T, E>,
    ) -> Option<Result<T, E>> {
        let (legal, result) = match result {
            Ok(value) => match tx.commit_in_time(self.clock()).await {
                Ok(()) => return Some(Ok(value)),
                Err(error) => {
                    let ended = error.kind() == ErrorKind::TransactionEnded;
                    let legal = match ended {
                        true => tx.may_run_again(),
                        false => is_legal(&error) && !tx.may_have_happened(),
                    };
                    (legal, Err(error.into()))
                }
            },
            Err(error) => {
                let legal = tx.may_run_again();
                let _undone_in_any_case = tx.rollback().await;
                (legal, Err(error))
            }
        };
        if self.goes_on(legal) {
            return None;
        }
        Some(result)
    }

    /// How often [`begin`](Self::begin) has tried.
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    fn goes_on(&self, legal: bool) -> bool {
        let in_time = self.clock.is_none_or(|clock| !clock.has_run_out());
        let goes_on = legal && in_time && self.attempts < self.limit;
        if goes_on {
            tracing::debug!(target: "ark_mysql::transaction", attempt = self.attempts, "a transaction begins again");
        }
        goes_on
    }

    async fn pause(&self) {
        if self.attempts > 0 {
            let doublings = (self.attempts - 1).min(DOUBLINGS);
            let longest = FIRST_PAUSE * (2 << doublings);
            crate::time::sleep(longest.mul_f64(random_share())).await;
        }
    }
}

/// Ends a transaction whose time has passed before its COMMIT: dropping it rolls it back.
#[cold]
async fn too_late(clock: Clock, mut tx: Transaction<'_>) -> Error {
    let (outcome, end) = match tx.checked().await.map(drop) {
        Ok(()) => (Outcome::Rejected, "it was rolled back"),
        Err(_) if tx.is_undone() => (Outcome::Rejected, "it was rolled back"),
        Err(error) if error.kind() == ErrorKind::TransactionEnded => {
            (Outcome::Partial, "a statement in it had committed")
        }
        Err(_) => (
            Outcome::Unknown,
            "whether its last statement was one that commits is unknown",
        ),
    };
    let time = clock.limit().unwrap_or_default();
    let detail = format!("the transaction was not done within {time:?}; {end}");
    Error::new(ErrorKind::Timeout, outcome, detail)
}

/// Whether all of the transaction is undone for certain, and the reason may be gone a moment later.
fn is_legal(error: &Error) -> bool {
    let undone = error
        .server()
        .is_some_and(|server| matches!(server.code, 1020 | 1205 | 1213));
    let link = matches!(
        error.kind(),
        ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed
    );
    match error.outcome() {
        Outcome::Rejected => undone || link || error.kind() == ErrorKind::ReadOnly,
        Outcome::NotSent => undone || link,
        Outcome::Partial | Outcome::Done | Outcome::Unknown => false,
    }
}

/// From 0 to 1, so that those who collided do not meet again.
fn random_share() -> f64 {
    let mut byte = [128; 1];
    let _or_the_middle = getrandom::fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

impl Pool {
    /// Runs `body` in a transaction: commits when it returns `Ok`, rolls back when it returns an error, and runs it again where
    /// that is legal.
    ///
    /// ```ignore
    /// let order: u64 = pool
    ///     .transaction(async move |tx| {
    ///         let done = query!("INSERT INTO orders (user_id, amount) VALUES (?, ?)", user, amount).execute(&mut *tx).await?;
    ///         query!("UPDATE users SET orders = orders + 1 WHERE id = ?", user).execute(&mut *tx).await?;
    ///         Ok::<_, ark_mysql::Error>(done.last_insert_id())
    ///     })
    ///     .await?;
    /// ```
    ///
    /// Each run gets a clone of the closure and of what it captured: what cannot be cloned is captured by reference. (Not `AsyncFnMut`,
    /// whose futures rustc does not take for `Send` once the closure holds a reference: such a transaction could not be spawned.)
    ///
    /// # When it runs again
    /// After a deadlock (1213), a lock wait timeout (1205), a row that changed after the transaction had begun to read (1020, MariaDB's
    /// `innodb_snapshot_isolation`), on a server that takes no writes any more (`ReadOnly`) or says that it ends (1053, 1927, 3169), or when
    /// the link broke before any byte of what failed had left (`NotSent`); at most
    /// [`transaction_attempts`](crate::PoolBuilder::transaction_attempts) times in all, with pauses of random,
    /// growing length, in which no connection is held. What was done outside of the database is done again: keep it idempotent, or
    /// behind the transaction.
    ///
    /// Never after an error with the outcome `Unknown`, `Partial` or `Done`. If the link breaks around COMMIT the error is
    /// [`CommitOutcomeUnknown`](crate::ErrorKind::CommitOutcomeUnknown). To make that certain, let the transaction write a row that
    /// only it writes, and look for it:
    ///
    /// ```ignore
    /// let id = uuid(); // chosen once, outside of the transaction
    /// let result = pool.transaction(async |tx| {
    ///     query!("INSERT INTO done (id) VALUES (?)", id).execute(&mut *tx).await?; // unique: a second run would fail
    ///     transfer(tx).await
    /// }).await;
    /// if let Err(error) = &result && let Some(commit) = error.unknown_commit() {
    ///     while !commit.is_settled(&pool).await? { sleep(A_MOMENT).await } // the server may still be at it
    ///     let committed = query_scalar!("SELECT COUNT(*) FROM done WHERE id = ?", id).fetch_one(&pool).await? == 1;
    /// }
    /// ```
    ///
    /// # Errors
    /// The body's, the last one if it ran several times; and those of [`begin`](Self::begin) and
    /// [`commit`](Transaction::commit) by your error's `From`.
    pub async fn transaction<T, E, F>(&self, body: F) -> Result<T, E>
    where
        E: From<Error>,
        F: for<'c> AsyncFnOnce(&mut Transaction<'c>) -> Result<T, E> + Clone,
    {
        self.transaction_with(TransactionOptions::new(), body).await
    }

    /// The same with isolation level, access mode and number of attempts.
    ///
    /// # Errors
    /// As [`transaction`](Self::transaction).
    pub async fn transaction_with<T, E, F>(
        &self,
        options: TransactionOptions,
        body: F,
    ) -> Result<T, E>
    where
        E: From<Error>,
        F: for<'c> AsyncFnOnce(&mut Transaction<'c>) -> Result<T, E> + Clone,
    {
        let mut retry = self.retry_with(options);
        loop {
            let mut tx = retry.begin().await?;
            let clock = retry.clock();
            let Some(result) = clock.run_to_end(body.clone()(&mut tx)).await else {
                return Err(too_late(clock, tx).await.into());
            };
            if let Some(result) = retry.end(tx, result).await {
                return result;
            }
        }
    }

    /// The loop form of [`transaction`](Self::transaction).
    pub fn retry(&self) -> Retry<'_> {
        self.retry_with(TransactionOptions::new())
    }
}
