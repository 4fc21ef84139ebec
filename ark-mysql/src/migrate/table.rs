//! The table of migrations, as SQL. Everything is named with its database and written without strings: a migration may have changed the
//! session's database, character set and sql_mode.

use std::time::Duration;

use super::TABLE;
use super::error::MigrateError;
use crate::connection::Connection;
use crate::dynamic::{DynamicRow, query};
use crate::error::Error;
use crate::script::Quoting;

/// What is remembered of one migration.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) version: u64,
    pub(super) name: String,
    pub(super) checksum: String,
    pub(super) statements: usize,
    pub(super) done: usize,
    pub(super) running: Option<usize>,
    pub(super) done_checksum: String,
    pub(super) reverting: bool,
    pub(super) finished: bool,
    pub(super) began_at: String,
    pub(super) elapsed: Option<Duration>,
}

/// The table in one database.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// As it stands in SQL.
    name: String,
    database: String,
    quoting: Quoting,
}

/// How far a file is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<'m> {
    pub(super) version: u64,
    pub(super) done: usize,
    pub(super) done_checksum: &'m str,
}

impl Table {
    /// Asks the connection for its database.
    pub(super) async fn of(connection: &mut Connection) -> Result<Self, MigrateError> {
        let asked = query("SELECT DATABASE(), @@sql_mode")
            .fetch_one(connection)
            .await;
        let answer = asked.and_then(|row| Ok((row.get::<Option<String>>(0)?, row.get(1)?)));
        let (database, sql_mode): (_, String) =
            answer.map_err(MigrateError::database("asking for the database"))?;
        let database = database.ok_or(MigrateError::NoDatabase)?;
        Ok(Self {
            name: format!("{}.`{TABLE}`", quoted(&database)),
            database,
            quoting: Quoting::of(&sql_mode),
        })
    }

    pub(super) fn database(&self) -> &str {
        &self.database
    }

    /// How a session of this address reads quotes when it begins: it decides which statements a file has.
    pub(super) fn quoting(&self) -> Quoting {
        self.quoting
    }

    /// Whether a table is there. `CREATE TABLE IF NOT EXISTS` would need the right to create it even so.
    pub(super) async fn has(
        &self,
        connection: &mut Connection,
        table: &str,
    ) -> Result<bool, MigrateError> {
        let sql = "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";
        let asked = query(sql)
            .bind(self.database.as_str())
            .bind(table)
            .fetch_one(connection);
        let count = asked.await.and_then(|row| row.get::<i64>(0));
        count.map(|count| count > 0).map_err(MigrateError::database(
            "looking for the table of migrations",
        ))
    }

    pub(super) async fn create(&self, connection: &mut Connection) -> Result<(), MigrateError> {
        let sql = format!(
            "CREATE TABLE IF NOT EXISTS {} (
               version BIGINT UNSIGNED NOT NULL PRIMARY KEY,
               name VARCHAR(255) NOT NULL,
               checksum CHAR(64) CHARACTER SET ascii NOT NULL COMMENT 'SHA-256 of the file, line ends as LF',
               statements INT UNSIGNED NOT NULL COMMENT 'how many the file has',
               done INT UNSIGNED NOT NULL COMMENT 'how many of them are done',
               running INT UNSIGNED NULL COMMENT 'the one that was begun and not seen to end',
               done_checksum CHAR(64) CHARACTER SET ascii NOT NULL COMMENT 'SHA-256 of those that are done',
               reverting TINYINT(1) NOT NULL DEFAULT 0 COMMENT 'whether all this is about the .down.sql',
               began_at DATETIME NOT NULL COMMENT 'UTC',
               finished_at DATETIME NULL COMMENT 'UTC',
               milliseconds BIGINT UNSIGNED NULL
             ) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4",
            self.name
        );
        connection
            .run_text(&sql)
            .await
            .map_err(MigrateError::database("creating the table of migrations"))
    }

    /// All rows, by version; none where there is no table.
    pub(super) async fn rows(&self, connection: &mut Connection) -> Result<Vec<Row>, MigrateError> {
        if !self.has(connection, TABLE).await? {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT version, name, checksum, statements, done, running, done_checksum, reverting, finished_at IS NOT NULL,
                    DATE_FORMAT(began_at, '%Y-%m-%d %H:%i:%s'), milliseconds
             FROM {} ORDER BY version",
            self.name
        );
        let rows = query(sql).fetch_all(connection).await;
        let rows = rows.and_then(|rows| rows.iter().map(read).collect());
        rows.map_err(MigrateError::database("reading the table of migrations"))
    }

    /// A file is begun.
    pub(super) fn insert(
        &self,
        version: u64,
        name: &str,
        checksum: &str,
        statements: usize,
    ) -> String {
        let (table, name, empty) = (
            &self.name,
            hex(name),
            super::checksum::of_statements([].into_iter()),
        );
        format!(
            "INSERT INTO {table} (version, name, checksum, statements, done, done_checksum, began_at)
             VALUES ({version}, CONVERT(X'{name}' USING utf8mb4), '{checksum}', {statements}, 0, '{empty}', UTC_TIMESTAMP())"
        )
    }

    /// A file is gone on with; it may have changed behind what is done.
    pub(super) fn go_on(&self, version: u64, checksum: &str, statements: usize) -> String {
        let table = &self.name;
        format!(
            "UPDATE {table} SET checksum = '{checksum}', statements = {statements} WHERE version = {version}"
        )
    }

    /// A file is begun to be undone.
    pub(super) fn begin_revert(&self, version: u64, statements: usize) -> String {
        let (table, empty) = (&self.name, super::checksum::of_statements([].into_iter()));
        format!(
            "UPDATE {table} SET reverting = 1, finished_at = NULL, done = 0, running = NULL, done_checksum = '{empty}', statements = {statements}
             WHERE version = {version}"
        )
    }

    pub(super) fn running(&self, version: u64, number: usize) -> String {
        let table = &self.name;
        format!("UPDATE {table} SET running = {number} WHERE version = {version}")
    }

    pub(super) fn not_running(&self, version: u64) -> String {
        let table = &self.name;
        format!("UPDATE {table} SET running = NULL WHERE version = {version}")
    }

    pub(super) fn done(&self, mark: Mark<'_>) -> String {
        let table = &self.name;
        let Mark {
            version,
            done,
            done_checksum,
        } = mark;
        format!(
            "UPDATE {table} SET done = {done}, running = NULL, done_checksum = '{done_checksum}' WHERE version = {version}"
        )
    }

    pub(super) fn finish(&self, version: u64, elapsed: Option<Duration>) -> String {
        let table = &self.name;
        let elapsed = elapsed.map_or("NULL".to_owned(), |elapsed| elapsed.as_millis().to_string());
        format!(
            "UPDATE {table} SET finished_at = UTC_TIMESTAMP(), milliseconds = {elapsed} WHERE version = {version}"
        )
    }

    pub(super) fn checksum(&self, version: u64, checksum: &str) -> String {
        let table = &self.name;
        format!("UPDATE {table} SET checksum = '{checksum}' WHERE version = {version}")
    }

    pub(super) fn delete(&self, version: u64) -> String {
        let table = &self.name;
        format!("DELETE FROM {table} WHERE version = {version}")
    }
}

fn read(row: &DynamicRow) -> Result<Row, Error> {
    Ok(Row {
        version: row.get(0)?,
        name: row.get(1)?,
        checksum: row.get(2)?,
        statements: row.get(3)?,
        done: row.get(4)?,
        running: row.get(5)?,
        done_checksum: row.get(6)?,
        reverting: row.get(7)?,
        finished: row.get(8)?,
        began_at: row.get::<Option<String>>(9)?.unwrap_or_default(),
        elapsed: row.get::<Option<u64>>(10)?.map(Duration::from_millis),
    })
}

/// A name as it stands in SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}
