//! The library by its public API, as one cell says.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use ark_mysql::{Connection, query_scalar};
use benches_common::payload::blob;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::{Cell, Mode};
use crate::worker::{Latencies, Round, Span, Until, Work, round};

/// All connections of one cell.
pub struct Client {
    lanes: Vec<Lane>,
}

/// One connection with its thread's runtime.
struct Lane {
    cell: Cell,
    runtime: Runtime,
    connection: Arc<Mutex<Connection>>,
    expected: Arc<[u8]>,
}

/// Connects as a cell says, and runs the statement once, so that it is prepared.
///
/// # Errors
/// The server cannot be reached, refuses, or gives another blob than it must.
pub fn connect(cell: Cell, url: &str) -> Result<Client> {
    let lanes = (0..cell.connections).map(|_| Lane::connect(cell, url));
    Ok(Client {
        lanes: lanes.collect::<Result<_>>()?,
    })
}

macro_rules! select {
    ($size:expr) => {
        query_scalar!("SELECT body FROM payloads WHERE size = ?", $size)
    };
}

impl Work for Client {
    fn round(&mut self, span: Span) -> Result<Round> {
        round(&mut self.lanes, span, Lane::run)
    }
}

impl Lane {
    fn connect(cell: Cell, url: &str) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let connection = runtime.block_on(Connection::connect(url))?;
        let mut lane = Self {
            cell,
            runtime,
            connection: Arc::new(Mutex::new(connection)),
            expected: blob(cell.payload).into(),
        };
        lane.run(Instant::now())?;
        Ok(lane)
    }

    /// At least one query, or one for each that may be in flight.
    fn run(&mut self, until: Until) -> Result<Latencies> {
        let Self {
            cell,
            runtime,
            connection,
            expected,
        } = self;
        let size = i32::try_from(cell.payload)?;
        runtime.block_on(async {
            if cell.in_flight == 1 {
                one_by_one(
                    &mut *connection.lock().await,
                    cell.mode,
                    size,
                    expected,
                    until,
                )
                .await
            } else if cell.mode == Mode::Prepared {
                let depth = cell.in_flight as usize;
                pipelined(&mut *connection.lock().await, depth, size, expected, until).await
            } else {
                queued(connection, cell.in_flight, size, expected, until).await
            }
        })
    }
}

async fn one_by_one(
    connection: &mut Connection,
    mode: Mode,
    size: i32,
    expected: &[u8],
    until: Until,
) -> Result<Latencies> {
    let mut latencies = Latencies::new()?;
    loop {
        let start = Instant::now();
        let body: Vec<u8> = match mode {
            Mode::Prepared => select!(size).fetch_one(&mut *connection).await?,
            Mode::Text => select!(size).text().fetch_one(&mut *connection).await?,
        };
        latencies.record(start.elapsed())?;
        check(&body, expected)?;
        if Instant::now() >= until {
            return Ok(latencies);
        }
    }
}

/// As many as may be in flight are sent together, and the next ones when all of them are answered; so all of them take as long as the last.
async fn pipelined(
    connection: &mut Connection,
    depth: usize,
    size: i32,
    expected: &[u8],
    until: Until,
) -> Result<Latencies> {
    let mut latencies = Latencies::new()?;
    loop {
        let start = Instant::now();
        let items: Vec<_> = (0..depth).map(|_| select!(size).one()).collect();
        let bodies = connection.pipeline(items).await?;
        let took = start.elapsed();
        for body in bodies {
            check(&body?, expected)?;
            latencies.record(took)?;
        }
        if Instant::now() >= until {
            return Ok(latencies);
        }
    }
}

/// There are no pipelines of text: so many tasks share the connection, and the time that they wait for it counts.
async fn queued(
    connection: &Arc<Mutex<Connection>>,
    tasks: u32,
    size: i32,
    expected: &Arc<[u8]>,
    until: Until,
) -> Result<Latencies> {
    let mut set = JoinSet::new();
    for _ in 0..tasks {
        let (connection, expected) = (Arc::clone(connection), Arc::clone(expected));
        set.spawn(async move {
            let mut latencies = Latencies::new()?;
            loop {
                let start = Instant::now();
                let mut connection = connection.lock().await;
                let body: Vec<u8> = select!(size).text().fetch_one(&mut *connection).await?;
                drop(connection);
                latencies.record(start.elapsed())?;
                check(&body, &expected)?;
                if Instant::now() >= until {
                    return anyhow::Ok(latencies);
                }
            }
        });
    }
    let mut all = Latencies::new()?;
    while let Some(latencies) = set.join_next().await {
        all.add(&latencies.context("a task panicked")??)?;
    }
    Ok(all)
}

fn check(body: &[u8], expected: &[u8]) -> Result<()> {
    ensure!(
        body == expected,
        "another blob came than the one of {} bytes",
        expected.len()
    );
    Ok(())
}
