//! One migration of a database at a time.

use std::time::Duration;

use super::error::MigrateError;
use super::progress::Progress;
use crate::connection::Connection;
use crate::dynamic::query;
use crate::error::Error;

/// The name of the lock, of at most 64 characters whatever the database is called.
const NAME: &str = "CONCAT('ark_mysql_migrate.', LEFT(SHA2(DATABASE(), 256), 32))";

/// The lock, held by the connection in it: it ends with that.
pub(super) struct Lock {
    pub(super) connection: Connection,
}

impl Lock {
    pub(super) async fn take(
        mut connection: Connection,
        timeout: Duration,
        tell: &(dyn Fn(Progress<'_>) + Send + Sync),
    ) -> Result<Self, MigrateError> {
        let failed = || MigrateError::database("taking the lock of migrations");
        // An ALTER TABLE may take longer than the server lets an idle connection live.
        let patient = "SET SESSION wait_timeout = 31536000";
        connection.run_text(patient).await.map_err(failed())?;
        if get(&mut connection, 0).await.map_err(failed())? {
            return Ok(Self { connection });
        }
        let holder = holder(&mut connection).await.map_err(failed())?;
        tell(Progress::Waiting {
            holder,
            for_at_most: timeout,
        });
        let seconds = timeout.as_secs() + u64::from(timeout.subsec_nanos() > 0);
        if get(&mut connection, seconds).await.map_err(failed())? {
            return Ok(Self { connection });
        }
        Err(MigrateError::Locked {
            waited: timeout,
            holder,
        })
    }

    /// Whether it is still held: the connection may have been killed.
    pub(super) async fn check(&mut self) -> Result<(), MigrateError> {
        let sql = format!("SELECT IS_USED_LOCK({NAME}) = CONNECTION_ID()");
        let asked = query(sql).fetch_one(&mut self.connection).await;
        let held = asked.and_then(|row| row.get::<Option<bool>>(0));
        match held.map_err(MigrateError::database("making sure of the lock of migrations"))? {
            Some(true) => Ok(()),
            _ => Err(MigrateError::Refused(
                "the lock of migrations was lost (RELEASE_ALL_LOCKS?); nothing more was applied. Run again".to_owned(),
            )),
        }
    }

    /// Says goodbye. Without it the lock goes with the connection.
    pub(super) async fn release(self) {
        // Nothing depends on the answer.
        let _ = self.connection.close().await;
    }
}

async fn get(connection: &mut Connection, seconds: u64) -> Result<bool, Error> {
    let sql = format!("SELECT GET_LOCK({NAME}, {seconds})");
    let patience = Duration::from_secs(seconds.saturating_add(10));
    let row = query(sql).deadline(patience).fetch_one(connection).await?;
    Ok(row.get::<Option<i64>>(0)? == Some(1))
}

async fn holder(connection: &mut Connection) -> Result<Option<u64>, Error> {
    let sql = format!("SELECT IS_USED_LOCK({NAME})");
    query(sql).fetch_one(connection).await?.get(0)
}
