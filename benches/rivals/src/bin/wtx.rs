//! wtx on tokio: statements kept by their text, values decoded one by one.

use std::fs;

use anyhow::{Context, Result};
use chrono::{DateTime, NaiveDateTime};
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::row;
use rivals::serve::serve;
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use wtx::calendar::Utc;
use wtx::database::client::mysql::{Config, ExecutorBuffer, MysqlExecutor, MysqlRecord};
use wtx::database::{Executor, Record};
use wtx::misc::{TokioRustlsConnector, UriRef};
use wtx::rng::{ChaCha20, CryptoSeedableRng};
use wtx::stream::Stream;

fn main() -> Result<()> {
    serve::<Wtx<TcpStream>, Wtx<TlsStream<TcpStream>>>()
}

row! {
    struct Test1, wtx::calendar::DateTime<Utc>, chrono_of
}

fn chrono_of(time: wtx::calendar::DateTime<Utc>) -> NaiveDateTime {
    let (seconds, nanoseconds) = time.timestamp_secs_and_ns();
    DateTime::from_timestamp(seconds, nanoseconds.num())
        .unwrap_or_default()
        .naive_utc()
}

impl Test1 {
    fn read(record: &MysqlRecord<'_, wtx::Error>) -> Result<Self, wtx::Error> {
        Ok(Self {
            f1: record.decode(0)?,
            f2: record.decode(1)?,
            f3: record.decode(2)?,
            f4: record.decode(3)?,
            f5: record.decode(4)?,
            f6: record.decode(5)?,
            f7: record.decode(6)?,
            f8: record.decode(7)?,
            f9: record.decode(8)?,
            f10: record.decode(9)?,
            f11: record.decode(10)?,
            f12: record.decode(11)?,
            f13: record.decode(12)?,
            f14: record.decode(13)?,
        })
    }
}

struct Wtx<S>(MysqlExecutor<wtx::Error, ExecutorBuffer, S>);

trait Open: Stream + Send + Sized {
    async fn open(
        address: &Address,
        config: &Config<'_>,
    ) -> Result<MysqlExecutor<wtx::Error, ExecutorBuffer, Self>>;
}

async fn tcp(address: &Address) -> Result<TcpStream> {
    let stream = TcpStream::connect((&*address.host, address.port)).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl Open for TcpStream {
    async fn open(
        address: &Address,
        config: &Config<'_>,
    ) -> Result<MysqlExecutor<wtx::Error, ExecutorBuffer, Self>> {
        let mut random = ChaCha20::from_getrandom()?;
        let buffer = ExecutorBuffer::new(usize::MAX, &mut random);
        Ok(MysqlExecutor::connect(config, buffer, &mut random, tcp(address).await?).await?)
    }
}

impl Open for TlsStream<TcpStream> {
    async fn open(
        address: &Address,
        config: &Config<'_>,
    ) -> Result<MysqlExecutor<wtx::Error, ExecutorBuffer, Self>> {
        let mut random = ChaCha20::from_getrandom()?;
        let buffer = ExecutorBuffer::new(usize::MAX, &mut random);
        let authority = fs::read(address.authority.as_ref().context("no authority")?)?;
        let encrypt = |stream| async {
            let connector = TokioRustlsConnector::default().push_certs(&authority)?;
            connector
                .connect_without_client_auth(&address.host, stream)
                .await
        };
        let stream = tcp(address).await?;
        Ok(MysqlExecutor::connect_encrypted(config, buffer, &mut random, stream, encrypt).await?)
    }
}

impl<S: Open> Driver for Wtx<S> {
    const BLOCKS: bool = false;
    type Row = Test1;
    type Statement = String;

    async fn connect(address: &Address) -> Result<Self> {
        let plain = address.plain();
        let uri = UriRef::new(&plain);
        Ok(Self(S::open(address, &Config::from_uri(&uri)?).await?))
    }

    async fn id(&mut self) -> Result<u64> {
        let record = self.0.execute_single("SELECT CONNECTION_ID()").await?;
        let digits: &str = record.decode(0)?;
        Ok(digits.parse()?)
    }

    /// It keeps its statements by their text; one that was prepared ahead it executes without parameters, whatever is given.
    async fn prepare(&mut self, sql: &str) -> Result<String> {
        Ok(sql.to_owned())
    }

    async fn point(&mut self, statement: &mut String, key: i32) -> Result<Test1> {
        let record = self
            .0
            .execute_stmt_single(statement.as_str(), (key,))
            .await?;
        Ok(Test1::read(&record)?)
    }

    /// It keeps all rows in memory, whatever is done with them.
    async fn scan(
        &mut self,
        statement: &mut String,
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        let mut wrong = None;
        self.0
            .execute_stmt_many(statement.as_str(), (rows,), |record| {
                let row = Test1::read(&record)?;
                wrong = wrong.take().or(each(row).err());
                Ok(())
            })
            .await?;
        wrong.map_or(Ok(()), Err)
    }

    /// It does not tell how many rows came in.
    async fn insert(&mut self, statement: &mut String, number: i32) -> Result<Option<u64>> {
        self.0
            .execute_stmt_none(statement.as_str(), (number,))
            .await?;
        Ok(None)
    }

    async fn blob(&mut self, statement: &mut String, size: u32) -> Result<Vec<u8>> {
        let record = self
            .0
            .execute_stmt_single(statement.as_str(), (i32::try_from(size)?,))
            .await?;
        let body: &[u8] = record.decode(0)?;
        Ok(body.to_vec())
    }

    async fn blob_by_text(&mut self, sql: &str) -> Result<Vec<u8>> {
        let record = self.0.execute_single(sql).await?;
        let body: &[u8] = record.decode(0)?;
        Ok(body.to_vec())
    }

    async fn close(self) -> Result<()> {
        Ok(()) // it closes when it is dropped
    }
}
