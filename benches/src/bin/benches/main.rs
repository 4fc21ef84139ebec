//! The benchmarks' command: `cargo run --release -p benches -- point`.

mod drive;
mod reports;

use std::path::PathBuf;

use anyhow::Result;
use benches::beside::Workload;
use benches::compile::Compile;
use benches::report::{self, Report};
use benches::server::{Choice, Server};
use benches::{decode, instructions, session};
use clap::{Args, Parser, Subcommand};

use self::drive::Drive;

/// Measures ark-mysql beside the physical limit and its rivals: every figure is a ratio of neighbours in one run.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Selects one row of fourteen columns by key: queries a second beside a raw socket.
    Point(reports::PointRun),
    /// Selects one blob of 1 KiB by key, sixteen in flight: queries a second beside a raw socket that pipelines sixteen.
    Pipeline(reports::PipelineRun),
    /// Selects one blob by key in arknet's 48 combinations of transport, mode, size, connections and queries in flight.
    Arknet(reports::ArknetRun),
    /// Runs sysbench's statements on up to 1,000 connections, beside the real sysbench where it is installed.
    Sysbench(reports::SysbenchRun),
    /// Runs the experiments of the MySQL benchmark of 2005: engines, commits, APIs, links, load.
    Sailzeng(reports::SailzengRun),
    /// Streams 100,000 rows of fourteen columns: rows a second beside a raw socket.
    Scan(reports::RowsRun),
    /// Inserts one row a statement, and 10,000 by one call: beside a raw socket, and beside single statements in a pipeline.
    Insert(reports::RowsRun),
    /// Connects, logs in and closes: connections a second beside a raw socket.
    Connect(reports::TurnsRun),
    /// All of these and blobs, each beside a raw socket that sends the same bytes.
    Beside(reports::BesideRun),
    /// Puts two reports side by side.
    Compare {
        /// The JSON file of one run.
        a: PathBuf,
        /// The JSON file of another.
        b: PathBuf,
    },
    /// Counts user instructions and allocations a point query, by valgrind.
    Instructions {
        #[command(flatten)]
        on: On,
        /// How many of the dearest functions to list.
        #[arg(long, default_value_t = 0)]
        functions: usize,
    },
    /// Counts instructions and allocations of generated decoders on recorded rows, by valgrind; exits 1 when they grow too large.
    Decode {
        /// How many of the dearest functions to list.
        #[arg(long, default_value_t = 0)]
        functions: usize,
    },
    /// Counts instructions and allocations of a point query on recorded replies, by valgrind; exits 1 when they grow too large.
    Session {
        /// How many of the dearest functions to list.
        #[arg(long, default_value_t = 0)]
        functions: usize,
    },
    /// Records the rows and replies that `decode` and `session` read from a server.
    Record {
        #[command(flatten)]
        on: On,
    },
    /// Times `cargo check` of a crate full of statements, beside the rival's.
    Compile {
        #[command(flatten)]
        on: On,
        /// Statements in the crate.
        #[arg(long, default_value_t = 200)]
        statements: usize,
        /// Rounds of incremental checks.
        #[arg(long, default_value_t = 7)]
        rounds: u32,
        /// Rounds of checks from nothing.
        #[arg(long, default_value_t = 3)]
        fresh_rounds: u32,
        /// Where the crates are generated and built.
        #[arg(long)]
        folder: Option<PathBuf>,
    },
    /// What runs under valgrind.
    #[command(hide = true, subcommand)]
    Drive(Drive),
}

#[derive(Args)]
struct On {
    /// `mysql` or `mariadb` (started for the run and stopped after it), or the address of a server whose test tables may be overwritten.
    #[arg(long, default_value = "mysql")]
    server: Choice,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Point(run) => run.run(),
        Command::Pipeline(run) => run.run(),
        Command::Arknet(run) => run.run(),
        Command::Sysbench(run) => run.run(),
        Command::Sailzeng(run) => run.run(),
        Command::Scan(run) => run.run("scan", &[Workload::Scan]),
        Command::Insert(run) => run.run("insert", &[Workload::Insert, Workload::InsertMany]),
        Command::Connect(run) => run.run("connect", &[Workload::Connect]),
        Command::Beside(run) => run.run(),
        Command::Compare { a, b } => {
            say(&report::compare(&Report::load(&a)?, &Report::load(&b)?));
            Ok(())
        }
        Command::Instructions { on, functions } => {
            with(&on, |url| instructions::measure(url, functions))
        }
        Command::Decode { functions } => decode::measure(functions).and_then(told),
        Command::Session { functions } => session::measure(functions).and_then(told),
        Command::Record { on } => with(&on, decode::record),
        Command::Compile {
            on,
            statements,
            rounds,
            fresh_rounds,
            folder,
        } => {
            let compile = Compile {
                statements,
                rounds,
                fresh_rounds,
                folder,
            };
            with(&on, |url| compile.measure(url, say))
        }
        Command::Drive(drive) => drive.run(),
    }
}

fn with(on: &On, measure: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let server: Server = on.server.open()?;
    say(&measure(&server.url())?);
    Ok(())
}

fn told(outcome: decode::Outcome) -> Result<()> {
    say(&outcome.report);
    outcome.verdict
}

#[expect(clippy::print_stdout, reason = "this is the command's output")]
fn say(text: &str) {
    println!("{text}");
}

#[expect(
    clippy::print_stderr,
    reason = "tells that something goes on; the output is the table"
)]
fn progress(text: &str) {
    eprintln!("{text}");
}
