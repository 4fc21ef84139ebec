//! One error type, one pointer wide: what went wrong, where, and what to do about it.
//!
//! * [`Error::kind`] is one word to match on;
//! * [`Error::server`] is what the server said, if it said something;
//! * [`Error::outcome`] tells whether the statement happened;
//! * [`Error::is_transient`] tells whether the same thing may work a moment later.
//!
//! Neither `Debug` nor `Display` ever shows a password or a parameter's value.

mod beginning;
mod class;
mod from;
mod kind;
mod outcome;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

pub(crate) use beginning::beginning;

use crate::transaction::UnknownCommit;
pub use ark_mysql_proto::ServerError;
pub use kind::ErrorKind;
pub use outcome::Outcome;

/// A `Result` with this crate's [`Error`], unless said otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of every fallible function of this crate.
///
/// `(statement 819ed510af1f5659)` in a message names a checked statement: its text stands in `.ark-mysql/819ed510af1f5659.json`, if the crate
/// keeps a cache. SQL made at run time has no such file: its first words stand behind the number, up to the first value that is written there.
/// Traces name statements by the same numbers.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    outcome: Outcome,
    server: Option<ServerError>,
    detail: Cow<'static, str>,
    advice: Option<Cow<'static, str>>,
    statement: Option<u128>,
    /// The first words of SQL that was made at run time: its digest names no file.
    beginning: Option<Box<str>>,
    source: Option<Box<dyn StdError + Send + Sync>>,
    unknown_commit: Option<UnknownCommit>,
    row: Option<usize>,
}

/// What one can ask.
impl Error {
    /// What went wrong, as one word.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What the server said: code, SQL state and message.
    pub fn server(&self) -> Option<&ServerError> {
        self.0.server.as_ref()
    }

    /// Whether the statement happened.
    pub fn outcome(&self) -> Outcome {
        self.0.outcome
    }

    /// Of a `CommitOutcomeUnknown`: what is needed to find out whether the transaction was committed.
    pub fn unknown_commit(&self) -> Option<&UnknownCommit> {
        self.0.unknown_commit.as_ref()
    }

    /// Of `insert_many!`: the number of the row that failed, counted from 0, where it is known. See [`InsertMany`](crate::InsertMany).
    pub fn row(&self) -> Option<usize> {
        self.0.row
    }

    /// Whether trying again may help: deadlock, lock wait, too many connections, a lost link before anything was sent.
    ///
    /// Never true when the statement may have happened already.
    pub fn is_transient(&self) -> bool {
        if matches!(
            self.0.outcome,
            Outcome::Unknown | Outcome::Partial | Outcome::Done
        ) {
            return false;
        }
        match self.0.kind {
            ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed | ErrorKind::PoolTimeout => {
                true
            }
            ErrorKind::Timeout => self.0.outcome == Outcome::NotSent,
            ErrorKind::Connect => self
                .0
                .server
                .as_ref()
                .is_none_or(|error| is_transient_code(error.code)),
            _ => self
                .0
                .server
                .as_ref()
                .is_some_and(|error| is_transient_code(error.code)),
        }
    }

    /// Wraps an error of your own, to stop a `for_each` with it; it comes back as the [`source`](StdError::source).
    pub fn other(error: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let error = error.into();
        let detail = error.to_string();
        let mut this = Self::new(ErrorKind::Other, Outcome::Done, detail);
        this.0.source = Some(error);
        this
    }
}

/// How the crate makes them.
impl Error {
    #[cold]
    pub(crate) fn new(
        kind: ErrorKind,
        outcome: Outcome,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Inner {
            kind,
            outcome,
            server: None,
            detail: detail.into(),
            advice: None,
            statement: None,
            beginning: None,
            source: None,
            unknown_commit: None,
            row: None,
        }))
    }

    /// The server's own words; the kind is by their code, and the outcome `Rejected` unless changed.
    #[cold]
    pub(crate) fn from_server(server: ServerError) -> Self {
        let mut this = Self::new(ErrorKind::of_server(&server), Outcome::Rejected, "");
        this.0.server = Some(server);
        this
    }

    /// Whether the server answered what was sent, by an error.
    pub(crate) fn is_refusal(&self) -> bool {
        self.0.server.is_some() && self.0.outcome == Outcome::Rejected
    }

    pub(crate) fn with_server(mut self, server: ServerError) -> Self {
        self.0.server = Some(server);
        self
    }

    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    pub(crate) fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.0.outcome = outcome;
        self
    }

    pub(crate) fn with_unknown_commit(mut self, commit: UnknownCommit) -> Self {
        let id = commit.connection_id();
        self.0.unknown_commit = Some(commit);
        self.with_advice(format!(
            "look in the database for what the transaction wrote before doing it again, once connection {id} is gone from the server's \
             process list (a marker row makes it certain)"
        ))
    }

    /// What the user can do about it: a whole sentence part, shown after a semicolon.
    pub(crate) fn with_advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.0.advice = Some(advice.into());
        self
    }

    pub(crate) fn with_source(
        mut self,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Says where: the line of a script and the like.
    pub(crate) fn at(mut self, place: impl fmt::Display) -> Self {
        let detail = &mut self.0.detail;
        *detail = if detail.is_empty() {
            format!("at {place}").into()
        } else {
            format!("{detail}, at {place}").into()
        };
        self
    }

    /// Says more of the same: what stood behind it.
    #[cold]
    pub(crate) fn more(mut self, detail: &str) -> Self {
        self.0.detail = format!("{}: {detail}", self.0.detail).into();
        self
    }

    /// Names the row of many, by its number from 0.
    #[cold]
    pub(crate) fn in_row(mut self, row: usize) -> Self {
        self.0.row = Some(row);
        self.at(format_args!("row {row}, counted from 0"))
    }

    /// Names the statement by its digest, unless it is named already.
    pub(crate) fn in_statement(mut self, digest: u128) -> Self {
        self.0.statement.get_or_insert(digest);
        self
    }

    /// Shows the first words of a statement that was made at run time.
    #[cold]
    pub(crate) fn in_sql(mut self, digest: u128, sql: &str) -> Self {
        self.0.beginning = Some(beginning(sql));
        self.in_statement(digest)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        f.write_str(inner.kind.what())?;
        if !inner.detail.is_empty() {
            write!(f, ": {}", inner.detail)?;
        }
        if let Some(server) = &inner.server {
            write!(
                f,
                ": {} ({}): {}",
                server.code, server.sql_state, server.message
            )?;
        }
        if let Some(digest) = inner.statement {
            let sql = inner.beginning.as_deref();
            let (colon, sql) = sql.map_or(("", ""), |sql| (": ", sql));
            write!(f, " (statement {}{colon}{sql})", Fingerprint(digest))?;
        }
        if let Some(advice) = &inner.advice {
            write!(f, "; {advice}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Error");
        shown
            .field("kind", &self.0.kind)
            .field("outcome", &self.0.outcome)
            .field("message", &format_args!("{self}"));
        if let Some(source) = &self.0.source {
            shown.field("source", source);
        }
        shown.finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0
            .source
            .as_deref()
            .map(|source| source as &(dyn StdError + 'static))
    }
}

/// A statement's name in messages and traces: the first 16 hex digits of its digest, as its cache file is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(pub(crate) u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0 >> 64)
    }
}

/// Codes after which the same statement or login may work a moment later.
fn is_transient_code(code: u16) -> bool {
    matches!(
        code,
        1020 // a row changed after the transaction had begun to read (MariaDB's snapshot isolation)
        | 1040 // too many connections
        | 1203 // too many connections of this user
        | 1205 // lock wait timeout
        | 1213 // deadlock
        | 1053 // server shutdown in progress
        | 1290 | 1792 | 1836 // read-only: a failover is going on
        | 3572 // NOWAIT and the row is locked
    )
}
