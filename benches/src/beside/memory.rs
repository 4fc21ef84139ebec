//! How much a process grows while it streams, in a process of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{Workload, scan};

/// MiB above what it had after its first rows.
pub(super) fn measure(program: &Path, number: usize, url: &str) -> Result<f64> {
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

/// What such a process does: a hundred rows, then all of them. Returns by how many MiB its peak grew.
///
/// # Errors
/// There is no such line, or it fails.
pub fn drive(number: usize, url: &str) -> Result<f64> {
    let line = Workload::Scan.lines().into_iter().nth(number);
    let mut side = (line.context("there is no such line")?.start)(url)?;
    side.turn(100)?;
    let idle = kib("VmRSS:")?;
    // From here on the peak counts anew.
    fs::write("/proc/self/clear_refs", "5").context("cannot reset the peak of this process")?;
    side.turn(scan::ROWS)?;
    Ok((kib("VmHWM:")? - idle) / 1024.0)
}

fn kib(name: &str) -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim().strip_suffix("kB"));
    Ok(number
        .context("the system does not tell memory")?
        .trim()
        .parse()?)
}
