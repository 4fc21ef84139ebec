//! A server that may be ended by what it is asked.

use std::path::PathBuf;

use ark_mysql::dev_server::{DevServer, Flavor};
use ark_mysql_check::settings::{DatabaseUrl, Origin, Settings, Source, WhenUnreachable};

use super::client::{Client, Failure};

pub(super) struct Server {
    kind: crate::Server,
    running: DevServer,
    databases: usize,
}

/// A database of its own, and how to describe and to run statements in it.
pub(super) struct Database {
    pub(super) settings: Settings,
    pub(super) client: Client,
    pub(super) name: String,
}

impl Server {
    pub(super) fn start(kind: crate::Server) -> Self {
        Self {
            kind,
            running: start(kind),
            databases: 0,
        }
    }

    pub(super) fn flavor(&self) -> Flavor {
        self.kind.flavor()
    }

    /// Starts another in its place.
    pub(super) fn restart(&mut self) {
        self.running = start(self.kind);
    }

    /// A new database; `sql_mode` holds for it and everything after it.
    pub(super) fn database(&mut self, sql_mode: &str) -> Result<Database, Failure> {
        self.databases += 1;
        let name = format!("s{}", self.databases);
        let mut client = Client::connect(self.running.port(), "test")?;
        client.run(&format!("SET GLOBAL sql_mode = {sql_mode}"))?;
        client.run(&format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"))?;
        let mut client = Client::connect(self.running.port(), &name)?;
        client.run("SET NAMES utf8mb4, time_zone = '+00:00'")?;
        client.run(match self.flavor() {
            Flavor::MySql => "SET SESSION max_execution_time = 2000",
            Flavor::MariaDb => "SET SESSION max_statement_time = 2",
        })?;
        let url = format!("{}?ssl-mode=disabled", self.running.url_for(&name));
        let url = DatabaseUrl::parse(url, Origin::Given).expect("the server's own address");
        let settings = Settings {
            manifest_dir: PathBuf::from(format!("soundness-{name}")),
            source: Source::Server(Box::new(url)),
            when_unreachable: WhenUnreachable::Error,
            types: ark_mysql_check::description::Types::default(),
            config_file: None,
            record: None,
        };
        Ok(Database {
            settings,
            client,
            name,
        })
    }
}

fn start(kind: crate::Server) -> DevServer {
    kind.builder()
        .start()
        .unwrap_or_else(|error| panic!("{error}"))
}
