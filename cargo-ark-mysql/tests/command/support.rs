//! Runs the tool in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use ark_mysql::Connection;
use ark_mysql::dev_server::{DevServer, Flavor};
use tempfile::TempDir;

/// A folder in which the tool is run; nothing of this machine's settings reaches it.
pub(crate) struct House(TempDir);

/// What a run of the tool said.
pub(crate) struct Said {
    pub(crate) status: i32,
    /// Standard output and standard error.
    pub(crate) text: String,
    pub(crate) output: String,
}

impl House {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The files of a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.path().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into())
            .collect();
        files.sort();
        files
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ark-mysql"));
        command.arg("ark-mysql").args(line.split(' '));
        command
            .current_dir(self.path())
            .env_remove("DATABASE_URL")
            .env_remove("ARK_MYSQL_OFFLINE");
        command
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
}

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            status: output.status.code().unwrap(),
            text: text(&[&output.stdout[..], &output.stderr].concat()),
            output: text(&output.stdout),
        }
    }

    #[track_caller]
    pub(crate) fn with(&self, status: i32, parts: &[&str]) {
        assert_eq!(self.status, status, "{}", self.text);
        for part in parts {
            assert!(
                self.text.contains(part),
                "{part:?} is missing in:\n{}",
                self.text
            );
        }
    }
}

/// The address of a new database on the server of a flavor.
pub(crate) fn database(flavor: Flavor, name: &str) -> String {
    static SERVERS: [OnceLock<DevServer>; 2] = [OnceLock::new(), OnceLock::new()];
    let [mysql, mariadb] = &SERVERS;
    let place = match flavor {
        Flavor::MySql => mysql,
        Flavor::MariaDb => mariadb,
    };
    let server = place.get_or_init(|| DevServer::builder().flavor(flavor).start().unwrap());
    sql(&server.url(), &format!("CREATE DATABASE {name}"));
    server.url_for(name)
}

pub(crate) fn sql(url: &str, script: &str) {
    try_sql(url, script).unwrap();
}

pub(crate) fn try_sql(url: &str, script: &str) -> ark_mysql::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async { Connection::connect(url).await?.run_script(script).await })
}

pub(crate) const BOTH: [Flavor; 2] = [Flavor::MySql, Flavor::MariaDb];
