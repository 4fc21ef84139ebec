//! Many rows by one statement: what `insert_many!` makes.
//!
//! | file | what it decides |
//! |---|---|
//! | `source` | how many rows are encoded ahead, and how many go next |
//! | `piece` | the statement for a number of rows |
//! | `send` | one command after the other; the transaction around them; what an error means for all of the rows |

mod piece;
mod send;
mod source;

use std::fmt;
use std::iter::once;
use std::pin::pin;

use self::send::{Insert, Stage};
use crate::deadline::{Clock, Deadline};
use crate::error::Error;
use crate::executor::{Executor, Lease as _};
use crate::query::{Done, Mode, Prepared, Within};
use crate::trace::traced;
use crate::value::{CheckedRows, Repeats, RowValues};

/// Many rows for one INSERT or REPLACE, ready to run on any [`Executor`]. Made by `insert_many!`.
///
/// ```ignore
/// let done = insert_many!("INSERT INTO users (name, age) VALUES (?, ?)", users.iter().map(|user| (&user.name, user.age)))
///     .execute(&pool)
///     .await?;
/// ```
///
/// The rows are part of the future. Where that has to be `Send` (a spawned task, a handler of a web service) and rustc says of a closure over references that
/// its "implementation of `FnOnce` is not general enough", collect them first: `let rows: Vec<_> = ….collect();` and `&rows`.
///
/// # What is sent
///
/// | server | |
/// |---|---|
/// | MariaDB | `COM_STMT_BULK_EXECUTE`: the statement is prepared as it stands, and its rows travel in commands of up to 1 MiB |
/// | MySQL; any server by `compat=proxy` | the statement prepared with up to 512 rows in its VALUES, for the rest with the powers of two below: at most ten prepared statements for any number of rows |
///
/// Commands stay below the server's `max_allowed_packet` and the driver's `max_send`; a row that is larger than 1 MiB travels alone. The iterator is asked for rows
/// as they are sent, so memory for about 1 MiB of them is enough for any number. Without any row nothing is sent, and no connection is asked for.
///
/// # All or nothing
///
/// Rows that take several commands have a transaction of their own around them: if one fails, or the future is dropped, all are rolled back. It is left out
///
/// * where all rows go in one statement, which is undone as a whole by itself;
/// * in a transaction that is open already (and with `autocommit` off): what was inserted before an error stays in it until it is rolled back.
///   [`Transaction::nested`](crate::Transaction::nested) around it undoes that alone;
/// * after [`not_atomic`](Self::not_atomic).
///
/// As always, this holds for transactional engines such as InnoDB.
#[must_use = "nothing is inserted until it is executed"]
pub struct InsertMany<S, I, M = Prepared> {
    #[doc(hidden)]
    pub statement: S,
    #[doc(hidden)]
    pub rows: I,
    #[doc(hidden)]
    pub mode: M,
    #[doc(hidden)]
    pub atomic: bool,
    #[doc(hidden)]
    pub checked: CheckedRows<I>,
}

impl<S, I, M: Mode> InsertMany<S, I, M> {
    /// Has no transaction of its own: each command is committed by itself. Where one fails, what went before it stays (outcome
    /// [`Partial`](crate::Outcome::Partial)).
    pub fn not_atomic(mut self) -> Self {
        self.atomic = false;
        self
    }

    /// Fails with `Timeout` when all of it takes longer, as [`Query::deadline`](crate::Query::deadline). What was inserted by then is rolled back, as after
    /// any other error.
    pub fn deadline(self, deadline: impl Into<Deadline>) -> InsertMany<S, I, Within<M>> {
        InsertMany {
            statement: self.statement,
            rows: self.rows,
            mode: Within::new(deadline.into()),
            atomic: self.atomic,
            checked: self.checked,
        }
    }
}

impl<S, I, M> InsertMany<S, I, M>
where
    S: Repeats,
    I: IntoIterator,
    I::Item: RowValues<S::Params>,
    M: Mode,
{
    /// Inserts the rows.
    ///
    /// [`Done::rows_affected`] is that of all rows together, [`Done::last_insert_id`] the first id that was made.
    ///
    /// # Errors
    /// All that can happen to a statement. [`Error::row`] is the number of the row, counted from 0, where it could not be encoded or the server names it (it
    /// does so for values that do not fit, and not for duplicate keys). The outcome is that of all rows:
    /// * `NotSent`: none was sent;
    /// * `Rejected`: all were rolled back, or none came further than the server's refusal;
    /// * `Partial`: without a transaction of its own, rows in front of those that failed are in the table, or in the transaction that was open;
    /// * `Unknown`: no answer came to the only command, or to COMMIT (`CommitOutcomeUnknown`).
    ///
    /// # Cancelling
    /// As [`Query::execute`](crate::Query::execute); a transaction of its own is rolled back before anything else runs on the connection.
    pub async fn execute(self, executor: impl Executor) -> Result<Done, Error> {
        let inserting = Box::pin(self.insert(executor));
        traced!(S::DIGEST, inserting)
    }

    async fn insert<E: Executor>(self, executor: E) -> Result<Done, Error> {
        let mut rows = self.rows.into_iter();
        let Some(first) = rows.next() else {
            return Ok(Done::default());
        };
        let clock = Clock::start(self.mode.deadline());
        let mut lease = executor.lease_by(clock).await?;
        let connection = lease.connection();
        let mut stage = Stage::default();
        let limit = self.mode.deadline().map(Deadline::time);
        let inserted = {
            let insert = Insert::<S, _>::new(once(first).chain(rows), connection.link(), limit);
            let running = pin!(insert.run(connection, self.atomic, &mut stage));
            clock.run(running).await
        };
        match inserted {
            Some(result) => result.map_err(|error| clock.judge(error)),
            None => {
                let error = clock.expire(connection.link(), S::DIGEST).await;
                if stage.is_owned() {
                    // Its transaction holds locks, and nobody may ever use this connection again. One that cannot be settled closes.
                    let _closed_otherwise = connection.settle().await;
                }
                Err(stage.judge(error))
            }
        }
    }
}

impl<S: Repeats, I, M> fmt::Debug for InsertMany<S, I, M> {
    /// Shows the SQL, never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InsertMany")
            .field("sql", &S::SQL)
            .field("atomic", &self.atomic)
            .finish_non_exhaustive()
    }
}
