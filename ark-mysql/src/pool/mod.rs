//! A pool of connections: exclusive leases, a bounded queue that is served in order.
//!
//! | file | what it decides |
//! |---|---|
//! | `state` | which connections there are, who has them, and which one is next |
//! | `queue` | who waits, and what they are given |
//! | `lease` | what one borrower has |
//! | `acquire`, `cause` | how one is had, and what the error says when there is none |
//! | `give_back` | what becomes of one that comes back |
//! | `open`, `upkeep`, `close` | how connections come, how those that nobody uses are looked after, how all end |
//! | `metrics`, `metrics_024` | what it has done, as a value and for the `metrics` crate |
//! | `builder` | its knobs |

mod acquire;
mod builder;
mod cause;
mod close;
mod give_back;
mod lease;
mod metrics;
#[cfg(feature = "metrics")]
mod metrics_024;
#[cfg(not(feature = "metrics"))]
mod no_export;
mod open;
mod queue;
mod state;
mod upkeep;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

pub use self::acquire::Acquire;
pub use self::builder::PoolBuilder;
use self::builder::Settings;
pub use self::lease::PoolConnection;
pub use self::metrics::{Histogram, PoolMetrics};
#[cfg(feature = "metrics")]
use self::metrics_024::Export;
#[cfg(not(feature = "metrics"))]
use self::no_export::Export;
use self::state::State;
use crate::config::{ConnectOptions, IntoConnectOptions};
use crate::error::Error;
use crate::operation::Operation;
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
    state: Mutex<State>,
    export: Arc<Export>,
    /// Leases that nobody had to wait for.
    at_once: AtomicU64,
    /// One of the connections may lie unused for less long than was known.
    look_again: Arc<Notify>,
    /// The last connection of a closed pool came back.
    returned: Notify,
}

impl Pool {
    /// Makes a pool with the usual settings, and one connection to see that it works.
    ///
    /// # Errors
    /// Those of [`Connection::connect`](crate::Connection::connect).
    pub async fn connect(options: impl IntoConnectOptions) -> Result<Self, Error> {
        Self::builder().connect(options).await
    }

    /// Sets the knobs first.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::default()
    }

    /// Starts a transaction on a connection of the pool.
    ///
    /// # Errors
    /// Those of [`acquire`](Self::acquire) and [`Connection::begin`](crate::Connection::begin).
    pub fn begin(&self) -> Operation<'_, Transaction<'static>> {
        self.begin_with(TransactionOptions::new())
    }

    /// Starts a transaction at an isolation level, read-only, or with a snapshot.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `Configuration` if the options contradict each other.
    pub fn begin_with(&self, options: TransactionOptions) -> Operation<'_, Transaction<'static>> {
        Transaction::begin_pooled(self, options)
    }

    /// The loop form of [`transaction_with`](Self::transaction_with).
    pub fn retry_with(&self, options: TransactionOptions) -> Retry<'_> {
        Retry::new(self, options, self.0.settings.transaction_attempts)
    }

    pub(crate) fn options(&self) -> &ConnectOptions {
        &self.0.options
    }

    /// How many connections are open, lent or not.
    pub fn size(&self) -> usize {
        self.0.state().open()
    }

    /// How many connections wait for borrowers.
    pub fn idle(&self) -> usize {
        self.0.state().idle()
    }

    /// How the pool stands and what it has done, with histograms of how long tasks waited for connections and held them.
    pub fn metrics(&self) -> PoolMetrics {
        let state = self.0.state();
        PoolMetrics {
            max_connections: self.0.settings.max_connections,
            idle: state.idle(),
            lent: state.lent(),
            waiting: state.waiters.len(),
            ..state.meter.read(self.0.at_once.load(Ordering::Relaxed))
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
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

#[cfg(test)]
mod tests;
