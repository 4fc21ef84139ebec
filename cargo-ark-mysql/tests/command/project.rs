//! A crate, or a workspace of several, whose statements are prepared and checked; what is built of the driver is shared by all runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::support::{House, Said};

/// A workspace in a folder of its own.
pub(crate) struct Project {
    pub(crate) house: House,
    name: &'static str,
}

impl Project {
    /// A crate in the folder itself. Each test has a name of its own, so that runs at the same time have crates of their own.
    pub(crate) fn new(name: &'static str) -> Self {
        let house = House::new();
        house.write("Cargo.toml", &(manifest(name) + "[workspace]\n"));
        lock(&house);
        Self { house, name }
    }

    /// A workspace of crates in folders of these names, `a` becoming `NAME-a`.
    pub(crate) fn workspace(name: &'static str, members: &[&str]) -> Self {
        let house = House::new();
        let list = members.join("\", \"");
        house.write(
            "Cargo.toml",
            &format!("[workspace]\nresolver = \"3\"\nmembers = [\"{list}\"]\n"),
        );
        for member in members {
            house.write(
                &format!("{member}/Cargo.toml"),
                &manifest(&format!("{name}-{member}")),
            );
        }
        lock(&house);
        Self { house, name }
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.house.write(name, text);
    }

    /// Writes statements, one a line from line 2, into a file of functions.
    pub(crate) fn statements(&self, file: &str, statements: &[&str]) {
        let lines: String = statements
            .iter()
            .map(|sql| format!("    let _ = ark_mysql::{sql};\n"))
            .collect();
        self.write(file, &format!("pub fn statements() {{\n{lines}}}\n"));
    }

    pub(crate) fn path(&self) -> &Path {
        self.house.path()
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = self.house.command(line);
        self.settle(&mut command);
        command
    }

    pub(crate) fn cargo(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(line.split(' ')).current_dir(self.path());
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        command
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_NET_OFFLINE", "true")
            .env("XDG_CACHE_HOME", self.path().join("cache"))
            .env_remove("DATABASE_URL")
            .env_remove("ARK_MYSQL_OFFLINE");
    }

    pub(crate) fn run(&self, line: &str) -> Said {
        Said::of(self.command(line).output().unwrap())
    }

    pub(crate) fn run_on(&self, url: &str, line: &str) -> Said {
        Said::of(
            self.command(line)
                .env("DATABASE_URL", url)
                .output()
                .unwrap(),
        )
    }

    /// The files of a cache with their contents.
    pub(crate) fn cache(&self, folder: &str) -> BTreeMap<PathBuf, String> {
        let folder = self.path().join(folder).join(".ark-mysql");
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        files
            .map(|file| {
                (
                    file.file_name().into(),
                    fs::read_to_string(file.path()).unwrap(),
                )
            })
            .collect()
    }

    /// Every file but what is built, with its content and the time of its last change.
    pub(crate) fn sources(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        collect(self.path(), &mut found);
        found
    }

    pub(crate) fn crate_name(&self) -> &'static str {
        self.name
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
    for item in fs::read_dir(folder).unwrap().map(|item| item.unwrap()) {
        let name = item.file_name();
        if item.file_type().unwrap().is_dir() {
            if name != ".ark-mysql" && name != "cache" {
                collect(&item.path(), found);
            }
            continue;
        }
        // cargo's own business: it leaves out what this crate does not need.
        if name == "Cargo.lock" {
            continue;
        }
        let changed = item.metadata().unwrap().modified().unwrap();
        found.insert(item.path(), (fs::read(item.path()).unwrap(), changed));
    }
}

fn manifest(name: &str) -> String {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ark-mysql");
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nextra = []\n[dependencies]\n\
         ark-mysql = {{ path = {driver:?}, default-features = false, features = [\"macros\"] }}\n"
    )
}

fn lock(house: &House) {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, house.path().join("Cargo.lock")).unwrap();
}

/// Shared with `rechecks.rs`: the driver is built once.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rechecked")
}
