//! Turns of one task on one connection.

use std::time::Instant;

use anyhow::{Result, ensure};
use benches_common::pace::cpu_time;
use benches_common::payload::{self, blob};
use benches_common::rival::{Task, Took, Turn};
use benches_common::test1::{POINT, ROWS, SCAN, Test1, keys};

use crate::address::Address;
use crate::driver::{Driver, INSERT, Waiter};
use crate::row::Row;

pub(crate) struct Turns<D: Driver> {
    task: Task,
    address: Address,
    waiter: Waiter,
    /// None where connecting is the task.
    client: Option<Client<D>>,
    /// The same keys in the same order as all other clients.
    keys: Keys,
}

type Keys = Box<dyn Iterator<Item = i32>>;

struct Client<D: Driver> {
    driver: D,
    statement: D::Statement,
    /// What must come, where it is a blob.
    expected: Option<Vec<u8>>,
}

impl<D: Driver> Turns<D> {
    pub(crate) fn start(task: Task, url: &str) -> Result<Self> {
        let (address, waiter) = (Address::parse(url)?, Waiter::of::<D>()?);
        let client = match statement(task) {
            Some(sql) => Some(waiter.wait(Client::connect(&address, sql))?),
            None => None,
        };
        Ok(Self {
            task,
            address,
            waiter,
            client,
            keys: Box::new(keys(ROWS)),
        })
    }

    pub(crate) fn id(&mut self) -> Result<Option<u64>> {
        match &mut self.client {
            Some(client) => self.waiter.wait(client.driver.id()).map(Some),
            None => Ok(None),
        }
    }

    pub(crate) fn turn(&mut self, turn: Turn) -> Result<Took> {
        let (start, cpu) = (Instant::now(), cpu_time());
        self.units(turn)?;
        Ok(Took {
            wall: start.elapsed(),
            cpu: cpu_time().saturating_sub(cpu),
        })
    }

    fn units(&mut self, turn: Turn) -> Result<()> {
        let Self {
            task,
            address,
            waiter,
            client,
            keys,
        } = self;
        waiter.wait(async {
            let Some(client) = client else {
                return connect::<D>(address, turn.count).await;
            };
            match task {
                Task::Scan => client.scan(turn).await,
                Task::Insert => client.insert(turn.count).await,
                Task::Blob(size) => client.blobs(turn, *size).await,
                Task::Point | Task::Connect => client.points(keys, turn).await,
            }
        })
    }
}

fn statement(task: Task) -> Option<&'static str> {
    match task {
        Task::Point => Some(POINT),
        Task::Scan => Some(SCAN),
        Task::Insert => Some(INSERT),
        Task::Connect => None,
        Task::Blob(_) => Some(payload::SELECT),
    }
}

async fn connect<D: Driver>(address: &Address, count: u32) -> Result<()> {
    for _ in 0..count {
        D::connect(address).await?.close().await?;
    }
    Ok(())
}

impl<D: Driver> Client<D> {
    async fn connect(address: &Address, sql: &str) -> Result<Self> {
        let mut driver = D::connect(address).await?;
        let statement = driver.prepare(sql).await?;
        Ok(Self {
            driver,
            statement,
            expected: None,
        })
    }

    async fn points(&mut self, keys: &mut Keys, Turn { count, verify }: Turn) -> Result<()> {
        for key in keys.take(count as usize) {
            let row = self.driver.point(&mut self.statement, key).await?;
            check(row, key, verify)?;
        }
        Ok(())
    }

    async fn scan(&mut self, Turn { count, verify }: Turn) -> Result<()> {
        let mut last = 0;
        let each = |row: D::Row| {
            last += 1;
            check(row, last, verify)
        };
        self.driver
            .scan(&mut self.statement, count.into(), each)
            .await?;
        ensure!(
            last == i32::try_from(count)?,
            "{last} rows came, not {count}"
        );
        Ok(())
    }

    async fn insert(&mut self, count: u32) -> Result<()> {
        for number in 0..i32::try_from(count)? {
            let done = self.driver.insert(&mut self.statement, number).await?;
            ensure!(done.is_none_or(|rows| rows == 1), "a row was not inserted");
        }
        Ok(())
    }

    /// The length always, the bytes once a turn, as all others do.
    async fn blobs(&mut self, Turn { count, verify }: Turn, size: u32) -> Result<()> {
        let expected = self.expected.get_or_insert_with(|| blob(size));
        for number in 0..count {
            let body = self.driver.blob(&mut self.statement, size).await?;
            let same =
                body.len() == expected.len() && ((number > 0 && !verify) || body == *expected);
            ensure!(same, "another blob came");
        }
        Ok(())
    }
}

fn check(row: impl Row, key: i32, verify: bool) -> Result<()> {
    ensure!(
        row.key() == key,
        "the row with key {} came, not the one with key {key}",
        row.key()
    );
    if verify {
        let (row, expected) = (row.into_test1(), Test1::expected(key));
        ensure!(
            row == expected,
            "a row came as {row:?}, not as {expected:?}"
        );
    }
    Ok(())
}

/// So many units on a connection of their own: what runs under valgrind.
pub(crate) fn drive<D: Driver>(task: Task, url: &str, count: u32) -> Result<()> {
    // No clock is read: valgrind has none for whoever asks the kernel's page for it.
    Turns::<D>::start(task, url)?.units(Turn {
        count,
        verify: false,
    })
}
