//! mysql_async: prepared statements held by hand.

use anyhow::{Context, Result};
use chrono::NaiveDateTime;
use futures_util::TryStreamExt;
use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, OptsBuilder, SslOpts, Statement};
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::row;
use rivals::serve::serve;

fn main() -> Result<()> {
    serve::<MysqlAsync, MysqlAsync>()
}

row! {
    #[derive(FromRow)]
    #[mysql(crate_name = "mysql_async")]
    struct Test1, NaiveDateTime, |time| time
}

struct MysqlAsync(Conn);

impl Driver for MysqlAsync {
    const BLOCKS: bool = false;
    type Row = Test1;
    type Statement = Statement;

    /// The two limits save it a query that asks the server for them.
    async fn connect(address: &Address) -> Result<Self> {
        let tls = address.authority.clone().map(|authority| {
            SslOpts::default()
                .with_root_certs(vec![authority.into()])
                .with_disable_built_in_roots(true)
        });
        let options = OptsBuilder::default()
            .ip_or_hostname(&*address.host)
            .tcp_port(address.port)
            .user(Some(&*address.user))
            .pass(address.password.as_deref())
            .db_name(Some(&*address.database))
            .prefer_socket(false)
            .max_allowed_packet(Some(64 << 20))
            .wait_timeout(Some(28_800))
            .ssl_opts(tls);
        Ok(Self(Conn::new(options).await?))
    }

    async fn id(&mut self) -> Result<u64> {
        Ok(self.0.id().into())
    }

    async fn prepare(&mut self, sql: &str) -> Result<Statement> {
        Ok(self.0.prep(sql).await?)
    }

    async fn point(&mut self, statement: &mut Statement, key: i32) -> Result<Test1> {
        self.0
            .exec_first(&*statement, (key,))
            .await?
            .context("no row came")
    }

    async fn scan(
        &mut self,
        statement: &mut Statement,
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        let mut rows = self
            .0
            .exec_stream::<Test1, _, _>(&*statement, (rows,))
            .await?;
        while let Some(row) = rows.try_next().await? {
            each(row)?;
        }
        Ok(())
    }

    async fn insert(&mut self, statement: &mut Statement, number: i32) -> Result<Option<u64>> {
        self.0.exec_drop(&*statement, (number,)).await?;
        Ok(Some(self.0.affected_rows()))
    }

    async fn blob(&mut self, statement: &mut Statement, size: u32) -> Result<Vec<u8>> {
        self.0
            .exec_first(&*statement, (size,))
            .await?
            .context("no row came")
    }

    async fn blob_by_text(&mut self, sql: &str) -> Result<Vec<u8>> {
        self.0.query_first(sql).await?.context("no row came")
    }

    async fn close(self) -> Result<()> {
        Ok(self.0.disconnect().await?)
    }
}
