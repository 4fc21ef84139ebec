//! How a connection is had, and what the error says when there is none.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, TryAcquireError};
use tokio::time::timeout;

use super::{Idle, Leavers, Pool, PoolConnection, Shared};
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Outcome};

impl Pool {
    /// Borrows a connection for several statements. It goes back when the value is dropped. Waiting tasks are served in order.
    ///
    /// # Errors
    /// `PoolTimeout` if none could be had in time or too many are waiting: it tells who holds the connections and what went wrong
    /// when one was opened last. `PoolClosed`, and those of [`Connection::connect`].
    pub async fn acquire(&self) -> Result<PoolConnection, Error> {
        match self.try_acquire() {
            Some(lease) => Ok(lease),
            None => Box::pin(self.acquire_slowly()).await,
        }
    }

    /// Takes one that is free, clean and alive, if there is one: no waiting, no timer.
    fn try_acquire(&self) -> Option<PoolConnection> {
        let permit = Arc::clone(&self.0.permits).try_acquire_owned().ok()?;
        let (mut idle, place) = self.0.take()?;
        let connection = &mut idle.connection;
        if connection.looks_alive() && !connection.is_dirty() && !connection.is_busy() {
            let lease = PoolConnection::new(idle, place, self.clone(), permit);
            self.0.state().metrics.acquired_at_once();
            return Some(lease);
        }
        self.0.give_up_or_put(idle, place); // alive, but there is work to do
        None
    }

    async fn acquire_slowly(&self) -> Result<PoolConnection, Error> {
        let began = Instant::now();
        let mut stage = "no connection became free";
        let acquiring = async {
            let permit = self.permit().await?;
            stage = "a new one could not be opened, or a used one not be reset, in time";
            match self.reuse().await {
                Some((idle, place)) => Ok(PoolConnection::new(idle, place, self.clone(), permit)),
                None => self.open(permit).await,
            }
        };
        let deadline = self.0.settings.acquire_timeout;
        match timeout(deadline, acquiring).await {
            Ok(Ok(lease)) => {
                self.0.state().metrics.acquired_after(began.elapsed());
                Ok(lease)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => {
                self.0.state().metrics.timeouts += 1;
                Err(self
                    .0
                    .no_connection(&format!("{stage} within {deadline:?}")))
            }
        }
    }

    /// The right to hold one connection; waits in a queue.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, Error> {
        let permits = Arc::clone(&self.0.permits);
        match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => return Ok(permit),
            Err(TryAcquireError::Closed) => return Err(pool_closed()),
            Err(TryAcquireError::NoPermits) => {}
        }
        let _waiting = Waiting::enter(&self.0)?;
        permits.acquire_owned().await.map_err(|_| pool_closed())
    }

    /// Takes connections that were used before until one is fit, in the state of a new one.
    async fn reuse(&self) -> Option<(Idle, usize)> {
        loop {
            let (idle, place) = self.0.take()?;
            let mut refreshing = Refreshing {
                shared: &self.0,
                idle: Some(idle),
                place,
            };
            if refreshing.refresh().await.is_ok() {
                return refreshing.idle.take().map(|idle| (idle, place));
            }
        }
    }

    async fn open(&self, permit: OwnedSemaphorePermit) -> Result<PoolConnection, Error> {
        let shared = &self.0;
        let opened = shared.open().await;
        let mut state = shared.state();
        state.opened(&opened);
        let mut idle = opened?;
        let place = state.lend(&mut idle.connection, Instant::now());
        drop(state);
        Ok(PoolConnection::new(idle, place, self.clone(), permit))
    }
}

/// A connection that is brought in order for its next borrower. If that is dropped it goes back, as far as it has come.
struct Refreshing<'p> {
    shared: &'p Shared,
    idle: Option<Idle>,
    place: usize,
}

impl Refreshing<'_> {
    /// Brings a used connection into the state of a new one; nothing of a borrower's runs before that is confirmed.
    async fn refresh(&mut self) -> Result<(), Error> {
        let Some(Idle { connection, .. }) = &mut self.idle else {
            return Ok(());
        };
        if !connection.looks_alive() {
            connection.see_alive()?;
        }
        if !connection.is_dirty() {
            return connection.settle().await;
        }
        connection.reset().await?;
        self.shared.state().metrics.resets += 1;
        Ok(())
    }
}

impl Drop for Refreshing<'_> {
    fn drop(&mut self) {
        if let Some(idle) = self.idle.take() {
            self.shared.give_up_or_put(idle, self.place);
        }
    }
}

impl Shared {
    fn take(&self) -> Option<(Idle, usize)> {
        let mut leavers = Leavers::new();
        let taken = self.state().take(self.settings.max_lifetime, &mut leavers);
        drop(leavers);
        taken
    }

    fn give_up_or_put(&self, idle: Idle, place: usize) {
        let Idle {
            mut connection,
            born,
            rest,
            ..
        } = idle;
        let alive = connection.looks_alive() && !self.closed.load(Ordering::SeqCst);
        let idle = alive.then(|| Idle::new(connection, born, rest));
        let mut leavers = Leavers::new();
        let mut state = self.state();
        state.unlend(place);
        match idle {
            Some(idle) => state.put(idle, &mut leavers),
            None => state.metrics.closed += 1,
        }
        drop(state);
        drop(leavers);
        self.returned.notify_waiters();
    }

    /// A new connection. How long it may rest is asked for in the write that sets up its session.
    async fn open(&self) -> Result<Idle, Error> {
        let mut connection = Connection::open(&self.options).await?;
        let born = Instant::now();
        let server = connection.wait_timeout().await?;
        // Four fifths: the server's clock starts when it has answered, and its answer may be on its way for a while.
        let rest = server.map_or(self.settings.idle_timeout, |server| {
            self.settings.idle_timeout.min(server.mul_f64(0.8))
        });
        Ok(Idle::new(connection, born, rest))
    }

    #[cold]
    fn no_connection(&self, what: &str) -> Error {
        let waiting = self.waiting.load(Ordering::SeqCst);
        let state = self
            .state()
            .describe(waiting, self.settings.max_connections);
        Error::new(
            ErrorKind::PoolTimeout,
            Outcome::NotSent,
            format!("{what}: {state}"),
        )
        .with_advice(
            "hold connections for shorter, raise max_connections or acquire_timeout, or shed load",
        )
    }
}

/// One place in the queue.
struct Waiting<'p>(&'p Shared);

impl<'p> Waiting<'p> {
    fn enter(shared: &'p Shared) -> Result<Self, Error> {
        let most = shared.settings.max_waiting;
        let this = Self(shared);
        if shared.waiting.fetch_add(1, Ordering::SeqCst) >= most {
            shared.state().metrics.refused += 1;
            return Err(shared.no_connection(&format!("{most} are waiting already")));
        }
        Ok(this)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cold]
fn pool_closed() -> Error {
    Error::new(ErrorKind::PoolClosed, Outcome::NotSent, "")
}
