//! A workload's cell in a process of its own, so that CPU time and peak memory are its alone. It runs a round whenever it is told to, so
//! several of them can take turns.

mod process;
mod turns;

use std::path::Path;

use anyhow::Result;
use benches_common::answer;
pub use benches_common::pace::{Latencies, Round, Span, Until, cpu_time, round};
use serde::{Deserialize, Serialize};

pub(crate) use self::process::Process;
pub use self::turns::in_turn;
use crate::report::Measure;
use crate::rival::Rival;
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

/// Somebody who can run rounds.
pub trait Work {
    /// Runs one.
    ///
    /// # Errors
    /// A query fails, or gives something else than it must.
    fn round(&mut self, span: Span) -> Result<Round>;
}

/// A process that runs rounds. It ends with the value.
pub struct Worker(Process);

impl Worker {
    /// Starts one by the command of the benchmarks; it connects before this returns.
    ///
    /// # Errors
    /// It cannot connect; why it says on the standard error.
    pub fn start(program: &Path, job: &Job) -> Result<Self> {
        let mut process = Process::start(program, &["drive", "worker"])?;
        process.tell(job)?;
        process.hear::<()>()?;
        Ok(Self(process))
    }

    /// A rival's program, for a cell of arknet's; it connects before this returns.
    ///
    /// # Errors
    /// It was not built or cannot connect; why it says on the standard error.
    pub fn of_rival(rival: Rival, cell: arknet::Cell, url: &str) -> Result<Self> {
        let url = url.to_owned();
        let (process, ()) = rival.start(&benches_common::rival::Job::Arknet { cell, url })?;
        Ok(Self(process))
    }

    /// Has it run a round.
    ///
    /// # Errors
    /// It failed; why it says on the standard error.
    pub fn round(&mut self, span: Span) -> Result<Round> {
        self.0.tell(&span)?;
        self.0.hear()
    }
}

/// What a worker's process does: a job, then a round for each line of the standard input, an answer to each on the standard output.
///
/// # Errors
/// Connecting or a query failed.
pub fn serve() -> Result<()> {
    let mut orders = std::io::stdin().lines();
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

/// One figure of all rounds.
pub fn measure(
    name: &str,
    rounds: &[Round],
    of: impl Fn(&Round) -> f64,
    published: Option<f64>,
) -> Measure {
    Measure::new(name, rounds.iter().map(of).collect(), published)
}
