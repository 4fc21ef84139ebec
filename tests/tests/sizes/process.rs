//! A test's work in a process of its own, so that the memory it takes is its own.

use std::fs;
use std::process::Stdio;

use tokio::process::Command;

/// Says what the process is to do; unset in the process that runs the tests.
const WORK: &str = "ARK_MYSQL_TEST_WORK";

/// What a process was asked to do, if it is one.
pub(crate) fn work() -> Option<Vec<String>> {
    let work = std::env::var(WORK).ok()?;
    Some(work.lines().map(str::to_owned).collect())
}

/// Runs the test of this name in a process of its own, which finds these words by [`work`], and returns the line that it
/// [says](say) at its end.
pub(crate) async fn alone(test: &str, words: &[&str]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(WORK, words.join("\n"))
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{test} {words:?}: {errors}");
    let said = errors.lines().find_map(|line| line.strip_prefix(MARK));
    said.unwrap_or_else(|| panic!("{test} {words:?} said nothing: {errors}"))
        .to_owned()
}

const MARK: &str = "said: ";

#[expect(clippy::print_stderr, reason = "how the other process hears of it")]
pub(crate) fn say(line: impl std::fmt::Display) {
    eprintln!("\n{MARK}{line}");
}

/// The memory of this process that is there and not paged out, by the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) now: u64,
    pub(crate) peak: u64,
}

impl Memory {
    pub(crate) fn of_this_process() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let bytes = |field: &str| {
            let line = status
                .lines()
                .find_map(|line| line.strip_prefix(field))
                .unwrap();
            let kib: u64 = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
            kib * 1024
        };
        Self {
            now: bytes("VmRSS:"),
            peak: bytes("VmHWM:"),
        }
    }
}

pub(crate) const MIB: u64 = 1 << 20;
