//! Gives one case to rustc.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::artifacts::artifacts;

/// A source file and the world that it is compiled in.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    source: PathBuf,
    manifest_dir: PathBuf,
    edition: Edition,
    environment: Vec<(&'static str, String)>,
}

/// What rustc made of it.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) compiled: bool,
    /// Its messages, as people see them.
    pub(crate) messages: String,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Edition {
    E2021,
    E2024,
}

/// The folder of these tests.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

impl Case {
    /// A source file under the folder of these tests, which is the folder of its `Cargo.toml` as well, so that its cache is `.ark-mysql` there.
    pub(crate) fn new(source: &Path) -> Self {
        Self {
            source: source.to_owned(),
            manifest_dir: folder(),
            edition: Edition::E2024,
            environment: Vec::new(),
        }
    }

    /// With another folder for settings and cache.
    pub(crate) fn manifest_dir(mut self, folder: &Path) -> Self {
        self.manifest_dir = folder.to_owned();
        self
    }

    /// With a variable of the environment.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub(crate) fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.manifest_dir
    }

    /// The first line of the source: `// 3 errors: …` or `// only mysql: …` where the reason stands.
    pub(crate) fn first_line(&self) -> String {
        let text = fs::read_to_string(folder().join(&self.source))
            .unwrap_or_else(|error| panic!("{}: {error}", self.source.display()));
        text.lines().next().unwrap_or_default().to_owned()
    }

    /// How many errors there are: one, unless the first line of the source says otherwise, and why.
    pub(crate) fn errors(&self) -> usize {
        let line = self.first_line();
        let count = line
            .strip_prefix("// ")
            .and_then(|line| line.split_once(" errors: "))
            .and_then(|(count, _)| count.parse().ok());
        count.unwrap_or(1)
    }

    /// The name of the source, for reports.
    pub(crate) fn name(&self) -> String {
        format!("{} ({:?})", self.source.display(), self.edition)
    }

    /// Compiles it up to the point where machine code would be made.
    pub(crate) fn compile(&self) -> Verdict {
        let edition = match self.edition {
            Edition::E2021 => "--edition=2021",
            Edition::E2024 => "--edition=2024",
        };
        let out = tempfile::tempdir().expect("a folder for rustc");
        let mut rustc = Command::new("rustc");
        rustc.current_dir(folder()).args([
            edition,
            "--crate-name=case",
            "--emit=metadata",
            "--diagnostic-width=140",
            "-Adead_code",
            "--out-dir",
        ]);
        rustc
            .arg(out.path())
            .args(artifacts().arguments())
            .arg(&self.source);
        // What the machine's owner has set does not count, in a .env file of the workspace neither: an empty URL is none.
        for variable in ["ARK_MYSQL_OFFLINE", "ARK_MYSQL_RECORD"] {
            rustc.env_remove(variable);
        }
        if self.manifest_dir == folder() {
            rustc.env("DATABASE_URL", "");
        } else {
            rustc.env_remove("DATABASE_URL");
        }
        rustc
            .env("CARGO_MANIFEST_DIR", &self.manifest_dir)
            .env("CARGO_PKG_NAME", "case");
        for (name, value) in &self.environment {
            rustc.env(name, value);
        }
        let output = rustc
            .output()
            .expect("rustc is on the PATH, where cargo is");
        Verdict {
            compiled: output.status.success(),
            messages: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
