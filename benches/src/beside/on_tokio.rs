//! The raw socket once more, waiting by tokio as the library does: what lies between the two is the runtime's.

use anyhow::Result;
use tokio::runtime::Runtime;

use super::line::Side;
use crate::driver::runtime;
use crate::raw::{RawClient, RawOnTokio, Reply};

/// How the lines are called.
pub(super) const TITLE: &str = "raw socket on tokio, the same";

/// Repeats one command.
pub(super) struct OnTokio {
    runtime: Runtime,
    client: RawOnTokio,
    connection: u64,
    command: Vec<u8>,
    /// Changes the command for the unit of this number.
    vary: fn(&mut [u8], u32),
    /// Looks at the reply to the unit of this number; the row is empty where none came.
    check: fn(u32, &Reply, &[u8]) -> Result<()>,
}

impl OnTokio {
    pub(super) fn new(
        client: RawClient,
        command: Vec<u8>,
        vary: fn(&mut [u8], u32),
        check: fn(u32, &Reply, &[u8]) -> Result<()>,
    ) -> Result<Self> {
        let runtime = runtime()?;
        let connection = client.connection_id().into();
        let client = runtime.block_on(async { RawOnTokio::new(client) })?;
        Ok(Self {
            runtime,
            client,
            connection,
            command,
            vary,
            check,
        })
    }
}

impl Side for OnTokio {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.connection))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let (client, command) = (&mut self.client, &mut self.command);
        self.runtime.block_on(async {
            for number in 0..count {
                (self.vary)(command, number);
                let reply = client.execute(command).await?;
                (self.check)(number, &reply, client.row(&reply))?;
            }
            Ok(())
        })
    }
}
