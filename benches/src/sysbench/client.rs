//! All connections in one process, each a task; as many threads as there are processors, each with a runtime and its share of the tasks. So no task moves
//! from one to another, which is what a thread a connection, as sysbench has it, does not pay for either.

use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use ark_mysql::Connection;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::statements::{self, Key};
use super::tables::{C, Groups};
use super::{Cell, Kind};
use crate::worker::{Latencies, Round, Span, Until, Work, round};

/// Connections that are opened at the same time: a server's queue of new ones is short.
const OPENING: usize = 32;

/// All connections of one cell.
pub struct Client {
    groups: Vec<Group>,
}

/// One thread's share of them.
struct Group {
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
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = u32::try_from(processors)?.min(cell.connections);
    let groups = (0..threads).map(|thread| {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let numbers = (thread..cell.connections).step_by(threads as usize);
        let lanes = runtime.block_on(open(cell, url, numbers))?;
        Ok(Group { runtime, lanes })
    });
    Ok(Client {
        groups: groups.collect::<Result<_>>()?,
    })
}

async fn open(cell: Cell, url: &str, numbers: impl Iterator<Item = u32>) -> Result<Vec<Lane>> {
    let mut lanes = Vec::new();
    let mut opening = JoinSet::new();
    for number in numbers {
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
        round(&mut self.groups, span, Group::run)
    }
}

impl Group {
    /// All lanes side by side, each at least one event.
    fn run(&mut self, until: Until) -> Result<Latencies> {
        let Self { runtime, lanes } = self;
        runtime.block_on(async {
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
        })
    }
}

impl Lane {
    async fn run(mut self, until: Until) -> Result<(Self, Latencies)> {
        let mut latencies = Latencies::new()?;
        let mut start = Instant::now();
        loop {
            self.event().await?;
            let end = Instant::now();
            latencies.record(end - start)?;
            if end >= until {
                return Ok((self, latencies));
            }
            start = end;
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
                statements::update_non_index(&mut self.connection, key, text.as_str()).await
            }
            Kind::Mixed => self.transaction().await,
        }
    }

    /// As sysbench does: after a deadlock the same again, with other keys.
    async fn transaction(&mut self) -> Result<()> {
        loop {
            let keys = [self.key(), self.key(), self.key()];
            let text = self.text();
            match statements::mixed(&mut self.connection, keys, text.as_str()).await {
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
    fn text(&mut self) -> Groups<C> {
        self.written += 1;
        Groups::of(1_000_000_000 + self.written)
    }
}

/// MariaDB's `innodb_snapshot_isolation`: a row was changed after the transaction had begun to read. Sysbench passes over it too.
fn is_overtaken(error: &ark_mysql::Error) -> bool {
    const CHECKREAD: u16 = 1020;
    error
        .server()
        .is_some_and(|server| server.code == CHECKREAD)
}
