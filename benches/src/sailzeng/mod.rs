//! The MySQL benchmark of 2005, typed: which API, which engine, which commit. Twelve experiments.
//!
//! ```
//! use benches::sailzeng::{C, Commit, Op};
//!
//! // Experiment C4: one insert after the other, all in one transaction.
//! let run = C { op: Op::Insert, n: 100_000, commit: Commit::OneTransaction, ..C::default() };
//! assert_eq!(run.flush_log, 1);
//! ```

mod background;
mod counters;
mod experiments;
mod foreground;
mod run;
mod statements;

use std::fmt;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

pub use self::experiments::{Experiment, all};
use self::run::{Outcome, Runner};
use crate::report::{Environment, Finding, Measure, Measured, Report, ServerFacts};
use crate::server::Server;
use crate::worker::in_turn;

/// One run: so many operations, one row a statement by the primary key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct C {
    /// What is done.
    pub op: Op,
    /// How many of them; also the rows of all tables together, before a delete and after an insert.
    pub n: u32,
    /// The tables' engine.
    pub engine: Engine,
    /// When it is committed.
    pub commit: Commit,
    /// `innodb_flush_log_at_trx_commit`: 0, 1 or 2.
    pub flush_log: u8,
    /// How statements are sent.
    pub api: Api,
    /// How the server is reached.
    pub link: Link,
    /// What else goes on.
    pub background: Option<Background>,
    /// Tables in turn, 1 to 10.
    pub tables: u32,
    /// MariaDB's query cache; `None` leaves it as the server has it.
    pub cache: Option<bool>,
    /// How often each row is selected.
    pub times: u32,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Op {
    Insert,
    SelectPk,
    /// Of four columns.
    UpdatePk4,
    DeletePk,
}

/// The tables' engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Engine {
    InnoDb,
    MyIsam,
    /// MariaDB only.
    Aria,
}

/// When it is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Commit {
    /// Each statement by itself.
    Auto,
    /// All of them at the end.
    OneTransaction,
    /// After so many.
    Every(u32),
}

/// How statements are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Api {
    /// `COM_QUERY`.
    Text,
    /// Prepared, executed and closed each time: a cache of one statement, and two of them in turn (so at least two tables).
    PrepareEach,
    /// Prepared when it is first used.
    PrepareOnce,
}

/// How the server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Link {
    /// Its Unix socket.
    Unix,
    /// Loopback.
    Tcp,
    /// Loopback, connected anew for each operation.
    TcpReconnect,
}

/// What else goes on: tasks with a connection each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Background {
    /// How many.
    pub tasks: u32,
    /// What they do.
    pub mix: Mix,
    /// How often each of them does it.
    pub every: Duration,
}

/// What they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mix {
    /// Point selects.
    Read,
    /// Every other one an update.
    ReadWrite,
}

impl Default for C {
    /// Selects of 10,000 rows as an application would do them.
    fn default() -> Self {
        Self {
            op: Op::SelectPk,
            n: 10_000,
            engine: Engine::InnoDb,
            commit: Commit::Auto,
            flush_log: 1,
            api: Api::PrepareOnce,
            link: Link::Tcp,
            background: None,
            tables: 1,
            cache: None,
            times: 1,
        }
    }
}

impl fmt::Display for C {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.op, self.engine)?;
        match self.commit {
            Commit::Auto => {}
            commit => write!(f, ", {commit:?}")?,
        }
        write!(
            f,
            ", flush {}, {:?}, {:?}",
            self.flush_log, self.api, self.link
        )?;
        if self.tables > 1 {
            write!(f, ", {} tables", self.tables)?;
        }
        if let Some(Background { tasks, mix, every }) = self.background {
            write!(f, ", {tasks} {mix:?} every {every:?}")?;
        }
        if let Some(on) = self.cache {
            write!(f, ", cache {}", if on { "on" } else { "off" })?;
        }
        if self.times > 1 {
            write!(f, ", {} times", self.times)?;
        }
        Ok(())
    }
}

/// The whole workload.
#[derive(Clone, Debug)]
pub struct Sailzeng {
    /// Such as `C4`; all where there is none.
    pub experiments: Vec<String>,
    /// Operations of each run.
    pub rows: u32,
    /// Rounds of each run; the runs of an experiment take turns.
    pub rounds: u32,
}

/// For a server that is started for the run: it waits for its disk, as servers do, and takes all background tasks.
pub const ARGUMENTS: [&str; 4] = [
    "--innodb-flush-method=fsync",
    "--max-connections=300",
    "--innodb-buffer-pool-size=512M",
    "--loose-query-cache-size=32M",
];

impl Sailzeng {
    /// Runs the experiments on every server. `progress` is told what is done.
    ///
    /// # Errors
    /// There is no such experiment; a statement fails, or gives something else than it must.
    pub fn measure(&self, servers: &[Server], progress: impl Fn(&str)) -> Result<Report> {
        ensure!(self.rows >= 10, "fewer than ten rows are no run");
        let experiments = self.chosen()?;
        let (mut facts, mut cells, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        for server in servers {
            let mut runner = Runner::connect(server)?;
            for experiment in &experiments {
                let ran = self.experiment(&mut runner, experiment, &progress)?;
                findings.extend(compared(experiment, &runner.facts, &ran));
                cells.extend(
                    ran.into_iter()
                        .map(|(c, rounds)| measured(experiment, &runner.facts, &c, &rounds)),
                );
            }
            facts.push(runner.facts);
        }
        Ok(Report {
            workload: "sailzeng".to_owned(),
            method: format!(
                "one row a statement by primary key, every result verified; {} operations a run, {} rounds, the runs of an experiment in turns; background tasks on threads of their own; server counters of the first round; C11, the environment, is the next line, and in full in the JSON",
                self.rows, self.rounds
            ),
            environment: Environment::new(facts),
            cells,
            findings,
        })
    }

    fn chosen(&self) -> Result<Vec<Experiment>> {
        let mut chosen = all(self.rows);
        for id in &self.experiments {
            let known = chosen.iter().any(|one| one.id == id) || ["C11", "C12"].contains(&&**id);
            ensure!(known, "there is no experiment {id}: they are C1 to C12");
        }
        // C11 and C12 are columns of every report.
        chosen.retain(|one| {
            self.experiments.is_empty() || self.experiments.iter().any(|id| one.id == id)
        });
        Ok(chosen)
    }

    fn experiment(
        &self,
        runner: &mut Runner,
        experiment: &Experiment,
        progress: &impl Fn(&str),
    ) -> Result<Vec<(C, Vec<Outcome>)>> {
        let possible = |c: &&C| runner.can(c);
        let runs: Vec<C> = experiment.runs.iter().filter(possible).copied().collect();
        let outcomes = in_turn(runs.len(), self.rounds, |number, round| {
            let Some(c) = runs.get(number) else {
                anyhow::bail!("there is no run {number}");
            };
            let (id, of) = (experiment.id, self.rounds);
            progress(&format!("{id}, round {} of {of}: {c}", round + 1));
            runner.run(c)
        })?;
        Ok(runs.into_iter().zip(outcomes).collect())
    }
}

fn group(experiment: &Experiment, facts: &ServerFacts) -> String {
    format!("{} on {}", experiment.id, facts.version)
}

fn measured(experiment: &Experiment, facts: &ServerFacts, c: &C, rounds: &[Outcome]) -> Measured {
    let of =
        |name, of: fn(&Outcome) -> f64| Measure::new(name, rounds.iter().map(of).collect(), None);
    Measured {
        group: group(experiment, facts),
        label: c.to_string(),
        measures: vec![
            of("operations/s", |outcome| outcome.round.rate()),
            of("p50 us", |outcome| outcome.round.p50_us),
            of("p99 us", |outcome| outcome.round.p99_us),
            of("client CPU us/op", |outcome| outcome.round.cpu_us()),
        ],
        counters: rounds
            .first()
            .map(|outcome| outcome.counters.clone())
            .unwrap_or_default(),
    }
}

/// The ratios that an experiment asks for, by the median over the rounds.
fn compared(
    experiment: &Experiment,
    facts: &ServerFacts,
    ran: &[(C, Vec<Outcome>)],
) -> Vec<Finding> {
    let of = |wanted: &C| {
        ran.iter()
            .find(|(c, _)| c == wanted)
            .map(|(_, rounds)| rounds)
    };
    let mut findings = Vec::new();
    for ratio in &experiment.ratios {
        let (Some(one), Some(other)) = (of(&ratio.of), of(&ratio.to)) else {
            continue;
        };
        let ratios = one.iter().zip(other);
        let ratios = ratios.map(|(one, other)| one.round.rate() / other.round.rate());
        findings.push(Finding {
            what: format!("{} on {}: {}", experiment.id, facts.version, ratio.what),
            published: ratio.published,
            ours: Some(Measure::new("", ratios.collect(), None).median),
            note: experiment.published.to_owned(),
        });
    }
    findings
}

/// Which measures are drawn.
pub const CHARTED: [&str; 1] = ["operations/s"];
