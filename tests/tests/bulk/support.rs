use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use ark_mysql::{Connection, Result};
use tests::Database;

/// A database with the tests' tables, empty as far as they matter, and a connection to it.
pub(crate) async fn connected(database: &Database) -> Result<Connection> {
    database.load_schema();
    Connection::connect(database.url()).await
}

/// How many rows `numbers` has, and the sum of their numbers: it tells whether these are the right ones.
pub(crate) async fn numbers(conn: &mut Connection) -> Result<(i64, u64)> {
    let row = ark_mysql::query(
        "SELECT COUNT(*) AS count, CAST(COALESCE(SUM(n), 0) AS UNSIGNED) AS sum FROM numbers",
    )
    .fetch_one(conn)
    .await?;
    Ok((row.get("count")?, row.get("sum")?))
}

/// The rows of 0 to `count`, with texts of a few bytes.
pub(crate) fn rows(count: u32) -> impl Iterator<Item = (u32, String)> {
    (0..count).map(|n| (n, format!("row {n}")))
}

/// What `numbers` says when it holds `rows(count)`.
pub(crate) fn all(count: u32) -> (i64, u64) {
    let count = u64::from(count);
    (
        i64::try_from(count).unwrap(),
        count * count.saturating_sub(1) / 2,
    )
}

/// How many commands of these kinds the connection has sent so far: executions of prepared statements, preparations, and statements that begin transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) executed: u64,
    pub(crate) prepared: u64,
    pub(crate) begun: u64,
}

impl Sent {
    /// Counted by the server.
    pub(crate) async fn so_far(conn: &mut Connection) -> Result<Self> {
        let mut sent = Self {
            executed: 0,
            prepared: 0,
            begun: 0,
        };
        let rows = ark_mysql::query("SHOW SESSION STATUS LIKE 'Com\\_%'")
            .fetch_all(conn)
            .await?;
        for row in rows {
            let (name, value): (String, String) = (row.get("Variable_name")?, row.get("Value")?);
            let value = value.parse().unwrap_or(0);
            match name.as_str() {
                "Com_stmt_execute" => sent.executed = value,
                "Com_stmt_prepare" => sent.prepared = value,
                "Com_begin" => sent.begun = value,
                _ => {}
            }
        }
        Ok(sent)
    }

    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            executed: self.executed - before.executed,
            prepared: self.prepared - before.prepared,
            begun: self.begun - before.begun,
        }
    }
}

/// Polls a future until it has waited so many times, and drops it then.
pub(crate) async fn polled<T>(future: impl Future<Output = T>, times: usize) -> Option<T> {
    let mut future = pin!(future);
    let mut waited = 0;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if waited == times => Poll::Ready(None),
        Poll::Pending => {
            waited += 1;
            Poll::Pending
        }
    })
    .await
}
