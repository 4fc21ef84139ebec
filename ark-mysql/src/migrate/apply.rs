//! Applies one file, statement by statement, and marks each.

use std::time::{Duration, Instant};

use super::checksum;
use super::error::{FailedStatement, MigrateError};
use super::files::Script;
use super::progress::Progress;
use super::session::{self, Nature};
use super::table::{Mark, Table};
use crate::connection::Connection;
use crate::error::{Error, Outcome};
use crate::script::{Quoting, Statement, mentions_mode};

/// A file that is applied or undone.
pub(super) struct Job<'j> {
    pub(super) table: &'j Table,
    pub(super) version: u64,
    pub(super) script: &'j Script,
    /// How many of its statements an earlier run did.
    pub(super) done: usize,
    pub(super) reverting: bool,
    /// How many files this run has done already; for messages.
    pub(super) applied: usize,
    pub(super) tell: &'j (dyn Fn(Progress<'_>) + Send + Sync),
}

/// How it goes.
struct Walk<'w> {
    job: &'w Job<'w>,
    connection: &'w mut Connection,
    statements: Vec<Statement<'w>>,
    /// How many are done and marked.
    marked: usize,
    /// From `LOCK TABLES` to `UNLOCK TABLES` no mark can be written.
    locked: bool,
}

impl Job<'_> {
    /// Does the statements that are left. The row of the migration is there, and the session is a new one.
    pub(super) async fn run(&self, connection: &mut Connection) -> Result<Duration, MigrateError> {
        let begun = Instant::now();
        let statements = self.script.statements(self.table.quoting());
        let file = self.script.file();
        (self.tell)(Progress::Begin {
            file,
            statements: statements.len(),
            done: self.done,
        });
        for sql in session::set_up(&statements, self.done) {
            let repeated = connection.run_text(&sql).await;
            repeated.map_err(MigrateError::database(
                "repeating the settings in front of the statements that are left",
            ))?;
        }
        let mut walk = Walk {
            job: self,
            connection,
            marked: self.done,
            locked: false,
            statements,
        };
        if self.done > 0 {
            walk.compare_quoting(self.done).await?;
        }
        for index in self.done..walk.statements.len() {
            walk.step(index).await?;
        }
        walk.end().await?;
        let elapsed = begun.elapsed();
        (self.tell)(Progress::End { file, elapsed });
        Ok(elapsed)
    }
}

impl Walk<'_> {
    async fn step(&mut self, index: usize) -> Result<(), MigrateError> {
        let Some(statement) = self.statements.get(index).copied() else {
            return Ok(());
        };
        let number = index + 1;
        (self.job.tell)(Progress::Statement {
            file: self.job.script.file(),
            number,
            line: statement.line,
            sql: statement.sql,
        });
        match self.do_and_mark(number, statement.sql).await {
            Ok(()) if mentions_mode(statement.sql) => self.compare_quoting(number).await,
            Ok(()) => Ok(()),
            Err(error) => Err(self.fail(number, statement, error).await),
        }
    }

    async fn do_and_mark(&mut self, number: usize, sql: &str) -> Result<(), Error> {
        let nature = Nature::of(sql);
        let in_transaction = self.connection.in_transaction();
        match nature {
            Nature::Data if !in_transaction && !self.locked => {
                self.connection.run_text("START TRANSACTION").await?;
                self.connection.run_text(sql).await?;
                self.mark(number).await?;
                self.connection.run_text("COMMIT").await
            }
            Nature::Commit if !self.locked => {
                self.mark(number).await?;
                self.connection.run_text(sql).await
            }
            Nature::Other | Nature::Lock if !self.locked => {
                let running = self.job.table.running(self.job.version, number);
                self.connection.run_text(&running).await?;
                self.connection.run_text(sql).await?;
                self.locked = nature == Nature::Lock;
                self.mark(number).await
            }
            Nature::Data | Nature::Commit | Nature::Harmless | Nature::Other | Nature::Lock => {
                self.connection.run_text(sql).await?;
                self.mark(number).await
            }
            Nature::Unlock => {
                self.connection.run_text(sql).await?;
                self.locked = false;
                self.mark(number).await
            }
        }
    }

    /// Where the statements behind this one end was told from the text; a session that reads quotes in another way would mean other statements.
    async fn compare_quoting(&mut self, number: usize) -> Result<(), MigrateError> {
        let rest = self.statements.get(number..).unwrap_or_default();
        let Some(expected) = rest.first().map(|next| next.quoting) else {
            return Ok(());
        };
        if !rest.iter().any(|one| Quoting::matters_to(one.sql)) {
            return Ok(());
        }
        let is = session::quoting(self.connection).await;
        let is = is.map_err(MigrateError::database("asking for the sql_mode"))?;
        if rest.iter().all(|one| is.reads_like(expected, one.sql)) {
            return Ok(());
        }
        Err(MigrateError::Refused(format!(
            "{}: statement {number} set the sql_mode in a way that its text does not tell, and backslashes in the strings behind it, or the bodies of routines, mean something else now. \
             Move what stands behind it into a migration of its own, and name the modes there, as in `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`",
            self.job.script.file()
        )))
    }

    /// All statements up to this one are done.
    async fn mark(&mut self, number: usize) -> Result<(), Error> {
        if self.locked {
            return Ok(());
        }
        let done = self.statements.iter().take(number);
        let done_checksum = checksum::of_statements(done.map(|statement| statement.sql));
        let mark = Mark {
            version: self.job.version,
            done: number,
            done_checksum: &done_checksum,
        };
        let mark = self.job.table.done(mark);
        self.connection.run_text(&mark).await?;
        self.marked = number;
        Ok(())
    }

    /// A transaction that the file left open is committed, as sqlx does with the one around its files.
    async fn end(&mut self) -> Result<(), MigrateError> {
        let failed = || MigrateError::database("ending the file");
        if self.locked {
            let unlocked = self.connection.run_text("UNLOCK TABLES").await;
            unlocked.map_err(failed())?;
            self.locked = false;
            self.mark(self.statements.len()).await.map_err(failed())?;
        }
        if self.connection.in_transaction() {
            self.connection.run_text("COMMIT").await.map_err(failed())?;
        }
        Ok(())
    }

    /// Leaves the table true, as far as the connection lets us, and words the error.
    async fn fail(
        &mut self,
        number: usize,
        statement: Statement<'_>,
        error: Error,
    ) -> MigrateError {
        let refused = matches!(error.outcome(), Outcome::Rejected | Outcome::NotSent);
        let settled = refused && self.settle(number).await.is_ok();
        let done = self.recorded().await.unwrap_or(self.marked);
        // In a transaction that breaks with its connection, nothing was done.
        let in_doubt = !settled && Nature::of(statement.sql) == Nature::Other;
        MigrateError::Failed(Box::new(FailedStatement {
            file: self.job.script.file().to_owned(),
            number,
            statements: self.statements.len(),
            line: statement.line,
            sql: statement.sql.to_owned(),
            error,
            done,
            in_doubt,
            version: self.job.version,
            applied: self.job.applied,
            reverting: self.job.reverting,
        }))
    }

    /// The server refused the statement: nothing of it is there.
    async fn settle(&mut self, number: usize) -> Result<(), Error> {
        if self.locked {
            self.connection.run_text("UNLOCK TABLES").await?;
            self.locked = false;
            return self.mark(number - 1).await;
        }
        if self.connection.in_transaction() {
            self.connection.run_text("ROLLBACK").await?;
        }
        let table = self.job.table;
        self.connection
            .run_text(&table.not_running(self.job.version))
            .await
    }

    async fn recorded(&mut self) -> Option<usize> {
        let rows = self.job.table.rows(self.connection).await.ok()?;
        let row = rows
            .into_iter()
            .find(|row| row.version == self.job.version)?;
        Some(row.done)
    }
}
