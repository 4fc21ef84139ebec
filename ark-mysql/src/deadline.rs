//! How long a statement may take, and what happens when it takes longer.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use crate::connection::Link;
use crate::error::{Error, ErrorKind, Outcome};
use crate::time::{Timer, end_of, timeout_at};

/// How long a statement may take: waiting for its connection, sending it and reading its rows, all together.
///
/// A `Duration` is one. When it has passed, the statement fails with `Timeout`, whose outcome tells what is known of it.
///
/// # What the server is told
/// Its own limit for the session is set to the same time, in front of the statement and in the same write, and only when it is not
/// what it was: `max_statement_time` on MariaDB, for every statement; `max_execution_time` on MySQL, where it holds for `SELECT`
/// alone. The next statement without a deadline sets it back to what it was, again in its own write. (A hint in the SQL
/// or `SET STATEMENT … FOR` would be another statement, to be prepared once more for each time.) Servers without such a variable
/// are not asked a second time, and through proxies (`compat=proxy`) none is set.
///
/// A limit that was set by hand is put back, too; for that the driver keeps it in the user variable `@ark_mysql_limit`.
///
/// # What becomes of the connection
/// The answer is read if it comes within 50 ms more and is at most 64 KiB, which is what the server's own limit leads to; otherwise
/// the connection is closed. A server that is left alone like that may go on with the statement: see [`and_kill`](Self::and_kill).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    after: Duration,
    kill: bool,
}

impl Deadline {
    /// So long after the statement was awaited.
    pub const fn after(time: Duration) -> Self {
        Self {
            after: time,
            kill: false,
        }
    }

    /// Sends `KILL QUERY` by a connection of its own when the time has passed, and waits for it, for 1 s at most. Then the connection
    /// is as a rule kept, and the server does not go on with a statement that nobody waits for.
    ///
    /// For statements that the server's own limit does not end: writes on MySQL.
    pub const fn and_kill(mut self) -> Self {
        self.kill = true;
        self
    }

    pub(crate) const fn time(self) -> Duration {
        self.after
    }
}

impl From<Duration> for Deadline {
    fn from(time: Duration) -> Self {
        Self::after(time)
    }
}

/// The time of one statement, running.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Clock(Option<(Deadline, Instant)>);

impl Clock {
    #[inline]
    pub(crate) fn start(deadline: Option<Deadline>) -> Self {
        Self(deadline.map(|deadline| (deadline, end_of(deadline.after))))
    }

    /// Waits for a future, which stays where it is. `None`: not in time.
    #[inline]
    pub(crate) async fn run<T>(
        self,
        mut running: Pin<&mut impl Future<Output = Result<T, Error>>>,
    ) -> Option<Result<T, Error>> {
        let Some(mut timer) = self.timer() else {
            return Some(running.await);
        };
        poll_fn(|context| match running.as_mut().poll(context) {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending => Pin::new(&mut timer).poll(context).map(|()| None),
        })
        .await
    }

    /// The same for what may fail by any error, and is dropped when the time has passed.
    pub(crate) async fn run_to_end<F: Future>(self, running: F) -> Option<F::Output> {
        match self.0 {
            None => Some(running.await),
            Some((_, end)) => timeout_at(end, running).await.ok(),
        }
    }

    pub(crate) fn has_run_out(self) -> bool {
        self.0.is_some_and(|(_, end)| Instant::now() >= end)
    }

    /// Rings at the end.
    pub(crate) fn timer(self) -> Option<Timer> {
        self.0.map(|(_, end)| Timer::at(end))
    }

    /// What came of it: its result, or what the connection says about a statement that was not done in time.
    #[inline]
    pub(crate) async fn settle<T>(
        self,
        link: &mut Link,
        result: Option<Result<T, Error>>,
        digest: u128,
    ) -> Result<T, Error> {
        match result {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(self.judge(error)),
            None => Err(self.expire(link, digest).await),
        }
    }

    /// Ends a statement whose time has passed.
    #[cold]
    pub(crate) async fn expire(self, link: &mut Link, digest: u128) -> Error {
        let outcome = Box::pin(link.expire(self.kills())).await;
        self.too_late("it was not answered", outcome)
            .in_statement(digest)
    }

    /// The same for what is no statement of the user's.
    #[cold]
    pub(crate) async fn end(self, link: &mut Link, what: &str) -> Error {
        let outcome = Box::pin(link.expire(self.kills())).await;
        self.too_late(&format!("{what} was not answered"), outcome)
    }

    /// The time that the server is given for each statement.
    pub(crate) fn limit(self) -> Option<Duration> {
        self.0.map(|(deadline, _)| deadline.after)
    }

    pub(crate) fn kills(self) -> bool {
        self.0.is_some_and(|(deadline, _)| deadline.kill)
    }

    /// The server's own limit was ours.
    #[cold]
    pub(crate) fn judge(self, error: Error) -> Error {
        let by_server = matches!(error.server().map(|server| server.code), Some(1969 | 3024));
        match self.0 {
            Some(_) if by_server => error.with_kind(ErrorKind::Timeout),
            _ => error,
        }
    }

    #[cold]
    pub(crate) fn too_late(self, what: &str, outcome: Outcome) -> Error {
        let time = self.0.map(|(deadline, _)| deadline.after);
        let detail = format!("{what} within {:?}; {outcome}", time.unwrap_or_default());
        Error::new(ErrorKind::Timeout, outcome, detail)
    }
}
