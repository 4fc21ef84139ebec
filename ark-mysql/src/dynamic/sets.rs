//! The results of one statement, one after the other: `CALL`.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};

use super::DynamicQuery;
use super::row::{ColumnInfo, Columns, DynamicRow};
use crate::connection::{Connection, Link, Reply};
use crate::deadline::Clock;
use crate::error::Error;
use crate::executor::{Executor, Lease};
use crate::query::Done;
use crate::trace::{self, traced};

impl DynamicQuery<'_> {
    /// Runs a statement that gives several results of different shapes, and hands them out one after the other as they come.
    ///
    /// Values of `OUT` and `INOUT` parameters come as a result of their own with one row, in the order of the parameters, where the statement has `?` for
    /// them; MySQL sends those that are text as bytes (`get::<Vec<u8>>`). A `CALL` ends with a result without columns: its [`done`](ResultSet::done) tells the rows that the server counts for it.
    ///
    /// What is left unread is read by the connection's next user, if it is short; otherwise the connection closes.
    ///
    /// ```no_run
    /// # async fn report(conn: &mut ark_mysql::Connection) -> Result<(), ark_mysql::Error> {
    /// // CREATE PROCEDURE report(IN year INT, OUT total DECIMAL(12, 2)) …
    /// let mut sets = ark_mysql::query("CALL report(?, ?)").bind(2024).bind(None::<i64>).fetch_sets(conn).await?;
    /// while let Some(mut set) = sets.next().await? {
    ///     while let Some(row) = set.next().await? {
    ///         println!("{:?}", row.values());
    ///     }
    ///     if set.is_out_parameters() {
    ///         println!("that was the total");
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn fetch_sets<E: Executor>(self, executor: E) -> Result<ResultSets<E::Lease>, Error> {
        let digest = trace::digest(&self.sql);
        let started = traced!(digest, self.start_sets(executor, digest));
        match started {
            Ok((lease, reply, clock)) => Ok(ResultSets {
                sql: self.sql.into(),
                digest,
                lease,
                reply,
                clock,
                place: Place::Before,
            }),
            Err(error) => Err(error.in_sql(digest, &self.sql)),
        }
    }

    async fn start_sets<E: Executor>(
        &self,
        executor: E,
        digest: u128,
    ) -> Result<(E::Lease, Reply, Clock), Error> {
        let clock = Clock::start(self.deadline);
        let mut lease = executor.lease_by(clock).await?;
        let link = Connection::link(lease.connection());
        let result = {
            let running = pin!(self.start(&mut *link));
            clock.run(running).await
        };
        let reply = clock.settle(link, result, digest).await?;
        Ok((lease, reply, clock))
    }
}

/// The results of one statement: see [`DynamicQuery::fetch_sets`].
///
/// Dropping it, or a future of it, at any time is safe.
pub struct ResultSets<L> {
    sql: Box<str>,
    digest: u128,
    lease: L,
    reply: Reply,
    clock: Clock,
    place: Place,
}

/// How far the reply has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A result has begun that nobody was given yet.
    Before,
    /// Among the rows of a result.
    Rows,
    /// Behind a result.
    Behind,
    /// Nothing is to come.
    Over,
}

/// Reads on, and says whether there is what it looked for.
type Step = fn(&mut Link, &mut Context<'_>, &mut Reply) -> Poll<Result<bool, Error>>;

impl<L: Lease> ResultSets<L> {
    /// Returns the next result; `None` after the last one. Rows of the one before that were not read are skipped.
    ///
    /// # Errors
    /// All that can happen to a statement. After an error there are no more results.
    pub async fn next(&mut self) -> Result<Option<ResultSet<'_, L>>, Error> {
        while self.place == Place::Rows {
            self.next_row().await?;
        }
        if self.place == Place::Behind {
            let more = !self.reply.is_over() && self.step(Link::poll_next_set).await?;
            self.place = if more { Place::Before } else { Place::Over };
        }
        if self.place == Place::Over {
            return Ok(None);
        }
        let columns = self.columns()?;
        self.place = match columns.is_empty() {
            true => Place::Behind,
            false => Place::Rows,
        };
        Ok(Some(ResultSet {
            sets: self,
            columns,
            rows: 0,
        }))
    }

    /// Reads what is left, and returns what the last result tells: of a `CALL` the rows that the server counts for it.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn finish(mut self) -> Result<Done, Error> {
        while self.next().await?.is_some() {}
        Ok(Done::from(self.reply.summary()))
    }

    fn columns(&mut self) -> Result<Columns, Error> {
        let link = Connection::link(self.lease.connection());
        let columns = Columns::read(link.set_definitions(&self.reply));
        let columns = link.distrusting(columns);
        columns.map_err(|error| self.ended(error))
    }

    /// Moves to the next row of the present result; false at its end.
    async fn next_row(&mut self) -> Result<bool, Error> {
        let row = self.step(Link::poll_set_row).await?;
        if !row {
            self.place = Place::Behind;
        }
        Ok(row)
    }

    async fn step(&mut self, step: Step) -> Result<bool, Error> {
        let Self { lease, reply, .. } = self;
        let link = Connection::link(lease.connection());
        let result = {
            let running = pin!(poll_fn(|context| step(link, context, reply)));
            self.clock.run(running).await
        };
        let link = Connection::link(self.lease.connection());
        let result = self.clock.settle(link, result, self.digest).await;
        result.map_err(|error| self.ended(error))
    }

    #[cold]
    fn ended(&mut self, error: Error) -> Error {
        self.place = Place::Over;
        error.in_sql(self.digest, &self.sql)
    }
}

/// One result of a statement that gives several.
pub struct ResultSet<'s, L> {
    sets: &'s mut ResultSets<L>,
    columns: Columns,
    rows: u64,
}

impl<L: Lease> ResultSet<'_, L> {
    /// The columns; none of a result that has no rows.
    pub fn columns(&self) -> &[ColumnInfo] {
        self.columns.info()
    }

    /// Returns the next row; `None` after the last one.
    ///
    /// # Errors
    /// All that can happen to a statement. After an error there are no more rows and results.
    pub async fn next(&mut self) -> Result<Option<DynamicRow>, Error> {
        if self.sets.place != Place::Rows || !self.sets.next_row().await? {
            return Ok(None);
        }
        self.rows += 1;
        let ResultSets { lease, reply, .. } = &mut *self.sets;
        let link = Connection::link(lease.connection());
        let row = self.columns.row(link.row(reply)?, reply.is_text());
        row.map(Some).map_err(|error| {
            let error = Error::from_row(error, None, self.rows);
            self.sets.ended(error)
        })
    }

    /// Returns all rows that are left.
    ///
    /// # Errors
    /// As [`next`](Self::next); then none of the rows is returned.
    pub async fn fetch_all(&mut self) -> Result<Vec<DynamicRow>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Whether its one row holds the values of `OUT` and `INOUT` parameters. The server says so behind the row: false while that is not read.
    pub fn is_out_parameters(&self) -> bool {
        let status = self.sets.reply.summary().status;
        self.is_read() && status.out_parameters()
    }

    /// What the server tells at the end of this result, such as affected rows; `None` while its rows are not read.
    pub fn done(&self) -> Option<Done> {
        self.is_read()
            .then(|| Done::from(self.sets.reply.summary()))
    }

    fn is_read(&self) -> bool {
        self.sets.place == Place::Behind
    }
}

impl<L> fmt::Debug for ResultSets<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultSets")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl<L> fmt::Debug for ResultSet<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultSet")
            .field("columns", &self.columns)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
