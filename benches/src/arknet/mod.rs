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
pub use benches_common::cell::{Cell, Mode, PAYLOADS, Transport};
use benches_common::payload::blob;
use tokio::runtime::Builder;

pub use self::client::{Client, connect};
use crate::raw::RawClient;
use crate::report::{Environment, Measured, Report, ServerFacts};
use crate::rival::{Rival, Rivals};
use crate::server::Server;
use crate::worker::{Job, Round, Span, Worker, in_turn, measure};

/// The whole workload.
#[derive(Clone, Debug)]
pub struct Arknet {
    /// How long a round is.
    pub span: Span,
    /// Rounds of each cell.
    pub rounds: u32,
    /// Only blobs of this size.
    pub payload: Option<u32>,
    /// Who else runs the cells that it can.
    pub rivals: Rivals,
}

/// As arknet's: a warm-up of 0.15 s.
pub const WARM_UP: Duration = Duration::from_millis(150);

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
        let mut lines = Vec::new();
        for payload in PAYLOADS {
            if self.payload.is_some_and(|only| only != payload) {
                continue;
            }
            let group = self.lines(payload);
            let rounds = self.run(&group, &urls, program, &progress)?;
            lines.extend(group.into_iter().zip(rounds));
        }
        let ours = lines.iter().filter(|(line, _)| line.rival.is_none());
        let ours: Vec<_> = ours
            .map(|(line, rounds)| (line.cell, rounds.clone()))
            .collect();
        Ok(Report {
            workload: "arknet".to_owned(),
            method: self.method(),
            environment: Environment::new(vec![urls.facts]),
            findings: findings::of(&ours, &published),
            cells: lines
                .iter()
                .map(|(line, rounds)| measured(line, rounds, &published))
                .collect(),
        })
    }

    /// Ours, and behind each those of the rivals that can do the same.
    fn lines(&self, payload: u32) -> Vec<Line> {
        let mut lines = Vec::new();
        let cells = Cell::all().into_iter();
        for cell in cells.filter(|cell| cell.payload == payload) {
            lines.push(Line { cell, rival: None });
            for rival in &self.rivals.built {
                let able = cell.in_flight == 1
                    && (cell.transport == Transport::Tcp || rival.has_tls())
                    && (cell.mode == Mode::Prepared || rival.has_text());
                let rival = Some(*rival);
                lines.extend(able.then_some(Line { cell, rival }));
            }
        }
        lines
    }

    fn run(
        &self,
        lines: &[Line],
        urls: &Urls,
        program: &Path,
        progress: &impl Fn(&str),
    ) -> Result<Vec<Vec<Round>>> {
        let start = |line: &Line| line.start(urls, program);
        let mut workers = lines.iter().map(start).collect::<Result<Vec<_>>>()?;
        let count = workers.len();
        in_turn(count, self.rounds, |number, round| {
            if let Some(line) = lines.get(number) {
                let (group, round, rounds) = (line.cell.group(), round + 1, self.rounds);
                progress(&format!("round {round} of {rounds}: {group}, {line}"));
            }
            match workers.get_mut(number) {
                Some(worker) => worker.round(self.span),
                None => anyhow::bail!("there is no worker {number}"),
            }
        })
    }

    fn method(&self) -> String {
        let advice = self.rivals.advice();
        format!(
            "one row with one blob by key, every byte verified; {} rounds of {:?} after a warm-up of {:?} each, cells with the same blob taking turns; a process a cell, a thread and a runtime a connection; connecting and preparing not measured{}",
            self.rounds,
            self.span.round,
            self.span.warm_up,
            advice.map_or_else(String::new, |advice| format!("\n{advice}"))
        )
    }
}

/// Who runs a cell: ours where no rival does.
struct Line {
    cell: Cell,
    rival: Option<Rival>,
}

impl Line {
    fn start(&self, urls: &Urls, program: &Path) -> Result<Worker> {
        let (cell, url) = (self.cell, urls.of(self.cell.transport));
        match self.rival {
            Some(rival) => Worker::of_rival(rival, cell, url),
            None => {
                let url = url.to_owned();
                Worker::start(program, &Job::Arknet { cell, url })
            }
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rival {
            Some(rival) => write!(f, "{rival}: {}", self.cell),
            None => self.cell.fmt(f),
        }
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

/// The published figures stand beside ours only.
fn measured(line: &Line, rounds: &[Round], published: &[published::Row]) -> Measured {
    let published = if line.rival.is_none() { published } else { &[] };
    let theirs = |of: fn(&published::Row) -> f64| published::of(published, &line.cell, of);
    let cpu_us = theirs(|row| row.client_cpu_percent * 1e4 / row.queries_per_s);
    Measured {
        group: line.cell.group(),
        label: line.to_string(),
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
