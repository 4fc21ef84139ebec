//! One row of fourteen columns by its key, by each client of the point workload.

use anyhow::Result;
use clap::ValueEnum;

use super::line::{Line, Side};
use crate::point::{Client, Contender};
use crate::test1;

pub(super) fn lines() -> Vec<Line> {
    let clients = Client::value_variants().iter();
    clients.map(|client| Line::point(*client)).collect()
}

pub(super) fn start(client: Client, url: &str) -> Result<Box<dyn Side>> {
    Ok(Box::new(Keyed {
        contender: client.connect(url)?,
        keys: Box::new(test1::keys(test1::ROWS)),
    }))
}

/// All get the same keys in the same order.
struct Keyed {
    contender: Box<dyn Contender>,
    keys: Box<dyn Iterator<Item = i32>>,
}

impl Keyed {
    fn next(&mut self, count: u32) -> Vec<i32> {
        self.keys.by_ref().take(count as usize).collect()
    }
}

impl Side for Keyed {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.contender.connections()?.first().copied())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let keys = self.next(count);
        self.contender.run(&keys).map(drop)
    }

    fn verify(&mut self, count: u32) -> Result<()> {
        let keys = self.next(count);
        self.contender.verify(&keys)
    }
}
