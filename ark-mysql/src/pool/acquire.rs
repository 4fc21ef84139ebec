//! How a connection is had.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::queue::Answer;
use super::state::{Idle, Leavers};
use super::{Pool, PoolConnection, Shared};
use crate::connection::connect::see_runtime;
use crate::deadline::Deadline;
use crate::error::{Error, ErrorKind, Outcome};
use crate::time::timeout;

impl Pool {
    /// Borrows a connection for several statements. It goes back when the value is dropped. Waiting tasks are served in order.
    ///
    /// # Errors
    /// `PoolTimeout` if none could be had in time or too many are waiting: it tells who holds the connections and what went wrong
    /// when one was opened last. `PoolClosed`, and those of [`Connection::connect`](crate::Connection::connect).
    ///
    /// # Cancelling
    /// Whatever was to come goes to the next who waits, a connection that is being opened too.
    ///
    /// ```ignore
    /// let mut conn = pool.acquire().await?;
    /// let mut conn = pool.acquire().deadline(Duration::from_secs(60)).await?; // a report has time
    /// ```
    #[inline]
    pub fn acquire(&self) -> Acquire<'_> {
        Acquire {
            pool: self,
            deadline: None,
            slowly: None,
        }
    }

    /// Takes one that is free, clean and alive, if there is one: no waiting, no timer.
    #[inline]
    fn try_acquire(&self) -> Option<PoolConnection> {
        let mut leavers = Leavers::new();
        let taken = self.0.state().take_ready(Instant::now(), &mut leavers);
        let Idle {
            mut connection,
            place,
            warm,
            ..
        } = taken?;
        let alive = match warm {
            true => connection.sounds_alive(),
            false => connection.looks_alive(),
        };
        let mut lease = PoolConnection::new(connection, place, self.clone());
        if !alive {
            self.turn_down(lease);
            return None;
        }
        lease.granted = true;
        self.0.at_once.fetch_add(1, Ordering::Relaxed);
        self.0.export.acquired(Duration::ZERO);
        Some(lease)
    }

    /// It has died since it was laid down.
    #[cold]
    fn turn_down(&self, mut lease: PoolConnection) {
        let _it_is_not = lease.see_alive();
    }

    async fn acquire_slowly(&self, deadline: Duration) -> Result<PoolConnection, Error> {
        see_runtime("a connection of a pool")?; // for its tasks
        let began = Instant::now();
        let mut stage = Stage::Queue;
        match timeout(deadline, self.acquire_in_turn(&mut stage)).await {
            Ok(Ok(mut lease)) => {
                lease.granted = true;
                self.0.state().meter.acquired_after(began.elapsed());
                Ok(lease)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => {
                self.0.state().meter.timed_out();
                let what = match stage {
                    Stage::Queue => "no connection became free",
                    Stage::Refresh => "a used connection could not be brought in order",
                };
                Err(self.0.no_connection(&format!("{what} within {deadline:?}")))
            }
        }
    }

    async fn acquire_in_turn(&self, stage: &mut Stage) -> Result<PoolConnection, Error> {
        let mut ticket = None;
        loop {
            *stage = Stage::Queue;
            let Some(mut lease) = self.next(&mut ticket).await? else {
                continue;
            };
            *stage = Stage::Refresh;
            if lease.refresh().await.is_ok() {
                return Ok(lease);
            }
        }
    }

    /// What comes next for this task; None: look again.
    async fn next(&self, ticket: &mut Option<u64>) -> Result<Option<PoolConnection>, Error> {
        let mut line = match self.enter(ticket)? {
            Entered::Has(lease) => return Ok(Some(lease)),
            Entered::Waits(line) => line,
        };
        match (&mut line.receiver).await {
            Ok(Answer::Lease(lease)) => Ok(Some(lease)),
            Ok(Answer::Failed(error)) => Err(error),
            Ok(Answer::Again(_baton)) => Ok(None),
            Err(_) => Err(pool_closed()),
        }
    }

    /// Takes a connection that nobody has, or a place in the queue; then as many are opened as there is need and room for.
    fn enter(&self, ticket: &mut Option<u64>) -> Result<Entered<'_>, Error> {
        let shared = &*self.0;
        let most = shared.settings.max_connections;
        let mut leavers = Leavers::new();
        let mut state = shared.state();
        if state.closed {
            return Err(pool_closed());
        }
        if let Some(idle) = state.take_any(Instant::now(), &mut leavers) {
            drop(state);
            drop(leavers);
            let lease = PoolConnection::new(idle.connection, idle.place, self.clone());
            return Ok(Entered::Has(lease));
        }
        let served = state.opening + state.room(most);
        if ticket.is_none()
            && state.waiters.len() >= shared.settings.max_waiting.saturating_add(served)
        {
            state.meter.refused();
            drop(state);
            let detail = format!("{} are waiting already", shared.settings.max_waiting);
            return Err(shared.no_connection(&detail));
        }
        let ticket = *ticket.get_or_insert_with(|| state.waiters.ticket());
        let receiver = state.waiters.enter(ticket);
        let openers = state.openers_due(most);
        state.opening += openers;
        state.show();
        drop(state);
        drop(leavers);
        self.open_more(openers);
        Ok(Entered::Waits(InLine {
            shared,
            ticket,
            receiver,
        }))
    }
}

/// A lease on its way: see [`Pool::acquire`]. It does nothing before it is awaited, and may be dropped at any time.
#[must_use = "it does nothing unless it is awaited"]
pub struct Acquire<'p> {
    pool: &'p Pool,
    /// In place of the pool's.
    deadline: Option<Duration>,
    /// None: not begun. Boxed, because most leases are there at once.
    slowly: Option<Slowly<'p>>,
}

type Slowly<'p> = Pin<Box<dyn Future<Output = Result<PoolConnection, Error>> + Send + 'p>>;

impl Acquire<'_> {
    /// Waits so long at most, in place of the pool's [`acquire_timeout`](crate::PoolBuilder::acquire_timeout): shorter or longer. To be set before it is awaited.
    pub fn deadline(mut self, deadline: impl Into<Deadline>) -> Self {
        self.deadline = Some(deadline.into().time());
        self
    }
}

impl Future for Acquire<'_> {
    type Output = Result<PoolConnection, Error>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let slowly = match &mut this.slowly {
            Some(slowly) => slowly,
            None => {
                if let Some(lease) = this.pool.try_acquire() {
                    return Poll::Ready(Ok(lease));
                }
                let usual = this.pool.0.settings.acquire_timeout;
                let deadline = this.deadline.unwrap_or(usual);
                this.slowly
                    .insert(Box::pin(this.pool.acquire_slowly(deadline)))
            }
        };
        slowly.as_mut().poll(context)
    }
}

impl fmt::Debug for Acquire<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Acquire")
            .field("deadline", &self.deadline)
            .field("waits", &self.slowly.is_some())
            .finish_non_exhaustive()
    }
}

/// What a task waits for.
enum Stage {
    Queue,
    Refresh,
}

enum Entered<'p> {
    Has(PoolConnection),
    Waits(InLine<'p>),
}

/// A place in the queue.
struct InLine<'p> {
    shared: &'p Shared,
    ticket: u64,
    receiver: oneshot::Receiver<Answer>,
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.waiters.leave(self.ticket);
        state.show();
    }
}

/// The duty to see that connections are opened for those who wait. Whoever has it looks again; a task that is dropped with it in its
/// hand passes it on. (Connections are opened by tasks that wait and not by those that give one back: a value can be dropped outside
/// of any runtime, or while one ends.)
pub(super) struct Baton(pub(super) Arc<Shared>);

impl Drop for Baton {
    fn drop(&mut self) {
        let shared = &self.0;
        let first = {
            let mut state = shared.state();
            match state.openers_due(shared.settings.max_connections) {
                0 => None,
                _ => state.waiters.first(),
            }
        };
        if let Some(waiter) = first {
            let passed = waiter.sender.send(Answer::Again(Self(Arc::clone(shared))));
            drop(passed); // one that nobody takes passes itself on
        }
    }
}

#[cold]
pub(super) fn pool_closed() -> Error {
    Error::new(ErrorKind::PoolClosed, Outcome::NotSent, "")
}
