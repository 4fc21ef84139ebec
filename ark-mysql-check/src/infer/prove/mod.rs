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
mod tables;
#[cfg(test)]
mod tests;
mod texts;

pub(super) use documents::MISJUDGED;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::description::{Kind, RawColumn, View, Why};
use crate::sql::tree::{self, Query, Table};

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
    /// Views that are being read: one that reads itself is no view.
    reading: RefCell<Vec<&'a str>>,
    /// Something makes the whole reading doubtful.
    lost: Cell<bool>,
    /// An aggregate groups some query further out, and nobody knows which.
    strayed: Cell<bool>,
    meetings: conversion::Meetings,
}

/// What is known of each column of a statement; `None` where the reading does not fit what the server described.
pub(super) fn prove(
    query: &Query,
    columns: &[RawColumn],
    views: &[View],
    tables: &Tables,
) -> Option<Vec<Fact>> {
    let prover = Prover {
        views,
        tables,
        reading: RefCell::default(),
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

/// The tables whose columns a proof wants to know: those of the statement and of the views in it.
pub fn wanted(query: &Query, views: &[View]) -> Vec<TableName> {
    let (mut wanted, mut read) = (Vec::new(), Vec::new());
    collect(query, None, views, &mut read, 0, &mut wanted);
    wanted.sort();
    wanted.dedup();
    wanted
}

/// More views inside of views are not read.
pub(super) const DEEPEST_VIEW: usize = 8;

/// The tables that are read by those of these names that are views.
pub(super) fn below_views(names: &[TableName], views: &[View]) -> Vec<TableName> {
    let (mut wanted, mut read) = (Vec::new(), Vec::new());
    for name in names {
        if let Found::View(view) = view(name, views)
            && let Some(body) = view.definition.as_deref().and_then(tree::of_view)
        {
            collect(&body, Some(&view.schema), views, &mut read, 1, &mut wanted);
        }
    }
    wanted
}

/// Each view is read once, however often and by however many others it is named.
fn collect<'v>(
    query: &Query,
    schema: Option<&str>,
    views: &'v [View],
    read: &mut Vec<&'v View>,
    depth: usize,
    wanted: &mut Vec<TableName>,
) {
    query.tables(&mut |table| {
        let name = named(table, schema);
        match view(&name, views) {
            Found::View(view) if depth < DEEPEST_VIEW => {
                if read.iter().any(|known| std::ptr::eq(*known, view)) {
                    return;
                }
                read.push(view);
                if let Some(body) = view.definition.as_deref().and_then(tree::of_view) {
                    collect(&body, Some(&view.schema), views, read, depth + 1, wanted);
                }
            }
            Found::Table => wanted.push(name),
            Found::View(_) | Found::Unclear => {}
        }
    });
}

/// Inside of a view a name without its database is one of the view's.
pub(super) fn named(table: &Table, schema: Option<&str>) -> TableName {
    TableName {
        schema: table.schema.clone().or_else(|| schema.map(str::to_owned)),
        name: table.name.clone(),
    }
}

pub(super) enum Found<'v> {
    Table,
    View(&'v View),
    /// A name in another case: who knows.
    Unclear,
}

/// Databases whose views are not listed.
const SYSTEM: [&str; 4] = ["information_schema", "mysql", "performance_schema", "sys"];

pub(super) fn view<'v>(name: &TableName, views: &'v [View]) -> Found<'v> {
    if name.schema.as_deref().is_some_and(|schema| {
        SYSTEM
            .iter()
            .any(|system| schema.eq_ignore_ascii_case(system))
    }) {
        return Found::Unclear;
    }
    let here = |view: &View| {
        name.schema.as_ref().map_or(view.is_current, |schema| {
            view.schema.eq_ignore_ascii_case(schema)
        })
    };
    let mut alike = views
        .iter()
        .filter(|view| view.name.to_lowercase() == name.name.to_lowercase() && here(view));
    match (alike.next(), alike.next()) {
        (None, _) => Found::Table,
        (Some(view), None)
            if view.name == name.name
                && name
                    .schema
                    .as_ref()
                    .is_none_or(|schema| *schema == view.schema) =>
        {
            Found::View(view)
        }
        _ => Found::Unclear,
    }
}
