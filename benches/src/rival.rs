//! Rival drivers, each a program of its own from the workspace `benches/rivals`.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use benches_common::rival::{Job, Task, Took, Turn};
use clap::ValueEnum;

use crate::beside::Side;
use crate::callgrind::{self, Cost};
use crate::worker::Process;

/// A driver that does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Rival {
    Sqlx,
    MysqlAsync,
    Mysql,
    ZeroMysql,
    Wtx,
    Diesel,
}

/// `--rivals`: some of them, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Choice {
    All,
    Sqlx,
    #[value(name = "mysql_async")]
    MysqlAsync,
    Mysql,
    ZeroMysql,
    Wtx,
    Diesel,
}

/// Those that take part, and those that cannot.
#[derive(Clone, Debug, Default)]
pub struct Rivals {
    /// Their programs are there.
    pub built: Vec<Rival>,
    /// Their programs are not.
    pub missing: Vec<Rival>,
}

impl Rival {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Sqlx,
        Self::MysqlAsync,
        Self::Mysql,
        Self::ZeroMysql,
        Self::Wtx,
        Self::Diesel,
    ];

    fn package(self) -> &'static str {
        match self {
            Self::Sqlx => "sqlx",
            Self::MysqlAsync => "mysql_async",
            Self::Mysql => "mysql",
            Self::ZeroMysql => "zero-mysql",
            Self::Wtx => "wtx",
            Self::Diesel => "diesel",
        }
    }

    /// Whether it was built with TLS.
    pub fn has_tls(self) -> bool {
        !matches!(self, Self::ZeroMysql | Self::Diesel)
    }

    /// Whether it reads rows of statements that it has not prepared.
    pub fn has_text(self) -> bool {
        self != Self::Diesel
    }

    /// Where its program must be: in the target folder of `benches/rivals`, or in that which `ARK_MYSQL_RIVALS_TARGET` names.
    pub fn program(self) -> PathBuf {
        let target = std::env::var_os("ARK_MYSQL_RIVALS_TARGET").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals/target"),
            PathBuf::from,
        );
        target
            .join("release")
            .join(format!("rival-{}", self.package()))
    }

    /// Starts its program and gives it the job.
    ///
    /// # Errors
    /// It was not built, or cannot do the job; why it says on the standard error.
    pub(crate) fn start<T: for<'de> serde::Deserialize<'de>>(
        self,
        job: &Job,
    ) -> Result<(Process, T)> {
        let mut process = Process::start(&self.program(), &[])?;
        process.tell(job)?;
        let ready = process.hear().with_context(|| self.to_string())?;
        Ok((process, ready))
    }

    /// One that takes turns.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub(crate) fn turns(self, task: Task, url: &str) -> Result<Turns> {
        let url = url.to_owned();
        let (process, connection) = self.start(&Job::Turns { task, url })?;
        Ok(Turns {
            process,
            connection,
        })
    }

    /// Instructions and allocations of a unit.
    ///
    /// # Errors
    /// As those of [`callgrind::slope`].
    pub fn cost(self, task: Task, url: &str, (few, many): (u32, u32)) -> Result<Cost> {
        let url = url.to_owned();
        let job = serde_json::to_string(&Job::Turns { task, url })?;
        callgrind::slope_of(&self.program(), &[OsString::from(job)], few, many)
    }
}

/// With the version in the lock file of `benches/rivals`.
impl fmt::Display for Rival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.package();
        let lock = include_str!("../rivals/Cargo.lock");
        let entry = format!("name = \"{name}\"\nversion = \"");
        let version = lock.split_once(&entry).and_then(|(_, rest)| {
            let (version, _) = rest.split_once('"')?;
            Some(version)
        });
        write!(f, "{name} {}", version.unwrap_or("of no known version"))
    }
}

impl Rivals {
    /// Of those that were asked for.
    pub fn of(choices: &[Choice]) -> Self {
        let asked = |rival: &Rival| {
            let one = |choice: &Choice| choice.one().is_none_or(|one| one == *rival);
            choices.iter().any(one)
        };
        let (built, missing) = Rival::ALL
            .into_iter()
            .filter(asked)
            .partition(|rival| rival.program().is_file());
        Self { built, missing }
    }

    /// A sentence about those that are missing: which, and how they are built.
    pub fn advice(&self) -> Option<String> {
        let how = |rival: &Rival| {
            let first = match rival {
                Rival::Diesel => "apt-get install libmariadb-dev && ",
                _ => "",
            };
            let feature = rival.package();
            format!(
                "{rival} is not built: {first}cargo build --release --manifest-path benches/rivals/Cargo.toml --features {feature} (looked for {})",
                rival.program().display()
            )
        };
        let lines: Vec<String> = self.missing.iter().map(how).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

impl Choice {
    /// `None` is all.
    fn one(self) -> Option<Rival> {
        match self {
            Self::All => None,
            Self::Sqlx => Some(Rival::Sqlx),
            Self::MysqlAsync => Some(Rival::MysqlAsync),
            Self::Mysql => Some(Rival::Mysql),
            Self::ZeroMysql => Some(Rival::ZeroMysql),
            Self::Wtx => Some(Rival::Wtx),
            Self::Diesel => Some(Rival::Diesel),
        }
    }
}

/// A rival's process that takes turns with all others; it measures by itself.
pub(crate) struct Turns {
    process: Process,
    connection: Option<u64>,
}

impl Turns {
    /// The system's number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.pid()
    }

    fn order(&mut self, count: u32, verify: bool) -> Result<Took> {
        self.process.tell(&Turn { count, verify })?;
        self.process.hear()
    }
}

impl Side for Turns {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.connection)
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        self.order(count, false).map(drop)
    }

    fn verify(&mut self, count: u32) -> Result<()> {
        self.order(count, true).map(drop)
    }

    fn timed(&mut self, count: u32) -> Result<Took> {
        self.order(count, false)
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Rival, Rivals};

    #[test]
    fn each_has_a_version_in_the_lock_file() {
        for rival in Rival::ALL {
            let title = rival.to_string();
            assert!(title.contains('.'), "{title}");
        }
    }

    #[test]
    fn all_are_all_and_none_are_none() {
        let count = |choices: &[Choice]| {
            let rivals = Rivals::of(choices);
            rivals.built.len() + rivals.missing.len()
        };
        assert_eq!(
            [
                count(&[]),
                count(&[Choice::Wtx, Choice::Diesel]),
                count(&[Choice::All])
            ],
            [0, 2, 6]
        );
    }

    #[test]
    fn who_is_missing_is_told_how_to_come() {
        let rivals = Rivals {
            built: Vec::new(),
            missing: vec![Rival::Diesel],
        };
        let advice = rivals.advice().expect("one is missing");
        assert!(
            advice.contains("--features diesel") && advice.contains("libmariadb-dev"),
            "{advice}"
        );
        assert_eq!(Rivals::default().advice(), None);
    }
}
