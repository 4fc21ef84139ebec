//! Statements that belong to a session as its user wants it.

use super::{ConnectOptions, invalid};
use crate::error::Error;

/// More are a script, and belong to `run_script`.
const MOST: usize = 64;

impl ConnectOptions {
    /// Adds a statement that is run in every new session, after the driver's own settings (utf8mb4, UTC) and before anything else; several run in the order in
    /// which they are given. They are run again after every reset, so that the next borrower of a pool's connection finds the same session, and after
    /// [`change_user`](crate::Connection::change_user).
    ///
    /// For session settings: `SET SESSION sql_mode = …`, `SET SESSION group_concat_max_len = …`. One statement each; rows are thrown away. The character set must
    /// stay utf8mb4.
    ///
    /// They are confirmed before the connection is used, within the deadline for connecting (within 5 s after a reset). If one fails the connection is closed, with
    /// the error `SessionSetup`, which shows the statement's beginning up to the first value in it.
    ///
    /// ```
    /// use ark_mysql::ConnectOptions;
    ///
    /// let options = ConnectOptions::new("app")
    ///     .init_statement("SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
    ///     .init_statement("SET SESSION innodb_lock_wait_timeout = 5");
    /// assert_eq!(options.init_statements().len(), 2);
    /// ```
    pub fn init_statement(mut self, sql: impl Into<String>) -> Self {
        self.init_statements.push(sql.into());
        self
    }

    /// Returns the statements that are run in every new session.
    pub fn init_statements(&self) -> &[String] {
        &self.init_statements
    }

    pub(crate) fn without_init_statements(mut self) -> Self {
        self.init_statements.clear();
        self
    }

    pub(super) fn check_init_statements(&self) -> Result<(), Error> {
        if self.init_statements.len() > MOST {
            return Err(
                invalid(format!("there are more than {MOST} init statements"))
                    .with_advice("run them by `run_script` on the connections that need them"),
            );
        }
        match self
            .init_statements
            .iter()
            .position(|sql| sql.trim().is_empty())
        {
            Some(at) => Err(invalid(format!("init statement {} is empty", at + 1))),
            None => Ok(()),
        }
    }
}
