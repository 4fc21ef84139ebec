//! What was reached, by commit: one file a bar, so that a run that was broken off goes on where it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use serde_json::{Value, json};

use super::{Attempt, Bar, Scale, Step};

/// What is tested: a commit, or a working tree that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The full hash.
    pub commit: String,
    /// Something differs from it.
    pub dirty: bool,
}

impl Tree {
    /// Asks git about the repository in this folder. Without git, or outside of a repository, nobody knows what is tested: that is a dirty tree.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let git = |arguments: &[&str]| {
            let output = Command::new("git")
                .current_dir(folder)
                .args(arguments)
                .output()
                .ok()?;
            let text = String::from_utf8(output.stdout).ok()?;
            output.status.success().then(|| text.trim().to_owned())
        };
        let commit = git(&["rev-parse", "HEAD"]);
        let changes = git(&["status", "--porcelain"]);
        Self {
            dirty: commit.is_none() || changes.is_none_or(|changes| !changes.is_empty()),
            commit: commit.unwrap_or_else(|| "unknown".to_owned()),
        }
    }

    /// Short, for people.
    #[must_use]
    pub fn name(&self) -> String {
        let short = self.commit.get(..12).unwrap_or(&self.commit);
        if self.dirty {
            format!("{short} with changes that are not committed")
        } else {
            short.to_owned()
        }
    }

    fn folder(&self) -> String {
        let dirty = if self.dirty { "-dirty" } else { "" };
        format!("{}{dirty}", self.commit)
    }
}

/// What is kept of one bar at one commit.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    tree: Tree,
    attempts: BTreeMap<String, Attempt>,
}

impl Kept {
    /// Reads what is there, in `<folder>/<commit>/<bar>.json`. What cannot be read counts as nothing, and is run again.
    #[must_use]
    pub fn read(folder: &Path, tree: &Tree, bar: &Bar, scale: Scale) -> Self {
        let size = match scale {
            Scale::Release => "",
            Scale::Gate => ".gate",
        };
        let path = folder
            .join(tree.folder())
            .join(format!("{}{size}.json", bar.id));
        let attempts = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok())
            .and_then(|value| {
                Some(
                    value
                        .get("runs")?
                        .as_object()?
                        .iter()
                        .filter_map(parsed)
                        .collect(),
                )
            });
        Self {
            path,
            tree: tree.clone(),
            attempts: attempts.unwrap_or_default(),
        }
    }

    /// What came of this run, if there was one.
    #[must_use]
    pub fn attempt(&self, step: &Step) -> Option<&Attempt> {
        self.attempts.get(&step.name())
    }

    /// Whether it need not be run again: this very commit passed it.
    #[must_use]
    pub fn settled(&self, step: &Step) -> bool {
        !self.tree.dirty && self.attempt(step).is_some_and(Attempt::passed)
    }

    /// Writes it down, at once and whole.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be written.
    pub fn keep(&mut self, step: &Step, attempt: Attempt) -> io::Result<()> {
        self.attempts.insert(step.name(), attempt);
        let runs: serde_json::Map<_, _> = self
            .attempts
            .iter()
            .map(|(name, attempt)| (name.clone(), written(attempt)))
            .collect();
        let all = json!({ "commit": self.tree.commit, "dirty": self.tree.dirty, "runs": runs });
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, &all)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn written(attempt: &Attempt) -> Value {
    json!({ "passed": attempt.passed(), "figures": attempt.figures, "failure": attempt.failure, "seconds": attempt.took.as_secs_f64() })
}

fn parsed((name, value): (&String, &Value)) -> Option<(String, Attempt)> {
    let failure = match value.get("failure")? {
        Value::Null => None,
        Value::String(why) => Some(why.clone()),
        _ => return None,
    };
    let figures = value
        .get("figures")?
        .as_array()?
        .iter()
        .map(|line| line.as_str().map(str::to_owned))
        .collect::<Option<_>>()?;
    let took = Duration::try_from_secs_f64(value.get("seconds")?.as_f64()?).ok()?;
    Some((
        name.clone(),
        Attempt {
            figures,
            failure,
            took,
        },
    ))
}
