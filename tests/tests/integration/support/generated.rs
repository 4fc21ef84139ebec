//! Small crates made for a test, and the real `cargo` and `cargo ark-mysql` run on them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use tempfile::TempDir;

/// A workspace in a folder of its own, which depends on the driver of this one.
pub(crate) struct Generated {
    folder: TempDir,
    number: u32,
}

/// What a command said and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) text: String,
}

impl Said {
    /// Fails unless it ended like this and all of these words are in what it said.
    #[track_caller]
    pub(crate) fn is(&self, code: i32, words: &[&str]) -> &Self {
        assert_eq!(self.code, Some(code), "{}", self.text);
        for word in words {
            assert!(self.text.contains(word), "no `{word}` in:\n{}", self.text);
        }
        self
    }
}

impl Generated {
    /// Writes these files, with `{ark}` in them replaced by how a manifest names the driver, and `{number}` by one that no other has:
    /// packages of one name and one place in their workspaces are one to cargo, wherever the workspaces are.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let this = Self {
            folder: TempDir::new().unwrap(),
            number: COUNT.fetch_add(1, Ordering::Relaxed),
        };
        for (path, content) in files {
            this.write(path, content);
        }
        fs::copy(root().join("Cargo.lock"), this.path("Cargo.lock")).unwrap();
        this
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let file = self.path(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let ark = format!("{{ path = {:?} }}", root().join("ark-mysql"));
        let content = content
            .replace("{ark}", &ark)
            .replace("{number}", &self.number.to_string());
        fs::write(file, content).unwrap();
    }

    /// The cache of a member, in the order of the names.
    pub(crate) fn cache(&self, member: &str) -> Vec<PathBuf> {
        let Ok(folder) = fs::read_dir(self.path(member).join(".ark-mysql")) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// `cargo check` with these variables and none of the surroundings' that matter.
    pub(crate) fn check(&self, variables: &[(&str, &str)]) -> Said {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["check", "--workspace", "--offline", "--quiet"]);
        self.run(cargo, variables)
    }

    /// `cargo run`, likewise.
    pub(crate) fn program(&self, variables: &[(&str, &str)]) -> Said {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--offline", "--quiet"]);
        self.run(cargo, variables)
    }

    /// `cargo ark-mysql` with these arguments.
    pub(crate) fn tool(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Said {
        let mut tool = Command::new(tool());
        tool.arg("ark-mysql").args(arguments);
        let offline = [variables, &[("CARGO_NET_OFFLINE", "true")]].concat();
        self.run(tool, &offline)
    }

    fn run(&self, mut command: Command, variables: &[(&str, &str)]) -> Said {
        for name in [
            "DATABASE_URL",
            "ARK_MYSQL_OFFLINE",
            "ARK_MYSQL_RECORD",
            "CARGO_MANIFEST_DIR",
        ] {
            command.env_remove(name);
        }
        // One folder for all of them, so that the driver is compiled once.
        command.env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated"),
        );
        command
            .current_dir(self.folder.path())
            .envs(variables.iter().copied());
        said(command)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The tool, compiled if need be, where this test was compiled.
fn tool() -> &'static Path {
    static TOOL: OnceLock<PathBuf> = OnceLock::new();
    TOOL.get_or_init(|| {
        let exe = env::current_exe().unwrap();
        let target = exe.ancestors().nth(3).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args([
                "build",
                "--quiet",
                "--package",
                "cargo-ark-mysql",
                "--target-dir",
            ])
            .arg(target)
            .current_dir(root());
        said(cargo).is(0, &[]);
        target.join("debug").join("cargo-ark-mysql")
    })
}

/// Waits for a command, not for ever, and collects what it says in a file: a pipe would fill up.
fn said(mut command: Command) -> Said {
    const LONG: Duration = Duration::from_secs(900);
    let out = tempfile::NamedTempFile::new().unwrap();
    let append = fs::OpenOptions::new()
        .append(true)
        .open(out.path())
        .unwrap();
    command
        .stdin(Stdio::null())
        .stdout(append.try_clone().unwrap())
        .stderr(append);
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > LONG {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        thread::sleep(Duration::from_millis(20));
    };
    let text = String::from_utf8_lossy(&fs::read(out.path()).unwrap()).into_owned();
    Said {
        code: status.code(),
        text,
    }
}
