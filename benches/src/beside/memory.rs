//! How much a process grows while it streams, in a process of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::line::{Line, Side, Who};
use super::{Workload, scan};
use crate::report::Measure;

/// MiB above what it had after its first rows; nothing of the raw socket.
pub(super) fn measure(
    program: &Path,
    number: usize,
    line: &Line,
    url: &str,
) -> Result<Option<Measure>> {
    let grown = match line.who {
        Who::Start(_) | Who::Point(_) => return Ok(None),
        Who::Ours(_) | Who::OursAlone(_) => ours(program, number, url)?,
        Who::Rival(rival, task) => {
            let mut rival = rival.turns(task, url)?;
            grown(&rival.pid().to_string(), &mut rival)?
        }
    };
    let name = "peak RSS above idle MiB";
    Ok(Some(Measure::new(name, vec![grown], None)))
}

fn ours(program: &Path, number: usize, url: &str) -> Result<f64> {
    let output = Command::new(program)
        .args(["drive", "memory", &number.to_string(), url])
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(said.trim().parse()?)
}

/// By how many MiB the peak of a process grows from its first hundred rows to all of them.
fn grown(process: &str, side: &mut dyn Side) -> Result<f64> {
    side.turn(100)?;
    let idle = kib(process, "VmRSS:")?;
    // From here on the peak counts anew.
    fs::write(format!("/proc/{process}/clear_refs"), "5").context("cannot reset a peak")?;
    side.turn(scan::ROWS)?;
    Ok((kib(process, "VmHWM:")? - idle) / 1024.0)
}

/// What such a process does: a hundred rows, then all of them. Returns by how many MiB its peak grew.
///
/// # Errors
/// There is no such line, or it fails.
pub fn drive(number: usize, url: &str) -> Result<f64> {
    let line = Workload::Scan.lines().into_iter().nth(number);
    let line = line.context("there is no such line")?;
    grown("self", &mut *line.start(url)?)
}

fn kib(process: &str, name: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim().strip_suffix("kB"));
    Ok(number
        .context("the system does not tell memory")?
        .trim()
        .parse()?)
}
