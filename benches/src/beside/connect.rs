//! Connecting, login and closing.

use anyhow::Result;
use ark_mysql::Connection;
use tokio::runtime::Runtime;

use super::line::{ALONE, Line, Side};
use super::on_tokio;
use crate::driver::{Driver, runtime};
use crate::raw::{RawClient, RawOnTokio};

pub(super) fn lines() -> Vec<Line> {
    vec![
        Line::raw("raw socket, the same login", |url| {
            Ok(Box::new(Raw(url.to_owned())))
        }),
        Line::raw(on_tokio::TITLE, |url| {
            Ok(Box::new(Waiting {
                runtime: runtime()?,
                url: url.to_owned(),
            }))
        }),
        Line::raw("ark-mysql, connect and close", |url| {
            Ok(Box::new(Typed {
                driver: Driver::runtime()?,
                url: url.to_owned(),
            }))
        }),
        Line::raw(ALONE, |url| {
            Ok(Box::new(Typed {
                driver: Driver::Thread,
                url: url.to_owned(),
            }))
        }),
    ]
}

struct Raw(String);

struct Waiting {
    runtime: Runtime,
    url: String,
}

struct Typed {
    driver: Driver,
    url: String,
}

impl Side for Raw {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        for _ in 0..count {
            RawClient::connect(&self.0)?.quit()?;
        }
        Ok(())
    }
}

impl Side for Waiting {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        self.runtime.block_on(async {
            for _ in 0..count {
                RawOnTokio::connect(&self.url).await?.quit().await?;
            }
            Ok(())
        })
    }
}

impl Side for Typed {
    fn connection(&mut self) -> Result<Option<u64>> {
        Ok(None)
    }

    fn turn(&mut self, count: u32) -> Result<()> {
        self.driver.block_on(async {
            for _ in 0..count {
                Connection::connect(&*self.url).await?.close().await?;
            }
            Ok(())
        })
    }
}
