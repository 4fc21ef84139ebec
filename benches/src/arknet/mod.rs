//! The table of arknet 0.2.0, a C++ client: one row with one blob, in all combinations of what a client can choose.
//!
//! ```
//! use benches::arknet::{Cell, Mode, Transport};
//!
//! let cell = Cell { transport: Transport::Tls, mode: Mode::Prepared, payload: 16_384, connections: 4, in_flight: 16 };
//! assert!(Cell::all().contains(&cell) && Cell::all().len() == 48);
//! ```

mod client;
mod findings;
mod published;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use ark_mysql::Connection;
use serde::{Deserialize, Serialize};
use tokio::runtime::Builder;

pub(crate) use self::client::blob;
pub use self::client::{Client, connect};
use crate::figures::grouped;
use crate::raw::RawClient;
use crate::report::{Environment, Measured, Report, ServerFacts};
use crate::server::Server;
use crate::worker::{Job, Round, Span, Worker, in_turn, measure};

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// How the server is reached.
    pub transport: Transport,
    /// How the statement is sent.
    pub mode: Mode,
    /// Bytes of the blob.
    pub payload: u32,
    /// Connections, each with a thread and a runtime of its own.
    pub connections: u32,
    /// Queries that a connection has begun and not ended.
    pub in_flight: u32,
}

/// How the server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Transport {
    /// Loopback, in the clear.
    Tcp,
    /// Loopback, the certificate's chain and the address in it verified.
    Tls,
}

/// How the statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// `COM_QUERY`.
    Text,
    /// `COM_STMT_EXECUTE`.
    Prepared,
}

/// The whole workload.
#[derive(Clone, Copy, Debug)]
pub struct Arknet {
    /// How long a round is.
    pub span: Span,
    /// Rounds of each cell.
    pub rounds: u32,
    /// Only blobs of this size.
    pub payload: Option<u32>,
}

const PAYLOADS: [u32; 3] = [1024, 4096, 16_384];
/// As arknet's: a warm-up of 0.15 s.
pub const WARM_UP: Duration = Duration::from_millis(150);

impl Cell {
    /// All 48, in the order of the table.
    pub fn all() -> Vec<Self> {
        let mut cells = Vec::new();
        for payload in PAYLOADS {
            for connections in [1, 4] {
                for in_flight in [1, 16] {
                    for transport in [Transport::Tcp, Transport::Tls] {
                        for mode in [Mode::Text, Mode::Prepared] {
                            cells.push(Self {
                                transport,
                                mode,
                                payload,
                                connections,
                                in_flight,
                            });
                        }
                    }
                }
            }
        }
        cells
    }

    fn group(&self) -> String {
        format!("{} bytes", grouped(self.payload.into()))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            transport,
            mode,
            connections,
            in_flight,
            ..
        } = self;
        let s = if *connections == 1 { "" } else { "s" };
        write!(
            f,
            "{transport:?} {mode:?}, {connections} connection{s}, {in_flight} in flight"
        )
    }
}

impl Arknet {
    /// Fills the table, runs all cells with the same blob in turns, and tells what came. `program` is the
    /// command of the benchmarks, `progress` is told what is done.
    ///
    /// # Errors
    /// A query fails or gives another blob than it must.
    pub fn measure(
        &self,
        server: &Server,
        program: &Path,
        progress: impl Fn(&str),
    ) -> Result<Report> {
        let urls = prepare(server)?;
        let published = published::read()?;
        let mut cells = Vec::new();
        for payload in PAYLOADS {
            if self.payload.is_some_and(|only| only != payload) {
                continue;
            }
            let group: Vec<Cell> = Cell::all()
                .into_iter()
                .filter(|cell| cell.payload == payload)
                .collect();
            let rounds = self.run(&group, &urls, program, &progress)?;
            cells.extend(group.into_iter().zip(rounds));
        }
        Ok(Report {
            workload: "arknet".to_owned(),
            method: self.method(),
            environment: Environment::new(vec![urls.facts]),
            findings: findings::of(&cells, &published),
            cells: cells
                .iter()
                .map(|(cell, rounds)| measured(cell, rounds, &published))
                .collect(),
        })
    }

    fn run(
        &self,
        cells: &[Cell],
        urls: &Urls,
        program: &Path,
        progress: &impl Fn(&str),
    ) -> Result<Vec<Vec<Round>>> {
        let start = |cell: &Cell| {
            let job = Job::Arknet {
                cell: *cell,
                url: urls.of(cell.transport).to_owned(),
            };
            Worker::start(program, &job)
        };
        let mut workers = cells.iter().map(start).collect::<Result<Vec<_>>>()?;
        let count = workers.len();
        in_turn(count, self.rounds, |number, round| {
            if let Some(cell) = cells.get(number) {
                let (group, round, rounds) = (cell.group(), round + 1, self.rounds);
                progress(&format!("round {round} of {rounds}: {group}, {cell}"));
            }
            match workers.get_mut(number) {
                Some(worker) => worker.round(self.span),
                None => anyhow::bail!("there is no worker {number}"),
            }
        })
    }

    fn method(&self) -> String {
        format!(
            "one row with one blob by key, every byte verified; {} rounds of {:?} after a warm-up of {:?} each, cells with the same blob taking turns; a process a cell, a thread and a runtime a connection; connecting and preparing not measured",
            self.rounds, self.span.round, self.span.warm_up
        )
    }
}

struct Urls {
    tcp: String,
    tls: String,
    facts: ServerFacts,
}

impl Urls {
    fn of(&self, transport: Transport) -> &str {
        match transport {
            Transport::Tcp => &self.tcp,
            Transport::Tls => &self.tls,
        }
    }
}

/// Makes the table, where it is not there, and fills it.
pub(crate) fn create(admin: &mut RawClient) -> Result<()> {
    admin.script(include_str!("../../payloads.sql"))?;
    for size in PAYLOADS {
        let blob = blob(size);
        let hex: String = blob.iter().map(|byte| format!("{byte:02x}")).collect();
        admin.query(&format!("REPLACE INTO payloads VALUES ({size}, x'{hex}')"))?;
    }
    Ok(())
}

/// Makes the table and, on a server of ours, a user with a password: a login without one is another.
fn prepare(server: &Server) -> Result<Urls> {
    let mut admin = RawClient::connect(&server.url())?;
    create(&mut admin)?;
    let user = server.user_with_password(&mut admin)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let facts = runtime.block_on(async {
        let mut connection = Connection::connect(&*server.url()).await?;
        ServerFacts::ask(&mut connection).await
    })?;
    Ok(Urls {
        tcp: user.url(),
        tls: user.tls_url(),
        facts,
    })
}

fn measured(cell: &Cell, rounds: &[Round], published: &[published::Row]) -> Measured {
    let theirs = |of: fn(&published::Row) -> f64| published::of(published, cell, of);
    let cpu_us = theirs(|row| row.client_cpu_percent * 1e4 / row.queries_per_s);
    Measured {
        group: cell.group(),
        label: cell.to_string(),
        counters: Default::default(),
        measures: vec![
            measure(
                "queries/s",
                rounds,
                Round::rate,
                theirs(|row| row.queries_per_s),
            ),
            measure(
                "p50 us",
                rounds,
                |round| round.p50_us,
                theirs(|row| row.p50_us),
            ),
            measure(
                "p99 us",
                rounds,
                |round| round.p99_us,
                theirs(|row| row.p99_us),
            ),
            measure(
                "client CPU %",
                rounds,
                Round::cpu_percent,
                theirs(|row| row.client_cpu_percent),
            ),
            measure("client CPU us/query", rounds, Round::cpu_us, cpu_us),
            measure(
                "peak RSS MiB",
                rounds,
                |round| round.peak_rss_mib,
                theirs(|row| row.peak_rss_mib),
            ),
        ],
    }
}

/// Which measures are drawn.
pub const CHARTED: [&str; 4] = ["queries/s", "p50 us", "p99 us", "client CPU us/query"];
