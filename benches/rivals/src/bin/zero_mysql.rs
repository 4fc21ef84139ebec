//! zero-mysql, which blocks, as its own measurements do: prepared statements held by hand. Its TLS is OpenSSL's, so it is measured without.

use anyhow::{Context, Result, ensure};
use chrono::NaiveDateTime;
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::row;
use rivals::serve::serve;
use zero_mysql::handler::DropHandler;
use zero_mysql::r#macro::FromRow;
use zero_mysql::protocol::TextRowPayload;
use zero_mysql::protocol::command::ColumnDefinition;
use zero_mysql::protocol::primitive::read_string_lenenc;
use zero_mysql::protocol::response::OkPayloadBytes;
use zero_mysql::protocol::r#trait::TextResultSetHandler;
use zero_mysql::sync::Conn;
use zero_mysql::{Opts, PreparedStatement};

fn main() -> Result<()> {
    serve::<Zero, Zero>()
}

row! {
    #[derive(FromRow)]
    struct Test1, NaiveDateTime, |time| time
}

struct Zero(Conn);

impl Driver for Zero {
    const BLOCKS: bool = true;
    type Row = Test1;
    type Statement = PreparedStatement;

    async fn connect(address: &Address) -> Result<Self> {
        ensure!(address.authority.is_none(), "built without TLS");
        let mut options = Opts::try_from(&*address.plain())?;
        options.upgrade_to_unix_socket = false; // all are measured over TCP
        Ok(Self(Conn::new(options)?))
    }

    async fn id(&mut self) -> Result<u64> {
        Ok(self.0.connection_id())
    }

    async fn prepare(&mut self, sql: &str) -> Result<PreparedStatement> {
        Ok(self.0.prepare(sql)?)
    }

    async fn point(&mut self, statement: &mut PreparedStatement, key: i32) -> Result<Test1> {
        self.0.exec_first(statement, (key,))?.context("no row came")
    }

    async fn scan(
        &mut self,
        statement: &mut PreparedStatement,
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        let mut wrong = None;
        self.0.exec_foreach(statement, (rows,), |row| {
            wrong = wrong.take().or(each(row).err());
            Ok(())
        })?;
        wrong.map_or(Ok(()), Err)
    }

    async fn insert(
        &mut self,
        statement: &mut PreparedStatement,
        number: i32,
    ) -> Result<Option<u64>> {
        let mut done = DropHandler::default();
        self.0.exec(statement, (number,), &mut done)?;
        Ok(Some(done.affected_rows()))
    }

    async fn blob(&mut self, statement: &mut PreparedStatement, size: u32) -> Result<Vec<u8>> {
        let (body,) = self
            .0
            .exec_first(statement, (size,))?
            .context("no row came")?;
        Ok(body)
    }

    async fn blob_by_text(&mut self, sql: &str) -> Result<Vec<u8>> {
        let mut body = Body(None);
        self.0.query(sql, &mut body)?;
        body.0.context("no row came")
    }

    async fn close(self) -> Result<()> {
        Ok(()) // it closes when it is dropped
    }
}

/// The first column of the only row of a reply as text.
struct Body(Option<Vec<u8>>);

impl TextResultSetHandler for Body {
    fn no_result_set(&mut self, _: OkPayloadBytes<'_>) -> zero_mysql::error::Result<()> {
        Ok(())
    }

    fn resultset_start(&mut self, _: &[ColumnDefinition<'_>]) -> zero_mysql::error::Result<()> {
        Ok(())
    }

    fn row(
        &mut self,
        _: &[ColumnDefinition<'_>],
        row: TextRowPayload<'_>,
    ) -> zero_mysql::error::Result<()> {
        let (body, _) = read_string_lenenc(row.0)?;
        self.0 = Some(body.to_vec());
        Ok(())
    }

    fn resultset_end(&mut self, _: OkPayloadBytes<'_>) -> zero_mysql::error::Result<()> {
        Ok(())
    }
}
