//! The order in which things are done, under the lock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::apply::Job;
use super::checksum;
use super::error::MigrateError;
use super::files::Migration;
use super::lock::Lock;
use super::migrator::{Migrator, Report};
use super::progress::Progress;
use super::sqlx;
use super::state::{self, Tolerance};
use super::table::{Mark, Row, Table, quoted};
use crate::config::{ConnectOptions, IntoConnectOptions};
use crate::connection::Connection;

pub(super) fn options(on: impl IntoConnectOptions) -> Result<Arc<ConnectOptions>, MigrateError> {
    let options = on
        .into_connect_options()
        .map_err(MigrateError::database("reading the address"))?;
    if options.database_name().is_none() {
        return Err(MigrateError::NoDatabase);
    }
    Ok(Arc::new(options))
}

pub(super) async fn connect(options: &Arc<ConnectOptions>) -> Result<Connection, MigrateError> {
    Connection::open(options)
        .await
        .map_err(MigrateError::database("connecting"))
}

/// The lock, and what is done under it.
pub(super) struct Work {
    options: Arc<ConnectOptions>,
    lock: Lock,
    table: Table,
    begun: Instant,
    files: Vec<String>,
}

impl Work {
    pub(super) async fn begin(
        migrator: &Migrator,
        on: impl IntoConnectOptions,
        create_database: bool,
    ) -> Result<Self, MigrateError> {
        let options = options(on)?;
        if create_database {
            create(&options).await?;
        }
        let mut connection = connect(&options).await?;
        let table = Table::of(&mut connection).await?;
        let tell = |progress: Progress<'_>| migrator.tell(progress);
        let lock = Lock::take(connection, migrator.lock_timeout, &tell).await?;
        Ok(Self {
            options,
            lock,
            table,
            begun: Instant::now(),
            files: Vec::new(),
        })
    }

    pub(super) async fn end(self) {
        self.lock.release().await;
    }

    pub(super) async fn run(
        &mut self,
        migrator: &Migrator,
        migrations: &[Migration],
        version: u64,
    ) -> Result<Report, MigrateError> {
        let (mut rows, adopted) = self.rows(migrator, migrations).await?;
        let infos = state::infos(migrations, &rows, self.table.quoting());
        let problems =
            state::problems(&infos, migrations, self.table.quoting(), migrator.tolerance);
        if !problems.is_empty() {
            return Err(MigrateError::Mismatch(problems));
        }
        rows.retain(|row| row.finished);
        for migration in migrations {
            let applied = rows.iter().any(|row| row.version == migration.version());
            if !applied && migration.version() <= version {
                self.apply(migrator, migration).await?;
            }
        }
        Ok(self.report(adopted))
    }

    /// The rows of the table, which is made if need be; what sqlx left is taken over.
    async fn rows(
        &mut self,
        migrator: &Migrator,
        migrations: &[Migration],
    ) -> Result<(Vec<Row>, usize), MigrateError> {
        let connection = &mut self.lock.connection;
        let rows = self.table.rows(connection).await?;
        if !rows.is_empty() {
            return Ok((rows, 0));
        }
        let by_sqlx = self.table.has(connection, sqlx::TABLE).await?;
        if by_sqlx && !migrator.adopt_sqlx {
            return Err(sqlx::not_adopted(self.table.database()));
        }
        if !self.table.has(connection, super::TABLE).await? {
            self.table.create(connection).await?;
        }
        if !by_sqlx {
            return Ok((rows, 0));
        }
        let missing = migrator.tolerance.missing;
        let adopted = sqlx::adopt(&self.table, connection, migrations, missing).await?;
        Ok((self.table.rows(connection).await?, adopted))
    }

    async fn apply(
        &mut self,
        migrator: &Migrator,
        migration: &Migration,
    ) -> Result<(), MigrateError> {
        let (version, script) = (migration.version(), migration.up());
        let (checksum, count) = (
            script.checksum(),
            script.statements(self.table.quoting()).len(),
        );
        let row = self.row(version).await?;
        let sql = match &row {
            Some(_) => self.table.go_on(version, &checksum, count),
            None => self
                .table
                .insert(version, migration.name(), &checksum, count),
        };
        self.write(&sql).await?;
        let job = Job {
            table: &self.table,
            version,
            script,
            done: row.map_or(0, |row| row.done),
            reverting: false,
            applied: self.files.len(),
            tell: &|progress| migrator.tell(progress),
        };
        let elapsed = self.in_session(migrator, &job).await?;
        let finish = self.table.finish(version, Some(elapsed));
        self.write(&finish).await?;
        self.files.push(script.file().to_owned());
        Ok(())
    }

    pub(super) async fn revert(
        &mut self,
        migrator: &Migrator,
        migrations: &[Migration],
        version: Option<u64>,
    ) -> Result<Report, MigrateError> {
        let rows = self.table.rows(&mut self.lock.connection).await?;
        let tolerance = Tolerance {
            out_of_order: true,
            missing: true,
            reverting: true,
        };
        let infos = state::infos(migrations, &rows, self.table.quoting());
        let problems = state::problems(&infos, migrations, self.table.quoting(), tolerance);
        if !problems.is_empty() {
            return Err(MigrateError::Mismatch(problems));
        }
        let last_first = rows.iter().rev();
        let wanted: Vec<&Row> = match version {
            None => last_first.take(1).collect(),
            Some(version) => last_first.filter(|row| row.version > version).collect(),
        };
        let wanted = wanted
            .into_iter()
            .map(|row| Ok((row, reversible(row, migrations)?)))
            .collect::<Result<Vec<_>, MigrateError>>()?;
        for (row, migration) in wanted {
            self.undo(migrator, row, migration).await?;
        }
        Ok(self.report(0))
    }

    async fn undo(
        &mut self,
        migrator: &Migrator,
        row: &Row,
        migration: &Migration,
    ) -> Result<(), MigrateError> {
        let Some(script) = migration.down() else {
            return Ok(());
        };
        if !row.reverting {
            let begin = self
                .table
                .begin_revert(row.version, script.statements(self.table.quoting()).len());
            self.write(&begin).await?;
        }
        let job = Job {
            table: &self.table,
            version: row.version,
            script,
            done: if row.reverting { row.done } else { 0 },
            reverting: true,
            applied: self.files.len(),
            tell: &|progress| migrator.tell(progress),
        };
        self.in_session(migrator, &job).await?;
        let delete = self.table.delete(row.version);
        self.write(&delete).await?;
        self.files.push(script.file().to_owned());
        Ok(())
    }

    /// Does a file on a connection of its own, so that no settings of one file reach the next.
    async fn in_session(
        &self,
        migrator: &Migrator,
        job: &Job<'_>,
    ) -> Result<Duration, MigrateError> {
        let mut connection = connect(&self.options).await?;
        let seconds = migrator.table_timeout.as_secs().max(1);
        let patience = format!("SET SESSION lock_wait_timeout = {seconds}");
        let set = connection.run_text(&patience).await;
        set.map_err(MigrateError::database(
            "setting how long to wait for tables",
        ))?;
        let done = job.run(&mut connection).await;
        // Nothing depends on the answer.
        let _ = connection.close().await;
        done
    }

    pub(super) async fn resolve(
        &mut self,
        migration: &Migration,
        done: Option<usize>,
    ) -> Result<(), MigrateError> {
        let version = migration.version();
        let row = self
            .row(version)
            .await?
            .ok_or_else(|| never_begun(migration))?;
        let script = match migration.down() {
            Some(down) if row.reverting => down,
            _ => migration.up(),
        };
        let statements = script.statements(self.table.quoting());
        let done = done.unwrap_or(statements.len());
        if done > statements.len() {
            return Err(too_many(script.file(), statements.len(), done));
        }
        let texts = statements.iter().take(done).map(|statement| statement.sql);
        let done_checksum = checksum::of_statements(texts);
        let mark = self.table.done(Mark {
            version,
            done,
            done_checksum: &done_checksum,
        });
        self.write(&mark).await?;
        if done < statements.len() {
            return Ok(());
        }
        let last = if row.reverting {
            self.table.delete(version)
        } else {
            let sum = self.table.checksum(version, &script.checksum());
            self.write(&sum).await?;
            self.table.finish(version, row.elapsed)
        };
        self.write(&last).await
    }

    async fn row(&mut self, version: u64) -> Result<Option<Row>, MigrateError> {
        let rows = self.table.rows(&mut self.lock.connection).await?;
        Ok(rows.into_iter().find(|row| row.version == version))
    }

    /// Writes to the table, while the lock is held.
    async fn write(&mut self, sql: &str) -> Result<(), MigrateError> {
        self.lock.check().await?;
        let written = self.lock.connection.run_text(sql).await;
        written.map_err(MigrateError::database("writing the table of migrations"))
    }

    fn report(&mut self, adopted: usize) -> Report {
        Report {
            files: std::mem::take(&mut self.files),
            adopted,
            elapsed: self.begun.elapsed(),
        }
    }
}

async fn create(options: &Arc<ConnectOptions>) -> Result<(), MigrateError> {
    let database = quoted(options.database_name().unwrap_or_default());
    let mut without = ConnectOptions::clone(options);
    without.database = None;
    let mut connection = connect(&Arc::new(without)).await?;
    let sql = format!("CREATE DATABASE IF NOT EXISTS {database} CHARACTER SET utf8mb4");
    let created = connection.run_text(&sql).await;
    created.map_err(MigrateError::database("creating the database"))
}

fn reversible<'m>(row: &Row, migrations: &'m [Migration]) -> Result<&'m Migration, MigrateError> {
    let version = row.version;
    let migration = migrations
        .iter()
        .find(|migration| migration.version() == version);
    migration
        .filter(|migration| migration.down().is_some())
        .ok_or_else(|| {
            MigrateError::Refused(format!(
                "migration {version} ({}) cannot be undone: it has no .down.sql. Nothing was undone; write a new migration that undoes it",
                row.name
            ))
        })
}

fn never_begun(migration: &Migration) -> MigrateError {
    MigrateError::Refused(format!(
        "{} was never begun on this database: there is nothing to resolve",
        migration.up().file()
    ))
}

fn too_many(file: &str, statements: usize, done: usize) -> MigrateError {
    MigrateError::Refused(format!(
        "{file} has {statements} statements: {done} of them cannot be done"
    ))
}
