//! Where something was measured: server and settings, machine, kernel, compiler, commit.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use ark_mysql::Connection;
use chrono::DateTime;
use serde::{Deserialize, Serialize};

/// What a figure depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Environment {
    /// When, in UTC, to the second.
    pub date: String,
    /// The commit of the benchmarks, with `+` behind it where files differ from it.
    pub commit: String,
    /// `rustc --version`.
    pub compiler: String,
    /// `release`, or `debug`, whose figures mean nothing.
    pub build: String,
    /// The processor and how many of them.
    pub machine: String,
    /// Its memory.
    pub memory_mib: u64,
    /// The kernel's release.
    pub kernel: String,
    /// Every server that took part.
    pub servers: Vec<ServerFacts>,
}

/// A server and its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServerFacts {
    /// What it calls its version.
    pub version: String,
    /// Those of its settings that move figures.
    pub settings: BTreeMap<String, String>,
}

const SETTINGS: [&str; 19] = [
    "aria_pagecache_buffer_size",
    "autocommit",
    "innodb_buffer_pool_size",
    "innodb_doublewrite",
    "innodb_flush_log_at_trx_commit",
    "innodb_flush_method",
    "innodb_log_file_size",
    "innodb_redo_log_capacity",
    "key_buffer_size",
    "log_bin",
    "max_connections",
    "max_prepared_stmt_count",
    "performance_schema",
    "query_cache_size",
    "query_cache_type",
    "sync_binlog",
    "table_open_cache",
    "thread_handling",
    "transaction_isolation",
];

impl Environment {
    /// Of this process and these servers.
    pub fn new(servers: Vec<ServerFacts>) -> Self {
        Self {
            date: now(),
            commit: commit(),
            compiler: said("rustc", &["--version"]),
            build: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            }
            .to_owned(),
            machine: machine(),
            memory_mib: field("/proc/meminfo", "MemTotal:")
                .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
                .map_or(0, |kib| kib / 1024),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| unknown(), |text| text.trim().to_owned()),
            servers,
        }
    }

    /// As lines of name and value, the settings of servers included.
    pub fn lines(&self) -> Vec<(String, String)> {
        let own = [
            ("date", self.date.clone()),
            ("commit", self.commit.clone()),
            (
                "compiler",
                format!("{}, {} build", self.compiler, self.build),
            ),
            (
                "machine",
                format!("{}, {} MiB", self.machine, self.memory_mib),
            ),
            ("kernel", self.kernel.clone()),
        ];
        let mut lines: Vec<_> = own
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        for (number, server) in self.servers.iter().enumerate() {
            let number = number + 1;
            lines.push((format!("server {number}"), server.version.clone()));
            for (name, value) in &server.settings {
                lines.push((format!("server {number} {name}"), value.clone()));
            }
        }
        lines
    }

    /// The same in one line, without settings.
    pub fn line(&self) -> String {
        let servers: Vec<_> = self.servers.iter().map(|server| &*server.version).collect();
        format!(
            "{}; {}; {}; kernel {}; {}, {} build; commit {}",
            self.date,
            servers.join(" and "),
            self.machine,
            self.kernel,
            self.compiler,
            self.build,
            self.commit
        )
    }
}

impl ServerFacts {
    /// Asks a server.
    ///
    /// # Errors
    /// The connection fails.
    pub async fn ask(connection: &mut Connection) -> Result<Self> {
        let version = connection.server_version().to_owned();
        let mut settings = BTreeMap::new();
        let rows = ark_mysql::query("SHOW GLOBAL VARIABLES")
            .fetch_all(connection)
            .await
            .context("the server does not tell its settings")?;
        for row in rows {
            let name: String = row.get(0)?;
            if SETTINGS.contains(&&*name) {
                settings.insert(name, row.get(1)?);
            }
        }
        Ok(Self { version, settings })
    }
}

fn now() -> String {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(0);
    DateTime::from_timestamp(seconds, 0).map_or_else(unknown, |time| {
        time.format("%Y-%m-%d %H:%M:%S UTC").to_string()
    })
}

fn commit() -> String {
    let head = said("git", &["rev-parse", "--short=12", "HEAD"]);
    match &*said("git", &["status", "--porcelain", "--untracked-files=no"]) {
        "" | "unknown" => head,
        _ => head + "+",
    }
}

/// All processors, and not only those that this process was pinned to.
fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let count = cpus
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let name = field("/proc/cpuinfo", "model name");
    let name = name.map_or_else(unknown, |text| {
        text.trim_start_matches([':', ' ']).to_owned()
    });
    format!("{name}, {count} CPUs")
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(rest.trim().to_owned())
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => unknown(),
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}
