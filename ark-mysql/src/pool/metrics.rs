//! What a pool does, as a value.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::Export;

/// How a [`Pool`](crate::Pool) stands and what it has done: see [`Pool::metrics`](crate::Pool::metrics).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PoolMetrics {
    /// How many connections there may be.
    pub max_connections: usize,
    /// Connections that wait for borrowers, at this moment.
    pub idle: usize,
    /// Connections that are borrowed, at this moment.
    pub lent: usize,
    /// Tasks that wait for a connection, at this moment.
    pub waiting: usize,
    /// Leases handed out.
    pub acquired: u64,
    /// Connections opened.
    pub opened: u64,
    /// Attempts to open one that failed.
    pub open_failures: u64,
    /// Connections given up: too old, idle for too long, dead, broken, or left with too much to read.
    pub closed: u64,
    /// Sessions reset between borrowers.
    pub resets: u64,
    /// Tasks that got none within the acquire deadline.
    pub timeouts: u64,
    /// Tasks turned away because too many were waiting.
    pub refused: u64,
    /// How long tasks waited for a lease, those that got one.
    pub wait: Histogram,
    /// How long leases were held.
    pub hold: Histogram,
}

/// Counts what happens, under the pool's lock.
pub(super) struct Meter {
    counted: PoolMetrics,
    export: Arc<Export>,
}

impl Meter {
    pub(super) fn new(export: Arc<Export>) -> Self {
        Self {
            counted: PoolMetrics::default(),
            export,
        }
    }

    pub(super) fn acquired_after(&mut self, wait: Duration) {
        self.counted.acquired += 1;
        self.counted.wait.record(wait);
        self.export.acquired(wait);
    }

    #[inline]
    pub(super) fn returned(&mut self, held: Duration) {
        self.counted.hold.record(held);
        self.export.returned(held);
    }

    pub(super) fn opened(&mut self) {
        self.counted.opened += 1;
        self.export.opened();
    }

    pub(super) fn open_failed(&mut self) {
        self.counted.open_failures += 1;
        self.export.open_failed();
    }

    pub(super) fn closed(&mut self) {
        self.counted.closed += 1;
        self.export.closed();
    }

    pub(super) fn reset(&mut self) {
        self.counted.resets += 1;
        self.export.reset();
    }

    pub(super) fn timed_out(&mut self) {
        self.counted.timeouts += 1;
        self.export.timed_out();
    }

    pub(super) fn refused(&mut self) {
        self.counted.refused += 1;
        self.export.refused();
    }

    #[inline]
    pub(super) fn stand(&self, idle: usize, lent: usize, waiting: usize) {
        self.export.stand(idle, lent, waiting);
    }

    /// `at_once`: leases that nobody had to wait for; they are counted elsewhere, without a lock.
    pub(super) fn read(&self, at_once: u64) -> PoolMetrics {
        let mut metrics = self.counted.clone();
        metrics.acquired += at_once;
        metrics.wait.record_at_once(at_once);
        metrics
    }
}

/// Bucket `i` holds what took less than 2^i µs (and not less than half of that); the last one all that took longer.
const BUCKETS: usize = 28;

/// Durations, counted by powers of two: from below 1 µs to over a minute. A lease that was free at once counts as 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Histogram {
    buckets: [u64; BUCKETS],
    sum: Duration,
    longest: Duration,
}

impl Histogram {
    #[inline]
    pub(super) fn record(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let at = usize::try_from(u64::BITS - micros.leading_zeros()).unwrap_or(BUCKETS);
        if let Some(bucket) = self.buckets.get_mut(at.min(BUCKETS - 1)) {
            *bucket += 1;
        }
        self.sum += time;
        self.longest = self.longest.max(time);
    }

    fn record_at_once(&mut self, count: u64) {
        if let Some(first) = self.buckets.first_mut() {
            *first += count;
        }
    }

    /// How many durations there are.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// All of them together.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// The longest one.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// A duration that this share (0 to 1) of them did not exceed, twice too long at most.
    pub fn quantile(&self, share: f64) -> Duration {
        let mut left = self.count() as f64 * share.clamp(0.0, 1.0);
        for (bound, count) in self.buckets() {
            left -= count as f64;
            if left <= 0.0 {
                return bound.min(self.longest);
            }
        }
        self.longest
    }

    /// Upper bounds, each with the number of durations below it and not below the one before.
    pub fn buckets(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        let bounds = (0u32..).map(|at| Duration::from_micros(1 << at.min(63)));
        bounds.zip(self.buckets)
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            buckets: [0; BUCKETS],
            sum: Duration::ZERO,
            longest: Duration::ZERO,
        }
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram")
            .field("count", &self.count())
            .field("half_below", &self.quantile(0.5))
            .field("p99_below", &self.quantile(0.99))
            .field("longest", &self.longest)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fall_into_the_bucket_of_their_power_of_two() {
        let mut histogram = Histogram::default();
        for micros in [0, 1, 2, 3, 4, 1000, 10_000_000_000] {
            histogram.record(Duration::from_micros(micros));
        }
        let filled: Vec<_> = histogram
            .buckets()
            .filter(|(_, count)| *count > 0)
            .map(|(bound, count)| (bound.as_micros(), count))
            .collect();
        assert_eq!(
            filled,
            [(1, 1), (2, 1), (4, 2), (8, 1), (1024, 1), (1 << 27, 1)]
        );
        assert_eq!(histogram.count(), 7);
        assert_eq!(histogram.quantile(0.5), Duration::from_micros(4));
        assert_eq!(histogram.quantile(1.0).as_micros(), 1 << 27);
        assert_eq!(Histogram::default().quantile(0.9), Duration::ZERO);
    }
}
