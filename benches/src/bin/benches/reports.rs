//! The workloads that write a report: its table to the terminal, JSON and charts into a folder.

use std::env::current_exe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use benches::arknet::{self, Arknet};
use benches::beside::{self, Beside, Workload};
use benches::pipeline::{self, Pipeline};
use benches::placement::Place;
use benches::report::Report;
use benches::rival::{self, Rivals};
use benches::sailzeng::{self, Sailzeng};
use benches::server::{Choice, Server};
use benches::sysbench::{self, Kind, Sysbench};
use benches::worker::Span;
use clap::{Args, ValueEnum};

use super::{On, progress, say};

#[derive(Args)]
pub(crate) struct ArknetRun {
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    rounds: Rounds,
    /// Only blobs of this size: 1024, 4096 or 16384.
    #[arg(long)]
    payload: Option<u32>,
    #[command(flatten)]
    rivals: WithRivals,
}

impl ArknetRun {
    pub(crate) fn run(self) -> Result<()> {
        let arknet = Arknet {
            span: self.rounds.span(),
            rounds: self.rounds.rounds,
            payload: self.payload,
            rivals: self.rivals.find(),
        };
        let report = arknet.measure(&self.on.server.open()?, &current_exe()?, progress)?;
        tell(&report, &self.rounds.out, &arknet::CHARTED)
    }
}

#[derive(Args)]
pub(crate) struct SysbenchRun {
    #[command(flatten)]
    on: OnBoth,
    #[command(flatten)]
    rounds: Rounds,
    /// What is done.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Kind::Read, Kind::UpdateNonIndex, Kind::Mixed])]
    kinds: Vec<Kind>,
    /// Connections, one cell each.
    #[arg(long, value_delimiter = ',', default_values_t = sysbench::RAMP)]
    connections: Vec<u32>,
    /// Tables, 1 to 10.
    #[arg(long, default_value_t = 10)]
    tables: u32,
    /// Rows of each table.
    #[arg(long, default_value_t = 10_000)]
    rows: u32,
}

impl SysbenchRun {
    pub(crate) fn run(self) -> Result<()> {
        let sysbench = Sysbench {
            span: self.rounds.span(),
            rounds: self.rounds.rounds,
            kinds: self.kinds,
            connections: self.connections,
            tables: self.tables,
            rows: self.rows,
        };
        let servers = self.on.open_with(&sysbench::ARGUMENTS)?;
        let report = sysbench.measure(&servers, &current_exe()?, progress)?;
        tell(&report, &self.rounds.out, &sysbench::CHARTED)
    }
}

#[derive(Args)]
pub(crate) struct SailzengRun {
    #[command(flatten)]
    on: OnBoth,
    /// Only these, such as `C4,C5`; C11 and C12 are columns of every report.
    #[arg(long = "experiment", value_delimiter = ',')]
    experiments: Vec<String>,
    /// Operations of each run.
    #[arg(long, default_value_t = 10_000)]
    rows: u32,
    /// Rounds of each run.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Where the JSON and the charts go.
    #[arg(long, default_value = "target/benches")]
    out: PathBuf,
}

impl SailzengRun {
    pub(crate) fn run(self) -> Result<()> {
        let sailzeng = Sailzeng {
            experiments: self.experiments,
            rows: self.rows,
            rounds: self.rounds,
        };
        let servers = self.on.open_with(&sailzeng::ARGUMENTS)?;
        let report = sailzeng.measure(&servers, progress)?;
        tell(&report, &self.out, &sailzeng::CHARTED)
    }
}

#[derive(Args)]
pub(crate) struct BesideRun {
    /// What is done; all where none is named.
    #[arg(value_enum)]
    workloads: Vec<Workload>,
    #[command(flatten)]
    run: RowsRun,
}

impl BesideRun {
    pub(crate) fn run(self) -> Result<()> {
        let workloads = match self.workloads.as_slice() {
            [] => Workload::value_variants(),
            named => named,
        };
        self.run.run("beside", workloads)
    }
}

/// A workload by its own name, of so many rows.
#[derive(Args)]
pub(crate) struct RowsRun {
    /// Rows that are streamed (100,000 where it is not said), or that one call inserts (10,000).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    rows: Option<u32>,
    #[command(flatten)]
    turns: TurnsRun,
}

impl RowsRun {
    pub(crate) fn run(self, name: &'static str, workloads: &[Workload]) -> Result<()> {
        self.turns.run_of(name, self.rows, workloads)
    }
}

/// A workload by its own name.
#[derive(Args)]
pub(crate) struct TurnsRun {
    #[command(flatten)]
    on: OnBoth,
    /// Turns of a round.
    #[arg(long, default_value_t = 10)]
    turns: u32,
    #[command(flatten)]
    how: How,
}

impl TurnsRun {
    pub(crate) fn run(self, name: &'static str, workloads: &[Workload]) -> Result<()> {
        self.run_of(name, None, workloads)
    }

    fn run_of(self, name: &'static str, rows: Option<u32>, workloads: &[Workload]) -> Result<()> {
        let servers = self.on.open_with(&[])?;
        self.how.run(name, (self.turns, rows), workloads, &servers)
    }
}

#[derive(Args)]
pub(crate) struct PointRun {
    #[command(flatten)]
    on: On,
    /// Queries a round.
    #[arg(long, default_value_t = 10_000)]
    queries: u32,
    #[command(flatten)]
    how: How,
}

impl PointRun {
    pub(crate) fn run(self) -> Result<()> {
        let turns = self.queries.div_ceil(beside::QUERIES_A_TURN);
        let servers = [self.on.server.open()?];
        self.how
            .run("point", (turns, None), &[Workload::Point], &servers)
    }
}

#[derive(Args)]
pub(crate) struct PipelineRun {
    #[command(flatten)]
    on: On,
    /// Queries a round.
    #[arg(long, default_value_t = 16_000)]
    queries: u32,
    /// Rounds; in each of them every line has its turns.
    #[arg(long, default_value_t = 9)]
    rounds: u32,
    /// CPUs of the client and its server threads.
    #[arg(long, value_enum, default_value_t = Place::Same)]
    place: Place,
    #[command(flatten)]
    rivals: WithRivals,
    /// Where the JSON and the charts go.
    #[arg(long, default_value = "target/benches")]
    out: PathBuf,
}

impl PipelineRun {
    pub(crate) fn run(self) -> Result<()> {
        let pipeline = Pipeline {
            queries: self.queries,
            rounds: self.rounds,
            place: self.place,
            rivals: self.rivals.find(),
        };
        let report = pipeline.measure(&self.on.server.open()?)?;
        tell(&report, &self.out, &pipeline::CHARTED)
    }
}

/// How lines are set beside each other.
#[derive(Args)]
struct How {
    /// Rounds; in each of them every line has its turns.
    #[arg(long, default_value_t = 9)]
    rounds: u32,
    /// CPUs of the client and its server threads.
    #[arg(long, value_enum, default_value_t = Place::Same)]
    place: Place,
    /// Count instructions and allocations too, by valgrind.
    #[arg(long)]
    instructions: bool,
    #[command(flatten)]
    rivals: WithRivals,
    /// Where the JSON and the charts go.
    #[arg(long, default_value = "target/benches")]
    out: PathBuf,
}

impl How {
    fn run(
        self,
        name: &'static str,
        (turns, rows): (u32, Option<u32>),
        workloads: &[Workload],
        servers: &[Server],
    ) -> Result<()> {
        let beside = Beside {
            name,
            rounds: self.rounds,
            turns,
            rows,
            place: self.place,
            instructions: self.instructions,
            rivals: self.rivals.find(),
        };
        let report = beside.measure(workloads, servers, &current_exe()?, progress)?;
        tell(&report, &self.out, &beside::CHARTED)
    }
}

#[derive(Args)]
struct WithRivals {
    /// Other drivers that take part, where their programs were built.
    #[arg(long, value_enum, value_delimiter = ',')]
    rivals: Vec<rival::Choice>,
}

impl WithRivals {
    fn find(&self) -> Rivals {
        let rivals = Rivals::of(&self.rivals);
        if let Some(advice) = rivals.advice() {
            progress(&advice);
        }
        rivals
    }
}

fn tell(report: &Report, folder: &Path, charted: &[&str]) -> Result<()> {
    say(&report.text());
    say(&report.save(folder, charted)?);
    Ok(())
}

#[derive(Args)]
struct OnBoth {
    /// `mysql`, `mariadb` or an address, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "mysql,mariadb")]
    server: Vec<Choice>,
    /// One more argument for the command line of each server that is started, such as `--thread-handling=pool-of-threads`.
    #[arg(long = "server-argument", allow_hyphen_values = true)]
    more: Vec<String>,
}

impl OnBoth {
    fn open_with(&self, arguments: &[&str]) -> Result<Vec<Server>> {
        let more = self.more.iter().map(String::as_str);
        let arguments: Vec<&str> = arguments.iter().copied().chain(more).collect();
        self.server
            .iter()
            .map(|choice| choice.open_with(&arguments))
            .collect()
    }
}

#[derive(Args)]
struct Rounds {
    /// Rounds of every cell.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// How long a round is, such as `200ms` or `1s`.
    #[arg(long, default_value = "1s", value_parser = duration)]
    round: Duration,
    /// How long before a round the same is done without being measured.
    #[arg(long, default_value = "150ms", value_parser = duration)]
    warm_up: Duration,
    /// Where the JSON and the charts go.
    #[arg(long, default_value = "target/benches")]
    out: PathBuf,
}

impl Rounds {
    fn span(&self) -> Span {
        Span {
            warm_up: self.warm_up,
            round: self.round,
            server: None,
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let number = |digits: &str| digits.trim().parse::<f64>().ok();
    let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(digits), _) => number(digits).map(|ms| ms / 1e3),
        (None, Some(digits)) => number(digits),
        (None, None) => None,
    };
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("`{text}` is no duration such as `200ms` or `1s`"))
}
