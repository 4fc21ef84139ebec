//! One blob by its key: prepared, owned and borrowed, and as text.

use anyhow::{Result, ensure};
use ark_mysql::{query_as, query_scalar};

use super::{Line, Side, Start, Typed};
use crate::arknet::blob;
use crate::raw::{RawClient, one_row};

const KIB: u32 = 1024;
const SELECT: &str = "SELECT body FROM payloads WHERE size = ?";

macro_rules! select {
    ($size:expr) => {
        query_scalar!("SELECT body FROM payloads WHERE size = ?", $size)
    };
}

pub(super) fn lines(tls: bool) -> Vec<Line> {
    lines_of(
        tls,
        [
            |url| Raw::connect(url, KIB),
            |url| Owned::connect(url, KIB),
            |url| Borrowed::connect(url, KIB),
            |url| Text::connect(url, KIB),
        ],
    )
}

pub(super) fn lines_of_16() -> Vec<Line> {
    lines_of(
        false,
        [
            |url| Raw::connect(url, 16 * KIB),
            |url| Owned::connect(url, 16 * KIB),
            |url| Borrowed::connect(url, 16 * KIB),
            |url| Text::connect(url, 16 * KIB),
        ],
    )
}

fn lines_of(tls: bool, starts: [Start; 4]) -> Vec<Line> {
    let titles = [
        "raw socket, framing only",
        "ark-mysql, prepared, owned",
        "ark-mysql, prepared, borrowed",
        "ark-mysql, text, owned",
    ];
    let lines = titles.into_iter().zip(starts);
    lines
        .map(|(title, start)| Line { title, start, tls })
        .collect()
}

struct Raw {
    client: RawClient,
    command: Vec<u8>,
    expected: Vec<u8>,
}

struct Owned {
    typed: Typed,
    size: i32,
    expected: Vec<u8>,
}

struct Borrowed(Owned);
struct Text(Owned);

struct Body<'r> {
    body: &'r [u8],
}

impl Raw {
    fn connect(url: &str, size: u32) -> Result<Box<dyn Side>> {
        let mut client = RawClient::connect(url)?;
        let statement = client.prepare(SELECT)?;
        let value = i32::try_from(size)?;
        // The first execution tells the server the parameter's type; it is remembered for all others.
        client.execute(&statement.execution_of_int(true, value))?;
        Ok(Box::new(Self {
            client,
            command: statement.execution_of_int(false, value),
            expected: blob(size),
        }))
    }
}

impl Side for Raw {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(Some(self.client.connection_id().into()))
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        for number in 0..count {
            let reply = self.client.execute(&self.command)?;
            one_row(&reply)?;
            // Its bytes once a turn: it is the limit because it looks at none.
            if number == 0 {
                ensure!(
                    self.client.row(&reply).ends_with(&self.expected),
                    "another blob came"
                );
            }
        }
        Ok(())
    }
}

impl Owned {
    fn new(url: &str, size: u32) -> Result<Self> {
        Ok(Self {
            typed: Typed::connect(url)?,
            size: i32::try_from(size)?,
            expected: blob(size),
        })
    }

    fn connect(url: &str, size: u32) -> Result<Box<dyn Side>> {
        Ok(Box::new(Self::new(url, size)?))
    }
}

impl Borrowed {
    fn connect(url: &str, size: u32) -> Result<Box<dyn Side>> {
        Ok(Box::new(Self(Owned::new(url, size)?)))
    }
}

impl Text {
    fn connect(url: &str, size: u32) -> Result<Box<dyn Side>> {
        Ok(Box::new(Self(Owned::new(url, size)?)))
    }
}

/// Its length always, its bytes once a turn, as the raw socket does.
fn check(number: u32, body: &[u8], expected: &[u8]) -> Result<()> {
    let same = body.len() == expected.len() && (number > 0 || body == expected);
    ensure!(same, "another blob came");
    Ok(())
}

impl Side for Owned {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.typed.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Self {
            typed,
            size,
            expected,
        } = self;
        typed.runtime.block_on(async {
            for number in 0..count {
                let body: Vec<u8> = select!(*size).fetch_one(&mut typed.connection).await?;
                check(number, &body, expected)?;
            }
            Ok(())
        })
    }
}

impl Side for Borrowed {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.0.typed.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Owned {
            typed,
            size,
            expected,
        } = &mut self.0;
        typed.runtime.block_on(async {
            for number in 0..count {
                let mut right = 0;
                let each = |row: Body<'_>| {
                    right += u32::from(check(number, row.body, expected).is_ok());
                    Ok(())
                };
                query_as!(Body<'_>, "SELECT body FROM payloads WHERE size = ?", *size)
                    .for_each(&mut typed.connection, each)
                    .await?;
                ensure!(right == 1, "another blob came");
            }
            Ok(())
        })
    }
}

impl Side for Text {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(self.0.typed.id())
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        let Owned {
            typed,
            size,
            expected,
        } = &mut self.0;
        typed.runtime.block_on(async {
            for number in 0..count {
                let query = select!(*size).text();
                let body: Vec<u8> = query.fetch_one(&mut typed.connection).await?;
                check(number, &body, expected)?;
            }
            Ok(())
        })
    }
}
