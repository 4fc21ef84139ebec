//! User instructions and allocations a query, of the library and of the limit.

use std::ffi::OsString;

use anyhow::Result;
use clap::ValueEnum;

use crate::callgrind::{self, Cost};
use crate::figures::{grouped, table};
use crate::pipeline;
use crate::point::Client;
use crate::raw::RawClient;
use crate::test1;

/// Counts between which the slope is taken.
const COUNTS: (u32, u32) = (1_000, 3_000);

/// Measures every client of the point workload and returns the report; with `functions`, the dearest functions of each one too.
///
/// # Errors
/// Fails when the server does, and without valgrind.
pub fn measure(url: &str, functions: usize) -> Result<String> {
    let mut admin = RawClient::connect(url)?;
    pipeline::create(&mut admin)?; // both tables
    test1::create(&mut admin, test1::ROWS)?;
    let heads = ["client", "instructions/query", "allocations/query"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let mut details = String::new();
    for client in Client::value_variants() {
        let cost = one(url, *client)?;
        rows.push(line(client.title(), &cost));
        if functions > 0 {
            details += &format!("\n{}\n{}", client.title(), cost.dearest(functions));
        }
    }
    for (name, title) in [
        ("raw", "raw socket, 16 selects of 1 KiB in flight"),
        ("typed", "ark-mysql, conn.pipeline of 16 selects of 1 KiB"),
    ] {
        let arguments = ["drive", "pipeline", name, url].map(OsString::from);
        let cost = callgrind::slope(&arguments, COUNTS.0 / 16 * 16, COUNTS.1 / 16 * 16)?;
        rows.push(line(title, &cost));
        if functions > 0 {
            details += &format!("\n{title}\n{}", cost.dearest(functions));
        }
    }
    Ok(table(&rows) + &details)
}

fn line(title: &str, cost: &Cost) -> Vec<String> {
    vec![
        title.to_owned(),
        grouped(cost.instructions),
        format!("{:.2}", cost.allocations),
    ]
}

fn one(url: &str, client: Client) -> Result<Cost> {
    let name = client
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let arguments = ["drive", "point", &name, url].map(OsString::from);
    callgrind::slope(&arguments, COUNTS.0, COUNTS.1)
}

/// What runs under valgrind: `queries` point selects.
///
/// # Errors
/// Fails when the client does.
pub fn drive(url: &str, client: Client, queries: u32) -> Result<()> {
    let keys: Vec<i32> = test1::keys(test1::ROWS).take(queries as usize).collect();
    client.connect(url)?.run(&keys)?;
    Ok(())
}
