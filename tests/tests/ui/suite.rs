//! Many cases at once, and one report about all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use tests::{Database, Flavor};

use crate::compile::{Case, folder};
use crate::expected::{Mode, beside, compare, mode};
use crate::normal::normal;

/// Cases, compiled by as many threads as there are processors.
pub(crate) struct Suite {
    jobs: Vec<Job>,
}

type Job = Box<dyn FnOnce() -> Option<String> + Send>;

/// The `.rs` files of a folder, relative to the folder of these tests.
pub(crate) fn sources(of: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder().join(of)).unwrap_or_else(|error| panic!("{of}: {error}"));
    let names = entries.map(|entry| entry.expect("a folder can be listed").file_name());
    let mut sources: Vec<PathBuf> = names
        .map(|name| Path::new(of).join(name))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty(), "{of} has no cases");
    sources
}

impl Suite {
    pub(crate) fn new() -> Self {
        Self { jobs: Vec::new() }
    }

    /// The case does not compile, and rustc says what stands in the `.stderr` beside `named`.
    pub(crate) fn fails(&mut self, case: Case, named: &Path) {
        self.fails_with(case, folder().join(beside(named, None)), Vec::new());
    }

    /// As [`Suite::fails`], for a message with the words of a server: the file may be of its flavor alone.
    pub(crate) fn fails_on(&mut self, case: Case, named: &Path, database: &Database) {
        let flavor = match database.flavor() {
            Flavor::MySql => "mysql",
            Flavor::MariaDb => "mariadb",
        };
        if case
            .first_line()
            .strip_prefix("// only ")
            .is_some_and(|only| !only.starts_with(flavor))
        {
            return;
        }
        let (own, common) = (
            folder().join(beside(named, Some(flavor))),
            folder().join(beside(named, None)),
        );
        let file = if common.exists() && mode() == Mode::Compare {
            common
        } else {
            own
        };
        let replace = vec![
            (database.name().to_owned(), "$DATABASE"),
            (database.server().port().to_string(), "$PORT"),
        ];
        self.fails_with(case, file, replace);
    }

    /// As [`Suite::fails`], with texts that differ from run to run.
    pub(crate) fn fails_with(
        &mut self,
        case: Case,
        expected: PathBuf,
        replace: Vec<(String, &'static str)>,
    ) {
        self.jobs.push(Box::new(move || {
            let verdict = case.compile();
            let name = expected.display();
            if verdict.compiled {
                return Some(format!(
                    "{name}: this mistake compiles\n{}",
                    verdict.messages
                ));
            }
            let messages = normal(&verdict.messages, case.folder(), &replace);
            let flaw = flaw(&messages, case.errors());
            flaw.map(|flaw| format!("{name}: {flaw}\n{messages}"))
                .or_else(|| compare(&expected, &messages))
        }));
    }

    /// The case compiles, and rustc has nothing to say.
    pub(crate) fn compiles(&mut self, case: Case) {
        self.jobs.push(Box::new(move || {
            let verdict = case.compile();
            let silent = verdict.compiled && verdict.messages.is_empty();
            (!silent).then(|| {
                format!(
                    "{} should compile without a word\n{}",
                    case.name(),
                    verdict.messages
                )
            })
        }));
    }

    /// Compiles all of them.
    ///
    /// # Panics
    ///
    /// With every difference.
    pub(crate) fn finish(self) {
        crate::artifacts::artifacts();
        let jobs = Mutex::new(self.jobs.into_iter());
        let next = || {
            jobs.lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .next()
        };
        let work = || -> Vec<String> { std::iter::from_fn(next).filter_map(|job| job()).collect() };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let mut problems: Vec<String> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .flat_map(|worker| {
                    worker
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        });
        problems.sort();
        let help = if mode() == Mode::Compare {
            "\nIf these are better: ARK_MYSQL_UI=overwrite cargo test -p tests --test ui"
        } else {
            ""
        };
        assert!(
            problems.is_empty(),
            "{} differences\n{}{help}",
            problems.len(),
            problems.join("\n")
        );
    }
}

/// What no message may have: a mistake is told once, and without the insides of the library or a password.
fn flaw(messages: &str, expected: usize) -> Option<String> {
    let errors = messages
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    if errors != expected {
        return Some(format!("{errors} errors instead of {expected}"));
    }
    let words = [
        "__private",
        "macro panicked",
        "panicked at",
        "s3cret",
        "internal compiler error",
    ];
    words
        .iter()
        .find(|word| messages.contains(**word))
        .map(|word| format!("`{word}` is in the message"))
}
