//! A pool of connections: exclusive leases, a bounded queue that is served in order.

mod builder;
mod lease;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::time::timeout;

pub use self::builder::PoolBuilder;
use self::builder::Settings;
pub use self::lease::PoolConnection;
use crate::config::{ConnectOptions, IntoConnectOptions};
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Outcome};
use crate::transaction::{Retry, Transaction, TransactionOptions};

/// Connections that are lent out one statement, one transaction or one [`PoolConnection`] at a time. Cheap to clone: all clones
/// are the same pool.
///
/// Whoever borrows gets a clean session: after statements that may leave something behind (variables, locks, temporary tables, SQL
/// made at run time) and after open transactions the session is reset before the next borrower gets it.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    options: Arc<ConnectOptions>,
    settings: Settings,
    permits: Arc<Semaphore>,
    /// The one that was used last is on top, so that those not needed grow old.
    idle: Mutex<Vec<Idle>>,
    waiting: AtomicUsize,
    lent: AtomicUsize,
    closed: AtomicBool,
    returned: Notify,
}

struct Idle {
    connection: Connection,
    born: Instant,
    since: Instant,
}

impl Pool {
    /// Makes a pool with the usual settings, and one connection to see that it works.
    ///
    /// # Errors
    /// Those of [`Connection::connect`].
    pub async fn connect(options: impl IntoConnectOptions) -> Result<Self, Error> {
        Self::builder().connect(options).await
    }

    /// Sets the knobs first.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::default()
    }

    /// Borrows a connection for several statements. It goes back when the value is dropped.
    ///
    /// # Errors
    /// `PoolTimeout` if none became free in time or too many are waiting, `PoolClosed`, and those of [`Connection::connect`].
    pub async fn acquire(&self) -> Result<PoolConnection, Error> {
        match self.try_acquire() {
            Some(lease) => Ok(lease),
            None => self.acquire_slowly().await,
        }
    }

    /// Starts a transaction on a connection of the pool.
    ///
    /// # Errors
    /// Those of [`acquire`](Self::acquire) and [`Connection::begin`].
    pub async fn begin(&self) -> Result<Transaction<'static>, Error> {
        self.begin_with(TransactionOptions::new()).await
    }

    /// Starts a transaction at an isolation level, read-only, or with a snapshot.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `Configuration` if the options contradict each other.
    pub async fn begin_with(
        &self,
        options: TransactionOptions,
    ) -> Result<Transaction<'static>, Error> {
        Transaction::begin_pooled(self.acquire().await?, options).await
    }

    /// The loop form of [`transaction_with`](Self::transaction_with).
    pub fn retry_with(&self, options: TransactionOptions) -> Retry<'_> {
        Retry::new(self, options, self.0.settings.transaction_attempts)
    }

    /// Closes the pool: nobody gets a connection any more, those who wait get the error `PoolClosed`. Waits, at most for the acquire
    /// deadline, for borrowed connections to come back.
    pub async fn close(&self) {
        let shared = &self.0;
        shared.closed.store(true, Ordering::SeqCst);
        shared.permits.close();
        let idle = std::mem::take(&mut *shared.idle());
        for idle in idle {
            let _in_any_case = idle.connection.close().await;
        }
        let _or_too_late = timeout(shared.settings.acquire_timeout, shared.all_returned()).await;
    }

    /// Whether [`close`](Self::close) was called.
    pub fn is_closed(&self) -> bool {
        self.0.closed.load(Ordering::SeqCst)
    }

    /// How many connections are open, lent or not.
    pub fn size(&self) -> usize {
        self.0.lent.load(Ordering::SeqCst) + self.idle()
    }

    /// How many connections wait for borrowers.
    pub fn idle(&self) -> usize {
        self.0.idle().len()
    }
}

/// How a connection is had.
impl Pool {
    /// Takes one that is free, clean and alive, if there is one: no waiting, no timer.
    fn try_acquire(&self) -> Option<PoolConnection> {
        let permit = Arc::clone(&self.0.permits).try_acquire_owned().ok()?;
        let mut idle = self.0.pop()?;
        if idle.connection.looks_alive()
            && !idle.connection.is_dirty()
            && !idle.connection.is_busy()
        {
            return Some(self.lend(idle, permit));
        }
        if !idle.connection.is_closed() {
            self.0.idle().push(idle); // alive, but there is work to do
        }
        None
    }

    async fn acquire_slowly(&self) -> Result<PoolConnection, Error> {
        let mut stage = "all of them are in use";
        let acquiring = async {
            let permit = self.permit().await?;
            stage = "a new one could not be opened, or a used one not be reset, in time";
            let idle = match self.reuse().await {
                Some(idle) => idle,
                None => self.0.open().await?,
            };
            Ok(self.lend(idle, permit))
        };
        let deadline = self.0.settings.acquire_timeout;
        match timeout(deadline, acquiring).await {
            Ok(result) => result,
            Err(_) => Err(no_connection(format!("{stage} after {deadline:?}"))),
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
    async fn reuse(&self) -> Option<Idle> {
        while let Some(mut idle) = self.0.pop() {
            if refresh(&mut idle.connection).await.is_ok() {
                return Some(idle);
            }
        }
        None
    }

    fn lend(&self, idle: Idle, permit: OwnedSemaphorePermit) -> PoolConnection {
        self.0.lent.fetch_add(1, Ordering::SeqCst);
        PoolConnection::new(idle, self.clone(), permit)
    }
}

/// Brings a used connection into the state of a new one; nothing of a borrower's runs before that is confirmed.
async fn refresh(connection: &mut Connection) -> Result<(), Error> {
    if !connection.looks_alive() {
        return Err(Error::new(
            ErrorKind::ConnectionClosed,
            Outcome::NotSent,
            "",
        ));
    }
    if connection.is_dirty() {
        connection.reset().await
    } else {
        connection.settle().await
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The connection used last that is not too old. Older ones are closed on the way.
    fn pop(&self) -> Option<Idle> {
        loop {
            let idle = self.idle().pop()?;
            let now = Instant::now();
            let settings = &self.settings;
            let too_old = now.duration_since(idle.born)
                > jittered(settings.max_lifetime, idle.connection.id());
            if !too_old && now.duration_since(idle.since) <= settings.idle_timeout {
                return Some(idle);
            }
        }
    }

    async fn open(&self) -> Result<Idle, Error> {
        let connection = Connection::open(&self.options).await?;
        let born = Instant::now();
        Ok(Idle {
            connection,
            born,
            since: born,
        })
    }

    fn take_back(&self, connection: Connection, born: Instant) {
        if !self.closed.load(Ordering::SeqCst) && !connection.is_closed() {
            self.idle().push(Idle {
                connection,
                born,
                since: Instant::now(),
            });
        }
        self.lent.fetch_sub(1, Ordering::SeqCst);
        self.returned.notify_waiters();
    }

    async fn all_returned(&self) {
        loop {
            let returned = self.returned.notified();
            if self.lent.load(Ordering::SeqCst) == 0 {
                return;
            }
            returned.await;
        }
    }
}

/// Ten per cent more or less, so that connections opened together do not end together.
fn jittered(lifetime: Duration, id: u32) -> Duration {
    let share = id.wrapping_mul(0x9e37_79b9) >> 24; // 0 to 255, the same for a connection's whole life
    lifetime.mul_f64(0.9 + f64::from(share) / 255.0 * 0.2)
}

/// One place in the queue.
struct Waiting<'p>(&'p Shared);

impl<'p> Waiting<'p> {
    fn enter(shared: &'p Shared) -> Result<Self, Error> {
        let this = Self(shared);
        if shared.waiting.fetch_add(1, Ordering::SeqCst) >= shared.settings.max_waiting {
            return Err(no_connection(format!(
                "{} are waiting already",
                shared.settings.max_waiting
            )));
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
fn no_connection(detail: String) -> Error {
    Error::new(ErrorKind::PoolTimeout, Outcome::NotSent, detail).with_advice(
        "hold connections for shorter, raise max_connections or acquire_timeout, or shed load",
    )
}

#[cold]
fn pool_closed() -> Error {
    Error::new(ErrorKind::PoolClosed, Outcome::NotSent, "")
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("settings", &self.0.settings)
            .field("size", &self.size())
            .field("idle", &self.idle())
            .field("closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}
