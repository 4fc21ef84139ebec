//! The raw socket, and the library by its public API.

use anyhow::{Result, ensure};
use ark_mysql::{Connection, query_scalar};

use super::{Client, DEPTH, verify};
use crate::driver::Driver;
use crate::raw::{RawClient, RawStatement, one_row};

const SELECT: &str = "SELECT body FROM kib WHERE id = ?";

pub(super) struct Raw {
    client: RawClient,
    statement: RawStatement,
    commands: Vec<u8>,
}

pub(super) struct Typed {
    driver: Driver,
    connection: Connection,
}

macro_rules! select {
    ($key:expr) => {
        query_scalar!("SELECT body FROM kib WHERE id = ?", $key)
    };
}

impl Raw {
    pub(super) fn connect(url: &str) -> Result<Self> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(SELECT)?;
        client.execute(&statement.execution_of_int(true, 1))?;
        Ok(Self {
            client,
            statement,
            commands: Vec::new(),
        })
    }
}

impl Client for Raw {
    fn connection(&mut self) -> Result<u64> {
        Ok(self.client.connection_id().into())
    }

    fn serial(&mut self, keys: &[i32]) -> Result<()> {
        for key in keys {
            one_row(
                &self
                    .client
                    .execute(&self.statement.execution_of_int(false, *key))?,
            )?;
        }
        Ok(())
    }

    fn pipelined(&mut self, keys: &[i32]) -> Result<()> {
        for keys in keys.chunks_exact(DEPTH) {
            self.commands.clear();
            for key in keys {
                self.commands
                    .extend(self.statement.execution_of_int(false, *key));
            }
            let rows = self.client.pipeline(&self.commands, DEPTH)?;
            ensure!(rows == 16, "{rows} rows came where 16 were expected");
        }
        Ok(())
    }
}

impl Typed {
    pub(super) fn connect(driver: Driver, url: &str) -> Result<Self> {
        let connection = driver.block_on(Connection::connect(url))?;
        Ok(Self { driver, connection })
    }
}

impl Client for Typed {
    fn connection(&mut self) -> Result<u64> {
        let id = query_scalar!("SELECT CONNECTION_ID()").fetch_one(&mut self.connection);
        Ok(self.driver.block_on(id)?)
    }

    fn serial(&mut self, keys: &[i32]) -> Result<()> {
        self.driver.block_on(async {
            for key in keys {
                let body: Vec<u8> = select!(*key).fetch_one(&mut self.connection).await?;
                verify(*key, &body)?;
            }
            Ok(())
        })
    }

    fn pipelined(&mut self, keys: &[i32]) -> Result<()> {
        self.driver.block_on(async {
            for keys in keys.as_chunks::<DEPTH>().0 {
                let items = keys.each_ref().map(|key| select!(*key).one());
                for (key, body) in keys.iter().zip(self.connection.pipeline(items).await?) {
                    verify(*key, &body?)?;
                }
            }
            Ok(())
        })
    }
}
