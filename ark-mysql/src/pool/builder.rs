use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use super::metrics::Meter;
use super::state::State;
use super::{Export, Pool, Shared};
use crate::config::{ConnectOptions, IntoConnectOptions};
use crate::error::Error;

/// The knobs of a [`Pool`]. What is not set here is taken from the address, or is as usual.
///
/// | knob | usual |
/// |---|---|
/// | [`max_connections`](Self::max_connections) | 10 connections |
/// | [`min_connections`](Self::min_connections) | 0 |
/// | [`acquire_timeout`](Self::acquire_timeout) | 5 s |
/// | [`max_waiting`](Self::max_waiting) | 4096 tasks |
/// | [`max_lifetime`](Self::max_lifetime) | 30 min, ±10 % |
/// | [`idle_timeout`](Self::idle_timeout) | 10 min |
/// | [`transaction_attempts`](Self::transaction_attempts) | 10 |
#[derive(Clone, Debug, Default)]
pub struct PoolBuilder {
    name: Option<String>,
    max_connections: Option<usize>,
    min_connections: usize,
    acquire_timeout: Option<Duration>,
    max_waiting: Option<usize>,
    max_lifetime: Option<Duration>,
    idle_timeout: Option<Duration>,
    transaction_attempts: Option<u32>,
}

/// What holds for a pool.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) max_connections: usize,
    pub(super) min_connections: usize,
    pub(super) acquire_timeout: Duration,
    pub(super) max_waiting: usize,
    pub(super) max_lifetime: Duration,
    pub(super) idle_timeout: Duration,
    pub(super) transaction_attempts: u32,
}

/// Enough to keep a server of a few cores busy.
const MAX_CONNECTIONS: usize = 10;
/// After this the caller's own caller has gone away.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// More than these are not served within the deadline anyway.
const MAX_WAITING: usize = 4096;
/// Lets a changed DNS entry, a failover or a new certificate come to effect.
const MAX_LIFETIME: Duration = Duration::from_secs(30 * 60);
/// Below the server's wait_timeout and what firewalls forget after.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// With pauses that double: most of a second of contention.
const TRANSACTION_ATTEMPTS: u32 = 10;

impl PoolBuilder {
    /// What the pool is called in the figures that it gives to the `metrics` crate, if the feature `metrics` is on (`default`, unless said
    /// otherwise); the recorder has to be installed before the pool is made. The same figures are read by [`Pool::metrics`].
    ///
    /// | name, with the label `pool` | |
    /// |---|---|
    /// | `ark_mysql_pool_wait_seconds` | histogram: how long tasks waited for a lease, those that got one |
    /// | `ark_mysql_pool_hold_seconds` | histogram: how long leases were held |
    /// | `ark_mysql_pool_idle`, `_lent`, `_waiting`, `_max_connections` | gauges |
    /// | `ark_mysql_pool_opened_total`, `_open_failures_total`, `_closed_total` | counters: connections |
    /// | `ark_mysql_pool_resets_total` | counter: sessions reset between borrowers |
    /// | `ark_mysql_pool_timeouts_total`, `_refused_total` | counters: tasks that got none in time, or were turned away |
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// At most this many connections, at least one.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = Some(connections);
        self
    }

    /// So many are kept open, used or not: others are opened in place of those that go. The first ones are opened once one was used.
    pub fn min_connections(mut self, connections: usize) -> Self {
        self.min_connections = connections;
        self
    }

    /// How long to wait for a connection, opening one included.
    pub fn acquire_timeout(mut self, deadline: Duration) -> Self {
        self.acquire_timeout = Some(deadline);
        self
    }

    /// How many tasks may wait for a connection; the next one gets an error at once.
    pub fn max_waiting(mut self, tasks: usize) -> Self {
        self.max_waiting = Some(tasks);
        self
    }

    /// How old a connection may become, give or take ten per cent.
    pub fn max_lifetime(mut self, lifetime: Duration) -> Self {
        self.max_lifetime = Some(lifetime);
        self
    }

    /// How long a connection may lie unused; less where the server's `wait_timeout` is shorter, so that it is not the server who
    /// closes it.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.idle_timeout = Some(timeout);
        self
    }

    /// How often [`Pool::transaction`] runs its body at most, deadlocks and lock waits included; at least once.
    pub fn transaction_attempts(mut self, attempts: u32) -> Self {
        self.transaction_attempts = Some(attempts);
        self
    }

    /// Makes the pool, and one connection to see that it works.
    ///
    /// # Errors
    /// Those of [`Connection::connect`](crate::Connection::connect).
    pub async fn connect(self, options: impl IntoConnectOptions) -> Result<Pool, Error> {
        let pool = self.connect_lazy(options)?;
        pool.acquire().await?.ping().await?; // the session settings travel with it
        Ok(pool)
    }

    /// Makes the pool; connections are opened when they are needed.
    ///
    /// # Errors
    /// `Configuration`: the address makes no sense.
    pub fn connect_lazy(self, options: impl IntoConnectOptions) -> Result<Pool, Error> {
        let options = options.into_connect_options()?;
        let name = self.name.clone();
        let settings = self.settings(&options);
        let name = name.as_deref().unwrap_or("default");
        let export = Arc::new(Export::new(name, settings.max_connections));
        Ok(Pool(Arc::new(Shared {
            options: Arc::new(options),
            settings,
            state: Mutex::new(State::new(Meter::new(Arc::clone(&export)))),
            export,
            at_once: AtomicU64::new(0),
            look_again: Arc::new(Notify::new()),
            returned: Notify::new(),
        })))
    }

    fn settings(self, options: &ConnectOptions) -> Settings {
        let from_address = options
            .max_connections
            .and_then(|size| usize::try_from(size).ok());
        Settings {
            max_connections: self
                .max_connections
                .or(from_address)
                .unwrap_or(MAX_CONNECTIONS)
                .max(1),
            min_connections: self.min_connections,
            acquire_timeout: self
                .acquire_timeout
                .or(options.acquire_timeout)
                .unwrap_or(ACQUIRE_TIMEOUT),
            max_waiting: self.max_waiting.unwrap_or(MAX_WAITING),
            max_lifetime: self.max_lifetime.unwrap_or(MAX_LIFETIME),
            idle_timeout: self.idle_timeout.unwrap_or(IDLE_TIMEOUT),
            transaction_attempts: self.transaction_attempts.unwrap_or(TRANSACTION_ATTEMPTS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults() {
        let address = |text: &str| Pool::builder().settings(&text.parse().unwrap());
        let usual = address("mysql://app@db/d");
        assert_eq!((usual.max_connections, usual.min_connections), (10, 0));
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        assert_eq!(usual.acquire_timeout, Duration::from_secs(5));
        assert_eq!(
            (usual.max_lifetime, usual.idle_timeout),
            (minutes(30), minutes(10))
        );
        let said = address("mysql://app@db/d?max-connections=3&acquire-timeout=250ms");
        assert_eq!(said.max_connections, 3);
        assert_eq!(said.acquire_timeout, Duration::from_millis(250));
    }
}
