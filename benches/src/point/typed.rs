//! The same by the library's public API, as its users write it, in its default settings.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use ark_mysql::{Connection, Pool, query_as, query_scalar};
use chrono::NaiveDateTime;

use super::Contender;
use crate::driver::Driver;
use crate::test1::Test1;

/// On a connection, rows that own their string.
pub(super) struct Typed {
    driver: Driver,
    connection: Connection,
}

/// The same on a pool of one connection.
pub(super) struct Pooled {
    driver: Driver,
    pool: Pool,
}

/// On a connection, rows that borrow their string from the connection's buffer.
pub(super) struct Borrowed(Typed);

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

macro_rules! select {
    ($row:ty, $key:expr) => {
        query_as!($row, "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 WHERE f1 = ?", $key)
    };
}

impl Typed {
    pub(super) fn connect(driver: Driver, url: &str) -> Result<Self> {
        let connection = driver.block_on(Connection::connect(url))?;
        Ok(Self { driver, connection })
    }
}

/// Selects each key and looks at its row.
macro_rules! each_row {
    ($keys:expr, $executor:expr, |$key:ident, $row:ident| $check:expr) => {
        for $key in $keys {
            let $row = select!(Test1, *$key).fetch_one($executor).await?;
            $check
        }
    };
}

/// A client whose rows own their string: all but the executor is the same.
macro_rules! owning {
    ($client:ident, |$this:ident| $executor:expr) => {
        impl Contender for $client {
            fn connections(&mut self) -> Result<Vec<u64>> {
                let $this = self;
                let id = query_scalar!("SELECT CONNECTION_ID()").fetch_one($executor);
                Ok(vec![$this.driver.block_on(id)?])
            }

            fn verify(&mut self, keys: &[i32]) -> Result<()> {
                let $this = self;
                $this.driver.block_on(async {
                    each_row!(keys, $executor, |key, row| ensure!(
                        row == Test1::expected(*key),
                        "the row with key {key} came as {row:?}"
                    ));
                    Ok(())
                })
            }

            fn run(&mut self, keys: &[i32]) -> Result<Duration> {
                let $this = self;
                let start = Instant::now();
                $this.driver.block_on(async {
                    each_row!(keys, $executor, |key, row| ensure!(
                        row.f1 == *key,
                        "another row came than the one with key {key}"
                    ));
                    anyhow::Ok(())
                })?;
                Ok(start.elapsed())
            }
        }
    };
}

owning!(Typed, |this| &mut this.connection);
owning!(Pooled, |this| &this.pool);

impl Pooled {
    pub(super) fn connect(url: &str) -> Result<Self> {
        let driver = Driver::runtime()?;
        let pool = driver.block_on(Pool::builder().max_connections(1).connect(url))?;
        Ok(Self { driver, pool })
    }
}

impl Borrowed {
    pub(super) fn connect(url: &str) -> Result<Self> {
        Typed::connect(Driver::runtime()?, url).map(Self)
    }
}

impl Contender for Borrowed {
    fn connections(&mut self) -> Result<Vec<u64>> {
        self.0.connections()
    }

    fn verify(&mut self, keys: &[i32]) -> Result<()> {
        self.0.driver.block_on(async {
            for key in keys {
                let mut same = 0;
                let each = |row: Test1Ref<'_>| {
                    same += u32::from(row.owned() == Test1::expected(*key));
                    Ok(())
                };
                select!(Test1Ref<'_>, *key)
                    .for_each(&mut self.0.connection, each)
                    .await?;
                ensure!(same == 1, "not the one expected row came for key {key}");
            }
            Ok(())
        })
    }

    fn run(&mut self, keys: &[i32]) -> Result<Duration> {
        let start = Instant::now();
        self.0.driver.block_on(async {
            for key in keys {
                let mut same = 0;
                let each = |row: Test1Ref<'_>| {
                    same += u32::from(row.f1 == *key);
                    Ok(())
                };
                select!(Test1Ref<'_>, *key)
                    .for_each(&mut self.0.connection, each)
                    .await?;
                ensure!(same == 1, "not the one expected row came for key {key}");
            }
            Ok(())
        })?;
        Ok(start.elapsed())
    }
}

impl Test1Ref<'_> {
    fn owned(&self) -> Test1 {
        let Self {
            f1,
            f2,
            f3,
            f4,
            f5,
            f6,
            f7,
            f8,
            f9,
            f10,
            f11,
            f12,
            f13,
            f14,
        } = *self;
        Test1 {
            f1,
            f2,
            f3,
            f4,
            f5,
            f6,
            f7,
            f8,
            f9,
            f10,
            f11,
            f12,
            f13: f13.to_owned(),
            f14,
        }
    }
}
