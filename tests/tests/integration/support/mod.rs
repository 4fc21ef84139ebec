//! What the fears share: a middleman on the wire, futures that are dropped early, random numbers that can be had again, crates made for a test.

mod dropping;
mod generated;
mod middleman;
mod random;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result};
use tests::Database;

pub(crate) use dropping::polled_at_most;
pub(crate) use generated::Generated;
pub(crate) use middleman::Middleman;
pub(crate) use random::Random;

/// The first column of the first row, by SQL made at run time.
pub(crate) async fn one<T: ark_mysql::dynamic::FromValue>(
    conn: &mut Connection,
    sql: &str,
) -> Result<T> {
    ark_mysql::query(sql).fetch_one(conn).await?.get(0)
}

/// Fails unless the connection gives the right answer, or says that it is closed and that nothing was sent. Tells which.
pub(crate) async fn right_or_closed(conn: &mut Connection, what: &str) -> bool {
    match ark_mysql::query("SELECT 42 AS answer")
        .fetch_one(&mut *conn)
        .await
    {
        Ok(row) => {
            assert_eq!(row.get::<i64>("answer").unwrap(), 42, "{what}");
            true
        }
        Err(error) => {
            assert_eq!(
                (error.kind(), error.outcome()),
                (ErrorKind::ConnectionClosed, Outcome::NotSent),
                "{what}: {error}"
            );
            assert!(conn.is_closed(), "{what}: {error}");
            false
        }
    }
}

/// A new connection as root, over TCP.
pub(crate) async fn connect(database: &Database) -> Result<Connection> {
    Connection::connect(database.url()).await
}

/// Loads the schema and connects.
pub(crate) async fn open(database: &Database) -> Result<Connection> {
    database.load_schema();
    connect(database).await
}

/// Waits until the server has no connection of this number any more.
pub(crate) async fn until_gone(database: &Database, id: u32) -> Result<()> {
    until_gone_at(&database.url(), &[id]).await
}

/// The same for a server of one's own and several connections.
pub(crate) async fn until_gone_at(url: &str, ids: &[u32]) -> Result<()> {
    let mut admin = Connection::connect(url).await?;
    let list = ids
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let sql = format!("SELECT COUNT(*) FROM information_schema.processlist WHERE id IN ({list})");
    while one::<i64>(&mut admin, &sql).await? != 0 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    Ok(())
}

/// Fails unless it is an error of this kind and outcome, and gives it back.
#[track_caller]
pub(crate) fn fails<T>(result: Result<T>, kind: ErrorKind, outcome: Outcome) -> Error {
    let Err(error) = result else {
        panic!("no error, where {kind:?} should be one")
    };
    assert_eq!((error.kind(), error.outcome()), (kind, outcome), "{error}");
    error
}

/// The code that the server gave.
pub(crate) fn code(error: &Error) -> Option<u16> {
    error.server().map(|server| server.code)
}
