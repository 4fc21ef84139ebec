//! What the SQL itself proves: columns that cannot be NULL although servers call them nullable.
//!
//! One walk over the tree of the statement, from the tables up. Whatever is not understood counts as nullable, and a proof only adds
//! to what the server's flags are worth, so a gap here costs an `Option`, never a surprise.
//!
//! | module | what it decides |
//! |---|---|
//! | `call` | when a call of a function gives NULL |
//! | `conversion` | where text has to become something that it may not be |
//! | `dates` | when a function of dates gives NULL |
//! | `documents` | when a function of JSON does |
//! | `expression` | when an expression does |
//! | `functions` | what a function's name says about that |
//! | `grouping` | what a SELECT does with its rows |
//! | `joins` | which sides of joins may be missing, and what conditions say about that |
//! | `query` | WITH and set operations |
//! | `scope` | which column a name means |
//! | `select` | the columns of one SELECT |
//! | `tables` | what stands after FROM |
//! | `texts` | what may be bytes, and which literals are good for every text |

mod call;
mod conversion;
mod dates;
mod documents;
mod expression;
mod functions;
mod grouping;
mod joins;
mod query;
mod scope;
mod select;
mod shifted;
mod tables;
#[cfg(test)]
mod tests;
mod texts;

pub(super) use dates::may_be_zero;
pub(super) use functions::{MISJUDGED, READ_DATES};

use std::cell::Cell;
use std::collections::BTreeMap;

use super::views::Bodies;
use crate::description::{Kind, RawColumn, RawDescription, View, Why};
use crate::sql::tree::Query;

/// The columns of tables as PREPARE describes them, by [`TableName`].
pub type Tables = BTreeMap<TableName, Vec<RawColumn>>;

/// A table's name with its database, where it is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableName {
    /// The database.
    pub schema: Option<String>,
    /// The name.
    pub name: String,
}

impl TableName {
    /// As it stands in SQL.
    pub fn quoted(&self) -> String {
        let quoted = |name: &String| format!("`{}`", name.replace('`', "``"));
        self.schema
            .iter()
            .chain([&self.name])
            .map(quoted)
            .collect::<Vec<_>>()
            .join(".")
    }
}

/// What is known of one column or expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) nullable: bool,
    /// Why it may be NULL.
    pub(super) why: Why,
    /// Of plain columns, wherever they went.
    pub(super) kind: Option<Kind>,
    /// A date that is never a zero date: NOW() and its kin.
    pub(super) real: bool,
    /// The server's flag can be believed: it knows the functions, and all that they are given is not NULL.
    pub(super) flag_holds: bool,
}

impl Fact {
    pub(super) const NEVER: Self = Self {
        nullable: false,
        why: Why::Proven,
        kind: None,
        real: false,
        flag_holds: false,
    };

    /// The same of another value.
    pub(super) const fn without_kind(self) -> Self {
        Self {
            kind: None,
            real: false,
            ..self
        }
    }

    pub(super) const fn maybe(why: Why) -> Self {
        Self {
            nullable: true,
            why,
            kind: None,
            real: false,
            flag_holds: false,
        }
    }
}

/// A column with its name in lower case, where that is known.
#[derive(Clone, Debug)]
struct Named {
    name: Option<String>,
    fact: Fact,
}

/// The columns of something; `None` where they are not known.
type Columns = Option<Vec<Named>>;

struct Prover<'a> {
    views: &'a [View],
    tables: &'a Tables,
    bodies: Bodies<'a, Columns>,
    /// Something makes the whole reading doubtful.
    lost: Cell<bool>,
    /// An aggregate groups some query further out, and nobody knows which.
    strayed: Cell<bool>,
    meetings: conversion::Meetings,
    /// They are NULL where expressions read them.
    zero_dates: bool,
}

/// What is known of each column of a statement; `None` where the reading does not fit what the server described.
pub(super) fn prove(
    query: &Query,
    raw: &RawDescription,
    views: &[View],
    tables: &Tables,
) -> Option<Vec<Fact>> {
    let columns = raw.columns.as_slice();
    let prover = Prover {
        zero_dates: raw.doubts.zero_dates,
        views,
        tables,
        bodies: Bodies::default(),
        lost: Cell::new(false),
        strayed: Cell::new(false),
        meetings: conversion::Meetings::default(),
    };
    let found = prover.query(query, &scope::Outside::default());
    if prover.strayed.get() {
        return Some(vec![Fact::maybe(Why::NotBelieved); columns.len()]);
    }
    let found = found?;
    let same = |(found, sent): (&Named, &RawColumn)| {
        found
            .name
            .as_ref()
            .is_none_or(|name| *name == sent.name.to_lowercase())
    };
    let fits = found.len() == columns.len() && found.iter().zip(columns).all(same);
    (fits && !prover.lost.get()).then(|| found.into_iter().map(|column| column.fact).collect())
}
