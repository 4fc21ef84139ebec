//! How long things take: rounds, one thread a connection, all of them starting together.

use std::fs;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// How long a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Before it, not measured.
    pub warm_up: Duration,
    /// What is measured.
    pub round: Duration,
    /// The server's process, where it is known, so that its CPU time can be told too.
    pub server: Option<u32>,
}

/// What a round was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Queries that were answered, every one as expected.
    pub queries: u64,
    /// How long it took.
    pub seconds: f64,
    /// CPU time of the whole process in it.
    pub cpu_seconds: f64,
    /// CPU time of the server in it, to a hundredth of a second.
    pub server_cpu_seconds: Option<f64>,
    /// The mean time of a query in milliseconds.
    pub mean_ms: f64,
    /// Half of the queries took no longer, in microseconds.
    pub p50_us: f64,
    /// 99 of 100 queries took no longer, in microseconds.
    pub p99_us: f64,
    /// The most memory that the process has had so far, in MiB.
    pub peak_rss_mib: f64,
}

impl Round {
    /// Queries a second.
    pub fn rate(&self) -> f64 {
        self.queries as f64 / self.seconds
    }

    /// CPU time of the client a query, in microseconds.
    pub fn cpu_us(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.queries as f64
    }

    /// CPU time of the server a query, in microseconds.
    pub fn server_cpu_us(&self) -> Option<f64> {
        Some(self.server_cpu_seconds? * 1e6 / self.queries as f64)
    }

    /// CPU time of the client as percents of one core.
    pub fn cpu_percent(&self) -> f64 {
        self.cpu_seconds / self.seconds * 100.0
    }
}

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
            server_cpu_seconds: None,
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
        let server = || cpu_seconds_of(span.server?);
        let before = server();
        let mut all = Latencies::new()?;
        for thread in threads {
            let lane = thread.join().ok().context("a thread panicked")??;
            all.add(&lane)?;
        }
        let round = all.round(start.elapsed(), cpu_time().saturating_sub(cpu));
        let server_cpu_seconds = before.and_then(|before| Some(server()? - before));
        Ok(Round {
            server_cpu_seconds,
            ..round
        })
    })
}

/// CPU time of this process.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

/// CPU time of another process of this machine, in seconds.
fn cpu_seconds_of(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    // The state is field 3; utime and stime are 14 and 15, in hundredths.
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = ticks.map(|field| field.parse().ok()).collect();
    Some(ticks?.iter().sum::<f64>() / 100.0)
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
