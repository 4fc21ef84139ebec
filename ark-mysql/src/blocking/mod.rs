//! A future driven by this thread alone, which waits in the socket's own `read`.
//!
//! ```text
//! block_on ── polls the future ──► a socket has nothing ──► notes what it waits for (`turn`)
//!     ▲                                                              │
//!     └── polls again ◄── this one socket alone: its `read` waits ◄──┤
//!     └── polls again ◄── several things: poll(2) waits  ◄───────────┘
//! ```
//! A statement's bytes leave in one system call and its reply comes in by another; a runtime needs a third, to hear that it may read.

mod parker;
mod socket;
mod turn;

use std::future::IntoFuture;
use std::pin::pin;
use std::task::{Context, Poll};

pub(crate) use self::socket::Blocking;
use self::turn::Round;
pub(crate) use self::turn::{is_running, ring_at};

/// Runs a future to its end on this thread, without a runtime: for programs that are not asynchronous, and for those whose every
/// microsecond counts.
///
/// Connections that are opened under it wait in the socket's own `read`, so that a query costs two system calls, `write` and `read`.
/// They belong to no runtime: use them under `block_on`, of any thread, and only there. Everything that a
/// [`Connection`](crate::Connection) does works: statements, streams of rows, transactions, pipelines, deadlines, cancelling.
///
/// ```no_run
/// use ark_mysql::{Connection, block_on};
///
/// fn main() -> ark_mysql::Result<()> {
///     let mut conn = block_on(Connection::connect("mysql://app:pw@127.0.0.1:3306/shop"))?;
///     let answer = block_on(ark_mysql::query("SELECT 6 * 7").fetch_one(&mut conn))?;
///     println!("{answer:?}");
///     block_on(conn.close())
/// }
/// ```
///
/// # What it does not do
/// * Under it there is no tokio: its timers, tasks and sockets panic there, and a [`Pool`](crate::Pool) needs them. A connection that was
///   opened on a runtime belongs to that runtime; used here it waits for ever unless another thread drives it.
/// * A thread that is in it does nothing else: inside of an asynchronous program use `.await`.
/// * Host names are looked up by the operating system's own call, which the time-out for connecting cannot cut short; of several
///   addresses one is tried after the other.
///
/// # Several at once
/// Futures may be joined, and may wait for channels of other threads; then one `poll(2)` waits for all of them.
pub fn block_on<F: IntoFuture>(future: F) -> F::Output {
    let mut future = pin!(future.into_future());
    let mut round = Round::begin();
    loop {
        let polled = future
            .as_mut()
            .poll(&mut Context::from_waker(round.waker()));
        match polled {
            Poll::Ready(output) => return output,
            Poll::Pending => round.wait(),
        }
    }
}

#[cfg(test)]
mod tests;
