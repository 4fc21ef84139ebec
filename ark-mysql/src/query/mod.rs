//! Checked statements: what `query!` makes, and what can be done with it.

mod advice;
mod done;
mod lists;
mod run;

use std::fmt;
use std::marker::PhantomData;
use std::pin::pin;

pub use self::done::Done;
pub(crate) use self::lists::Lists;
pub(crate) use self::run::{call, decode, start};
use crate::connection::Reply;
use crate::deadline::{Clock, Deadline};
use crate::error::{Error, ErrorKind, Outcome};
use crate::executor::{Executor, Lease as _};
use crate::rows::Rows;
use crate::trace::traced;
use crate::value::{OwnedRows, Params, ReturnsRows, Statement};

/// Runs `$body` on the connection of an executor, within the deadline if the mode has one. Without one it is what stands there, and
/// its future is no larger.
macro_rules! in_time {
    ($query:expr, $executor:expr, |$link:ident| $body:block) => {
        if M::LIMITED {
            let limited = async {
                let clock = Clock::start($query.mode.deadline());
                let mut lease = $executor.lease_by(clock).await?;
                let connection = lease.connection().link();
                let result = {
                    let $link = &mut *connection;
                    let running = pin!(async { $body });
                    clock.run(running).await
                };
                clock.settle(connection, result, S::DIGEST).await
            };
            Box::pin(limited).await
        } else {
            let mut lease = $executor.lease().await?;
            let $link = lease.connection().link();
            $body
        }
    };
}

/// A statement with its parameters, ready to run on any [`Executor`]. Made by `query!` and its sisters.
///
/// Parameters are borrowed. Nothing is sent before one of the methods is awaited.
#[must_use = "a query does nothing until it is fetched or executed"]
pub struct Query<S, P, M = Prepared> {
    #[doc(hidden)]
    pub statement: S,
    #[doc(hidden)]
    pub params: P,
    #[doc(hidden)]
    pub mode: M,
    #[doc(hidden)]
    pub checked: Checked<P>,
}

/// Says that somebody has looked at parameters of these types.
#[doc(hidden)]
pub struct Checked<P>(PhantomData<P>);

/// For generated code: `check` names a trait of its own for each of the parameters. It is never called; that it compiles is enough.
#[doc(hidden)]
#[inline]
pub fn checked<P>(_: impl FnOnce(&P)) -> Checked<P> {
    Checked(PhantomData)
}

/// How a statement travels.
pub trait Mode: sealed::Sealed + Copy + Send + Sync + 'static {
    /// As text, with its values as literals.
    #[doc(hidden)]
    const TEXT: bool;

    /// With a deadline. A constant, so that statements without one are not compiled for it.
    #[doc(hidden)]
    const LIMITED: bool = false;

    /// How long it may take.
    #[doc(hidden)]
    #[inline]
    fn deadline(self) -> Option<Deadline> {
        None
    }
}

/// As a prepared statement: prepared once on each connection, executed with binary values.
#[derive(Clone, Copy, Debug)]
pub struct Prepared;

/// As text, with its values as literals: for statements that are run once, and for proxies that cannot prepare.
#[derive(Clone, Copy, Debug)]
pub struct Text;

/// Either of them, within a deadline.
#[derive(Clone, Copy, Debug)]
pub struct Within<M> {
    deadline: Deadline,
    mode: PhantomData<M>,
}

impl<M> Within<M> {
    pub(crate) fn new(deadline: Deadline) -> Self {
        Self {
            deadline,
            mode: PhantomData,
        }
    }
}

impl<M: Mode> Mode for Within<M> {
    const TEXT: bool = M::TEXT;
    const LIMITED: bool = true;

    fn deadline(self) -> Option<Deadline> {
        Some(self.deadline)
    }
}

impl Mode for Prepared {
    const TEXT: bool = false;
}

impl Mode for Text {
    const TEXT: bool = true;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Prepared {}
    impl Sealed for super::Text {}
    impl<M: super::Mode> Sealed for super::Within<M> {}
}

impl<S, P> Query<S, P, Prepared> {
    /// Sends the statement as text. Strings and bytes become hexadecimal literals, so there is nothing to escape.
    pub fn text(self) -> Query<S, P, Text> {
        Query {
            statement: self.statement,
            params: self.params,
            mode: Text,
            checked: self.checked,
        }
    }
}

impl<S, P> Query<S, P, Within<Prepared>> {
    /// Sends the statement as text. Strings and bytes become hexadecimal literals, so there is nothing to escape.
    pub fn text(self) -> Query<S, P, Within<Text>> {
        let Within { deadline, .. } = self.mode;
        let query = Query {
            statement: self.statement,
            params: self.params,
            mode: Text,
            checked: self.checked,
        };
        query.deadline(deadline)
    }
}

impl<S, P, M: Mode> Query<S, P, M> {
    /// Fails with `Timeout` when it takes longer: waiting for a connection, sending and reading together; for
    /// [`fetch`](Self::fetch) up to the last row.
    ///
    /// Takes a `Duration`, or a [`Deadline`] that says more. What the server is told, and what becomes of the connection, stands there.
    /// `tokio::time::timeout` around any future of this crate works as well; it knows nothing of the outcome.
    pub fn deadline(self, deadline: impl Into<Deadline>) -> Query<S, P, Within<M>> {
        Query {
            statement: self.statement,
            params: self.params,
            mode: Within::new(deadline.into()),
            checked: self.checked,
        }
    }
}

// Bounds of impls and not of methods: what they forbid, rustc tells once; of a method's bound it tells at the argument, the call and the await.
impl<S, P, M> Query<S, P, M>
where
    S: OwnedRows + ReturnsRows,
    P: Params<S::Params>,
    M: Mode,
{
    /// Returns the first row. The others, if there are any, are read and thrown away.
    ///
    /// # Errors
    /// `RowNotFound` if there is none, and all that can happen to a statement.
    pub async fn fetch_one<T>(self, executor: impl Executor) -> Result<T, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        match traced!(S::DIGEST, self.first_row(executor))? {
            Some(row) => Ok(row),
            None => Err(row_not_found().in_statement(S::DIGEST)),
        }
    }

    /// Returns the first row, if there is one. The others are read and thrown away.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn fetch_optional<T>(self, executor: impl Executor) -> Result<Option<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        traced!(S::DIGEST, self.first_row(executor))
    }

    /// Returns all rows.
    ///
    /// # Errors
    /// All that can happen to a statement; then none of the rows is returned.
    pub async fn fetch_all<T>(self, executor: impl Executor) -> Result<Vec<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        traced!(S::DIGEST, self.all_rows(executor))
    }

    async fn first_row<T>(&self, executor: impl Executor) -> Result<Option<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        in_time!(self, executor, |link| {
            let mut reply = Reply::unsent();
            start::<S, P, M>(&mut *link, &mut reply, &self.params, self.mode, true).await?;
            if !link.next_row(&mut reply).await? {
                return Ok(None);
            }
            let row = decode::<S, M>(&mut *link, &reply)?;
            while link.next_row(&mut reply).await? {}
            Ok(Some(row))
        })
    }

    async fn all_rows<T>(&self, executor: impl Executor) -> Result<Vec<T>, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        in_time!(self, executor, |link| {
            let mut reply = Reply::unsent();
            start::<S, P, M>(&mut *link, &mut reply, &self.params, self.mode, true).await?;
            let mut rows = Vec::new();
            while link.next_row(&mut reply).await? {
                rows.push(decode::<S, M>(&mut *link, &reply)?);
            }
            Ok(rows)
        })
    }
}

impl<S, P, M> Query<S, P, M>
where
    S: ReturnsRows,
    P: Params<S::Params>,
    M: Mode,
{
    /// Returns the rows one by one, as they come: memory for one of them is enough for any number.
    ///
    /// Nothing is sent before the first [`Rows::next`].
    pub fn fetch<'e, E>(self, executor: E) -> Rows<'e, S, M, E::Lease>
    where
        E: Executor + 'e,
        P: Send + Sync + 'e,
    {
        Rows::new(executor, self)
    }

    /// Calls `each` for every row; rows may borrow from the connection's buffer, so that nothing is copied.
    ///
    /// # Errors
    /// All that can happen to a statement, and the first error of `each`, which ends the walk.
    pub async fn for_each<F>(self, executor: impl Executor, mut each: F) -> Result<(), Error>
    where
        F: FnMut(S::Row<'_>) -> Result<(), Error>,
    {
        traced!(S::DIGEST, self.walk(executor, &mut each))
    }

    async fn walk<F>(&self, executor: impl Executor, each: &mut F) -> Result<(), Error>
    where
        F: FnMut(S::Row<'_>) -> Result<(), Error>,
    {
        in_time!(self, executor, |link| {
            let mut reply = Reply::unsent();
            start::<S, P, M>(&mut *link, &mut reply, &self.params, self.mode, true).await?;
            while link.next_row(&mut reply).await? {
                each(decode::<S, M>(&mut *link, &reply)?)?;
            }
            Ok(())
        })
    }
}

impl<S, P, M> Query<S, P, M>
where
    S: Statement,
    P: Params<S::Params>,
    M: Mode,
{
    /// Runs a statement whose rows, if it has any, are of no interest.
    ///
    /// # Errors
    /// All that can happen to a statement.
    pub async fn execute(self, executor: impl Executor) -> Result<Done, Error> {
        traced!(S::DIGEST, self.run_to_end(executor))
    }

    async fn run_to_end(&self, executor: impl Executor) -> Result<Done, Error> {
        in_time!(self, executor, |link| {
            let mut reply = Reply::unsent();
            start::<S, P, M>(&mut *link, &mut reply, &self.params, self.mode, false).await?;
            while link.next_row(&mut reply).await? {}
            Ok(Done::from(reply.summary()))
        })
    }
}

#[cold]
pub(crate) fn row_not_found() -> Error {
    Error::new(ErrorKind::RowNotFound, Outcome::Done, "")
        .with_advice("use fetch_optional where there may be none")
}

impl<S: Statement, P, M> fmt::Debug for Query<S, P, M> {
    /// Shows the SQL, never the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("sql", &S::SQL)
            .finish_non_exhaustive()
    }
}
