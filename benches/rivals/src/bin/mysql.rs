//! mysql, which blocks: prepared statements held by hand.

use anyhow::{Context, Result};
use chrono::NaiveDateTime;
use mysql::prelude::{FromRow, Queryable};
use mysql::{Conn, OptsBuilder, SslOpts, Statement};
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::row;
use rivals::serve::serve;

fn main() -> Result<()> {
    serve::<Mysql, Mysql>()
}

row! {
    #[derive(FromRow)]
    #[mysql(crate_name = "mysql")]
    struct Test1, NaiveDateTime, |time| time
}

struct Mysql(Conn);

impl Driver for Mysql {
    const BLOCKS: bool = true;
    type Row = Test1;
    type Statement = Statement;

    /// The limit saves it a query that asks the server for it.
    async fn connect(address: &Address) -> Result<Self> {
        let tls = address
            .authority
            .clone()
            .map(|authority| SslOpts::default().with_root_cert_path(Some(authority)));
        let options = OptsBuilder::new()
            .ip_or_hostname(Some(&*address.host))
            .tcp_port(address.port)
            .user(Some(&*address.user))
            .pass(address.password.as_deref())
            .db_name(Some(&*address.database))
            .prefer_socket(false)
            .max_allowed_packet(Some(64 << 20))
            .ssl_opts(tls);
        Ok(Self(Conn::new(options)?))
    }

    async fn id(&mut self) -> Result<u64> {
        Ok(self.0.connection_id().into())
    }

    async fn prepare(&mut self, sql: &str) -> Result<Statement> {
        Ok(self.0.prep(sql)?)
    }

    async fn point(&mut self, statement: &mut Statement, key: i32) -> Result<Test1> {
        self.0
            .exec_first(&*statement, (key,))?
            .context("no row came")
    }

    async fn scan(
        &mut self,
        statement: &mut Statement,
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        for row in self.0.exec_iter(&*statement, (rows,))? {
            each(mysql::from_row(row?))?;
        }
        Ok(())
    }

    async fn insert(&mut self, statement: &mut Statement, number: i32) -> Result<Option<u64>> {
        self.0.exec_drop(&*statement, (number,))?;
        Ok(Some(self.0.affected_rows()))
    }

    async fn blob(&mut self, statement: &mut Statement, size: u32) -> Result<Vec<u8>> {
        self.0
            .exec_first(&*statement, (size,))?
            .context("no row came")
    }

    async fn blob_by_text(&mut self, sql: &str) -> Result<Vec<u8>> {
        self.0.query_first(sql)?.context("no row came")
    }

    async fn close(self) -> Result<()> {
        Ok(()) // it closes when it is dropped
    }
}
