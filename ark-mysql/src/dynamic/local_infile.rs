//! `LOAD DATA LOCAL INFILE` with its file.

use std::fmt;
use std::pin::pin;

use ark_mysql_proto::params::LiteralWriter;
use tokio::io::AsyncRead;

use super::DynamicQuery;
use crate::connection::{Link, Reply};
use crate::deadline::{Clock, Deadline};
use crate::error::Error;
use crate::executor::{Executor, Lease as _};
use crate::query::Done;
use crate::trace::{self, traced};

impl<'q> DynamicQuery<'q> {
    /// Gives a `LOAD DATA LOCAL INFILE` its file: what `reader` gives, whatever name stands in the statement. Nothing is read from it before the server asks.
    ///
    /// Needs [`ConnectOptions::local_infile`](crate::ConnectOptions::local_infile), and the server's `local_infile`.
    ///
    /// ```no_run
    /// # async fn load(conn: &mut ark_mysql::Connection) -> Result<(), ark_mysql::Error> {
    /// let lines: &[u8] = b"1\tAnn\n2\tBob\n";
    /// let sql = "LOAD DATA LOCAL INFILE 'any name' INTO TABLE users (id, name)";
    /// let done = ark_mysql::query(sql).local_infile(lines).execute(conn).await?;
    /// assert_eq!(done.rows_affected(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn local_infile<R: AsyncRead + Unpin + Send>(self, reader: R) -> LoadData<'q, R> {
        LoadData {
            query: self,
            reader,
        }
    }
}

/// A `LOAD DATA LOCAL INFILE` with its file: see [`DynamicQuery::local_infile`].
#[must_use = "a query does nothing until it is executed"]
pub struct LoadData<'q, R> {
    query: DynamicQuery<'q>,
    reader: R,
}

impl<R: AsyncRead + Unpin + Send> LoadData<'_, R> {
    /// Fails with `Timeout` when it takes longer, the time in the reader included. The connection is closed then. See [`Deadline`].
    pub fn deadline(mut self, deadline: impl Into<Deadline>) -> Self {
        self.query = self.query.deadline(deadline);
        self
    }

    /// Runs it. Dropping the future while the file is on its way closes the connection, and the server undoes the statement on a transactional table.
    ///
    /// # Errors
    /// `LocalInfile`, `NotSent`: the connection was made without the option, or the server has none. `LocalInfile`, `Partial`: the reader failed. There is no way to take
    /// back what was sent: the server loads it as if it were all, so load in a transaction and roll that back. The connection is in order.
    /// And all that can happen to a statement.
    pub async fn execute(mut self, executor: impl Executor) -> Result<Done, Error> {
        let digest = trace::digest(&self.query.sql);
        let executing = async {
            let clock = Clock::start(self.query.deadline);
            let mut lease = executor.lease_by(clock).await?;
            let link = lease.connection().link();
            let result = {
                let running = pin!(self.run(&mut *link));
                clock.run(running).await
            };
            let result = result.map(|result| result.map(|reply| Done::from(reply.summary())));
            clock.settle(link, result, digest).await
        };
        let done = traced!(digest, executing);
        done.map_err(|error: Error| error.in_sql(digest, &self.query.sql))
    }

    async fn run(&mut self, link: &mut Link) -> Result<Reply, Error> {
        let Self { query, reader } = self;
        query.values.check()?;
        let mut reply = if query.values.is_empty() {
            link.load(&query.call(&query.sql), reader).await?
        } else {
            let mut writer = LiteralWriter::new(&query.sql)?;
            query.values.encode(&mut writer)?;
            link.load(&query.call(&writer.finish()?), reader).await?
        };
        while link.next_row(&mut reply).await? {}
        Ok(reply)
    }
}

impl<R> fmt::Debug for LoadData<'_, R> {
    /// Shows the SQL, never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadData")
            .field("sql", &self.query.sql)
            .finish_non_exhaustive()
    }
}
