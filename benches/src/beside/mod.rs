//! What everything else costs, each beside a raw socket that sends the same bytes, in many short turns: a scan of many rows, single inserts
//! and many at once, connecting, blobs as prepared statement and as text, with TLS and without.
//!
//! | file | |
//! |---|---|
//! | `scan` | 100,000 rows of fourteen columns, streamed |
//! | `insert` | one row a statement in autocommit; 10,000 rows in one call |
//! | `connect` | connecting, login and closing |
//! | `blob` | one blob by its key |
//! | `memory` | how much a process grows while it streams |

mod blob;
mod connect;
mod insert;
mod memory;
mod scan;

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ark_mysql::Connection;
use clap::ValueEnum;
use rustix::time::{ClockId, clock_gettime};
use tokio::runtime::{Builder, Runtime};

pub use self::memory::drive as drive_memory;
use crate::callgrind;
use crate::figures::rate;
use crate::placement::Place;
use crate::raw::RawClient;
use crate::report::{Environment, Measure, Measured, Report, ServerFacts};
use crate::server::Server;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// 100,000 rows of fourteen columns, streamed.
    Scan,
    /// One row a statement, in autocommit.
    Insert,
    /// 10,000 rows in one transaction: by one call, and by single statements in a pipeline.
    InsertMany,
    /// Connecting, login and closing.
    Connect,
    /// One blob of 1 KiB by its key.
    Blob1,
    /// One blob of 16 KiB by its key.
    Blob16,
    /// One blob of 1 KiB by its key, with TLS.
    Tls,
}

/// Somebody who does it.
trait Side {
    /// The server's number of its connection, where it keeps one.
    fn connection(&mut self) -> Result<Option<u64>>;
    /// So many units, all verified.
    fn turn(&mut self, count: u32) -> Result<()>;
}

/// Connects to an address.
type Start = fn(&str) -> Result<Box<dyn Side>>;

/// How somebody does it.
#[derive(Clone, Copy)]
struct Line {
    title: &'static str,
    start: Start,
    /// By the address with TLS.
    tls: bool,
}

/// How it is measured.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// Rounds; in each of them every line has its turns.
    pub rounds: u32,
    /// Turns of each line in a round.
    pub turns: u32,
    /// CPUs.
    pub place: Place,
    /// Count instructions and allocations too, by valgrind.
    pub instructions: bool,
}

impl Workload {
    /// The raw socket first, where there is one: all others are compared with it.
    fn lines(self) -> Vec<Line> {
        match self {
            Self::Scan => scan::lines(),
            Self::Insert => insert::single(),
            Self::InsertMany => insert::many(),
            Self::Connect => connect::lines(),
            Self::Blob1 => blob::lines(false),
            Self::Blob16 => blob::lines_of_16(),
            Self::Tls => blob::lines(true),
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Scan | Self::InsertMany => "rows/s",
            Self::Insert | Self::Blob1 | Self::Blob16 | Self::Tls => "statements/s",
            Self::Connect => "connections/s",
        }
    }

    /// Units of one turn: some ten milliseconds, or the whole thing.
    fn count(self) -> u32 {
        match self {
            Self::Scan => scan::ROWS,
            Self::InsertMany => insert::ROWS,
            Self::Insert => 50,
            Self::Connect => 20,
            Self::Blob1 | Self::Blob16 | Self::Tls => 250,
        }
    }

    /// Between which counts instructions are taken.
    fn counts(self) -> (u32, u32) {
        match self {
            Self::Scan => (1_000, 11_000),
            Self::InsertMany => (1_000, 3_000),
            Self::Connect => (5, 25),
            Self::Insert | Self::Blob1 | Self::Blob16 | Self::Tls => (500, 1_500),
        }
    }

    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Beside {
    /// Fills the tables of a server and measures each workload in turn. `program` is the command of the
    /// benchmarks, `progress` is told what is done.
    ///
    /// # Errors
    /// A statement fails or gives something else than it must.
    pub fn measure(
        &self,
        workloads: &[Workload],
        servers: &[Server],
        program: &Path,
        progress: impl Fn(&str),
    ) -> Result<Report> {
        let (mut facts, mut cells) = (Vec::new(), Vec::new());
        for server in servers {
            prepare(&server.url())?;
            let asked = ask(&server.url())?;
            for workload in workloads {
                progress(&format!("{workload:?} on {}", asked.version));
                let group = format!("{workload:?} on {}", asked.version);
                cells.extend(self.workload(*workload, server, program, &group)?);
            }
            facts.push(asked);
        }
        Ok(Report {
            workload: "beside".to_owned(),
            method: format!(
                "{} rounds of {} turns each, the lines of a workload in turns, placed {:?}; ratios are medians over the rounds; instructions by callgrind",
                self.rounds, self.turns, self.place
            ),
            environment: Environment::new(facts),
            cells,
            findings: Vec::new(),
        })
    }

    fn workload(
        &self,
        workload: Workload,
        server: &Server,
        program: &Path,
        group: &str,
    ) -> Result<Vec<Measured>> {
        let lines = workload.lines();
        let url = |line: &Line| {
            if line.tls {
                server.tls_url()
            } else {
                server.url()
            }
        };
        let mut admin = RawClient::connect(&server.url())?;
        let placement = self.place.pick()?;
        let _awake = placement.keep_awake()?;
        placement.pin_client()?;
        let mut sides = Vec::new();
        for line in &lines {
            let mut side = (line.start)(&url(line)).with_context(|| line.title.to_owned())?;
            let connections: Vec<u64> = side.connection()?.into_iter().collect();
            placement.pin_server(&mut admin, &connections)?;
            side.turn(workload.count())?; // prepared, caches warm
            sides.push(side);
        }
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            rounds.push(self.round(workload, &mut sides)?);
        }
        drop(sides);
        let mut cells = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let mut cell = measured(workload, number, line, &rounds, group);
            if self.instructions {
                cell.measures.extend(counted(workload, number, &url(line))?);
            }
            if workload == Workload::Scan && line.title.starts_with("ark-mysql") {
                let grown = memory::measure(program, number, &url(line))?;
                cell.measures
                    .push(Measure::new("peak RSS above idle MiB", vec![grown], None));
            }
            cells.push(cell);
        }
        Ok(cells)
    }

    /// Every other turn backwards, so that nobody always follows the same one.
    fn round(&self, workload: Workload, sides: &mut [Box<dyn Side>]) -> Result<Vec<Took>> {
        let mut took = vec![Took::default(); sides.len()];
        for turn in 0..self.turns {
            let mut order: Vec<_> = sides.iter_mut().zip(&mut took).collect();
            if turn % 2 == 1 {
                order.reverse();
            }
            for (side, took) in order {
                let (start, cpu) = (Instant::now(), thread_cpu());
                side.turn(workload.count())?;
                took.wall += start.elapsed();
                took.cpu += thread_cpu().saturating_sub(cpu);
                took.count += workload.count();
            }
        }
        Ok(took)
    }
}

/// One line in one round.
#[derive(Clone, Default)]
struct Took {
    wall: Duration,
    cpu: Duration,
    count: u32,
}

fn measured(
    workload: Workload,
    number: usize,
    line: &Line,
    rounds: &[Vec<Took>],
    group: &str,
) -> Measured {
    let of = |round: &Vec<Took>, number: usize, of: fn(&Took) -> f64| {
        round.get(number).map_or(f64::NAN, of)
    };
    let speed = |took: &Took| rate(took.count, took.wall);
    let all = |figure: &dyn Fn(&Vec<Took>) -> f64| rounds.iter().map(figure).collect();
    let cpu = |took: &Took| took.cpu.as_secs_f64() * 1e6 / f64::from(took.count);
    Measured {
        group: group.to_owned(),
        label: line.title.to_owned(),
        measures: vec![
            Measure::new(
                workload.unit(),
                all(&|round| of(round, number, speed)),
                None,
            ),
            Measure::new(
                "ratio to the first",
                all(&|round| of(round, number, speed) / of(round, 0, speed)),
                None,
            ),
            Measure::new("client CPU us", all(&|round| of(round, number, cpu)), None),
        ],
        counters: Default::default(),
    }
}

/// Instructions and allocations a unit.
fn counted(workload: Workload, number: usize, url: &str) -> Result<[Measure; 2]> {
    let number = number.to_string();
    let arguments = ["drive", "beside", &workload.name(), &number, url].map(OsString::from);
    let (few, many) = workload.counts();
    let cost = callgrind::slope(&arguments, few, many)?;
    Ok([
        Measure::new("instructions", vec![cost.instructions], None),
        Measure::new("allocations", vec![cost.allocations], None),
    ])
}

/// What runs under valgrind: so many units by the line of that number. The tables must be there.
///
/// # Errors
/// There is no such line, or it fails.
pub fn drive(workload: Workload, number: usize, url: &str, count: u32) -> Result<()> {
    let line = workload.lines().into_iter().nth(number);
    let line = line.context("there is no such line")?;
    (line.start)(url)?.turn(count)
}

fn prepare(url: &str) -> Result<()> {
    let mut admin = RawClient::connect(url)?;
    crate::test1::create(&mut admin, scan::ROWS)?;
    crate::arknet::create(&mut admin)?;
    admin.query("DROP TABLE IF EXISTS inserts")?;
    admin.script(include_str!("../../inserts.sql"))
}

fn ask(url: &str) -> Result<ServerFacts> {
    runtime()?.block_on(async {
        let mut connection = Connection::connect(url).await?;
        ServerFacts::ask(&mut connection).await
    })
}

/// The library on a runtime of its own.
struct Typed {
    runtime: Runtime,
    connection: Connection,
}

impl Typed {
    fn connect(url: &str) -> Result<Self> {
        let runtime = runtime()?;
        let connection = runtime.block_on(Connection::connect(url))?;
        Ok(Self {
            runtime,
            connection,
        })
    }

    fn id(&self) -> Option<u64> {
        Some(self.connection.id().into())
    }
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// Of this thread, which runs the client and its runtime.
fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

/// Which measures are drawn.
pub const CHARTED: [&str; 1] = ["ratio to the first"];
