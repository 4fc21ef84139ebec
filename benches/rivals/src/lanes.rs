//! A cell of arknet's table: a thread for each connection.

use std::time::Instant;

use anyhow::{Result, ensure};
use benches_common::cell::{Cell, Mode};
use benches_common::pace::{Latencies, Round, Span, Until, round};
use benches_common::payload::{SELECT, blob};

use crate::address::Address;
use crate::driver::{Driver, Waiter};

pub(crate) struct Lanes<D: Driver>(Vec<Lane<D>>);

struct Lane<D: Driver> {
    cell: Cell,
    waiter: Waiter,
    driver: D,
    statement: D::Statement,
    expected: Vec<u8>,
}

impl<D: Driver> Lanes<D> {
    pub(crate) fn start(cell: Cell, url: &str) -> Result<Self> {
        ensure!(
            cell.in_flight == 1,
            "no rival has more than one statement in flight"
        );
        let address = Address::parse(url)?;
        let lanes = (0..cell.connections).map(|_| Lane::connect(cell, &address));
        Ok(Self(lanes.collect::<Result<_>>()?))
    }

    pub(crate) fn round(&mut self, span: Span) -> Result<Round> {
        round(&mut self.0, span, Lane::run)
    }
}

impl<D: Driver> Lane<D> {
    fn connect(cell: Cell, address: &Address) -> Result<Self> {
        let waiter = Waiter::of::<D>()?;
        let (driver, statement) = waiter.wait(async {
            let mut driver = D::connect(address).await?;
            let statement = driver.prepare(SELECT).await?;
            anyhow::Ok((driver, statement))
        })?;
        let mut lane = Self {
            cell,
            waiter,
            driver,
            statement,
            expected: blob(cell.payload),
        };
        lane.run(Instant::now())?;
        Ok(lane)
    }

    /// At least one query.
    fn run(&mut self, until: Until) -> Result<Latencies> {
        let Self {
            cell,
            waiter,
            driver,
            statement,
            expected,
        } = self;
        let size = cell.payload;
        let mut latencies = Latencies::new()?;
        waiter.wait(async {
            loop {
                let start = Instant::now();
                let body = match cell.mode {
                    Mode::Prepared => driver.blob(statement, size).await?,
                    Mode::Text => {
                        driver
                            .blob_by_text(&SELECT.replace('?', &size.to_string()))
                            .await?
                    }
                };
                latencies.record(start.elapsed())?;
                ensure!(
                    body == *expected,
                    "another blob came than the one of {size} bytes"
                );
                if Instant::now() >= until {
                    return Ok(latencies);
                }
            }
        })
    }
}
