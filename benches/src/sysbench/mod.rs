//! Sysbench's tables and statements from 1 to 1,000 connections of one process, on MySQL and MariaDB, beside the real sysbench where it is
//! installed.
//!
//! ```
//! use benches::sysbench::{Cell, Kind};
//!
//! let cell = Cell { kind: Kind::Read, connections: 1000, tables: 10, rows: 10_000 };
//! assert_eq!(cell.kind.queries(), 1);
//! ```

mod client;
mod original;
mod published;
mod statements;
mod tables;

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ark_mysql::Connection;
use serde::{Deserialize, Serialize};
use tokio::runtime::Builder;

pub use self::client::{Client, connect};
use self::original::{Original, Outcome};
use crate::figures::Samples;
use crate::raw::RawClient;
use crate::report::{Environment, Finding, Measure, Measured, Report, ServerFacts};
use crate::server::Server;
use crate::worker::{Job, Round, Span, Worker};

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What is done.
    pub kind: Kind,
    /// Connections that do it at the same time.
    pub connections: u32,
    /// On this many tables, 1 to 10.
    pub tables: u32,
    /// Rows of each table.
    pub rows: u32,
}

/// What is done, with uniformly random keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Kind {
    /// `SELECT c FROM sbtestN WHERE id = ?`.
    Read,
    /// `UPDATE sbtestN SET c = ? WHERE id = ?`.
    UpdateNonIndex,
    /// A transaction of one such select, one update of the indexed column, one delete and one insert of the same id.
    Mixed,
}

/// The whole workload.
#[derive(Clone, Debug)]
pub struct Sysbench {
    /// How long a round is.
    pub span: Span,
    /// Rounds of each cell.
    pub rounds: u32,
    /// The kinds to run.
    pub kinds: Vec<Kind>,
    /// The ramp.
    pub connections: Vec<u32>,
    /// Tables, 1 to 10.
    pub tables: u32,
    /// Rows of each table.
    pub rows: u32,
}

/// The published ramp, and before it the counts at which a client is compared with the real sysbench.
pub const RAMP: [u32; 8] = [1, 8, 64, 50, 100, 200, 500, 1000];

/// For a server that is started for the run: our connections and sysbench's, and the statements of both.
pub const ARGUMENTS: [&str; 4] = [
    "--max-connections=2200",
    "--max-prepared-stmt-count=1000000",
    "--innodb-buffer-pool-size=512M",
    "--table-open-cache=8000",
];

impl Kind {
    /// Statements of one event, BEGIN and COMMIT included, as sysbench counts.
    pub fn queries(self) -> u32 {
        match self {
            Self::Read | Self::UpdateNonIndex => 1,
            Self::Mixed => 6,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.connections == 1 { "" } else { "s" };
        write!(f, "{} connection{s}", self.connections)
    }
}

/// One cell's rounds on one server.
struct Ran {
    server: usize,
    cell: Cell,
    ours: Vec<Round>,
    theirs: Vec<Outcome>,
}

impl Sysbench {
    /// Fills the tables of every server and runs all cells. `program` is the command of the benchmarks, `progress` is told what is done.
    ///
    /// # Errors
    /// A query fails, or gives something else than it must.
    pub fn measure(
        &self,
        servers: &[Server],
        program: &Path,
        progress: impl Fn(&str),
    ) -> Result<Report> {
        if !(1..=10).contains(&self.tables) || self.rows == 0 {
            bail!("there are 1 to 10 tables of at least one row");
        }
        raise_limit();
        let (mut facts, mut runs) = (Vec::new(), Vec::new());
        for (number, server) in servers.iter().enumerate() {
            let url = server.url();
            progress(&format!(
                "filling {} tables of {} rows",
                self.tables, self.rows
            ));
            tables::create(&mut RawClient::connect(&url)?, self.tables, self.rows)?;
            facts.push(ask(&url)?);
            for kind in &self.kinds {
                for connections in &self.connections {
                    let cell = Cell {
                        kind: *kind,
                        connections: *connections,
                        tables: self.tables,
                        rows: self.rows,
                    };
                    progress(&format!("server {}: {kind:?}, {cell}", number + 1));
                    let (ours, theirs) = self
                        .cell(cell, &url, program)
                        .with_context(|| format!("{kind:?}, {cell}"))?;
                    runs.push(Ran {
                        server: number,
                        cell,
                        ours,
                        theirs,
                    });
                }
            }
        }
        Ok(self.report(facts, &runs))
    }

    /// Ours and theirs in turns.
    fn cell(&self, cell: Cell, url: &str, program: &Path) -> Result<(Vec<Round>, Vec<Outcome>)> {
        let job = Job::Sysbench {
            cell,
            url: url.to_owned(),
        };
        let mut worker = Worker::start(program, &job)?;
        let server = process(url);
        let original = Original::find(cell, url)?;
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            ours.push(worker.round(Span {
                server,
                ..self.span
            })?);
            if let Some(original) = &original {
                theirs.push(original.round(self.span.round)?);
            }
        }
        Ok((ours, theirs))
    }

    fn report(&self, facts: Vec<ServerFacts>, runs: &[Ran]) -> Report {
        let cells = runs.iter().map(|ran| measured(&facts, ran)).collect();
        Report {
            workload: "sysbench".to_owned(),
            method: format!(
                "{} tables of {} rows, uniformly random keys; {} rounds of {:?}, ours and the real sysbench in turns on the same tables; one process each, ours with a thread and a runtime a processor, sysbench with a thread a connection; what sysbench needs to connect and prepare is not counted as its CPU time",
                self.tables, self.rows, self.rounds, self.span.round
            ),
            findings: findings(&facts, runs),
            cells,
            environment: Environment::new(facts),
        }
    }
}

fn ask(url: &str) -> Result<ServerFacts> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut connection = Connection::connect(url).await?;
        ServerFacts::ask(&mut connection).await
    })
}

/// The system's number of the server's process, where it runs on this machine and its file can be read.
fn process(url: &str) -> Option<u32> {
    let mut admin = RawClient::connect(url).ok()?;
    let reply = admin.query("SELECT @@pid_file").ok()?;
    // A text row with one value: its length, then its bytes.
    let file = std::str::from_utf8(admin.row(&reply).get(1..)?).ok()?;
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// As many files as the system lets this process have: 1,000 connections need more than many shells allow at first.
pub(crate) fn raise_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _or_not = setrlimit(Resource::Nofile, limit); // if it stays as it was, the connection that is one too many says so
}

fn measured(facts: &[ServerFacts], ran: &Ran) -> Measured {
    let version = facts.get(ran.server).map_or("", |facts| &facts.version);
    let queries = f64::from(ran.cell.kind.queries());
    let published = published::of(ran.cell.kind, ran.cell.connections, is_mariadb(version));
    let ours = |name: &str, of: fn(&Round, f64) -> f64, published: Option<f64>| {
        let rounds = ran.ours.iter().map(|round| of(round, queries)).collect();
        Measure::new(name, rounds, published)
    };
    let mut measures = vec![
        ours("queries/s", rate, published.map(|row| row.qps)),
        ours(
            "avg ms",
            |round, _| round.mean_ms,
            published.map(|row| row.avg_ms),
        ),
        ours(
            "p99 ms",
            |round, _| round.p99_us / 1e3,
            published.map(|row| row.p99_ms),
        ),
        ours("client CPU us/query", cpu, None),
        ours("server CPU us/query", server_cpu, None),
        ours("peak RSS MiB", |round, _| round.peak_rss_mib, None),
    ];
    if !ran.theirs.is_empty() {
        measures.extend(beside(ran, queries));
    }
    Measured {
        group: format!("{:?} on {version}", ran.cell.kind),
        label: ran.cell.to_string(),
        measures,
        counters: Default::default(),
    }
}

fn beside(ran: &Ran, queries: f64) -> [Measure; 5] {
    let theirs = |name, of: fn(&Outcome) -> f64| {
        Measure::new(name, ran.theirs.iter().map(of).collect(), None)
    };
    let ratio = |name, ours: fn(&Round, f64) -> f64, theirs: fn(&Outcome) -> f64| {
        let pairs = ran.ours.iter().zip(&ran.theirs);
        let ratios = pairs.map(|(one, other)| ours(one, queries) / theirs(other));
        Measure::new(name, ratios.collect(), None)
    };
    [
        theirs("sysbench queries/s", |outcome| outcome.qps),
        ratio("ours / sysbench", rate, |outcome| outcome.qps),
        theirs("sysbench p99 ms", |outcome| outcome.p99_ms),
        theirs("sysbench CPU us/query", |outcome| outcome.cpu_us),
        ratio("CPU, ours / sysbench", cpu, |outcome| outcome.cpu_us),
    ]
}

fn rate(round: &Round, queries: f64) -> f64 {
    round.rate() * queries
}

fn cpu(round: &Round, queries: f64) -> f64 {
    round.cpu_us() / queries
}

/// Of a server that cannot be seen nothing is told.
fn server_cpu(round: &Round, queries: f64) -> f64 {
    round.server_cpu_us().unwrap_or(f64::NAN) / queries
}

fn is_mariadb(version: &str) -> bool {
    version.contains("MariaDB")
}

/// What 1,000 connections reach of the best, for each kind and server.
fn findings(facts: &[ServerFacts], runs: &[Ran]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (server, facts) in facts.iter().enumerate() {
        for kind in [Kind::Read, Kind::UpdateNonIndex, Kind::Mixed] {
            let of = |ran: &&Ran| ran.server == server && ran.cell.kind == kind;
            let runs: Vec<&Ran> = runs.iter().filter(of).collect();
            let mariadb = is_mariadb(&facts.version);
            let median = |ran: &&Ran| {
                let rates: Samples = ran.ours.iter().map(Round::rate).collect();
                rates.median()
            };
            let last = runs
                .iter()
                .find(|ran| ran.cell.connections == 1000)
                .map(median);
            let peak = runs.iter().map(median).fold(0.0, f64::max);
            if let Some(last) = last {
                findings.push(Finding {
                    what: format!(
                        "1,000 connections / the best, {kind:?} on {}",
                        facts.version
                    ),
                    published: published::last_to_peak(kind, mariadb),
                    ours: Some(last / peak),
                    note: String::new(),
                });
            }
        }
    }
    findings
}

/// Which measures are drawn.
pub const CHARTED: [&str; 3] = ["queries/s", "p99 ms", "client CPU us/query"];
