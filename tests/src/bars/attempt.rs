//! One run of what shows a bar, and whether that counts.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{FIGURES, Step};

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The lines with which it said what it reached, without their number.
    pub figures: Vec<String>,
    /// Why it does not count, if it does not.
    pub failure: Option<String>,
    /// How long it took, with what had to be built.
    pub took: Duration,
}

impl Attempt {
    /// Runs it. What is printed meanwhile is shown, and it is judged by more than its exit status: it must have been run, and must
    /// have said what it reached of this bar.
    ///
    /// # Errors
    ///
    /// Where the program cannot be started or the figures cannot be read.
    pub fn run(mut command: Command, id: &str, step: &Step) -> io::Result<Self> {
        let left = tempfile::NamedTempFile::new()?;
        let began = Instant::now();
        let mut child = command
            .env(FIGURES, left.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{command:?}: {error}")))?;
        let printed = child.stdout.take().map(shown);
        let status = child.wait()?;
        let printed = printed.map_or(Ok(String::new()), |thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the reader of its lines panicked")))
        })?;
        let figures = figures(id, step, &printed, left.path())?;
        let failure = failure(step, status.success(), &printed, &figures);
        Ok(Self {
            figures,
            failure,
            took: began.elapsed(),
        })
    }

    /// Whether it counts.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

/// Shows what a program prints, and keeps it.
fn shown(printed: impl Read + Send + 'static) -> thread::JoinHandle<io::Result<String>> {
    thread::spawn(move || {
        let mut all = String::new();
        let mut reader = BufReader::new(printed);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            io::stderr().write_all(&line)?;
            all.push_str(&String::from_utf8_lossy(&line));
            line.clear();
        }
        Ok(all)
    })
}

/// A test leaves its lines in a file, since the harness prints into what tests print; a program just prints them.
fn figures(id: &str, step: &Step, printed: &str, left: &Path) -> io::Result<Vec<String>> {
    let left = std::fs::read_to_string(left)?;
    let printed = match step {
        Step::Program(_) => printed,
        Step::Test(..) => "",
    };
    let start = format!("{id}: ");
    Ok(left
        .lines()
        .chain(printed.lines())
        .filter_map(|line| line.strip_prefix(&start).map(str::to_owned))
        .collect())
}

fn failure(step: &Step, success: bool, printed: &str, figures: &[String]) -> Option<String> {
    let one_passed = "test result: ok. 1 passed; 0 failed; 0 ignored";
    let nothing_ran = printed.contains("test result: ok. 0 passed");
    match step {
        Step::Test(..) if nothing_ran => Some("no test of this name was run".to_owned()),
        _ if !success => Some("it failed".to_owned()),
        Step::Test(..) if !printed.contains(one_passed) => {
            Some("nobody can tell that it was run".to_owned())
        }
        _ if figures.is_empty() => Some("it did not say what it reached".to_owned()),
        Step::Test(..) | Step::Program(_) => None,
    }
}
