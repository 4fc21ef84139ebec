//! diesel, which blocks and is a C library below: its query builder, which keeps its statements by the types of the query.

use anyhow::{Result, bail, ensure};
use chrono::NaiveDateTime;
use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::row;
use rivals::serve::serve;

fn main() -> Result<()> {
    serve::<Diesel, Diesel>()
}

diesel::table! {
    test1 (f1) {
        f1 -> Integer,
        f2 -> Integer,
        f3 -> Integer,
        f4 -> Integer,
        f5 -> Integer,
        f6 -> Integer,
        f7 -> Integer,
        f8 -> Integer,
        f9 -> Integer,
        f10 -> Integer,
        f11 -> Float,
        f12 -> Double,
        f13 -> Varchar,
        f14 -> Datetime,
    }
}

diesel::table! {
    inserts (id) {
        id -> Integer,
        number -> Integer,
    }
}

diesel::table! {
    payloads (size) {
        size -> Integer,
        body -> Blob,
    }
}

row! {
    #[derive(Queryable)]
    struct Test1, NaiveDateTime, |time| time
}

diesel::define_sql_function! {
    fn connection_id() -> Unsigned<BigInt>;
}

struct Diesel(MysqlConnection);

impl Driver for Diesel {
    const BLOCKS: bool = true;
    type Row = Test1;
    type Statement = ();

    async fn connect(address: &Address) -> Result<Self> {
        ensure!(
            address.authority.is_none(),
            "measured without TLS: the C library has no such setting by address"
        );
        Ok(Self(MysqlConnection::establish(&format!(
            "{}?ssl_mode=disabled",
            address.plain()
        ))?))
    }

    async fn id(&mut self) -> Result<u64> {
        Ok(diesel::select(connection_id()).get_result(&mut self.0)?)
    }

    async fn prepare(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    async fn point(&mut self, (): &mut (), key: i32) -> Result<Test1> {
        Ok(test1::table.find(key).get_result(&mut self.0)?)
    }

    async fn scan(
        &mut self,
        (): &mut (),
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        let rows = test1::table.limit(i64::try_from(rows)?);
        for row in rows.load_iter::<Test1, DefaultLoadingMode>(&mut self.0)? {
            each(row?)?;
        }
        Ok(())
    }

    async fn insert(&mut self, (): &mut (), number: i32) -> Result<Option<u64>> {
        let row = inserts::number.eq(number);
        let rows = diesel::insert_into(inserts::table)
            .values(row)
            .execute(&mut self.0)?;
        Ok(Some(u64::try_from(rows)?))
    }

    async fn blob(&mut self, (): &mut (), size: u32) -> Result<Vec<u8>> {
        let body = payloads::table
            .find(i32::try_from(size)?)
            .select(payloads::body);
        Ok(body.get_result(&mut self.0)?)
    }

    async fn blob_by_text(&mut self, _: &str) -> Result<Vec<u8>> {
        bail!("all that diesel reads rows from is prepared")
    }

    async fn close(self) -> Result<()> {
        Ok(()) // it closes when it is dropped
    }
}
