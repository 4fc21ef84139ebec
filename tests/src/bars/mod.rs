//! Bars: what the driver must reach before a release, each shown by tests that say with a figure that they reached it.
//!
//! A bar is an ordinary test. It has two sizes: a small one for every run of the test suite, and the one of the release, for
//! `ARK_MYSQL_BAR=release`. Its last line says what was reached:
//!
//! ```no_run
//! use tests::bars::{reached, times};
//!
//! let rounds = times(200, 20_000);
//! // … fails where something is wrong …
//! reached("B3", format_args!("{rounds} drops, 0 wrong, 0 hang"));
//! ```
//!
//! [`BARS`] lists which test shows which bar; `cargo run -p tests --bin bars -- all` runs them in the size of the release,
//! keeps what each reached by commit, and prints the table.

mod attempt;
mod kept;
mod report;
mod table;

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

pub use attempt::Attempt;
pub use kept::{Kept, Tree};
pub use report::{Standing, list, table, tests_of};
pub use table::{BARS, Bar, Shown, Step};

/// The variable that says which size is run: `release`, or nothing for the small one.
pub const SIZE: &str = "ARK_MYSQL_BAR";

/// The variable that names the file for what is reached; set by the command `bars`.
pub const FIGURES: &str = "ARK_MYSQL_BAR_FIGURES";

/// How much a bar does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Seconds: in every run of the test suite.
    Gate,
    /// As much as the bar asks for, before a release.
    Release,
}

impl Scale {
    /// How long one test may take before it counts as one that hangs.
    #[must_use]
    pub fn patience(self) -> Duration {
        match self {
            Self::Gate => Duration::from_secs(180),
            Self::Release => Duration::from_secs(3 * 60 * 60),
        }
    }
}

/// The size of this run, by `ARK_MYSQL_BAR`.
///
/// # Panics
///
/// Where the variable is something else than `release` or `gate`: a slip there would pass as a release.
#[must_use]
pub fn scale() -> Scale {
    match std::env::var(SIZE).as_deref() {
        Ok("release") => Scale::Release,
        Ok("gate" | "") | Err(_) => Scale::Gate,
        Ok(other) => panic!("{SIZE}={other}: it is `release` or `gate`"),
    }
}

/// The small figure or the large one, by [`scale`].
#[must_use]
pub fn times(gate: usize, release: usize) -> usize {
    match scale() {
        Scale::Gate => gate,
        Scale::Release => release,
    }
}

/// Says what a test reached of its bar: prints the line, and leaves it for the command that asked. For the last line of a test,
/// after everything that may fail.
///
/// # Panics
///
/// Where the figures are more than a line or nothing, and where the command's file cannot be written.
#[expect(
    clippy::print_stderr,
    reason = "the figures are what these tests are for"
)]
pub fn reached(id: &str, figures: impl Display) {
    let line = format!("{id}: {figures}");
    assert!(
        line.lines().count() == 1 && line.len() > id.len() + 2,
        "figures are one line: {line:?}"
    );
    eprintln!("{line}");
    if let Some(path) = std::env::var_os(FIGURES) {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}
