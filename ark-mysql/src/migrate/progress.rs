use std::time::Duration;

/// What a [`Migrator`](super::Migrator) is about to do or has done: for [`Migrator::on_progress`](super::Migrator::on_progress).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'p> {
    /// Another migration of this database is going on; it is waited for.
    Waiting {
        /// The server's number of the connection that holds the lock.
        holder: Option<u64>,
        /// How long at most.
        for_at_most: Duration,
    },
    /// A file is begun, or gone on with.
    Begin {
        /// The file.
        file: &'p str,
        /// How many statements it has.
        statements: usize,
        /// How many of them are done already, by an earlier run.
        done: usize,
    },
    /// A statement is sent.
    Statement {
        /// The file.
        file: &'p str,
        /// Which statement of it, counted from 1.
        number: usize,
        /// The line that it begins on.
        line: usize,
        /// The statement.
        sql: &'p str,
    },
    /// A file is done.
    End {
        /// The file.
        file: &'p str,
        /// How long this run of it took.
        elapsed: Duration,
    },
}
