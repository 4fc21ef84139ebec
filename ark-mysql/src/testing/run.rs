//! One test, from its database to the end of it.

use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::argument::TestDatabase;
use super::failure::Failure;
use super::outcome::TestOutcome;
use super::server::{self, Server};
use super::{environment, template};
use crate::migrate::Migrator;

/// A test as the attribute writes it.
#[derive(Debug)]
pub struct Case {
    /// Its path, as the test harness shows it.
    pub name: &'static str,
    /// The folders whose `.env` counts, the first before the second: its crate's and its workspace's.
    pub settings: &'static [&'static str],
    /// What is applied first.
    pub migrator: Option<fn() -> &'static Migrator>,
    /// What is run then: names and texts.
    pub fixtures: &'static [(&'static str, &'static str)],
    /// Whether a panic is what the test is for.
    pub should_panic: bool,
}

/// What a test may leave running for a moment: tasks that block a thread.
const SHUTDOWN: Duration = Duration::from_secs(2);

/// Makes the database, runs the test, and drops the database, or keeps it if the test failed.
///
/// # Panics
/// As the test does, and where no database can be had.
pub fn run<T: TestOutcome>(case: &'static Case, test: impl AsyncFnOnce(&TestDatabase) -> T) -> T {
    let server = server::get(&environment::Where::of(case.settings));
    let server = server
        .unwrap_or_else(|words| panic!("there is no server for the test {}: {words}", case.name));
    let runtime = runtime();
    let database = match runtime.block_on(template::database(server, case)) {
        Ok(database) => database,
        Err(failure) => panic!("there is no database for the test {}: {failure}", case.name),
    };
    let ran = panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(&database))));
    runtime.shutdown_timeout(SHUTDOWN); // with all tasks and connections that the test left
    let failed = match &ran {
        Ok(outcome) => outcome.is_failure() || case.should_panic,
        Err(_) => !case.should_panic,
    };
    end(server, case, &database, failed);
    ran.unwrap_or_else(|payload| panic::resume_unwind(payload))
}

fn runtime() -> Runtime {
    match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => panic!("no runtime for a test: {error}"),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the test harness shows it below the test that failed"
)]
fn end(server: &Server, case: &Case, database: &TestDatabase, failed: bool) {
    if failed {
        let kept = runtime().block_on(server.keep(&database.name));
        eprintln!("{}", server.farewell(case.name, &database.name, &kept));
        return;
    }
    // What cannot be dropped now is dropped by the next run.
    let _: Result<(), Failure> = runtime().block_on(server.drop_database(&database.name));
}
