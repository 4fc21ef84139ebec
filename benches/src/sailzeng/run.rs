//! One run: tables, settings, background, counters.

use std::time::Instant;

use anyhow::{Context, Result};
use ark_mysql::Connection;
use rustix::time::{ClockId, clock_gettime};
use tokio::runtime::{Builder, Runtime};

use super::background::Tasks;
use super::counters::{self, Counters};
use super::{C, Engine, Link, Op, foreground};
use crate::raw::RawClient;
use crate::report::ServerFacts;
use crate::server::Server;
use crate::test1::Test1;
use crate::worker::Round;

const ROWS_AN_INSERT: u32 = 500;

/// A server with a connection that sets everything up.
pub(super) struct Runner {
    runtime: Runtime,
    raw: RawClient,
    admin: Connection,
    tcp: String,
    unix: Option<String>,
    pub(super) facts: ServerFacts,
}

/// What a run came to.
pub(super) struct Outcome {
    pub(super) round: Round,
    pub(super) counters: Counters,
}

impl Runner {
    pub(super) fn connect(server: &Server) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let tcp = server.url();
        let (admin, facts) = runtime.block_on(async {
            let mut admin = Connection::connect(&*tcp).await?;
            let facts = ServerFacts::ask(&mut admin).await?;
            anyhow::Ok((admin, facts))
        })?;
        Ok(Self {
            raw: RawClient::connect(&tcp)?,
            unix: server.socket_url(),
            runtime,
            admin,
            tcp,
            facts,
        })
    }

    /// Whether this server has what the run needs.
    pub(super) fn can(&self, c: &C) -> bool {
        let mariadb = self.raw.is_mariadb();
        let engine = c.engine != Engine::Aria || mariadb;
        let link = c.link != Link::Unix || self.unix.is_some();
        engine && link && (c.cache.is_none() || mariadb)
    }

    pub(super) fn run(&mut self, c: &C) -> Result<Outcome> {
        self.settings(c)?;
        self.tables(c)?;
        let url = match (c.link, &self.unix) {
            (Link::Unix, Some(unix)) => unix.clone(),
            _ => self.tcp.clone(),
        };
        let mut connection = self.runtime.block_on(foreground::connect(c, &url))?;
        let background = c.background.map(|one| Tasks::start(c, one, &self.tcp));
        let background = background.transpose()?;
        let before = self.runtime.block_on(counters::read(&mut self.admin))?;
        let (start, cpu) = (Instant::now(), thread_cpu());
        let run = foreground::run(c, &url, &mut connection);
        let latencies = self.runtime.block_on(run).with_context(|| c.to_string())?;
        let (took, cpu) = (start.elapsed(), thread_cpu().saturating_sub(cpu));
        let after = self.runtime.block_on(counters::read(&mut self.admin))?;
        background.map_or(Ok(()), Tasks::stop)?;
        Ok(Outcome {
            round: latencies.round(took, cpu),
            counters: counters::difference(&before, &after),
        })
    }

    fn settings(&mut self, c: &C) -> Result<()> {
        let flush = c.flush_log;
        self.raw.query(&format!(
            "SET GLOBAL innodb_flush_log_at_trx_commit = {flush}"
        ))?;
        if self.raw.is_mariadb() {
            let on = u8::from(c.cache == Some(true));
            // Sessions take it over when they are opened.
            self.raw
                .query(&format!("SET GLOBAL query_cache_type = {on}"))?;
        }
        Ok(())
    }

    /// Makes the tables that the run uses anew, filled unless it fills them itself.
    fn tables(&mut self, c: &C) -> Result<()> {
        for table in 1..=c.tables {
            self.raw
                .query(&format!("DROP TABLE IF EXISTS sail{table}"))?;
        }
        self.raw.script(include_str!("../../sailzeng.sql"))?;
        let engine = match c.engine {
            Engine::InnoDb => "InnoDB",
            Engine::MyIsam => "MyISAM",
            Engine::Aria => "Aria",
        };
        for table in 1..=c.tables {
            self.raw
                .query(&format!("ALTER TABLE sail{table} ENGINE = {engine}"))?;
            if c.op != Op::Insert {
                self.fill(table, c.n.div_ceil(c.tables))?;
            }
        }
        Ok(())
    }

    fn fill(&mut self, table: u32, rows: u32) -> Result<()> {
        for first in (1..=rows).step_by(ROWS_AN_INSERT as usize) {
            let last = rows.min(first + ROWS_AN_INSERT - 1);
            let literal = |key| Ok(Test1::expected(i32::try_from(key)?).literal());
            let values: Vec<String> = (first..=last).map(literal).collect::<Result<_>>()?;
            self.raw.query(&format!(
                "INSERT INTO sail{table} VALUES {}",
                values.join(",")
            ))?;
        }
        Ok(())
    }
}

/// CPU time of this thread, which runs the foreground.
fn thread_cpu() -> std::time::Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    std::time::Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}
