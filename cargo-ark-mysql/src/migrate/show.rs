//! How each migration stands, for people and for programs.

use std::io::{self, Write};

use ark_mysql::migrate::{MigrationInfo, State};
use serde_json::{Value, json};

/// A line for each migration.
pub(super) fn table(infos: &[MigrationInfo], out: &mut impl Write) -> io::Result<()> {
    let width = infos
        .iter()
        .map(|info| info.file.chars().count())
        .max()
        .unwrap_or_default();
    for info in infos {
        let when = match (&info.began_at, info.elapsed) {
            (Some(at), Some(elapsed)) => format!("  {at} UTC, {elapsed:.1?}"),
            (Some(at), None) => format!("  {at} UTC"),
            (None, _) => String::new(),
        };
        let (file, words) = (&info.file, words(&info.state));
        writeln!(out, "  {file:<width$}  {words}{when}")?;
    }
    Ok(())
}

pub(super) fn words(state: &State) -> String {
    match state {
        State::Pending => "pending".to_owned(),
        State::OutOfOrder => "pending, out of order".to_owned(),
        State::Applied => "applied".to_owned(),
        State::Changed => "applied, and the file has changed since".to_owned(),
        State::Missing => "applied, and the file is gone".to_owned(),
        State::Partial { done, statements } => format!("{done} of {statements} statements applied"),
        State::PartialChanged { done } => {
            format!("{done} statements applied, and changed in the file since")
        }
        State::InDoubt { statement, .. } => {
            format!("in doubt: statement {statement} was begun and not seen to end")
        }
        State::Reverting { done } => format!("being undone, {done} statements done"),
        _ => "unknown".to_owned(),
    }
}

/// One object, on lines.
pub(super) fn json(infos: &[MigrationInfo], out: &mut impl Write) -> io::Result<()> {
    let migrations: Vec<Value> = infos.iter().map(object).collect();
    let text = serde_json::to_string_pretty(&json!({ "migrations": migrations }))?;
    writeln!(out, "{text}")
}

fn object(info: &MigrationInfo) -> Value {
    let (state, done) = match info.state {
        State::Pending => ("pending", None),
        State::OutOfOrder => ("out-of-order", None),
        State::Applied => ("applied", None),
        State::Changed => ("changed", None),
        State::Missing => ("missing", None),
        State::Partial { done, .. } => ("partial", Some(done)),
        State::PartialChanged { done } => ("partial-changed", Some(done)),
        State::InDoubt { done, .. } => ("in-doubt", Some(done)),
        State::Reverting { done } => ("reverting", Some(done)),
        _ => ("unknown", None),
    };
    let milliseconds = info
        .elapsed
        .and_then(|elapsed| u64::try_from(elapsed.as_millis()).ok());
    json!({
        "version": info.version,
        "file": info.file,
        "state": state,
        "statements_done": done,
        "reversible": info.reversible,
        "began_at": info.began_at,
        "milliseconds": milliseconds,
    })
}
