//! One blob of 1 KiB by its key, one by one and sixteen in flight, on one connection.

mod clients;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::time::{ClockId, clock_gettime};

use self::clients::{Raw, Typed};
use crate::driver::Driver;
use crate::figures::{Samples, grouped, rate, table};
use crate::placement::Place;
use crate::raw::RawClient;

/// In flight.
const DEPTH: usize = 16;
/// Bytes of a blob.
const SIZE: usize = 1024;
/// Rows in the table.
const ROWS: i32 = 1_000;
/// Some ten milliseconds, and whole pipelines.
const QUERIES_A_TURN: usize = 16 * DEPTH;

/// The parameters of the workload.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Queries a round.
    pub queries: u32,
    /// Rounds; in each of them every client has its turns.
    pub rounds: u32,
    /// CPUs.
    pub place: Place,
}

/// Somebody who selects all keys of a turn.
trait Client {
    fn connection(&mut self) -> Result<u64>;
    fn serial(&mut self, keys: &[i32]) -> Result<()>;
    fn pipelined(&mut self, keys: &[i32]) -> Result<()>;
}

/// One client in one way.
#[derive(Default)]
struct Line {
    rates: Vec<f64>,
    cpu: Vec<f64>,
}

const LINES: [&str; 2 * CLIENTS] = [
    "raw socket, one by one",
    "raw socket, 16 in flight",
    "ark-mysql, one by one",
    "ark-mysql, pipeline of 16",
    "ark-mysql under block_on, one by one",
    "ark-mysql under block_on, pipeline of 16",
];

/// Each one by one, and sixteen in flight.
const CLIENTS: usize = 3;

impl Pipeline {
    /// Fills the table, runs all clients in turns and returns the report.
    ///
    /// # Errors
    /// Fails when a client does, and when not every query gives its row.
    pub fn measure(&self, url: &str) -> Result<String> {
        let mut admin = RawClient::connect(url)?;
        create(&mut admin)?;
        let placement = self.place.pick()?;
        let _awake = placement.keep_awake()?;
        placement.pin_client()?;
        let mut clients: [Box<dyn Client>; CLIENTS] = [
            Box::new(Raw::connect(url)?),
            Box::new(Typed::connect(Driver::runtime()?, url)?),
            Box::new(Typed::connect(Driver::Thread, url)?),
        ];
        for client in &mut clients {
            placement.pin_server(&mut admin, &[client.connection()?])?;
        }
        let keys = keys(self.queries);
        let mut lines: [Line; LINES.len()] = Default::default();
        for _ in 0..self.rounds {
            round(&keys, &mut clients, &mut lines)?;
        }
        Ok(report(&lines))
    }
}

/// What runs under valgrind: `queries` selects, sixteen in flight, by the raw socket or by the library. The table must be there.
///
/// # Errors
/// Fails when the client does.
pub fn drive(url: &str, raw: bool, queries: u32) -> Result<()> {
    let keys = keys(queries);
    if raw {
        Raw::connect(url)?.pipelined(&keys)
    } else {
        Typed::connect(Driver::runtime()?, url)?.pipelined(&keys)
    }
}

fn keys(queries: u32) -> Vec<i32> {
    (0..queries)
        .map(|n| i32::try_from(n.wrapping_mul(7_919) % ROWS.unsigned_abs()).unwrap_or(0))
        .collect()
}

/// Many short turns: whatever else runs on the machine meets all alike. Every other time backwards.
fn round(
    keys: &[i32],
    clients: &mut [Box<dyn Client>; CLIENTS],
    lines: &mut [Line; LINES.len()],
) -> Result<()> {
    let mut took = [(Duration::ZERO, Duration::ZERO); LINES.len()];
    for (number, turn) in keys.chunks_exact(QUERIES_A_TURN).enumerate() {
        for step in 0..LINES.len() {
            let line = if number % 2 == 0 {
                step
            } else {
                LINES.len() - 1 - step
            };
            let (wall, cpu) = one(turn, clients, line)?;
            if let Some(sum) = took.get_mut(line) {
                sum.0 += wall;
                sum.1 += cpu;
            }
        }
    }
    let queries = keys.len() / QUERIES_A_TURN * QUERIES_A_TURN;
    let queries = u32::try_from(queries)?;
    for (line, (wall, cpu)) in lines.iter_mut().zip(took) {
        line.rates.push(rate(queries, wall));
        line.cpu.push(cpu.as_secs_f64() * 1e6 / f64::from(queries));
    }
    Ok(())
}

fn one(
    turn: &[i32],
    clients: &mut [Box<dyn Client>; CLIENTS],
    line: usize,
) -> Result<(Duration, Duration)> {
    let Some(client) = clients.get_mut(line / 2) else {
        return Ok((Duration::ZERO, Duration::ZERO)); // there is no such line
    };
    let (start, cpu) = (Instant::now(), cpu_time());
    if line.is_multiple_of(2) {
        client.serial(turn)?;
    } else {
        client.pipelined(turn)?;
    }
    Ok((start.elapsed(), cpu_time().saturating_sub(cpu)))
}

/// Of this thread, which runs the client and its runtime.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

fn report(lines: &[Line; LINES.len()]) -> String {
    let heads = [
        "client",
        "queries/s",
        "min",
        "max",
        "to the raw one that does the same",
        "min",
        "max",
        "to its own one by one",
        "client CPU us/query",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for (number, (name, line)) in LINES.iter().zip(lines).enumerate() {
        let against = |other: usize| -> Samples {
            let other = lines
                .get(other)
                .map(|line| line.rates.clone())
                .unwrap_or_default();
            line.rates
                .iter()
                .zip(other)
                .map(|(own, other)| own / other)
                .collect()
        };
        let rates: Samples = line.rates.iter().copied().collect();
        let cpu: Samples = line.cpu.iter().copied().collect();
        let (raw, own) = (against(number % 2), against(number - number % 2));
        let mut cells = vec![(*name).to_owned()];
        cells.extend([rates.median(), rates.min(), rates.max()].map(grouped));
        cells.extend(
            [raw.median(), raw.min(), raw.max(), own.median()].map(|ratio| format!("{ratio:.3}")),
        );
        cells.push(format!("{:.2}", cpu.median()));
        rows.push(cells);
    }
    table(&rows)
}

/// Makes the table anew.
///
/// # Errors
/// Fails when the server does.
pub fn create(client: &mut RawClient) -> Result<()> {
    client.query("DROP TABLE IF EXISTS test1, kib")?;
    client.script(include_str!("../../schema.sql"))?;
    for first in (0..ROWS).step_by(100) {
        let values: Vec<String> = (first..first + 100)
            .map(|key| format!("({key}, REPEAT(CHAR({}), {SIZE}))", 32 + key % 90))
            .collect();
        client.query(&format!("INSERT INTO kib VALUES {}", values.join(",")))?;
    }
    Ok(())
}

/// Fails unless this is the row with that key.
fn verify(key: i32, body: &[u8]) -> Result<()> {
    let byte = u8::try_from(32 + key % 90)?;
    ensure!(
        body.len() == SIZE && body.first() == Some(&byte) && body.last() == Some(&byte),
        "another row came than the one with key {key}"
    );
    Ok(())
}
