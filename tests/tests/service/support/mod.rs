//! What these tests share.

mod proxy;
#[path = "../../integration/support/random.rs"]
mod random;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, dynamic::FromValue, query};
use tests::Database;

pub(crate) use proxy::{Cut, Proxy};
pub(crate) use random::Random;
pub(crate) use tests::bars::{reached, times};

/// Prints what a test that belongs to no bar has seen.
#[expect(
    clippy::print_stderr,
    reason = "the figures are what these tests are for"
)]
pub(crate) fn figure(line: impl std::fmt::Display) {
    eprintln!("figure: {line}");
}

/// The first column of the first row.
pub(crate) async fn one<T: FromValue>(conn: &mut Connection, sql: &str) -> Result<T> {
    query(sql).fetch_one(conn).await?.get(0)
}

/// The same, as somebody else sees it.
pub(crate) async fn seen<T: FromValue>(database: &Database, sql: &str) -> Result<T> {
    one(&mut Connection::connect(database.url()).await?, sql).await
}

/// Fails unless it is an error of this kind and outcome, and gives it back.
#[track_caller]
pub(crate) fn fails<T>(result: Result<T>, kind: ErrorKind, outcome: Outcome) -> Error {
    let Err(error) = result else {
        panic!("no error, where {kind:?} should be one")
    };
    assert_eq!((error.kind(), error.outcome()), (kind, outcome), "{error}");
    error
}

/// Polls a future at most so often, one turn of the scheduler apart, and drops it then.
pub(crate) async fn polled<F: Future>(future: F, times: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..times {
        let polled = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
        if let Poll::Ready(output) = polled {
            return Some(output);
        }
        tokio::task::yield_now().await;
    }
    None
}

/// The code that the server gave.
pub(crate) fn code(error: &Error) -> Option<u16> {
    error.server().map(|server| server.code)
}
