//! One row of fourteen columns by its key, again and again on one connection: what a query costs beyond the bytes.

mod limit;
mod limit_on_tokio;
mod rival;
mod typed;

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;

use crate::figures::{Samples, grouped, rate, table};
use crate::placement::Place;
use crate::raw::RawClient;
use crate::test1;

/// Who sends the queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// A raw socket, following packet framing only: the limit.
    Limit,
    /// The same, waiting by tokio as the library does.
    LimitOnTokio,
    /// `query_as!(…).fetch_one(&mut connection)`.
    Typed,
    /// `query_as!(…).fetch_one(&pool)`.
    Pool,
    /// `query_as!(…).for_each(&mut connection, …)` into a struct that borrows.
    Borrowed,
    /// The rival's `query_as!(…).fetch_one(&mut connection)`, in a process of its own.
    Sqlx,
}

/// Some ten milliseconds.
const QUERIES_A_TURN: usize = 250;

/// The rival's program.
const SQLX: &str = "rival-sqlx";

/// A client with its connection, ready to run.
pub trait Contender {
    /// The server's number for each connection that it uses.
    ///
    /// # Errors
    /// Fails when the connection does.
    fn connections(&mut self) -> Result<Vec<u64>>;

    /// Selects each key and checks every column of every row.
    ///
    /// # Errors
    /// Says what came where something else was expected.
    fn verify(&mut self, keys: &[i32]) -> Result<()>;

    /// Selects each key, checking that its own row came, and returns how long that took.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    fn run(&mut self, keys: &[i32]) -> Result<Duration>;
}

/// The parameters of the workload.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Queries a round.
    pub queries: u32,
    /// Rounds; in each of them every client has its turns.
    pub rounds: u32,
    /// Rows in the table.
    pub rows: u32,
    /// CPUs.
    pub place: Place,
}

impl Client {
    /// How tables call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Limit => "raw socket, framing only",
            Self::LimitOnTokio => "raw socket on tokio, framing only",
            Self::Typed => "ark-mysql, query_as! on a connection",
            Self::Pool => "ark-mysql, query_as! on a pool",
            Self::Borrowed => "ark-mysql, query_as! borrowed",
            Self::Sqlx => "sqlx 0.9, query_as! on a connection",
        }
    }

    /// Those that can take part: rivals only when they were built.
    pub fn available() -> impl Iterator<Item = Self> {
        let built = |client: &Self| *client != Self::Sqlx || rival::is_built(SQLX);
        Self::value_variants().iter().copied().filter(built)
    }

    /// Connects.
    ///
    /// # Errors
    /// Fails when the server cannot be reached or refuses.
    pub fn connect(self, url: &str) -> Result<Box<dyn Contender>> {
        Ok(match self {
            Self::Limit => Box::new(limit::Limit::connect(url)?),
            Self::LimitOnTokio => Box::new(limit_on_tokio::LimitOnTokio::connect(url)?),
            Self::Typed => Box::new(typed::Typed::connect(url)?),
            Self::Pool => Box::new(typed::Pooled::connect(url)?),
            Self::Borrowed => Box::new(typed::Borrowed::connect(url)?),
            Self::Sqlx => Box::new(rival::Rival::connect(SQLX, url)?),
        })
    }
}

impl Point {
    /// Fills the table, runs all clients in turns and returns the report.
    ///
    /// # Errors
    /// Fails when a client does, and when a row is not the expected one.
    pub fn measure(&self, url: &str) -> Result<String> {
        let mut admin = RawClient::connect(url)?;
        test1::create(&mut admin, self.rows)?;
        let every: Vec<i32> = test1::keys(self.rows).take(self.rows as usize).collect();
        let keys: Vec<i32> = test1::keys(self.rows).take(self.queries as usize).collect();
        let mut contenders = Vec::new();
        let placement = self.place.pick()?;
        let _awake = placement.keep_awake()?;
        placement.pin_client()?;
        for client in Client::available() {
            let mut contender = client.connect(url)?;
            placement.pin_server(&mut admin, &contender.connections()?)?;
            contender.verify(&every)?;
            contenders.push((client, contender));
        }
        let mut rounds = Vec::new();
        for _ in 0..self.rounds {
            rounds.push(self.round(&keys, &mut contenders)?);
        }
        Ok(self.report(&rounds))
    }

    /// Many short turns: whatever else runs on the machine meets all clients alike. Every other time backwards, so that nobody
    /// always follows the same one.
    fn round(
        &self,
        keys: &[i32],
        contenders: &mut [(Client, Box<dyn Contender>)],
    ) -> Result<Vec<(Client, f64)>> {
        let mut took = vec![Duration::ZERO; contenders.len()];
        for (number, turn) in keys.chunks(QUERIES_A_TURN).enumerate() {
            let mut order: Vec<_> = contenders.iter_mut().zip(&mut took).collect();
            if number % 2 == 1 {
                order.reverse();
            }
            for ((_, contender), took) in order {
                *took += contender.run(turn)?;
            }
        }
        let rates = contenders
            .iter()
            .zip(took)
            .map(|((client, _), took)| (*client, rate(self.queries, took)));
        Ok(rates.collect())
    }

    fn report(&self, rounds: &[Vec<(Client, f64)>]) -> String {
        let of = |round: &Vec<(Client, f64)>, client: Client| {
            round
                .iter()
                .find(|(who, _)| *who == client)
                .map_or(f64::NAN, |(_, rate)| *rate)
        };
        let heads = [
            "client",
            "queries/s",
            "min",
            "max",
            "ratio to the limit",
            "min",
            "max",
            "to the one on tokio",
        ];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for client in Client::available() {
            let rates: Samples = rounds.iter().map(|round| of(round, client)).collect();
            let against = |limit| {
                rounds
                    .iter()
                    .map(|round| of(round, client) / of(round, limit))
                    .collect::<Samples>()
            };
            let ratios = against(Client::Limit);
            let mut cells = vec![client.title().to_owned()];
            cells.extend([rates.median(), rates.min(), rates.max()].map(grouped));
            let on_tokio = against(Client::LimitOnTokio).median();
            cells.extend(
                [ratios.median(), ratios.min(), ratios.max(), on_tokio]
                    .map(|ratio| format!("{ratio:.3}")),
            );
            rows.push(cells);
        }
        table(&rows)
    }
}
