//! The first command of a connection travels behind the session settings: it must not take their reply for its own.

use ark_mysql::{Connection, ErrorKind, Result};
use tests::Database;

tests::on_every_server! {
    async fn a_first_command_that_fails_says_so(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let error = conn.run_script("BOGUS").await.expect_err("this is no SQL");
        assert_eq!(error.kind(), ErrorKind::Server, "{error}");
        assert_eq!(error.server().map(|server| server.code), Some(1064), "{error}");
        Ok(())
    }

    async fn a_first_query_gets_its_own_rows(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let row = ark_mysql::query("SELECT 42 AS answer").fetch_one(&mut conn).await?;
        assert_eq!(row.get::<i64>("answer")?, 42);
        Ok(())
    }

    async fn a_first_statement_in_text_gets_its_own_count(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (a INT NOT NULL)");
        let mut conn = Connection::connect(database.url()).await?;
        conn.run_script("INSERT INTO t VALUES (1), (2)").await?;
        let mut other = Connection::connect(database.url()).await?;
        let done = ark_mysql::query("DELETE FROM t").execute(&mut other).await?;
        assert_eq!(done.rows_affected(), 2);
        Ok(())
    }
}
