//! A workload's cell in a process of its own, so that CPU time and peak memory are its alone. It runs a round whenever it is told to, so
//! several of them can take turns.

mod lanes;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

pub use self::lanes::{Latencies, Until, cpu_time, in_turn, round};
use crate::report::Measure;
use crate::{arknet, sysbench};

/// What a worker is told first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// A cell of arknet's table.
    Arknet {
        /// Its parameters.
        cell: arknet::Cell,
        /// The server, its TLS settings included.
        url: String,
    },
    /// A cell of sysbench's.
    Sysbench {
        /// Its parameters.
        cell: sysbench::Cell,
        /// The server.
        url: String,
    },
}

/// How long a round is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Before it, not measured.
    pub warm_up: Duration,
    /// What is measured.
    pub round: Duration,
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
    /// The mean time of a query in milliseconds.
    pub mean_ms: f64,
    /// Half of the queries took no longer, in microseconds.
    pub p50_us: f64,
    /// 99 of 100 queries took no longer, in microseconds.
    pub p99_us: f64,
    /// The most memory that the process has had so far, in MiB.
    pub peak_rss_mib: f64,
}

/// Somebody who can run rounds.
pub trait Work {
    /// Runs one.
    ///
    /// # Errors
    /// A query fails, or gives something else than it must.
    fn round(&mut self, span: Span) -> Result<Round>;
}

/// A process that runs rounds. It ends with its standard input, and so with the value.
pub struct Worker {
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts one by the command of the benchmarks; it connects before this returns.
    ///
    /// # Errors
    /// It cannot connect; why it says on the standard error.
    pub fn start(program: &Path, job: &Job) -> Result<Self> {
        let mut child = Command::new(program)
            .args(["drive", "worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start a worker")?;
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().context("the worker has no output")?);
        let mut worker = Self {
            child,
            orders,
            answers,
        };
        worker.tell(job)?;
        worker.hear::<()>()?;
        Ok(worker)
    }

    /// Has it run a round.
    ///
    /// # Errors
    /// It failed; why it says on the standard error.
    pub fn round(&mut self, span: Span) -> Result<Round> {
        self.tell(&span)?;
        self.hear()
    }

    fn tell(&mut self, order: &impl Serialize) -> Result<()> {
        let orders = self.orders.as_mut().context("the worker was told to end")?;
        writeln!(orders, "{}", serde_json::to_string(order)?)
            .context("the worker ended: what it says stands above")
    }

    fn hear<T: for<'de> Deserialize<'de>>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        serde_json::from_str(&line).context("the worker ended: what it says stands above")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.orders.take());
        drop(self.child.wait()); // it ends by itself when its input does
    }
}

/// What a worker's process does: a job, then a round for each line of the standard input, an answer to each on the standard output.
///
/// # Errors
/// Connecting or a query failed.
pub fn serve() -> Result<()> {
    let mut orders = std::io::stdin().lock().lines();
    let Some(first) = orders.next() else {
        return Ok(());
    };
    let mut work: Box<dyn Work> = match serde_json::from_str(&first?)? {
        Job::Arknet { cell, url } => Box::new(arknet::connect(cell, &url)?),
        Job::Sysbench { cell, url } => Box::new(sysbench::connect(cell, &url)?),
    };
    answer(&())?;
    for order in orders {
        answer(&work.round(serde_json::from_str(&order?)?)?)?;
    }
    Ok(())
}

fn answer(value: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(value)?)?;
    Ok(out.flush()?)
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

    /// CPU time of the client as percents of one core.
    pub fn cpu_percent(&self) -> f64 {
        self.cpu_seconds / self.seconds * 100.0
    }
}

/// One figure of all rounds.
pub fn measure(
    name: &str,
    rounds: &[Round],
    of: impl Fn(&Round) -> f64,
    published: Option<f64>,
) -> Measure {
    Measure::new(name, rounds.iter().map(of).collect(), published)
}
