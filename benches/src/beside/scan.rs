//! Many rows of fourteen columns, streamed.

use anyhow::{Result, ensure};
use ark_mysql::query_as;
use chrono::NaiveDateTime;

use super::line::{Line, Side, Typed};
use crate::raw::{RawClient, RawStatement};
use crate::test1::{SCAN, Test1};

/// In the table.
pub(super) const ROWS: u32 = 100_000;

pub(super) fn lines() -> Vec<Line> {
    vec![
        Line::raw("raw socket, framing only", |url| {
            Ok(Box::new(Raw::connect(url)?))
        }),
        Line::ours("ark-mysql, fetch, owned rows", owned),
        Line::ours("ark-mysql, for_each, borrowed rows", borrowed),
    ]
}

macro_rules! select {
    ($row:ty, $limit:expr) => {
        query_as!(
            $row,
            "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 LIMIT ?",
            $limit
        )
    };
}

struct Raw {
    client: RawClient,
    statement: RawStatement,
    first: bool,
}

#[expect(dead_code, reason = "decoding them is the work that is measured")]
struct Test1Ref<'r> {
    f1: i32,
    f2: i32,
    f3: i32,
    f4: i32,
    f5: i32,
    f6: i32,
    f7: i32,
    f8: i32,
    f9: i32,
    f10: i32,
    f11: f32,
    f12: f64,
    f13: &'r str,
    f14: NaiveDateTime,
}

impl Raw {
    fn connect(url: &str) -> Result<Self> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(SCAN)?;
        Ok(Self {
            client,
            statement,
            first: true,
        })
    }
}

impl Side for Raw {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.client.connection_id().into()))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let send_type = std::mem::take(&mut self.first);
        let command = self.statement.execution_of_bigint(send_type, count.into());
        let reply = self.client.execute(&command)?;
        ensure!(
            reply.rows == u64::from(count),
            "{} rows came, not {count}",
            reply.rows
        );
        Ok(())
    }
}

fn owned(typed: &mut Typed, count: u32) -> Result<()> {
    typed.driver.block_on(async {
        let (mut next, limit) = (0, u64::from(count));
        let mut rows = select!(Test1, limit).fetch(&mut typed.connection);
        while let Some(row) = rows.next().await? {
            next += 1;
            ensure!(row.f1 == next, "row {} came in place of row {next}", row.f1);
        }
        came(next, count)
    })
}

fn borrowed(typed: &mut Typed, count: u32) -> Result<()> {
    let (mut next, mut wrong) = (0, 0);
    let each = |row: Test1Ref<'_>| {
        next += 1;
        wrong += u32::from(row.f1 != next);
        Ok(())
    };
    let limit = u64::from(count);
    let rows = select!(Test1Ref<'_>, limit).for_each(&mut typed.connection, each);
    typed.driver.block_on(rows)?;
    ensure!(wrong == 0, "{wrong} rows came in another order");
    came(next, count)
}

fn came(rows: i32, count: u32) -> Result<()> {
    ensure!(
        i64::from(rows) == i64::from(count),
        "{rows} rows came, not {count}"
    );
    Ok(())
}
