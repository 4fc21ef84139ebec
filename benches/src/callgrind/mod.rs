//! Instructions and allocations of one unit of work, as the slope between two counts of it.
//!
//! Start-up, login, preparing and warm caches cost the same in both runs, so they cancel. Only user instructions are counted: what
//! the kernel does for a read or a write is the same for every client.

mod profile;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use self::profile::Profile;
use crate::figures::{grouped, table};

/// Names of generic functions can fill a screen.
const LONGEST_NAME: usize = 110;

/// What one unit of work costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// User instructions.
    pub instructions: f64,
    /// Calls of `malloc`, `calloc`, `realloc` and their aligned sisters.
    pub allocations: f64,
    /// Functions with their own instructions, the dearest first.
    pub functions: Vec<(String, f64)>,
}

/// Runs this program under callgrind with `arguments` and each of two counts, and returns what one more unit costs.
///
/// # Errors
/// Fails when valgrind is missing, or when the program fails under it.
pub fn slope(arguments: &[OsString], few: u32, many: u32) -> Result<Cost> {
    slope_of(&std::env::current_exe()?, arguments, few, many)
}

/// The same of another program.
///
/// # Errors
/// As [`slope`].
pub fn slope_of(program: &Path, arguments: &[OsString], few: u32, many: u32) -> Result<Cost> {
    ensure!(few < many, "two different counts are needed");
    let less = run(program, arguments, few)?;
    let more = run(program, arguments, many)?;
    Ok(Cost::between(&less, &more, f64::from(many - few)))
}

impl Cost {
    /// The dearest functions, a line each: name, instructions, share.
    pub fn dearest(&self, count: usize) -> String {
        let line = |(name, own): &(String, f64)| {
            let share = format!("{:.1} %", own / self.instructions * 100.0);
            vec![
                name.chars().take(LONGEST_NAME).collect(),
                grouped(*own),
                share,
            ]
        };
        table(
            &self
                .functions
                .iter()
                .take(count)
                .map(line)
                .collect::<Vec<_>>(),
        )
    }

    fn between(less: &Profile, more: &Profile, units: f64) -> Self {
        let difference = |more: u64, less: u64| (more as f64 - less as f64) / units;
        let own = |(name, cost): (&String, &u64)| {
            let before = less.own.get(name).copied().unwrap_or(0);
            (name.clone(), difference(*cost, before))
        };
        let mut functions: Vec<(String, f64)> = more.own.iter().map(own).collect();
        functions.retain(|(_, cost)| *cost >= 0.5);
        functions.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self {
            instructions: difference(more.total(), less.total()),
            allocations: difference(more.allocations(), less.allocations()),
            functions,
        }
    }
}

fn run(program: &Path, arguments: &[OsString], count: u32) -> Result<Profile> {
    let output = Output::new(count);
    let status = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--quiet",
            "--compress-strings=no",
            "--compress-pos=no",
        ])
        .arg({
            let mut option = OsString::from("--callgrind-out-file=");
            option.push(&output.0);
            option
        })
        .arg(program)
        .args(arguments)
        .arg(count.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("cannot run valgrind: install it (apt-get install valgrind)")?;
    ensure!(
        status.success(),
        "the program failed under valgrind: {status}"
    );
    let text = std::fs::read(&output.0).context("valgrind left no profile")?;
    Ok(Profile::parse(&String::from_utf8_lossy(&text)))
}

/// The profile's file, removed with the value.
struct Output(PathBuf);

impl Output {
    fn new(count: u32) -> Self {
        Self(std::env::temp_dir().join(format!(
            "ark-mysql-callgrind-{}-{count}",
            std::process::id()
        )))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0)); // a file left behind in the temporary folder harms nobody
    }
}
