//! sqlx: `query_as!` on a connection; it keeps its statements by their text.

use anyhow::Result;
use benches_common::test1::Test1;
use futures_util::TryStreamExt;
use rivals::address::Address;
use rivals::driver::Driver;
use rivals::serve::serve;
use sqlx::mysql::{MySqlConnectOptions, MySqlSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, MySqlConnection};

fn main() -> Result<()> {
    serve::<Sqlx, Sqlx>()
}

struct Sqlx(MySqlConnection);

impl Driver for Sqlx {
    const BLOCKS: bool = false;
    type Row = Test1;
    type Statement = ();

    async fn connect(address: &Address) -> Result<Self> {
        let mut options = MySqlConnectOptions::new()
            .host(&address.host)
            .port(address.port)
            .username(&address.user)
            .database(&address.database)
            .disable_statement_logging();
        if let Some(password) = &address.password {
            options = options.password(password);
        }
        options = match &address.authority {
            Some(authority) => options
                .ssl_mode(MySqlSslMode::VerifyIdentity)
                .ssl_ca(authority),
            None => options.ssl_mode(MySqlSslMode::Disabled),
        };
        Ok(Self(options.connect().await?))
    }

    async fn id(&mut self) -> Result<u64> {
        Ok(sqlx::query_scalar("SELECT CONNECTION_ID()")
            .fetch_one(&mut self.0)
            .await?)
    }

    async fn prepare(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    async fn point(&mut self, (): &mut (), key: i32) -> Result<Test1> {
        let row = sqlx::query_as!(
            Test1,
            "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 WHERE f1 = ?",
            key
        );
        Ok(row.fetch_one(&mut self.0).await?)
    }

    async fn scan(
        &mut self,
        (): &mut (),
        rows: u64,
        mut each: impl FnMut(Test1) -> Result<()> + Send,
    ) -> Result<()> {
        let mut rows = sqlx::query_as!(
            Test1,
            "SELECT f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 FROM test1 LIMIT ?",
            rows
        )
        .fetch(&mut self.0);
        while let Some(row) = rows.try_next().await? {
            each(row)?;
        }
        Ok(())
    }

    async fn insert(&mut self, (): &mut (), number: i32) -> Result<Option<u64>> {
        let done = sqlx::query!("INSERT INTO inserts (number) VALUES (?)", number)
            .execute(&mut self.0)
            .await?;
        Ok(Some(done.rows_affected()))
    }

    async fn blob(&mut self, (): &mut (), size: u32) -> Result<Vec<u8>> {
        let size = i32::try_from(size)?;
        Ok(
            sqlx::query_scalar!("SELECT body FROM payloads WHERE size = ?", size)
                .fetch_one(&mut self.0)
                .await?,
        )
    }

    async fn blob_by_text(&mut self, sql: &str) -> Result<Vec<u8>> {
        use sqlx::Row;
        let row = sqlx::raw_sql(AssertSqlSafe(sql))
            .fetch_one(&mut self.0)
            .await?;
        Ok(row.try_get(0)?)
    }

    async fn close(self) -> Result<()> {
        Ok(self.0.close().await?)
    }
}
