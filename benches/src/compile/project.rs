//! A generated crate on disk, and `cargo` runs in it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, ensure};

use super::generate::{self, Driver, repository};

/// Where the macros look while the crate is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// At the server.
    Live,
    /// At the files written before.
    Offline,
}

/// What a run of cargo took, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// On the clock.
    pub wall: f64,
    /// Of processors, its own and those of all it started: what says something on a machine that others use.
    pub busy: f64,
}

/// A generated crate.
pub struct Project {
    pub(super) driver: Driver,
    folder: PathBuf,
    url: String,
}

impl Project {
    /// Writes the crate and gets what it depends on, so that no later step needs the network.
    ///
    /// # Errors
    /// Fails when the folder cannot be written or a dependency cannot be had.
    pub fn create(driver: Driver, statements: usize, folder: PathBuf, url: &str) -> Result<Self> {
        generate::write(driver, statements, &folder)?;
        let lock = match driver {
            Driver::Ark | Driver::Nobody => repository().join("Cargo.lock"),
            Driver::Sqlx => repository().join("benches/rivals/Cargo.lock"),
        };
        fs::copy(&lock, folder.join("Cargo.lock")).with_context(|| lock.display().to_string())?;
        let project = Self {
            driver,
            folder,
            url: url.to_owned(),
        };
        project.run(project.cargo(Mode::Offline).arg("fetch"))?;
        Ok(project)
    }

    /// Asks the server about every statement and keeps the answers for [`Mode::Offline`].
    ///
    /// # Errors
    /// Fails when a statement does not compile.
    pub fn prepare(&self) -> Result<()> {
        match self.driver {
            Driver::Ark => {
                let mut command = self.cargo(Mode::Live);
                command
                    .args(["ark-mysql", "prepare"])
                    .env("PATH", path_with_tool()?);
                self.run(&mut command).map(drop)
            }
            Driver::Sqlx => {
                let answers = self.folder.join(".sqlx");
                fs::create_dir_all(&answers)?;
                self.touch()?;
                self.run(
                    self.cargo(Mode::Live)
                        .args(["check", "--quiet"])
                        .env("SQLX_OFFLINE_DIR", answers),
                )
                .map(drop)
            }
            Driver::Nobody => Ok(()),
        }
    }

    /// Takes over what another crate with the same statements [prepared](Self::prepare).
    ///
    /// # Errors
    /// Fails when files cannot be copied.
    pub fn adopt_answers(&self, other: &Self) -> Result<()> {
        let name = match self.driver {
            Driver::Ark => ".ark-mysql",
            Driver::Sqlx => ".sqlx",
            Driver::Nobody => return Ok(()),
        };
        let (from, to) = (other.folder.join(name), self.folder.join(name));
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)
            .with_context(|| format!("nothing was prepared in {}", from.display()))?
        {
            let entry = entry?;
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
        Ok(())
    }

    /// Touches one file and returns what `cargo check` takes then.
    ///
    /// # Errors
    /// Fails when the check does.
    pub fn check_after_touch(&self, mode: Mode) -> Result<Took> {
        self.touch()?;
        self.check(mode)
    }

    /// Throws away all that was built and returns what `cargo check` takes then.
    ///
    /// # Errors
    /// Fails when the check does.
    pub fn check_from_nothing(&self, mode: Mode) -> Result<Took> {
        match fs::remove_dir_all(self.target()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
        self.check(mode)
    }

    /// How many packages stand under the driver's macros, themselves not counted.
    ///
    /// # Errors
    /// Fails when `cargo tree` does.
    pub fn packages_under_macros(&self) -> Result<usize> {
        let mut command = self.cargo(Mode::Offline);
        command.args([
            "tree",
            "--offline",
            "--prefix",
            "none",
            "--edges",
            "normal,build",
            "--package",
            self.driver.macros_package(),
        ]);
        let output = self.run(&mut command)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let packages: std::collections::BTreeSet<String> = text
            .lines()
            .filter(|line| !line.is_empty())
            .map(name)
            .collect();
        Ok(packages.len().saturating_sub(1))
    }

    /// The folder of its manifest.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn check(&self, mode: Mode) -> Result<Took> {
        let mut command = self.cargo(mode);
        command.args(["check", "--offline", "--quiet"]);
        let (start, busy) = (Instant::now(), of_children()?);
        self.run(&mut command)?;
        Ok(Took {
            wall: start.elapsed().as_secs_f64(),
            busy: of_children()? - busy,
        })
    }

    fn touch(&self) -> Result<()> {
        let file = File::options()
            .append(true)
            .open(self.folder.join("src/m0.rs"))?;
        file.set_modified(SystemTime::now())?;
        Ok(())
    }

    fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// `cargo` in the crate's folder with nothing from this process's surroundings that could change what it does.
    fn cargo(&self, mode: Mode) -> Command {
        let mut command = Command::new("cargo");
        let inherited = std::env::vars_os().map(|(name, _)| name);
        for name in inherited.filter(|name| name.to_str().is_some_and(steers_a_build)) {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.target());
        match mode {
            Mode::Live => command.env("DATABASE_URL", &self.url),
            Mode::Offline => command
                .env("ARK_MYSQL_OFFLINE", "1")
                .env("SQLX_OFFLINE", "true"),
        };
        command
    }

    fn run(&self, command: &mut Command) -> Result<Output> {
        let output = command.output().context("cannot run cargo")?;
        ensure!(
            output.status.success(),
            "{:?} failed in {}:\n{}",
            command.get_args(),
            self.folder.display(),
            last_lines(&String::from_utf8_lossy(&output.stderr))
        );
        Ok(output)
    }
}

/// Processor seconds, user's and system's, of all processes of this one that have ended. The kernel counts them in hundredths.
fn of_children() -> Result<f64> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").context("the figures need Linux's /proc")?;
    // The name of the program stands in parentheses, and may hold anything.
    let behind_name = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
    let mut fields = behind_name.split_whitespace().skip(13);
    let mut next = || fields.next().and_then(|field| field.parse::<f64>().ok());
    let (user, system) = next()
        .zip(next())
        .context("/proc/self/stat is not as expected")?;
    Ok((user + system) / TICKS_A_SECOND)
}

/// Builds `cargo-ark-mysql` of this checkout and returns a PATH on which cargo finds it.
fn path_with_tool() -> Result<OsString> {
    let target = target_folder();
    let built = Command::new("cargo")
        .current_dir(repository())
        .args([
            "build",
            "--quiet",
            "--package",
            "cargo-ark-mysql",
            "--target-dir",
        ])
        .arg(&target)
        .status()
        .context("cannot run cargo")?;
    ensure!(built.success(), "cargo-ark-mysql did not build");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(target.join("debug")).chain(std::env::split_paths(&path));
    Ok(std::env::join_paths(folders)?)
}

/// Where this checkout is built.
fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from)
}

fn steers_a_build(name: &str) -> bool {
    let prefixes = [
        "ARK_MYSQL_",
        "SQLX_",
        "RUSTFLAGS",
        "RUSTC",
        "CARGO_BUILD_",
        "CARGO_ENCODED_",
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_PROFILE_",
    ];
    matches!(
        name,
        "DATABASE_URL" | "CARGO_TARGET_DIR" | "CARGO_INCREMENTAL"
    ) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines
        .get(lines.len().saturating_sub(40)..)
        .unwrap_or_default()
        .join("\n")
}

/// The folder where crates are generated when none is named: beside everything else that is built.
pub(super) fn default_folder() -> PathBuf {
    target_folder().join("compile-bench")
}
