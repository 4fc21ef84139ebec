//! The limit: prebuilt executions, packet framing.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::Contender;
use crate::raw::{RawClient, RawStatement, one_row};
use crate::test1::{POINT, Test1};

pub(super) struct Limit {
    pub(super) client: RawClient,
    pub(super) statement: RawStatement,
}

impl Limit {
    pub(super) fn connect(url: &str) -> Result<Self> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(POINT)?;
        // The first execution tells the server the parameter's type; it is remembered for all others.
        client.execute(&statement.execution_of_int(true, 1))?;
        Ok(Self { client, statement })
    }
}

impl Contender for Limit {
    fn connections(&mut self) -> Result<Vec<u64>> {
        Ok(vec![self.client.connection_id().into()])
    }

    fn verify(&mut self, keys: &[i32]) -> Result<()> {
        for key in keys {
            let reply = self
                .client
                .execute(&self.statement.execution_of_int(false, *key))?;
            one_row(&reply)?;
            let expected = binary_row(&Test1::expected(*key));
            ensure!(
                self.client.row(&reply) == expected,
                "the row with key {key} came with other bytes"
            );
        }
        Ok(())
    }

    fn run(&mut self, keys: &[i32]) -> Result<Duration> {
        let mut command = self.statement.execution_of_int(false, 0);
        let start = Instant::now();
        for key in keys {
            if let Some(value) = command.last_chunk_mut() {
                *value = key.to_le_bytes();
            }
            one_row(&self.client.execute(&command)?)?;
        }
        Ok(start.elapsed())
    }
}

/// The row as the server must send it.
fn binary_row(row: &Test1) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0]; // header, NULL bitmap of 14 + 2 bits
    for value in [
        row.f1, row.f2, row.f3, row.f4, row.f5, row.f6, row.f7, row.f8, row.f9, row.f10,
    ] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(row.f11.to_le_bytes());
    bytes.extend(row.f12.to_le_bytes());
    bytes.push(u8::try_from(row.f13.len()).unwrap_or(u8::MAX));
    bytes.extend(row.f13.as_bytes());
    bytes.extend(datetime(row.f14));
    bytes
}

fn datetime(value: chrono::NaiveDateTime) -> Vec<u8> {
    use chrono::{Datelike, Timelike};
    let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
    let mut bytes = vec![7];
    bytes.extend(u16::try_from(value.year()).unwrap_or(0).to_le_bytes());
    bytes.extend([
        byte(value.month()),
        byte(value.day()),
        byte(value.hour()),
        byte(value.minute()),
        byte(value.second()),
    ]);
    bytes
}
