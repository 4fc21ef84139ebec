//! Rows into a table: one a statement, or many in one call.

use anyhow::{Result, ensure};
use ark_mysql::{insert_many, query};

use super::{Line, Side, Typed};
use crate::raw::RawClient;

/// Of one call.
pub(super) const ROWS: u32 = 10_000;

const INSERT: &str = "INSERT INTO inserts (number) VALUES (?)";

macro_rules! insert {
    ($number:expr) => {
        query!("INSERT INTO inserts (number) VALUES (?)", $number)
    };
}

pub(super) fn single() -> Vec<Line> {
    let line = |title, start| Line {
        title,
        start,
        tls: false,
    };
    vec![
        line("raw socket, framing only", |url| {
            Ok(Box::new(Raw::connect(url)?))
        }),
        line("ark-mysql, query!(…).execute", |url| {
            Ok(Box::new(Single(Typed::connect(url)?)))
        }),
    ]
}

pub(super) fn many() -> Vec<Line> {
    let line = |title, start| Line {
        title,
        start,
        tls: false,
    };
    vec![
        line("ark-mysql, execute_many in a transaction", |url| {
            Ok(Box::new(Pipelined(Typed::connect(url)?)))
        }),
        line("ark-mysql, insert_many!", |url| {
            Ok(Box::new(Many(Typed::connect(url)?)))
        }),
    ]
}

struct Raw {
    client: RawClient,
    command: Vec<u8>,
}

struct Single(Typed);
struct Pipelined(Typed);
struct Many(Typed);

impl Raw {
    fn connect(url: &str) -> Result<Self> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(INSERT)?;
        // The first execution tells the server the parameter's type; it is remembered for all others.
        client.execute(&statement.execution_of_int(true, 0))?;
        let command = statement.execution_of_int(false, 0);
        Ok(Self { client, command })
    }
}

impl Side for Raw {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.client.connection_id().into()))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        for number in 0..i32::try_from(count)? {
            if let Some(value) = self.command.last_chunk_mut() {
                *value = number.to_le_bytes();
            }
            self.client.execute(&self.command)?;
        }
        Ok(())
    }
}

impl Side for Single {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.0.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Typed {
            runtime,
            connection,
        } = &mut self.0;
        let count = i32::try_from(count)?;
        runtime.block_on(async {
            for number in 0..count {
                let done = insert!(number).execute(&mut *connection).await?;
                ensure!(done.rows_affected() == 1, "a row was not inserted");
            }
            Ok(())
        })
    }
}

impl Side for Pipelined {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.0.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Typed {
            runtime,
            connection,
        } = &mut self.0;
        let numbers: Vec<i32> = (0..i32::try_from(count)?).collect();
        runtime.block_on(async {
            query("BEGIN").execute(&mut *connection).await?;
            let statements = numbers.iter().map(|number| insert!(*number));
            for done in connection.execute_many(statements).await? {
                ensure!(done?.rows_affected() == 1, "a row was not inserted");
            }
            query("COMMIT").execute(&mut *connection).await?;
            Ok(())
        })
    }
}

impl Side for Many {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.0.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Typed {
            runtime,
            connection,
        } = &mut self.0;
        let rows = (0..i32::try_from(count)?).map(|number| (number,));
        let insert = insert_many!("INSERT INTO inserts (number) VALUES (?)", rows);
        let done = runtime.block_on(insert.execute(connection))?;
        ensure!(
            done.rows_affected() == u64::from(count),
            "{} rows were inserted, not {count}",
            done.rows_affected()
        );
        Ok(())
    }
}
