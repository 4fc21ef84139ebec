//! What can go wrong, in whole sentences: what, where, what is done already, what to do.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Error, ErrorKind, Outcome};

/// Why migrations could not be read, compared or applied. `?` makes an [`Error`] of it, with this as its source.
#[derive(Debug)]
#[non_exhaustive]
pub enum MigrateError {
    /// The folder or one of its files cannot be read.
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// The operating system's reason.
        source: io::Error,
    },
    /// A file's name makes no sense.
    BadFile {
        /// The file.
        file: String,
        /// What is wrong with it, and what to do.
        problem: String,
    },
    /// The program was built before files were added to its folder, or removed from it.
    Outdated {
        /// The folder.
        folder: String,
        /// The files that only one of the two has.
        files: Vec<String>,
    },
    /// The address names no database.
    NoDatabase,
    /// The server could not be reached, or refused what the bookkeeping needs.
    Database {
        /// What was being done.
        doing: &'static str,
        /// The driver's error.
        source: Error,
    },
    /// Somebody else migrates this database, and did not finish in time.
    Locked {
        /// How long was waited.
        waited: Duration,
        /// The server's number of the connection that holds the lock.
        holder: Option<u64>,
    },
    /// What the database remembers does not fit the files. Nothing was applied.
    Mismatch(Vec<String>),
    /// A statement failed.
    Failed(Box<FailedStatement>),
    /// There is no migration of this version.
    NoSuchVersion(u64),
    /// What was asked for cannot be done with this migration.
    Refused(String),
}

/// A statement of a migration that failed.
#[derive(Debug)]
pub struct FailedStatement {
    pub(super) file: String,
    pub(super) number: usize,
    pub(super) statements: usize,
    pub(super) line: usize,
    pub(super) sql: String,
    pub(super) error: Error,
    /// How many statements of the file are done and recorded.
    pub(super) done: usize,
    /// Whether the statement may have happened.
    pub(super) in_doubt: bool,
    pub(super) version: u64,
    pub(super) applied: usize,
    pub(super) reverting: bool,
}

impl FailedStatement {
    /// The name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Which statement of the file, counted from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The line of the file that the statement begins on, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The statement.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// What the server, or the driver, said.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// How many statements of the file are done and recorded.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Whether nobody can know if the statement happened: the connection broke while it ran.
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }
}

impl MigrateError {
    pub(super) fn database(doing: &'static str) -> impl FnOnce(Error) -> Self {
        move |source| Self::Database { doing, source }
    }
}

impl fmt::Display for MigrateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => {
                write!(f, "cannot read {}: {source}", path.display())?;
                match source.kind() {
                    io::ErrorKind::NotFound => f.write_str("; `cargo ark-mysql migrate add NAME` makes a folder `migrations` with a first file"),
                    _ => Ok(()),
                }
            }
            Self::BadFile { file, problem } => write!(f, "{file}: {problem}"),
            Self::Outdated { folder, files } => write!(
                f,
                "this program was built before its migrations changed: {} in {folder} was not there then, or is gone since. Build it again; so that cargo sees it \
                 by itself, put `println!(\"cargo::rerun-if-changed=migrations\");` (with your folder) into the main function of build.rs",
                files.join(", ")
            ),
            Self::NoDatabase => f.write_str("the address names no database to migrate: write it behind the host, as in mysql://user@host/shop"),
            Self::Database { doing, source } => write!(f, "{doing}: {source}{}", advice(source)),
            Self::Locked { waited, holder } => locked(f, *waited, *holder),
            Self::Mismatch(problems) => mismatch(f, problems),
            Self::Failed(failed) => failed.fmt(f),
            Self::NoSuchVersion(version) => write!(f, "there is no migration with the version {version}"),
            Self::Refused(why) => f.write_str(why),
        }
    }
}

/// What to do about errors that new users meet.
fn advice(error: &Error) -> &'static str {
    match error.server().map(|server| server.code) {
        Some(1049) => {
            ". `cargo ark-mysql migrate run --create-database` (`Migrator::create_database`) creates it"
        }
        Some(1044 | 1142) => {
            ". The account needs the rights to read and write the table of migrations, and to create it once"
        }
        _ => "",
    }
}

fn locked(f: &mut fmt::Formatter<'_>, waited: Duration, holder: Option<u64>) -> fmt::Result {
    let seconds = waited.as_secs_f32();
    write!(
        f,
        "another migration of this database is going on, and has not ended within {seconds} s. "
    )?;
    match holder {
        Some(id) => write!(
            f,
            "Its connection has the number {id} in the server's SHOW PROCESSLIST: let it finish, or end it (KILL {id}), and run again"
        ),
        None => f.write_str("Run again"),
    }
}

fn mismatch(f: &mut fmt::Formatter<'_>, problems: &[String]) -> fmt::Result {
    f.write_str("the database and the migrations do not fit together; nothing was applied:")?;
    problems
        .iter()
        .try_for_each(|problem| write!(f, "\n  {problem}"))
}

impl fmt::Display for FailedStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            number,
            statements,
            line,
            error,
            ..
        } = self;
        writeln!(
            f,
            "{file}:{line}: statement {number} of {statements} failed: {}",
            Said(error)
        )?;
        writeln!(f, "  statement: {}", beginning(&self.sql))?;
        writeln!(f, "  applied:   {}", self.state())?;
        write!(f, "  to do:     {}", self.advice())
    }
}

impl FailedStatement {
    fn state(&self) -> String {
        let verb = if self.reverting { "undone" } else { "applied" };
        let before = match (self.applied, self.reverting) {
            (0, _) => String::new(),
            (1, _) => format!("1 file was {verb} before this one; "),
            (files, _) => format!("{files} files were {verb} before this one; "),
        };
        let of_this = match self.done {
            0 => "of this file nothing".to_owned(),
            1 => "of this file statement 1, which stays".to_owned(),
            done => format!("of this file the statements 1 to {done}, which stay"),
        };
        format!("{before}{of_this}")
    }

    fn advice(&self) -> String {
        let (version, number, done) = (self.version, self.number, self.done);
        let command = if self.reverting { "revert" } else { "run" };
        if self.in_doubt {
            return format!(
                "the connection broke while statement {number} ran, so look in the database whether it happened. If so: `cargo ark-mysql migrate \
                 resolve {version} --done {number}`, if not: `… --done {done}`. Then {command} again: the file goes on behind that"
            );
        }
        let next = done + 1;
        let keep = match done {
            0 => String::new(),
            1 => "; leave statement 1 as it is".to_owned(),
            done => format!("; leave the statements 1 to {done} as they are"),
        };
        let busy = match self.error.server().map(|server| server.code) {
            Some(1205) => {
                "another session kept a table busy for too long: end that (SHOW PROCESSLIST), or wait longer (`table_timeout`). Then"
            }
            _ => "mend the file or the database, then",
        };
        format!("{busy} {command} again: it goes on with statement {next}{keep}")
    }
}

/// The server's own words where there are any.
struct Said<'e>(&'e Error);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.server() {
            Some(server) => write!(
                f,
                "{} ({}): {}",
                server.code, server.sql_state, server.message
            ),
            None => self.0.fmt(f),
        }
    }
}

/// Enough to know the statement by, on one line.
pub(super) fn beginning(sql: &str) -> String {
    const MOST: usize = 100;
    let line: Vec<&str> = sql.split_whitespace().collect();
    let line = line.join(" ");
    let cut: String = line.chars().take(MOST).collect();
    if cut.len() < line.len() {
        cut + " …"
    } else {
        line
    }
}

impl StdError for MigrateError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Database { source, .. } => Some(source),
            Self::Failed(failed) => Some(&failed.error),
            Self::BadFile { .. }
            | Self::Outdated { .. }
            | Self::NoDatabase
            | Self::Locked { .. }
            | Self::Mismatch(_)
            | Self::NoSuchVersion(_)
            | Self::Refused(_) => None,
        }
    }
}

impl From<MigrateError> for Error {
    fn from(error: MigrateError) -> Self {
        let outcome = match &error {
            MigrateError::Failed(failed) if failed.in_doubt => Outcome::Unknown,
            MigrateError::Failed(failed) if failed.done + failed.applied > 0 => Outcome::Partial,
            MigrateError::Failed(failed) => failed.error.outcome(),
            MigrateError::Database { source, .. } => source.outcome(),
            _ => Outcome::NotSent,
        };
        Self::new(ErrorKind::Migration, outcome, error.to_string()).with_source(error)
    }
}
