//! How late this machine is: what a timer that should ring every 10 ms tells. Whatever else is late is late by that, too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

const TICK: Duration = Duration::from_millis(10);

/// Measures for as long as it lives, in the runtime of the test.
pub(crate) struct Lateness {
    worst: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Lateness {
    pub(crate) fn measured() -> Self {
        let worst = Arc::<AtomicU64>::default();
        let shared = Arc::clone(&worst);
        let task = tokio::spawn(async move {
            loop {
                let began = Instant::now();
                tokio::time::sleep(TICK).await;
                let late = began.elapsed().saturating_sub(TICK).as_micros();
                shared.fetch_max(u64::try_from(late).unwrap(), Ordering::Relaxed);
            }
        });
        Self { worst, task }
    }

    /// The most that a timer was late so far.
    pub(crate) fn worst(&self) -> Duration {
        Duration::from_micros(self.worst.load(Ordering::Relaxed))
    }
}

impl Drop for Lateness {
    fn drop(&mut self) {
        self.task.abort();
    }
}
