//! Rows into a table: one a statement, or many in one call.

use anyhow::{Result, ensure};
use ark_mysql::{insert_many, query};

use super::line::{Line, Side, Typed};
use super::on_tokio::{self, OnTokio};
use crate::raw::{RawClient, Reply};

/// Of one call.
pub(super) const ROWS: u32 = 10_000;

const INSERT: &str = "INSERT INTO inserts (number) VALUES (?)";

macro_rules! insert {
    ($number:expr) => {
        query!("INSERT INTO inserts (number) VALUES (?)", $number)
    };
}

pub(super) fn single() -> Vec<Line> {
    vec![
        Line::raw("raw socket, framing only", |url| {
            Ok(Box::new(Raw::connect(url)?))
        }),
        Line::raw(on_tokio::TITLE, |url| {
            let Raw { client, command } = Raw::connect(url)?;
            // That it was no error was seen by whoever followed the reply.
            let check = |_, _: &Reply, _: &[u8]| Ok(());
            Ok(Box::new(OnTokio::new(client, command, set_number, check)?))
        }),
        Line::ours("ark-mysql, query!(…).execute", one_by_one),
        Line::ours_alone(one_by_one),
    ]
}

pub(super) fn many() -> Vec<Line> {
    vec![
        Line::ours("ark-mysql, execute_many in a transaction", pipelined),
        Line::ours("ark-mysql, insert_many!", in_one_call),
    ]
}

struct Raw {
    client: RawClient,
    command: Vec<u8>,
}

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
        for number in 0..count {
            set_number(&mut self.command, number);
            self.client.execute(&self.command)?;
        }
        Ok(())
    }
}

/// The parameter is the command's end.
#[inline]
fn set_number(command: &mut [u8], number: u32) {
    if let Some(value) = command.last_chunk_mut() {
        *value = number.to_le_bytes();
    }
}

fn one_by_one(typed: &mut Typed, count: u32) -> Result<()> {
    let count = i32::try_from(count)?;
    typed.driver.block_on(async {
        for number in 0..count {
            let done = insert!(number).execute(&mut typed.connection).await?;
            ensure!(done.rows_affected() == 1, "a row was not inserted");
        }
        Ok(())
    })
}

fn pipelined(typed: &mut Typed, count: u32) -> Result<()> {
    let numbers: Vec<i32> = (0..i32::try_from(count)?).collect();
    let connection = &mut typed.connection;
    typed.driver.block_on(async {
        query("BEGIN").execute(&mut *connection).await?;
        let statements = numbers.iter().map(|number| insert!(*number));
        for done in connection.execute_many(statements).await? {
            ensure!(done?.rows_affected() == 1, "a row was not inserted");
        }
        query("COMMIT").execute(&mut *connection).await?;
        Ok(())
    })
}

fn in_one_call(typed: &mut Typed, count: u32) -> Result<()> {
    let rows = (0..i32::try_from(count)?).map(|number| (number,));
    let insert = insert_many!("INSERT INTO inserts (number) VALUES (?)", rows);
    let done = typed
        .driver
        .block_on(insert.execute(&mut typed.connection))?;
    ensure!(
        done.rows_affected() == u64::from(count),
        "{} rows were inserted, not {count}",
        done.rows_affected()
    );
    Ok(())
}
