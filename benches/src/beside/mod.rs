//! What everything else costs, each beside a raw socket that sends the same bytes, in many short turns: a scan of many rows, single inserts
//! and many at once, connecting, blobs as prepared statement and as text, with TLS and without.
//!
//! | file | |
//! |---|---|
//! | `workload` | what is done, by whom, how often |
//! | `line` | who does it |
//! | `point` | one row by its key |
//! | `scan` | 100,000 rows of fourteen columns, streamed |
//! | `insert` | one row a statement in autocommit; 10,000 rows in one call |
//! | `connect` | connecting, login and closing |
//! | `blob` | one blob by its key |
//! | `on_tokio` | the raw socket that waits as the library does |
//! | `memory` | how much a process grows while it streams |

mod blob;
mod connect;
mod insert;
mod line;
mod memory;
mod on_tokio;
mod point;
mod scan;
mod workload;

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use ark_mysql::Connection;
use benches_common::rival::Took;

pub(crate) use self::line::Side;
use self::line::{Line, Who};
pub use self::memory::drive as drive_memory;
pub use self::workload::{QUERIES_A_TURN, Workload};
use crate::callgrind;
use crate::figures::rate;
use crate::placement::{Place, Placement};
use crate::raw::{RawClient, one_row};
use crate::report::{Environment, Measure, Measured, Report, ServerFacts};
use crate::rival::Rivals;
use crate::server::{Server, User};

/// How it is measured.
#[derive(Clone, Debug)]
pub struct Beside {
    /// What the report is called.
    pub name: &'static str,
    /// Rounds; in each of them every line has its turns.
    pub rounds: u32,
    /// Turns of each line in a round.
    pub turns: u32,
    /// Rows that are streamed, and that one call inserts; as [`Workload`] says where it is `None`.
    pub rows: Option<u32>,
    /// CPUs.
    pub place: Place,
    /// Count instructions and allocations too, by valgrind.
    pub instructions: bool,
    /// Who else takes part.
    pub rivals: Rivals,
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
            let mut admin = RawClient::connect(&server.url())?;
            prepare(&mut admin, self.count(Workload::Scan))?;
            // Not every rival can do without a password, and few users do.
            let user = server.user_with_password(&mut admin)?;
            let asked = ask(&server.url())?;
            for workload in workloads {
                progress(&format!("{workload:?} on {}", asked.version));
                let group = format!("{workload:?} on {}", asked.version);
                cells.extend(self.workload(*workload, &user, &mut admin, program, &group)?);
            }
            facts.push(asked);
        }
        Ok(Report {
            workload: self.name.to_owned(),
            method: self.method(),
            environment: Environment::new(facts),
            cells,
            findings: Vec::new(),
        })
    }

    fn method(&self) -> String {
        let advice = self.rivals.advice();
        format!(
            "{} rounds of {} turns each, the lines of a workload in turns, placed {:?}; every result is verified; ratios are medians over the rounds; instructions by callgrind{}",
            self.rounds,
            self.turns,
            self.place,
            advice.map_or_else(String::new, |advice| format!("\n{advice}"))
        )
    }

    fn workload(
        &self,
        workload: Workload,
        user: &User<'_>,
        admin: &mut RawClient,
        program: &Path,
        group: &str,
    ) -> Result<Vec<Measured>> {
        let lines = workload.lines_with(&self.rivals);
        let rounds = self.rounds_of(workload, &lines, user, admin)?;
        let mut cells = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let url = url(user, line);
            let mut cell = measured(workload, number, line, &rounds, self.units(workload), group);
            if self.instructions {
                cell.measures.extend(counted(workload, number, line, &url)?);
            }
            if workload == Workload::Scan {
                cell.measures
                    .extend(memory::measure(program, number, line, &url)?);
            }
            cells.push(cell);
        }
        Ok(cells)
    }

    /// All rounds of all lines, every result verified.
    fn rounds_of(
        &self,
        workload: Workload,
        lines: &[Line],
        user: &User<'_>,
        admin: &mut RawClient,
    ) -> Result<Vec<Vec<Took>>> {
        let placement = self.place.pick()?;
        let _awake = placement.keep_awake()?;
        placement.pin_client()?;
        let mut sides = Vec::new();
        for line in lines {
            let side = connected(line, user, admin, placement);
            sides.push(side.with_context(|| line.title.clone())?);
        }
        let before = inserted(admin)?;
        for (line, side) in lines.iter().zip(&mut sides) {
            let verified = side.verify(self.count(workload)); // caches are warm then, too
            verified.with_context(|| line.title.clone())?;
        }
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            rounds.push(self.round(workload, lines, &mut sides)?);
        }
        drop(sides);
        if matches!(workload, Workload::Insert | Workload::InsertMany) {
            let turns = 1 + u64::from(self.rounds) * u64::from(self.turns);
            let rows = turns * u64::from(self.count(workload)) * lines.len() as u64;
            let came = inserted(admin)? - before;
            ensure!(came == rows, "{came} rows were inserted, not {rows}");
        }
        Ok(rounds)
    }

    /// Every other turn backwards, so that nobody always follows the same one.
    fn round(
        &self,
        workload: Workload,
        lines: &[Line],
        sides: &mut [Box<dyn Side>],
    ) -> Result<Vec<Took>> {
        let mut took = vec![Took::default(); sides.len()];
        for turn in 0..self.turns {
            let mut order: Vec<_> = sides.iter_mut().zip(&mut took).zip(lines).collect();
            if turn % 2 == 1 {
                order.reverse();
            }
            for ((side, took), line) in order {
                let one = side.timed(self.count(workload));
                let one = one.with_context(|| line.title.clone())?;
                took.wall += one.wall;
                took.cpu += one.cpu;
            }
        }
        Ok(took)
    }

    /// Units of a turn.
    fn count(&self, workload: Workload) -> u32 {
        let rows = self.rows.filter(|_| workload.is_of_rows());
        rows.unwrap_or(workload.count())
    }

    /// Units of a round.
    fn units(&self, workload: Workload) -> u32 {
        self.turns * self.count(workload)
    }
}

/// Connected, prepared, and its server thread in its place.
fn connected(
    line: &Line,
    user: &User<'_>,
    admin: &mut RawClient,
    placement: Placement,
) -> Result<Box<dyn Side>> {
    let mut side = line.start(&url(user, line))?;
    let connections: Vec<u64> = side.connection()?.into_iter().collect();
    placement.pin_server(admin, &connections)?;
    Ok(side)
}

fn url(user: &User<'_>, line: &Line) -> String {
    if line.tls { user.tls_url() } else { user.url() }
}

/// Rows in the table.
fn inserted(admin: &mut RawClient) -> Result<u64> {
    let reply = admin.query("SELECT COUNT(*) FROM inserts")?;
    one_row(&reply)?;
    // A text row with one value: its length, then its digits.
    let digits = admin.row(&reply).get(1..).context("no number")?;
    Ok(std::str::from_utf8(digits)?.parse()?)
}

fn measured(
    workload: Workload,
    number: usize,
    line: &Line,
    rounds: &[Vec<Took>],
    units: u32,
    group: &str,
) -> Measured {
    let of = |round: &Vec<Took>, number: usize, of: &dyn Fn(&Took) -> f64| {
        round.get(number).map_or(f64::NAN, of)
    };
    let speed = |took: &Took| rate(units, took.wall);
    let all = |figure: &dyn Fn(&Vec<Took>) -> f64| rounds.iter().map(figure).collect();
    let against = |other| all(&|round| of(round, number, &speed) / of(round, other, &speed));
    let cpu = |took: &Took| took.cpu.as_secs_f64() * 1e6 / f64::from(units);
    let figure = |name, rounds| Measure::new(name, rounds, None);
    let mut measures = vec![
        figure(workload.unit(), all(&|round| of(round, number, &speed))),
        figure("ratio to the first", against(0)),
        figure("client CPU us", all(&|round| of(round, number, &cpu))),
    ];
    if let Some(other) = workload.on_tokio() {
        measures.push(figure("ratio to the one on tokio", against(other)));
    }
    Measured {
        group: group.to_owned(),
        label: line.title.clone(),
        measures,
        counters: Default::default(),
    }
}

/// Instructions and allocations a unit.
fn counted(workload: Workload, number: usize, line: &Line, url: &str) -> Result<[Measure; 2]> {
    let (few, many) = workload.counts();
    let cost = if let Who::Rival(rival, task) = line.who {
        rival.cost(task, url, (few, many))?
    } else {
        let number = number.to_string();
        let arguments = ["drive", "beside", &workload.name(), &number, url].map(OsString::from);
        callgrind::slope(&arguments, few, many)?
    };
    Ok([
        Measure::new("instructions", vec![cost.instructions], None),
        Measure::new("allocations", vec![cost.allocations], None),
    ])
}

/// What runs under valgrind: so many units by the line of ours of that number. The tables must be there.
///
/// # Errors
/// There is no such line, or it fails.
pub fn drive(workload: Workload, number: usize, url: &str, count: u32) -> Result<()> {
    let line = workload.lines().into_iter().nth(number);
    let line = line.context("there is no such line")?;
    line.start(url)?.turn(count)
}

fn prepare(admin: &mut RawClient, rows: u32) -> Result<()> {
    crate::test1::create(admin, rows.max(scan::ROWS))?;
    crate::arknet::create(admin)?;
    admin.query("DROP TABLE IF EXISTS inserts")?;
    admin.script(include_str!("../../inserts.sql"))
}

fn ask(url: &str) -> Result<ServerFacts> {
    crate::driver::runtime()?.block_on(async {
        let mut connection = Connection::connect(url).await?;
        ServerFacts::ask(&mut connection).await
    })
}

/// Which measures are drawn.
pub const CHARTED: [&str; 1] = ["ratio to the first"];
