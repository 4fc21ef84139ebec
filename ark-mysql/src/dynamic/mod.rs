//! Statements made at run time: the one untyped corner.
//!
//! Prefer `query!`: it knows the columns while the program is built. This is for SQL that only the running program knows.

mod from_value;
mod local_infile;
mod params;
mod row;
mod sets;
mod value;

use std::borrow::Cow;
use std::fmt;
use std::pin::pin;

use ark_mysql_proto::params::LiteralWriter;

pub use self::from_value::FromValue;
#[cfg(any(feature = "time", feature = "jiff"))]
pub(crate) use self::from_value::from_value;
pub use self::local_infile::LoadData;
use self::params::Bound;
use self::row::Columns;
pub use self::row::{ColumnInfo, DynamicRow, Name};
pub use self::sets::{ResultSet, ResultSets};
pub use self::value::Value;
use crate::connection::{Call, Connection, Link, Reply, Sql};
use crate::deadline::{Clock, Deadline};
use crate::error::Error;
use crate::executor::{Executor, Lease as _};
use crate::query::{Done, row_not_found};
use crate::trace::{self, traced};
use crate::value::kind::Any;
use crate::value::{Encode, StatementKey};

/// A statement made at run time. Values go in by [`bind`](Self::bind), never by building strings.
#[must_use = "a query does nothing until it is fetched or executed"]
pub struct DynamicQuery<'q> {
    sql: Cow<'q, str>,
    values: Bound,
    deadline: Option<Deadline>,
}

/// Starts a statement that is only known at run time. `?` stands for values.
///
/// ```ignore
/// let rows = ark_mysql::query("SELECT id, name FROM users WHERE name LIKE ?").bind("A%").fetch_all(&pool).await?;
/// let name: String = rows[0].get("name")?;
/// ```
pub fn query<'q>(sql: impl Into<Cow<'q, str>>) -> DynamicQuery<'q> {
    DynamicQuery {
        sql: sql.into(),
        values: Bound::default(),
        deadline: None,
    }
}

/// The server cannot run such a statement by its prepared form.
const UNSUPPORTED: u16 = 1295;

impl DynamicQuery<'_> {
    /// Gives the value of the next `?`. One that cannot be sent is reported when the statement is run.
    pub fn bind<V: Encode<Any>>(mut self, value: V) -> Self {
        self.values.push(&value);
        self
    }

    /// Fails with `Timeout` when it takes longer: waiting for a connection, sending and reading together. See [`Deadline`].
    pub fn deadline(mut self, deadline: impl Into<Deadline>) -> Self {
        self.deadline = Some(deadline.into());
        self
    }

    /// Returns the first row. The others are read and thrown away.
    ///
    /// # Errors
    /// `RowNotFound` if there is none, and all that can happen to a statement.
    pub async fn fetch_one(self, executor: impl Executor) -> Result<DynamicRow, Error> {
        self.first(executor)
            .await?
            .ok_or_else(|| row_not_found().in_sql(trace::digest(&self.sql), &self.sql))
    }

    /// Returns the first row, if there is one. The others are read and thrown away.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn fetch_optional(
        self,
        executor: impl Executor,
    ) -> Result<Option<DynamicRow>, Error> {
        self.first(executor).await
    }

    /// Returns all rows.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn fetch_all(self, executor: impl Executor) -> Result<Vec<DynamicRow>, Error> {
        let mut rows = Vec::new();
        self.walk(executor, |row| rows.push(row)).await?;
        Ok(rows)
    }

    /// Runs a statement whose rows, if it has any, are of no interest. Without values it travels as text, so that DDL and the like work.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn execute(self, executor: impl Executor) -> Result<Done, Error> {
        let digest = trace::digest(&self.sql);
        let executing = async {
            let clock = Clock::start(self.deadline);
            let mut lease = executor.lease_by(clock).await?;
            let link = lease.connection().link();
            let result = {
                let running = pin!(async {
                    let mut reply = if self.values.is_empty() {
                        self.send_text(&mut *link).await?
                    } else {
                        self.start(&mut *link).await?
                    };
                    while link.next_row(&mut reply).await? {}
                    Ok(Done::from(reply.summary()))
                });
                clock.run(running).await
            };
            clock.settle(link, result, digest).await
        };
        traced!(digest, executing).map_err(|error: Error| error.in_sql(digest, &self.sql))
    }

    async fn first(&self, executor: impl Executor) -> Result<Option<DynamicRow>, Error> {
        let mut first = None;
        self.walk(executor, |row| {
            first.get_or_insert(row);
        })
        .await?;
        Ok(first)
    }

    async fn walk(
        &self,
        executor: impl Executor,
        mut each: impl FnMut(DynamicRow),
    ) -> Result<(), Error> {
        let digest = trace::digest(&self.sql);
        let walking = async {
            let clock = Clock::start(self.deadline);
            let mut lease = executor.lease_by(clock).await?;
            let link = Connection::link(lease.connection());
            let result = {
                let running = pin!(async {
                    let mut reply = self.start(&mut *link).await?;
                    let columns = Columns::read(link.column_definitions(&reply));
                    let columns = link.distrusting(columns)?;
                    while link.next_row(&mut reply).await? {
                        let text = reply.is_text();
                        let number = reply.rows();
                        let row = columns.row(link.row(&reply)?, text);
                        each(row.map_err(|error| Error::from_row(error, None, number))?);
                    }
                    Ok(())
                });
                clock.run(running).await
            };
            clock.settle(link, result, digest).await
        };
        traced!(digest, walking).map_err(|error: Error| error.in_sql(digest, &self.sql))
    }

    /// By its prepared form; as text where the server cannot do that.
    async fn start(&self, link: &mut Link) -> Result<Reply, Error> {
        self.values.check_prepared()?;
        let call = self.call(&self.sql);
        match link.execute(&call, |out| self.values.encode(out)).await {
            Err(error)
                if error
                    .server()
                    .is_some_and(|server| server.code == UNSUPPORTED) =>
            {
                self.send_text(link).await
            }
            result => result,
        }
    }

    async fn send_text(&self, link: &mut Link) -> Result<Reply, Error> {
        self.values.check()?;
        if self.values.is_empty() {
            return link.send_text(&self.call(&self.sql)).await;
        }
        let mut writer = LiteralWriter::new(&self.sql)?;
        self.values.encode(&mut writer)?;
        let sql = writer.finish()?;
        link.send_text(&self.call(&sql)).await
    }

    fn call<'a>(&'a self, sql: &'a str) -> Call<'a> {
        let digest = trace::digest(&self.sql);
        let types = self.values.types();
        let key = StatementKey::new(digest, types);
        Call {
            key,
            digest,
            sql: Sql::AtRunTime(sql),
            types,
            columns: None,
            dirties: true,
            limit: self.deadline.map(Deadline::time),
        }
    }
}

impl fmt::Debug for DynamicQuery<'_> {
    /// Shows the SQL, never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicQuery")
            .field("sql", &self.sql)
            .finish_non_exhaustive()
    }
}
