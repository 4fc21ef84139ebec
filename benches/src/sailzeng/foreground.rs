//! The operations that are measured, one after the other on one connection.

use std::time::Instant;

use anyhow::Result;
use ark_mysql::{ConnectOptions, Connection, query};

use super::statements::Place;
use super::{Api, C, Commit, Link, Op};
use crate::worker::Latencies;

/// A connection as the run wants it.
pub(super) async fn connect(c: &C, url: &str) -> Result<Connection> {
    let mut options: ConnectOptions = url.parse()?;
    if c.api == Api::PrepareEach {
        options = options.statement_cache_capacity(1);
    }
    Ok(Connection::connect(options).await?)
}

/// Runs all operations.
pub(super) async fn run(c: &C, url: &str, connection: &mut Connection) -> Result<Latencies> {
    let mut latencies = Latencies::new()?;
    let batch = match c.commit {
        Commit::Auto => 0,
        Commit::OneTransaction => u32::MAX,
        Commit::Every(count) => count.max(1),
    };
    let all = c.n * c.times;
    let mut number = 0;
    while number < all {
        if batch == 0 {
            let start = Instant::now();
            if c.link == Link::TcpReconnect {
                let old = std::mem::replace(connection, connect(c, url).await?);
                old.close().await?;
            }
            operation(c, number, connection).await?;
            latencies.record(start.elapsed())?;
            number += 1;
            continue;
        }
        query("BEGIN").execute(&mut *connection).await?; // and not a `Transaction`: each executor compiles all statements again
        for _ in 0..batch.min(all - number) {
            let start = Instant::now();
            operation(c, number, connection).await?;
            latencies.record(start.elapsed())?;
            number += 1;
        }
        query("COMMIT").execute(&mut *connection).await?;
    }
    Ok(latencies)
}

async fn operation(c: &C, number: u32, on: &mut Connection) -> Result<()> {
    let place = place(c, number)?;
    match c.op {
        Op::Insert => place.insert(on).await,
        Op::SelectPk if writes(c) => place.look(on).await,
        Op::SelectPk => place.select(on).await,
        Op::UpdatePk4 => place.update(1_000_000, on).await,
        Op::DeletePk => place.delete(on).await,
    }
}

/// Whether somebody changes what is selected.
fn writes(c: &C) -> bool {
    c.background
        .is_some_and(|background| background.mix == super::Mix::ReadWrite)
}

/// Tables in turn, keys from the first to the last; with several times, each row all its times before the next.
fn place(c: &C, number: u32) -> Result<Place> {
    let row = if c.times > 1 {
        // First all rows once, then each four more times, as it was.
        match number.checked_sub(c.n) {
            None => number,
            Some(more) => more / (c.times - 1),
        }
    } else {
        number
    };
    Ok(Place {
        table: row % c.tables + 1,
        key: i32::try_from(row / c.tables + 1)?,
        text: c.api == Api::Text,
    })
}
