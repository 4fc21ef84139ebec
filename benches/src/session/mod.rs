//! What the whole way of a point query costs, from `query_as!` to the struct, on recorded bytes and without a server.
//!
//! [`measure`] fails when it costs more than the committed figures; `.ci/run` calls it.

mod peer;
mod recorded;

use std::ffi::OsString;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use self::peer::Peer;
pub use self::recorded::Recorded;
use crate::callgrind::{self, Cost};
use crate::decode::Outcome;
use crate::figures::{grouped, table};
use crate::point::Client;

/// Queries between which the slope is taken.
const COUNTS: (u32, u32) = (1_000, 2_000);
/// How far a figure may be above the committed one: code of another compiler differs a little.
const TOLERANCE: f64 = 1.05;

/// Instructions and allocations a query, as committed (x86-64, rustc 1.95). Raising one needs its reason in the commit. Some 1,700 of the
/// instructions are tokio's, 550 the decoder's.
const COMMITTED: [(Client, f64, f64); 4] = [
    (Client::Typed, 3_968.0, 1.0),
    (Client::Alone, 2_684.0, 1.0),
    (Client::Pool, 5_143.0, 1.0),
    (Client::Borrowed, 3_759.0, 0.0),
];

/// Measures the clients; with `functions`, lists the dearest functions of each one.
///
/// # Errors
/// Fails without valgrind.
pub fn measure(functions: usize) -> Result<Outcome> {
    let peer = Peer::start()?;
    let heads = [
        "client",
        "instructions/query",
        "committed",
        "allocations/query",
        "committed",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let (mut details, mut verdict) = (String::new(), Ok(()));
    for (client, instructions, allocations) in COMMITTED {
        let cost = one(&peer, client)?;
        rows.push(vec![
            client.title().to_owned(),
            grouped(cost.instructions),
            grouped(instructions),
            format!("{:.2}", cost.allocations),
            format!("{allocations:.0}"),
        ]);
        if functions > 0 {
            details += &format!("\n{}\n{}", client.title(), cost.dearest(functions));
        }
        verdict = verdict.and_then(|()| judge(client, &cost, instructions, allocations));
    }
    Ok(Outcome {
        report: table(&rows) + &details,
        verdict,
    })
}

fn one(peer: &Peer, client: Client) -> Result<Cost> {
    let name = client
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned());
    let arguments = ["drive", "point", &name, &peer.url()].map(OsString::from);
    callgrind::slope(&arguments, COUNTS.0, COUNTS.1)
}

fn judge(client: Client, cost: &Cost, instructions: f64, allocations: f64) -> Result<()> {
    let title = client.title();
    ensure!(
        cost.instructions <= instructions * TOLERANCE,
        "{title}: {:.0} instructions a query, more than the committed figure and 5 %",
        cost.instructions
    );
    ensure!(
        cost.allocations <= allocations + 0.01,
        "{title}: {:.2} allocations a query, {allocations:.0} committed",
        cost.allocations
    );
    Ok(())
}
