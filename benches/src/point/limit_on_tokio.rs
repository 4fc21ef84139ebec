//! The limit on the runtime that the library uses.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::runtime::Runtime;

use super::Contender;
use super::limit::Limit;
use crate::driver::runtime;
use crate::raw::{RawOnTokio, RawStatement, one_row};

pub(super) struct LimitOnTokio {
    runtime: Runtime,
    client: RawOnTokio,
    statement: RawStatement,
    connection: u32,
}

impl LimitOnTokio {
    pub(super) fn connect(url: &str) -> Result<Self> {
        let runtime = runtime()?;
        let Limit { client, statement } = Limit::connect(url)?;
        let connection = client.connection_id();
        let client = runtime.block_on(async { RawOnTokio::new(client) })?;
        Ok(Self {
            runtime,
            client,
            statement,
            connection,
        })
    }
}

impl Contender for LimitOnTokio {
    fn connections(&mut self) -> Result<Vec<u64>> {
        Ok(vec![self.connection.into()])
    }

    /// The bytes are those that [`Limit`] checks.
    fn verify(&mut self, keys: &[i32]) -> Result<()> {
        self.run(keys).map(drop)
    }

    fn run(&mut self, keys: &[i32]) -> Result<Duration> {
        let mut command = self.statement.execution_of_int(false, 0);
        let start = Instant::now();
        self.runtime.block_on(async {
            for key in keys {
                if let Some(value) = command.last_chunk_mut() {
                    *value = key.to_le_bytes();
                }
                one_row(&self.client.execute(&command).await?)?;
            }
            Ok::<_, anyhow::Error>(())
        })?;
        Ok(start.elapsed())
    }
}
