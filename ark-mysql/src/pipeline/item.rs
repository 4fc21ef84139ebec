//! What is wanted of one statement's rows.

use std::fmt;

use ark_mysql_proto::Summary;
use ark_mysql_proto::params::{EncodeError, ParamWriter};

use crate::connection::{Call, Link, Reply};
use crate::error::Error;
use crate::query::{Done, Lists, Prepared, Query, call, decode, row_not_found};
use crate::value::{OwnedRows, Params, ReturnsRows, Statement, WithLists};

/// One statement of a [pipeline](crate::Connection::pipeline): made by [`Query::one`], [`optional`](Query::optional), [`all`](Query::all)
/// and [`run`](Query::run).
#[must_use = "an item does nothing until it is given to `Connection::pipeline`"]
pub struct Item<S, P, C> {
    query: Query<S, P>,
    /// Of statements that have some.
    lists: Option<Lists>,
    collected: C,
    end: Option<Result<Summary, Error>>,
}

/// How the rows of a statement are collected.
pub trait Collect<S>: Default + Send + Sync {
    /// What they are collected into.
    type Output;

    #[doc(hidden)]
    const COLUMNS: bool;

    #[doc(hidden)]
    fn row(&mut self, at: At<'_>) -> Result<(), Error>;

    #[doc(hidden)]
    fn output(self, done: Done) -> Option<Self::Output>;
}

/// Where the connection stands: at a row.
#[doc(hidden)]
pub struct At<'a> {
    link: &'a mut Link,
    reply: &'a Reply,
}

/// The first row; see [`Query::one`].
#[derive(Debug)]
pub struct One<T>(Option<T>);

/// The first row, if there is one; see [`Query::optional`].
#[derive(Debug)]
pub struct Optional<T>(Option<T>);

/// All rows; see [`Query::all`].
#[derive(Debug)]
pub struct All<T>(Vec<T>);

/// No rows; see [`Query::run`].
#[derive(Debug, Default)]
pub struct Run(());

/// What the engine does with an item.
pub(super) trait Job {
    /// Looks at the lists, before anything else is asked; an error of theirs is its end.
    fn begin(&mut self);
    /// The call, unless it has ended. With lists it is made out of `room`.
    fn call<'a>(&'a self, room: &'a mut Option<WithLists<'a>>) -> Option<Call<'a>>;
    fn encode(&self, out: &mut ParamWriter<'_>) -> Result<(), EncodeError>;
    fn row(&mut self, link: &mut Link, reply: &Reply) -> Result<(), Error>;
    fn end(&mut self, end: Result<Summary, Error>);
}

/// An item whose types nobody needs to know.
pub(super) type Anyone<'a> = dyn Job + Send + Sync + 'a;

/// For [`Connection::pipeline`](crate::Connection::pipeline).
impl<S: ReturnsRows + OwnedRows, P: Params<S::Params>> Query<S, P> {
    /// As an item of a pipeline: its first row, or the error `RowNotFound`.
    pub fn one<T: Send + Sync>(self) -> Item<S, P, One<T>>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        Item::new(self)
    }

    /// As an item of a pipeline: its first row, if there is one.
    pub fn optional<T: Send + Sync>(self) -> Item<S, P, Optional<T>>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        Item::new(self)
    }

    /// As an item of a pipeline: all its rows.
    pub fn all<T: Send + Sync>(self) -> Item<S, P, All<T>>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        Item::new(self)
    }
}

/// For [`Connection::pipeline`](crate::Connection::pipeline).
impl<S: Statement, P: Params<S::Params>> Query<S, P> {
    /// As an item of a pipeline: its rows, if it has any, are of no interest.
    pub fn run(self) -> Item<S, P, Run> {
        Item::new(self)
    }
}

impl<S, P, C: Default> Item<S, P, C> {
    fn new(query: Query<S, P>) -> Self {
        Self {
            query,
            lists: None,
            collected: C::default(),
            end: None,
        }
    }
}

impl<S, P, C> Item<S, P, C>
where
    S: Statement,
    C: Collect<S>,
{
    pub(super) fn output(self) -> Result<C::Output, Error> {
        let summary = match self.end {
            Some(end) => end?,
            None => Summary::default(), // every job is told its end
        };
        let output = self.collected.output(Done::from(summary));
        output.ok_or_else(|| row_not_found().in_statement(S::DIGEST))
    }
}

impl<S, P, C> Job for Item<S, P, C>
where
    S: Statement,
    P: Params<S::Params>,
    C: Collect<S>,
{
    fn begin(&mut self) {
        if P::LISTS {
            match Lists::of::<S, P>(&self.query.params) {
                Ok(lists) => self.lists = Some(lists),
                Err(error) => self.end = Some(Err(error)),
            }
        }
    }

    fn call<'a>(&'a self, room: &'a mut Option<WithLists<'a>>) -> Option<Call<'a>> {
        let call = call::<S, P>(C::COLUMNS.then_some(S::COLUMNS));
        match &self.lists {
            _ if self.end.is_some() => None,
            None => Some(call),
            Some(lists) => Some(lists.call(call, room.insert(lists.with::<S>()))),
        }
    }

    fn encode(&self, out: &mut ParamWriter<'_>) -> Result<(), EncodeError> {
        match &self.lists {
            None => self.query.params.encode(out),
            Some(lists) => lists.encode(&self.query.params, out),
        }
    }

    fn row(&mut self, link: &mut Link, reply: &Reply) -> Result<(), Error> {
        self.collected.row(At { link, reply })
    }

    fn end(&mut self, end: Result<Summary, Error>) {
        self.end = Some(end);
    }
}

impl At<'_> {
    fn decode<S, T>(self) -> Result<T, Error>
    where
        S: for<'r> Statement<Row<'r> = T>,
    {
        decode::<S, Prepared>(self.link, self.reply)
    }
}

impl<S, T: Send + Sync> Collect<S> for One<T>
where
    S: for<'r> Statement<Row<'r> = T>,
{
    type Output = T;
    const COLUMNS: bool = true;

    fn row(&mut self, at: At<'_>) -> Result<(), Error> {
        if self.0.is_none() {
            self.0 = Some(at.decode::<S, T>()?);
        }
        Ok(())
    }

    fn output(self, _: Done) -> Option<T> {
        self.0
    }
}

impl<S, T: Send + Sync> Collect<S> for Optional<T>
where
    S: for<'r> Statement<Row<'r> = T>,
{
    type Output = Option<T>;
    const COLUMNS: bool = true;

    fn row(&mut self, at: At<'_>) -> Result<(), Error> {
        if self.0.is_none() {
            self.0 = Some(at.decode::<S, T>()?);
        }
        Ok(())
    }

    fn output(self, _: Done) -> Option<Option<T>> {
        Some(self.0)
    }
}

impl<S, T: Send + Sync> Collect<S> for All<T>
where
    S: for<'r> Statement<Row<'r> = T>,
{
    type Output = Vec<T>;
    const COLUMNS: bool = true;

    fn row(&mut self, at: At<'_>) -> Result<(), Error> {
        self.0.push(at.decode::<S, T>()?);
        Ok(())
    }

    fn output(self, _: Done) -> Option<Vec<T>> {
        Some(self.0)
    }
}

impl<S> Collect<S> for Run {
    type Output = Done;
    const COLUMNS: bool = false;

    fn row(&mut self, _: At<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn output(self, done: Done) -> Option<Done> {
        Some(done)
    }
}

impl<T> Default for One<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Default for All<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<S: Statement, P, C> fmt::Debug for Item<S, P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Item").field(&self.query).finish()
    }
}
