//! One thread a connection, all of them starting together.

use std::fs;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use rustix::time::{ClockId, clock_gettime};

use super::{Round, Span};

/// When a lane stops: it does not begin a query after this.
pub type Until = Instant;

/// How long each query took, in nanoseconds, to three digits.
pub struct Latencies(Histogram<u64>);

impl Latencies {
    /// None yet.
    ///
    /// # Errors
    /// Never: three digits are allowed.
    pub fn new() -> Result<Self> {
        Ok(Self(Histogram::new(3)?))
    }

    /// Takes note of one.
    ///
    /// # Errors
    /// It took longer than 500 years.
    pub fn record(&mut self, took: Duration) -> Result<()> {
        Ok(self.0.record(u64::try_from(took.as_nanos())?.max(1))?)
    }

    /// Takes over those of another lane.
    ///
    /// # Errors
    /// Never: both grow by themselves.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        Ok(self.0.add(&other.0)?)
    }

    /// What is told of a round.
    pub fn round(&self, took: Duration, cpu: Duration) -> Round {
        let quantile = |part: f64| self.0.value_at_quantile(part) as f64 / 1e3;
        Round {
            queries: self.0.len(),
            seconds: took.as_secs_f64(),
            cpu_seconds: cpu.as_secs_f64(),
            mean_ms: self.0.mean() / 1e6,
            p50_us: quantile(0.50),
            p99_us: quantile(0.99),
            peak_rss_mib: peak_rss_mib().unwrap_or(f64::NAN),
        }
    }
}

/// Runs every lane in a thread of its own, first for the warm-up and then, from one moment on, for the round.
///
/// # Errors
/// The first error of a lane.
pub fn round<L: Send>(
    lanes: &mut [L],
    span: Span,
    run: impl Fn(&mut L, Until) -> Result<Latencies> + Sync,
) -> Result<Round> {
    let (together, run) = (Barrier::new(lanes.len() + 1), &run);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for lane in &mut *lanes {
            let together = &together;
            let thread = scope.spawn(move || {
                let warm = run(&mut *lane, Instant::now() + span.warm_up);
                together.wait(); // with an error too: the others wait
                warm?;
                run(lane, Instant::now() + span.round)
            });
            threads.push(thread);
        }
        together.wait();
        let (start, cpu) = (Instant::now(), cpu_time());
        let mut all = Latencies::new()?;
        for thread in threads {
            let lane = thread.join().ok().context("a thread panicked")??;
            all.add(&lane)?;
        }
        Ok(all.round(start.elapsed(), cpu_time().saturating_sub(cpu)))
    })
}

/// CPU time of this process.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

/// The most memory that this process has had.
fn peak_rss_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// Lets workers take turns: every round each of them once, every other round backwards, so that whatever else runs on the machine meets
/// all alike. `each` runs the worker of that number; the outcome has its rounds at its number.
///
/// # Errors
/// The first error.
pub fn in_turn<T>(
    workers: usize,
    rounds: u32,
    mut each: impl FnMut(usize, u32) -> Result<T>,
) -> Result<Vec<Vec<T>>> {
    let mut outcomes: Vec<Vec<T>> = (0..workers).map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for step in 0..workers {
            let number = if round % 2 == 0 {
                step
            } else {
                workers - 1 - step
            };
            let outcome = each(number, round)?;
            if let Some(place) = outcomes.get_mut(number) {
                place.push(outcome);
            }
        }
    }
    Ok(outcomes)
}
