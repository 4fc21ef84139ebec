//! The point workload as users of sqlx write it: `query_as!` on one connection.
//!
//! Started as `rival-sqlx URL` by the benchmarks' command, which then takes turns with it: it prints the server's number for its
//! connection, and for every line `QUERIES ROWS` that it reads, the nanoseconds which that many queries took.

use std::io::{BufRead, Write};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use chrono::NaiveDateTime;
use sqlx::{Connection, MySqlConnection};

#[expect(dead_code, reason = "decoding them is the work that is measured")]
struct Test1 {
    f1: i32,
    f2: i32,
    f3: i32,
    f4: i32,
    f5: i32,
    f6: i32,
    f7: i32,
    f8: i32,
    f9: i32,
    f10: i32,
    f11: f32,
    f12: f64,
    f13: String,
    f14: NaiveDateTime,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let url = std::env::args().nth(1).context("usage: rival-sqlx URL")?;
    let mut connection = MySqlConnection::connect(&url).await?;
    let id: u64 = sqlx::query_scalar("SELECT CONNECTION_ID()")
        .fetch_one(&mut connection)
        .await?;
    answer(u128::from(id))?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (queries, rows) = line.split_once(' ').context("a line is QUERIES ROWS")?;
        let took = run(&mut connection, queries.parse()?, rows.parse()?).await?;
        answer(took)?;
    }
    Ok(())
}

async fn run(connection: &mut MySqlConnection, queries: u64, rows: u64) -> Result<u128> {
    // The same keys in the same order as all other clients.
    let keys: Vec<i32> = (0..queries)
        .map(|step| i32::try_from(step * 7919 % rows + 1))
        .collect::<Result<_, _>>()?;
    let start = Instant::now();
    for key in keys {
        let row = sqlx::query_as!(
            Test1,
            "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 WHERE f1 = ?",
            key
        )
        .fetch_one(&mut *connection)
        .await?;
        ensure!(
            row.f1 == key,
            "another row came than the one with key {key}"
        );
    }
    Ok(start.elapsed().as_nanos())
}

fn answer(number: u128) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{number}")?;
    Ok(out.flush()?)
}
