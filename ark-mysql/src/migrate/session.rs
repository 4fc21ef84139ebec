//! What a statement means for the bookkeeping around it, told from its first words.

use crate::connection::Connection;
use crate::dynamic::query;
use crate::error::Error;
use crate::script::{Quoting, Statement};

/// What must be done around a statement so that the table tells the truth about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nature {
    /// INSERT, UPDATE, DELETE, REPLACE: in one transaction with its mark.
    Data,
    /// COMMIT: its mark goes in front, into the transaction that it ends.
    Commit,
    /// START TRANSACTION, ROLLBACK, SET, USE: nothing that a crash could leave behind.
    Harmless,
    /// LOCK TABLES: no other table can be written until they are unlocked.
    Lock,
    /// UNLOCK TABLES.
    Unlock,
    /// DDL and all else: commits by itself, so that it is marked as begun in front and as done behind.
    Other,
}

impl Nature {
    pub(super) fn of(sql: &str) -> Self {
        let mut words = words(sql);
        let (first, second) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        match (first.as_str(), second.as_str()) {
            ("INSERT" | "UPDATE" | "DELETE" | "REPLACE", _) => Self::Data,
            ("COMMIT", _) => Self::Commit,
            ("SET", "GLOBAL" | "PERSIST" | "PERSIST_ONLY" | "PASSWORD" | "DEFAULT") => Self::Other,
            ("START", "TRANSACTION")
            | ("BEGIN" | "ROLLBACK" | "SAVEPOINT" | "RELEASE" | "SET" | "USE", _) => Self::Harmless,
            ("LOCK", "TABLE" | "TABLES") => Self::Lock,
            ("UNLOCK", _) => Self::Unlock,
            _ => Self::Other,
        }
    }
}

/// The statements among the first ones that set up the session: it is a new one when a file is gone on with.
pub(super) fn set_up(statements: &[Statement<'_>], done: usize) -> Vec<String> {
    let is_set_up = |sql: &str| {
        let first = words(sql).next().unwrap_or_default();
        matches!(first.as_str(), "SET" | "USE") && Nature::of(sql) == Nature::Harmless
    };
    let done = statements.iter().take(done);
    done.filter(|statement| is_set_up(statement.sql))
        .map(|statement| statement.sql.to_owned())
        .collect()
}

/// How the session reads quotes now.
pub(super) async fn quoting(connection: &mut Connection) -> Result<Quoting, Error> {
    let row = query("SELECT @@sql_mode").fetch_one(connection).await?;
    Ok(Quoting::of(&row.get::<String>(0)?))
}

fn words(sql: &str) -> impl Iterator<Item = String> {
    sql.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words_tell() {
        for (sql, nature) in [
            ("insert into t values (1)", Nature::Data),
            ("COMMIT", Nature::Commit),
            ("COMMIT AND CHAIN", Nature::Commit),
            ("START TRANSACTION", Nature::Harmless),
            ("START REPLICA", Nature::Other),
            ("BEGIN", Nature::Harmless),
            ("SET NAMES utf8mb4", Nature::Harmless),
            ("SET @@sql_mode = ''", Nature::Harmless),
            ("SET GLOBAL x = 1", Nature::Other),
            ("SET PASSWORD = 'x'", Nature::Other),
            ("LOCK TABLES t WRITE", Nature::Lock),
            ("UNLOCK TABLES", Nature::Unlock),
            ("WITH a AS (SELECT 1) DELETE FROM t", Nature::Other),
            ("CREATE TABLE t (a INT)", Nature::Other),
            ("CALL p()", Nature::Other),
        ] {
            assert_eq!(Nature::of(sql), nature, "{sql}");
        }
    }
}
