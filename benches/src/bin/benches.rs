//! The benchmarks' command: `cargo run --release -p benches -- point`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use benches::arknet::{self, Arknet};
use benches::beside::{self, Beside, Workload};
use benches::compile::Compile;
use benches::pipeline::{self, Pipeline};
use benches::placement::Place;
use benches::point::{Client, Point};
use benches::report::{self, Report};
use benches::sailzeng::{self, Sailzeng};
use benches::server::{Choice, Server};
use benches::sysbench::{self, Kind, Sysbench};
use benches::worker::{self, Span};
use benches::{decode, instructions, placement, session, test1};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Measures ark-mysql beside the physical limit and its rivals: every figure is a ratio of neighbours in one run.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Selects one row of fourteen columns by key: queries a second beside a raw socket.
    Point {
        #[command(flatten)]
        on: On,
        /// Queries a round.
        #[arg(long, default_value_t = 10_000)]
        queries: u32,
        /// Rounds; in each of them every client has its turns.
        #[arg(long, default_value_t = 9)]
        rounds: u32,
        /// CPUs of the client and its server threads.
        #[arg(long, value_enum, default_value_t = Place::Same)]
        place: Place,
    },
    /// Selects one blob of 1 KiB by key, sixteen in flight: queries a second beside a raw socket that pipelines sixteen.
    Pipeline {
        #[command(flatten)]
        on: On,
        /// Queries a round.
        #[arg(long, default_value_t = 16_000)]
        queries: u32,
        /// Rounds; in each of them every client has its turns.
        #[arg(long, default_value_t = 9)]
        rounds: u32,
        /// CPUs of the client and its server threads.
        #[arg(long, value_enum, default_value_t = Place::Same)]
        place: Place,
    },
    /// Selects one blob by key in arknet's 48 combinations of transport, mode, size, connections and queries in flight.
    Arknet {
        #[command(flatten)]
        on: On,
        #[command(flatten)]
        rounds: Rounds,
        /// Only blobs of this size: 1024, 4096 or 16384.
        #[arg(long)]
        payload: Option<u32>,
    },
    /// Runs sysbench's statements on up to 1,000 connections, beside the real sysbench where it is installed.
    Sysbench {
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
    },
    /// Runs the experiments of the MySQL benchmark of 2005: engines, commits, APIs, links, load.
    Sailzeng {
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
    },
    /// Scan, inserts, connecting and blobs, each beside a raw socket that sends the same bytes.
    Beside {
        #[command(flatten)]
        on: OnBoth,
        /// What is done; all where none is named.
        #[arg(value_enum)]
        workloads: Vec<Workload>,
        /// Rounds; in each of them every line has its turns.
        #[arg(long, default_value_t = 9)]
        rounds: u32,
        /// Turns of a round.
        #[arg(long, default_value_t = 10)]
        turns: u32,
        /// CPUs of the client and its server threads.
        #[arg(long, value_enum, default_value_t = Place::Same)]
        place: Place,
        /// Count instructions and allocations too, by valgrind.
        #[arg(long)]
        instructions: bool,
        /// Where the JSON and the charts go.
        #[arg(long, default_value = "target/benches")]
        out: PathBuf,
    },
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

#[derive(Args)]
struct OnBoth {
    /// `mysql`, `mariadb` or an address, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "mysql,mariadb")]
    server: Vec<Choice>,
}

impl OnBoth {
    fn open_with(&self, arguments: &[&str]) -> Result<Vec<Server>> {
        self.server
            .iter()
            .map(|choice| choice.open_with(arguments))
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
        }
    }
}

#[derive(Subcommand)]
enum Drive {
    Worker,
    Point {
        client: Client,
        url: String,
        queries: u32,
    },
    Pipeline {
        #[arg(value_parser = ["raw", "typed"])]
        client: String,
        url: String,
        queries: u32,
    },
    Decode {
        workload: decode::Workload,
        rows: u32,
    },
    Beside {
        workload: Workload,
        line: usize,
        url: String,
        count: u32,
    },
    Memory {
        line: usize,
        url: String,
    },
    Spin {
        cpu: usize,
    },
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Point {
            on,
            queries,
            rounds,
            place,
        } => {
            let point = Point {
                queries,
                rounds,
                rows: test1::ROWS,
                place,
            };
            say(&format!(
                "{queries} selects a round, {rounds} rounds, placed {place:?}, {}",
                build()
            ));
            with(&on, |url| point.measure(url))
        }
        Command::Pipeline {
            on,
            queries,
            rounds,
            place,
        } => {
            let pipeline = Pipeline {
                queries,
                rounds,
                place,
            };
            say(&format!(
                "{queries} selects of 1 KiB a round, {rounds} rounds, placed {place:?}, {}",
                build()
            ));
            with(&on, |url| pipeline.measure(url))
        }
        Command::Arknet {
            on,
            rounds,
            payload,
        } => {
            let arknet = Arknet {
                span: rounds.span(),
                rounds: rounds.rounds,
                payload,
            };
            let report = arknet.measure(&on.server.open()?, &std::env::current_exe()?, progress)?;
            say(&report.text());
            say(&report.save(&rounds.out, &arknet::CHARTED)?);
            Ok(())
        }
        Command::Sysbench {
            on,
            rounds,
            kinds,
            connections,
            tables,
            rows,
        } => {
            let sysbench = Sysbench {
                span: rounds.span(),
                rounds: rounds.rounds,
                kinds,
                connections,
                tables,
                rows,
            };
            let servers = on.open_with(&sysbench::ARGUMENTS)?;
            let report = sysbench.measure(&servers, &std::env::current_exe()?, progress)?;
            say(&report.text());
            say(&report.save(&rounds.out, &sysbench::CHARTED)?);
            Ok(())
        }
        Command::Sailzeng {
            on,
            experiments,
            rows,
            rounds,
            out,
        } => {
            let sailzeng = Sailzeng {
                experiments,
                rows,
                rounds,
            };
            let servers = on.open_with(&sailzeng::ARGUMENTS)?;
            let report = sailzeng.measure(&servers, progress)?;
            say(&report.text());
            say(&report.save(&out, &sailzeng::CHARTED)?);
            Ok(())
        }
        Command::Beside {
            on,
            mut workloads,
            rounds,
            turns,
            place,
            instructions,
            out,
        } => {
            if workloads.is_empty() {
                workloads = Workload::value_variants().to_vec();
            }
            let beside = Beside {
                rounds,
                turns,
                place,
                instructions,
            };
            let report = beside.measure(
                &workloads,
                &on.open_with(&[])?,
                &std::env::current_exe()?,
                progress,
            )?;
            say(&report.text());
            say(&report.save(&out, &beside::CHARTED)?);
            Ok(())
        }
        Command::Compare { a, b } => {
            say(&report::compare(&Report::load(&a)?, &Report::load(&b)?));
            Ok(())
        }
        Command::Drive(Drive::Worker) => worker::serve(),
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
        Command::Drive(Drive::Point {
            client,
            url,
            queries,
        }) => instructions::drive(&url, client, queries),
        Command::Drive(Drive::Pipeline {
            client,
            url,
            queries,
        }) => pipeline::drive(&url, client == "raw", queries),
        Command::Drive(Drive::Decode { workload, rows }) => workload.drive(rows),
        Command::Drive(Drive::Beside {
            workload,
            line,
            url,
            count,
        }) => beside::drive(workload, line, &url, count),
        Command::Drive(Drive::Memory { line, url }) => {
            say(&beside::drive_memory(line, &url)?.to_string());
            Ok(())
        }
        Command::Drive(Drive::Spin { cpu }) => placement::spin(cpu),
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

fn build() -> &'static str {
    if cfg!(debug_assertions) {
        "DEBUG BUILD: figures mean nothing, use --release"
    } else {
        "release build"
    }
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
