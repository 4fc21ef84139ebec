//! The figures of a pool for the `metrics` crate 0.24: see [`PoolBuilder::name`](super::PoolBuilder::name) for their names.

use std::time::Duration;

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};

/// Handles of the recorder that is installed when the pool is made.
pub(super) struct Export {
    wait: Histogram,
    hold: Histogram,
    idle: Gauge,
    lent: Gauge,
    waiting: Gauge,
    opened: Counter,
    open_failures: Counter,
    closed: Counter,
    resets: Counter,
    timeouts: Counter,
    refused: Counter,
}

/// The handles are made by the name of a pool, and have no defaults.
impl Export {
    pub(super) fn new(pool: &str, max_connections: usize) -> Self {
        let pool = || pool.to_owned();
        gauge!("ark_mysql_pool_max_connections", "pool" => pool()).set(as_f64(max_connections));
        Self {
            wait: histogram!("ark_mysql_pool_wait_seconds", "pool" => pool()),
            hold: histogram!("ark_mysql_pool_hold_seconds", "pool" => pool()),
            idle: gauge!("ark_mysql_pool_idle", "pool" => pool()),
            lent: gauge!("ark_mysql_pool_lent", "pool" => pool()),
            waiting: gauge!("ark_mysql_pool_waiting", "pool" => pool()),
            opened: counter!("ark_mysql_pool_opened_total", "pool" => pool()),
            open_failures: counter!("ark_mysql_pool_open_failures_total", "pool" => pool()),
            closed: counter!("ark_mysql_pool_closed_total", "pool" => pool()),
            resets: counter!("ark_mysql_pool_resets_total", "pool" => pool()),
            timeouts: counter!("ark_mysql_pool_timeouts_total", "pool" => pool()),
            refused: counter!("ark_mysql_pool_refused_total", "pool" => pool()),
        }
    }

    pub(super) fn acquired(&self, wait: Duration) {
        self.wait.record(wait);
    }

    pub(super) fn returned(&self, held: Duration) {
        self.hold.record(held);
    }

    pub(super) fn opened(&self) {
        self.opened.increment(1);
    }

    pub(super) fn open_failed(&self) {
        self.open_failures.increment(1);
    }

    pub(super) fn closed(&self) {
        self.closed.increment(1);
    }

    pub(super) fn reset(&self) {
        self.resets.increment(1);
    }

    pub(super) fn timed_out(&self) {
        self.timeouts.increment(1);
    }

    pub(super) fn refused(&self) {
        self.refused.increment(1);
    }

    pub(super) fn stand(&self, idle: usize, lent: usize, waiting: usize) {
        self.idle.set(as_f64(idle));
        self.lent.set(as_f64(lent));
        self.waiting.set(as_f64(waiting));
    }
}

fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
