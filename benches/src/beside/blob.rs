//! One blob by its key: prepared, owned and borrowed, and as text.

use std::sync::LazyLock;

use anyhow::{Result, ensure};
use ark_mysql::{query_as, query_scalar};

use super::line::{Line, Side, Typed};
use super::on_tokio::{self, OnTokio};
use crate::raw::{RawClient, Reply, one_row};
use benches_common::payload::{SELECT, blob};

pub(super) const KIB: u32 = 1024;
pub(super) const SIXTEEN_KIB: u32 = 16 * KIB;

macro_rules! select {
    ($size:expr) => {
        query_scalar!("SELECT body FROM payloads WHERE size = ?", $size)
    };
}

/// Of so many bytes: [`KIB`] or [`SIXTEEN_KIB`].
pub(super) fn lines<const SIZE: u32>(tls: bool) -> Vec<Line> {
    let limit = Line::raw("raw socket, framing only", |url| {
        Ok(Box::new(Raw::connect(url, SIZE)?))
    });
    // The one on tokio speaks no TLS.
    let waiting = (!tls).then(|| {
        Line::raw(on_tokio::TITLE, |url| {
            let Raw {
                client, command, ..
            } = Raw::connect(url, SIZE)?;
            let same = |_: &mut [u8], _| ();
            Ok(Box::new(OnTokio::new(client, command, same, seen::<SIZE>)?))
        })
    });
    let ours = [
        Line::ours("ark-mysql, prepared, owned", owned::<SIZE>),
        Line::ours_alone(owned::<SIZE>),
        Line::ours("ark-mysql, prepared, borrowed", borrowed::<SIZE>),
        Line::ours("ark-mysql, text, owned", text::<SIZE>),
    ];
    let lines = [limit].into_iter().chain(waiting).chain(ours);
    lines.map(|line| line.with_tls(tls)).collect()
}

/// What must come.
fn expected(size: u32) -> &'static [u8] {
    static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| blob(KIB));
    static LARGE: LazyLock<Vec<u8>> = LazyLock::new(|| blob(SIXTEEN_KIB));
    if size == KIB { &SMALL } else { &LARGE }
}

struct Raw {
    client: RawClient,
    command: Vec<u8>,
    expected: &'static [u8],
}

struct Body<'r> {
    body: &'r [u8],
}

impl Raw {
    fn connect(url: &str, size: u32) -> Result<Self> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(SELECT)?;
        let value = i32::try_from(size)?;
        // The first execution tells the server the parameter's type; it is remembered for all others.
        client.execute(&statement.execution_of_int(true, value))?;
        Ok(Self {
            client,
            command: statement.execution_of_int(false, value),
            expected: expected(size),
        })
    }
}

impl Side for Raw {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.client.connection_id().into()))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        for number in 0..count {
            let reply = self.client.execute(&self.command)?;
            see(number, &reply, self.client.row(&reply), self.expected)?;
        }
        Ok(())
    }
}

/// That a row came; its bytes once a turn: it is the limit because it looks at none.
#[inline]
fn see(number: u32, reply: &Reply, row: &[u8], expected: &[u8]) -> Result<()> {
    one_row(reply)?;
    ensure!(number > 0 || row.ends_with(expected), "another blob came");
    Ok(())
}

fn seen<const SIZE: u32>(number: u32, reply: &Reply, row: &[u8]) -> Result<()> {
    see(number, reply, row, expected(SIZE))
}

/// Its length always, its bytes once a turn, as the raw socket does.
fn check(number: u32, body: &[u8], expected: &[u8]) -> Result<()> {
    let same = body.len() == expected.len() && (number > 0 || body == expected);
    ensure!(same, "another blob came");
    Ok(())
}

/// What all have: so many turns of one select, each looked at.
macro_rules! each_blob {
    ($typed:expr, $count:expr, |$number:ident, $connection:ident, $size:ident| $select:expr) => {{
        let ($connection, $size) = (&mut $typed.connection, i32::try_from(SIZE)?);
        $typed.driver.block_on(async {
            for $number in 0..$count {
                $select
            }
            Ok(())
        })
    }};
}

fn owned<const SIZE: u32>(typed: &mut Typed, count: u32) -> Result<()> {
    each_blob!(typed, count, |number, connection, size| {
        let body: Vec<u8> = select!(size).fetch_one(&mut *connection).await?;
        check(number, &body, expected(SIZE))?;
    })
}

fn borrowed<const SIZE: u32>(typed: &mut Typed, count: u32) -> Result<()> {
    each_blob!(typed, count, |number, connection, size| {
        let mut right = 0;
        let each = |row: Body<'_>| {
            right += u32::from(check(number, row.body, expected(SIZE)).is_ok());
            Ok(())
        };
        query_as!(Body<'_>, "SELECT body FROM payloads WHERE size = ?", size)
            .for_each(&mut *connection, each)
            .await?;
        ensure!(right == 1, "another blob came");
    })
}

fn text<const SIZE: u32>(typed: &mut Typed, count: u32) -> Result<()> {
    each_blob!(typed, count, |number, connection, size| {
        let body: Vec<u8> = select!(size).text().fetch_one(&mut *connection).await?;
        check(number, &body, expected(SIZE))?;
    })
}
