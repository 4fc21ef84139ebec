//! All connections in one process, each a task.

use std::time::Instant;

use anyhow::{Context, Result};
use ark_mysql::Connection;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::statements::{self, Key};
use super::{Cell, Kind, tables};
use crate::worker::{Latencies, Round, Span, Until, Work, cpu_time};

/// Connections that are opened at the same time: a server's queue of new ones is short.
const OPENING: usize = 32;

/// All connections of one cell.
pub struct Client {
    runtime: Runtime,
    lanes: Vec<Lane>,
}

struct Lane {
    cell: Cell,
    connection: Connection,
    random: fastrand::Rng,
    /// Begins anywhere: what an earlier process wrote into the same rows must not be written again, or nothing changes.
    written: u64,
}

/// Opens them all.
///
/// # Errors
/// The server cannot be reached, or has room for fewer.
pub fn connect(cell: Cell, url: &str) -> Result<Client> {
    super::raise_limit();
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let lanes = runtime.block_on(open(cell, url))?;
    Ok(Client { runtime, lanes })
}

async fn open(cell: Cell, url: &str) -> Result<Vec<Lane>> {
    let mut lanes = Vec::new();
    let mut opening = JoinSet::new();
    for number in 0..cell.connections {
        if opening.len() == OPENING {
            lanes.extend(next(&mut opening).await?);
        }
        let url = url.to_owned();
        opening.spawn(async move {
            let connection = Connection::connect(&*url)
                .await
                .with_context(|| format!("connection {} of {}", number + 1, cell.connections))?;
            Ok(Lane {
                cell,
                connection,
                random: fastrand::Rng::with_seed(number.into()),
                written: fastrand::u64(..1 << 40),
            })
        });
    }
    while let Some(lane) = next(&mut opening).await? {
        lanes.push(lane);
    }
    Ok(lanes)
}

async fn next<T: 'static>(set: &mut JoinSet<Result<T>>) -> Result<Option<T>> {
    match set.join_next().await {
        Some(result) => result.context("a task panicked")?.map(Some),
        None => Ok(None),
    }
}

impl Work for Client {
    fn round(&mut self, span: Span) -> Result<Round> {
        let Self { runtime, lanes } = self;
        runtime.block_on(async {
            run(lanes, Instant::now() + span.warm_up).await?;
            let (start, cpu) = (Instant::now(), cpu_time());
            let latencies = run(lanes, Instant::now() + span.round).await?;
            Ok(latencies.round(start.elapsed(), cpu_time().saturating_sub(cpu)))
        })
    }
}

/// All lanes side by side, each at least one event.
async fn run(lanes: &mut Vec<Lane>, until: Until) -> Result<Latencies> {
    let mut running = JoinSet::new();
    for lane in lanes.drain(..) {
        running.spawn(lane.run(until));
    }
    let mut all = Latencies::new()?;
    while let Some((lane, latencies)) = next(&mut running).await? {
        all.add(&latencies)?;
        lanes.push(lane);
    }
    Ok(all)
}

impl Lane {
    async fn run(mut self, until: Until) -> Result<(Self, Latencies)> {
        let mut latencies = Latencies::new()?;
        loop {
            let start = Instant::now();
            self.event().await?;
            latencies.record(start.elapsed())?;
            if Instant::now() >= until {
                return Ok((self, latencies));
            }
        }
    }

    async fn event(&mut self) -> Result<()> {
        match self.cell.kind {
            Kind::Read => {
                let key = self.key();
                statements::read(&mut self.connection, key).await
            }
            Kind::UpdateNonIndex => {
                let (key, text) = (self.key(), self.text());
                statements::update_non_index(&mut self.connection, key, &text).await
            }
            Kind::Mixed => self.transaction().await,
        }
    }

    /// As sysbench does: after a deadlock the same again, with other keys.
    async fn transaction(&mut self) -> Result<()> {
        loop {
            let keys = [self.key(), self.key(), self.key()];
            let text = self.text();
            match statements::mixed(&mut self.connection, keys, &text).await {
                Err(error) if error.is_transient() || is_overtaken(&error) => {}
                end => return Ok(end?),
            }
        }
    }

    fn key(&mut self) -> Key {
        Key {
            table: self.random.u32(1..=self.cell.tables),
            id: self.random.u32(1..=self.cell.rows),
        }
    }

    /// Another one each time.
    fn text(&mut self) -> String {
        self.written += 1;
        tables::groups(10, 1_000_000_000 + self.written)
    }
}

/// MariaDB's `innodb_snapshot_isolation`: a row was changed after the transaction had begun to read. Sysbench passes over it too.
fn is_overtaken(error: &ark_mysql::Error) -> bool {
    const CHECKREAD: u16 = 1020;
    error
        .server()
        .is_some_and(|server| server.code == CHECKREAD)
}
