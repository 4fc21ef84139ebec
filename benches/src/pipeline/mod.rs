//! One blob of 1 KiB by its key, one by one and sixteen in flight, on one connection. Rivals have one line each: none of them pipelines.

mod clients;
mod lines;

use anyhow::{Context, Result, ensure};
use ark_mysql::Connection;
use benches_common::rival::Took;

use self::clients::{Raw, Typed};
use self::lines::Line;
use crate::driver::{Driver, runtime};
use crate::figures::rate;
use crate::placement::Place;
use crate::raw::RawClient;
use crate::report::{Environment, Measure, Measured, Report, ServerFacts};
use crate::rival::Rivals;
use crate::server::Server;

/// In flight.
const DEPTH: usize = 16;
/// Bytes of a blob.
const SIZE: usize = 1024;
/// Rows in the table.
const ROWS: i32 = 1_000;
/// Some ten milliseconds, and whole pipelines.
const QUERIES_A_TURN: u32 = 256;

/// The parameters of the workload.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Queries a round, in turns of 256.
    pub queries: u32,
    /// Rounds; in each of them every line has its turns.
    pub rounds: u32,
    /// CPUs.
    pub place: Place,
    /// Who else takes part, one by one.
    pub rivals: Rivals,
}

/// Somebody who selects all keys of a turn.
trait Client {
    fn connection(&mut self) -> Result<u64>;
    fn serial(&mut self, keys: &[i32]) -> Result<()>;
    fn pipelined(&mut self, keys: &[i32]) -> Result<()>;
}

impl Pipeline {
    /// Fills the tables and runs all lines in turns.
    ///
    /// # Errors
    /// Fails when a line does, and when not every query gives its row.
    pub fn measure(&self, server: &Server) -> Result<Report> {
        let mut admin = RawClient::connect(&server.url())?;
        create(&mut admin)?;
        crate::arknet::create(&mut admin)?; // what the rivals select
        let user = server.user_with_password(&mut admin)?;
        let facts = runtime()?.block_on(async {
            let mut connection = Connection::connect(&*server.url()).await?;
            ServerFacts::ask(&mut connection).await
        })?;
        let placement = self.place.pick()?;
        let _awake = placement.keep_awake()?;
        placement.pin_client()?;
        let mut lines = lines::all(&self.rivals, &user.url())?;
        for line in &mut lines {
            let connections: Vec<u64> = line.side.connection()?.into_iter().collect();
            placement.pin_server(&mut admin, &connections)?;
            line.verify()?; // caches are warm then, too
        }
        let rounds = (0..self.rounds).map(|_| self.round(&mut lines));
        let rounds = rounds.collect::<Result<Vec<_>>>()?;
        let group = format!("1 KiB on {}", facts.version);
        Ok(Report {
            workload: "pipeline".to_owned(),
            method: self.method(),
            environment: Environment::new(vec![facts]),
            cells: lines::measured(&lines, &rounds, self.units(), &group),
            findings: Vec::new(),
        })
    }

    /// Many short turns: whatever else runs on the machine meets all alike. Every other time backwards.
    fn round(&self, lines: &mut [Line]) -> Result<Vec<Took>> {
        let mut took = vec![Took::default(); lines.len()];
        for turn in 0..self.turns() {
            let mut order: Vec<_> = lines.iter_mut().zip(&mut took).collect();
            if turn % 2 == 1 {
                order.reverse();
            }
            for (line, took) in order {
                let one = line.side.timed(QUERIES_A_TURN);
                let one = one.with_context(|| line.title.clone())?;
                took.wall += one.wall;
                took.cpu += one.cpu;
            }
        }
        Ok(took)
    }

    fn turns(&self) -> u32 {
        (self.queries / QUERIES_A_TURN).max(1)
    }

    /// Queries of a round.
    fn units(&self) -> u32 {
        self.turns() * QUERIES_A_TURN
    }

    fn method(&self) -> String {
        let advice = self.rivals.advice();
        format!(
            "{} selects of 1 KiB by key a round, {} rounds, the lines in turns of {QUERIES_A_TURN}, placed {:?}; ratios are medians over the rounds; no rival has more than one query in flight{}",
            self.units(),
            self.rounds,
            self.place,
            advice.map_or_else(String::new, |advice| format!("\n{advice}"))
        )
    }
}

/// Which measures are drawn.
pub const CHARTED: [&str; 2] = [lines::TO_PIPELINED, "client CPU us/query"];

/// What runs under valgrind: `queries` selects, sixteen in flight, by the raw socket or by the library. The table must be there.
///
/// # Errors
/// Fails when the client does.
pub fn drive(url: &str, raw: bool, queries: u32) -> Result<()> {
    let keys: Vec<i32> = keys(0).take(queries as usize).collect();
    if raw {
        Raw::connect(url)?.pipelined(&keys)
    } else {
        Typed::connect(Driver::runtime()?, url)?.pipelined(&keys)
    }
}

/// From the query of that number on, jumping about the table, endless.
fn keys(first: u32) -> impl Iterator<Item = i32> {
    (first..).map(|n| i32::try_from(n.wrapping_mul(7_919) % ROWS.unsigned_abs()).unwrap_or(0))
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
