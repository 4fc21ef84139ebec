//! The real sysbench, where it is installed.

use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use ark_mysql_proto::url::{Endpoint, Url};

use super::{Cell, Kind};

/// Sysbench for one cell.
pub(super) struct Original {
    arguments: Vec<String>,
    /// CPU time that it takes to start, connect and prepare.
    set_up: f64,
}

/// What a run of it came to.
pub(super) struct Outcome {
    pub(super) qps: f64,
    pub(super) p99_ms: f64,
    /// CPU time a query in microseconds, without what it took to set up.
    pub(super) cpu_us: f64,
}

impl Original {
    /// Runs it once for one event; `None` where it is not installed.
    pub(super) fn find(cell: Cell, url: &str) -> Result<Option<Self>> {
        let mut original = Self {
            arguments: arguments(cell, &url.parse()?)?,
            set_up: 0.0,
        };
        let version = Command::new("sysbench").arg("--version").output();
        if version.is_err() {
            return Ok(None);
        }
        let (_, cpu) = original.run(&["--events=1", "--time=0"])?;
        original.set_up = cpu;
        Ok(Some(original))
    }

    /// Runs it for so long; it counts in whole seconds, at least one.
    pub(super) fn round(&self, time: Duration) -> Result<Outcome> {
        let seconds = time.as_secs().max(1);
        let (said, cpu) = self.run(&["--events=0", &format!("--time={seconds}")])?;
        let queries = number(&said, "queries:")?;
        Ok(Outcome {
            qps: between(&said, "queries:", "(", " per sec")?,
            p99_ms: number(&said, "99th percentile:")?,
            cpu_us: (cpu - self.set_up).max(0.0) * 1e6 / queries,
        })
    }

    fn run(&self, more: &[&str]) -> Result<(String, f64)> {
        let before = cpu_of_children()?;
        let output = Command::new("sysbench")
            .args(&self.arguments)
            .args(more)
            .arg("run")
            .output()?;
        let cpu = cpu_of_children()? - before;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "sysbench failed: {}", tail(&said));
        Ok((said, cpu))
    }
}

fn arguments(cell: Cell, url: &Url) -> Result<Vec<String>> {
    let Endpoint::Tcp { host, port } = &url.endpoint else {
        bail!("sysbench needs a TCP address here");
    };
    let test = match cell.kind {
        Kind::Read => "oltp_point_select",
        Kind::UpdateNonIndex => "oltp_update_non_index",
        Kind::Mixed => "oltp_read_write",
    };
    let mut arguments = vec![
        test.to_owned(),
        format!("--mysql-host={host}"),
        format!("--mysql-port={port}"),
        format!("--mysql-user={}", url.user),
        format!("--mysql-db={}", url.database.as_deref().unwrap_or("test")),
        format!("--tables={}", cell.tables),
        format!("--table-size={}", cell.rows),
        format!("--threads={}", cell.connections),
        "--rand-type=uniform".to_owned(),
        "--percentile=99".to_owned(),
    ];
    if cell.kind == Kind::Mixed {
        let mix = [
            "--point-selects=1",
            "--range-selects=off",
            "--index-updates=1",
            "--non-index-updates=0",
            "--delete-inserts=1",
        ];
        arguments.extend(mix.map(str::to_owned));
    }
    Ok(arguments)
}

/// Of all processes that were waited for, in seconds, to a hundredth.
fn cpu_of_children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, fields) = stat.rsplit_once(')').context("no process's state")?;
    // The state is field 3; cutime and cstime are 16 and 17.
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks = ticks.map(|field| Ok(field.parse::<f64>()?));
    let sum: f64 = ticks.collect::<Result<Vec<_>>>()?.iter().sum();
    Ok(sum / 100.0)
}

/// The number behind a word.
fn number(said: &str, word: &str) -> Result<f64> {
    let found = said.lines().find_map(|line| line.trim().strip_prefix(word));
    let digits = found.and_then(|rest| rest.split_whitespace().next());
    digits
        .and_then(|digits| digits.parse().ok())
        .with_context(|| format!("sysbench does not tell `{word}`: {}", tail(said)))
}

/// The number in the line of a word between two marks.
fn between(said: &str, word: &str, left: &str, right: &str) -> Result<f64> {
    let found = said.lines().find(|line| line.trim().starts_with(word));
    let digits = found.and_then(|line| Some(line.split_once(left)?.1.split_once(right)?.0));
    digits
        .and_then(|digits| digits.parse().ok())
        .with_context(|| format!("sysbench does not tell `{word}`: {}", tail(said)))
}

fn tail(said: &str) -> &str {
    let start = said.char_indices().rev().nth(600).map_or(0, |(at, _)| at);
    said.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{between, number};

    const SAID: &str = "SQL statistics:\n    transactions:                        9962   (9950.51 per sec.)\n    queries:                             9962   (9950.51 per sec.)\nLatency (ms):\n         99th percentile:                        0.15\n";

    #[test]
    fn its_figures_are_read() {
        assert_eq!(number(SAID, "queries:").ok(), Some(9962.0));
        assert_eq!(number(SAID, "99th percentile:").ok(), Some(0.15));
        assert_eq!(
            between(SAID, "queries:", "(", " per sec").ok(),
            Some(9950.51)
        );
        assert!(number(SAID, "avg:").is_err());
    }
}
