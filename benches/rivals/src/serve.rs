//! What a rival's process does.

use anyhow::{Context, Result};
use benches_common::answer;
use benches_common::rival::Job;

use crate::driver::Driver;
use crate::lanes::Lanes;
use crate::turns::{Turns, drive};

/// Without arguments: a job, then an order a line of the standard input, an answer to each on the standard output. With `JOB COUNT`: so many
/// units of it, to be counted.
///
/// Where a driver's connections with TLS are of another type, it is the second one; else both are the same.
///
/// # Errors
/// Connecting or a statement failed.
pub fn serve<Plain: Driver, Tls: Driver>() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    if let Some(job) = arguments.next() {
        let count = arguments.next().context("usage: JOB COUNT")?.parse()?;
        let Job::Turns { task, url } = serde_json::from_str(&job)? else {
            anyhow::bail!("only turns have a count");
        };
        return if is_tls(&url) {
            drive::<Tls>(task, &url, count)
        } else {
            drive::<Plain>(task, &url, count)
        };
    }
    let mut orders = std::io::stdin().lines();
    let Some(first) = orders.next() else {
        return Ok(());
    };
    let job: Job = serde_json::from_str(&first?)?;
    let (Job::Turns { url, .. } | Job::Arknet { url, .. }) = &job;
    if is_tls(url) {
        work::<Tls>(job, orders)
    } else {
        work::<Plain>(job, orders)
    }
}

fn is_tls(url: &str) -> bool {
    url.contains("ssl-ca=")
}

fn work<D: Driver>(job: Job, orders: impl Iterator<Item = std::io::Result<String>>) -> Result<()> {
    match job {
        Job::Turns { task, url } => {
            let mut turns = Turns::<D>::start(task, &url)?;
            answer(&turns.id()?)?;
            for order in orders {
                answer(&turns.turn(serde_json::from_str(&order?)?)?)?;
            }
        }
        Job::Arknet { cell, url } => {
            let mut lanes = Lanes::<D>::start(cell, &url)?;
            answer(&())?;
            for order in orders {
                answer(&lanes.round(serde_json::from_str(&order?)?)?)?;
            }
        }
    }
    Ok(())
}
