//! What the benchmarks and the rivals' programs both know: the rows that must come, how a round is timed, and the words between them.
//!
//! The rivals are a workspace of their own, so this package must not depend on a driver.

pub mod cell;
pub mod pace;
pub mod payload;
pub mod rival;
pub mod test1;

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

/// Says a value to whoever started this process: a line of JSON.
///
/// # Errors
/// Nobody reads it any more.
pub fn answer(value: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(value)?)?;
    Ok(out.flush()?)
}
