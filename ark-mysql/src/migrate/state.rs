//! How each migration stands: the files beside the rows of the table.

use std::time::Duration;

use super::checksum;
use super::error::beginning;
use super::files::Migration;
use super::table::Row;
use crate::script::{Quoting, Statement};

/// One migration and how it stands in a database.
#[derive(Clone, Debug)]
pub struct MigrationInfo {
    /// The version.
    pub version: u64,
    /// The name of the file if it is there, else what the database remembers of it.
    pub file: String,
    /// Whether it can be undone.
    pub reversible: bool,
    /// How it stands.
    pub state: State,
    /// When it was begun, in UTC, as in `2026-01-31 12:00:00`.
    pub began_at: Option<String>,
    /// How long it took.
    pub elapsed: Option<Duration>,
}

/// How a migration stands in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Not applied yet.
    Pending,
    /// Not applied yet, and one of a higher version is.
    OutOfOrder,
    /// Applied, and the file is as it was.
    Applied,
    /// Applied, and the file has changed since.
    Changed,
    /// Applied, and the file is gone.
    Missing,
    /// Begun: so many of its statements are done. A run goes on behind them.
    Partial {
        /// How many are done.
        done: usize,
        /// How many there are.
        statements: usize,
    },
    /// Begun, and statements that are done have changed in the file since.
    PartialChanged {
        /// How many are done.
        done: usize,
    },
    /// A statement was begun and not seen to end.
    InDoubt {
        /// Which one, counted from 1.
        statement: usize,
        /// How many are done for sure.
        done: usize,
        /// Whether it is a statement of the `.down.sql`.
        reverting: bool,
    },
    /// It was being undone: so many statements of its `.down.sql` are done.
    Reverting {
        /// How many are done.
        done: usize,
    },
}

/// All migrations that the files or the database know, by version. `quoting` is that of a new session.
pub(super) fn infos(
    migrations: &[Migration],
    rows: &[Row],
    quoting: Quoting,
) -> Vec<MigrationInfo> {
    let highest = rows.iter().map(|row| row.version).max();
    let of_files = migrations.iter().map(|migration| {
        let row = rows.iter().find(|row| row.version == migration.version());
        info(migration, row, highest, quoting)
    });
    let known = |row: &&Row| {
        migrations
            .iter()
            .all(|migration| migration.version() != row.version)
    };
    let of_rows = rows.iter().filter(known).map(missing);
    let mut all: Vec<MigrationInfo> = of_files.chain(of_rows).collect();
    all.sort_by_key(|info| info.version);
    all
}

fn info(
    migration: &Migration,
    row: Option<&Row>,
    highest: Option<u64>,
    quoting: Quoting,
) -> MigrationInfo {
    let state = match row {
        Some(row) => state_of(migration, row, quoting),
        None if highest.is_some_and(|highest| highest > migration.version()) => State::OutOfOrder,
        None => State::Pending,
    };
    MigrationInfo {
        version: migration.version(),
        file: migration.up().file().to_owned(),
        reversible: migration.down().is_some(),
        state,
        began_at: row.map(|row| row.began_at.clone()),
        elapsed: row.and_then(|row| row.elapsed),
    }
}

fn missing(row: &Row) -> MigrationInfo {
    MigrationInfo {
        version: row.version,
        file: format!("{}_{}.sql", row.version, row.name),
        reversible: false,
        state: State::Missing,
        began_at: Some(row.began_at.clone()),
        elapsed: row.elapsed,
    }
}

fn state_of(migration: &Migration, row: &Row, quoting: Quoting) -> State {
    if let Some(statement) = row.running {
        return State::InDoubt {
            statement,
            done: row.done,
            reverting: row.reverting,
        };
    }
    if row.finished {
        return if row.checksum == migration.up().checksum() {
            State::Applied
        } else {
            State::Changed
        };
    }
    let script = if row.reverting {
        migration.down()
    } else {
        Some(migration.up())
    };
    match script {
        Some(script) if !is_prefix(&script.statements(quoting), row) => {
            State::PartialChanged { done: row.done }
        }
        _ if row.reverting => State::Reverting { done: row.done },
        _ => State::Partial {
            done: row.done,
            statements: row.statements,
        },
    }
}

/// Whether the statements that are done still stand in front of the file.
fn is_prefix(statements: &[Statement<'_>], row: &Row) -> bool {
    let done = statements
        .iter()
        .take(row.done)
        .map(|statement| statement.sql);
    statements.len() >= row.done && checksum::of_statements(done) == row.done_checksum
}

/// What may differ without being a problem.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tolerance {
    pub(super) out_of_order: bool,
    pub(super) missing: bool,
    /// A revert goes on with a revert.
    pub(super) reverting: bool,
}

/// What keeps a run from beginning, each as a sentence that says what to do.
pub(super) fn problems(
    infos: &[MigrationInfo],
    migrations: &[Migration],
    quoting: Quoting,
    tolerance: Tolerance,
) -> Vec<String> {
    let sql_of = |version, number, reverting| {
        let sql = sql_of(migrations, quoting, version, reverting, number);
        sql.unwrap_or_default()
    };
    infos
        .iter()
        .filter_map(|info| problem(info, &sql_of, tolerance))
        .collect()
}

fn problem(
    info: &MigrationInfo,
    sql_of: &dyn Fn(u64, usize, bool) -> String,
    tolerance: Tolerance,
) -> Option<String> {
    let MigrationInfo { version, file, .. } = info;
    Some(match &info.state {
        State::Pending | State::Applied | State::Partial { .. } => return None,
        State::OutOfOrder if tolerance.out_of_order => return None,
        State::Missing if tolerance.missing => return None,
        State::Reverting { .. } if tolerance.reverting => return None,
        State::OutOfOrder => format!(
            "{file}: not applied, but one of a higher version is, as after a merge of branches. Give it a new version, or allow it (`allow_out_of_order`, \
             `--allow-out-of-order`) if the order does not matter"
        ),
        State::Changed => format!(
            "{file}: changed since it was applied. Restore it and put the change into a new migration; if nothing but comments or layout \
             changed: `cargo ark-mysql migrate resolve {version} --done all`"
        ),
        State::Missing => format!(
            "{file}: applied, but the file is gone. Restore it, or let it be missing (`ignore_missing`, `--ignore-missing`)"
        ),
        State::PartialChanged { done } => format!(
            "{file}: {}, and changed in the file since. Restore what is done, and change only what comes behind",
            first(*done)
        ),
        State::Reverting { done } => format!(
            "{file}: being undone, {} of the statements of its .down.sql done. Go on with that: `cargo ark-mysql migrate revert`",
            done
        ),
        State::InDoubt {
            statement,
            done,
            reverting,
        } => format!(
            "{file}: statement {statement}{} was begun and not seen to end. Look in the database whether it happened. If so: `cargo ark-mysql migrate \
             resolve {version} --done {statement}`, if not: `… --done {done}`. (If another run of it is still going on, let that finish first.)",
            sql_of(*version, *statement, *reverting)
        ),
    })
}

fn first(done: usize) -> String {
    match done {
        1 => "statement 1 is applied".to_owned(),
        done => format!("the statements 1 to {done} are applied"),
    }
}

fn sql_of(
    migrations: &[Migration],
    quoting: Quoting,
    version: u64,
    reverting: bool,
    number: usize,
) -> Option<String> {
    let migration = migrations
        .iter()
        .find(|migration| migration.version() == version)?;
    let script = match reverting {
        true => migration.down()?,
        false => migration.up(),
    };
    let statements = script.statements(quoting);
    let statement = statements.get(number.checked_sub(1)?)?;
    Some(format!(" ({})", beginning(statement.sql)))
}
