//! What each parameter stands against, by the SQL and the columns of its tables.
//!
//! MariaDB says nothing of parameters, MySQL guesses a class for each, right or wrong. So the SQL is read: `users.id = ?` needs what
//! `users.id` is, and that any server tells. Whatever is not understood leaves a parameter unknown, and then every value fits.
//!
//! | module | what it decides |
//! |---|---|
//! | `arguments` | which arguments of functions have one type, whatever else is there |
//! | `expression` | which operators put a parameter against something |
//! | `kinds` | what an expression is |
//! | `scope` | which column a name means |
//! | `statement` | where columns come from, and where values go |
//! | `values` | which parameters become a column's value |

mod arguments;
mod expression;
mod kinds;
mod scope;
mod statement;
#[cfg(test)]
mod tests;
mod values;

use self::scope::Known;
use super::views::{Bodies, below_views};
use super::{TableName, Tables};
use crate::description::{Against, DescribedParam, Kind, RawColumn, Usage, View};
use crate::sql::Sql;
use crate::sql::tree::{Body, Expression, Item, Query, Table};

/// Finds what the parameters of a statement stand against; `count` of them are there by the server's account.
pub(super) fn against(
    sql: &Sql,
    views: &[View],
    tables: &Tables,
    count: usize,
) -> Vec<DescribedParam> {
    let mut finder = Finder {
        tables,
        views,
        bodies: Bodies::default(),
        found: vec![DescribedParam::default(); count],
    };
    // Where the server counts otherwise nothing that was read can be relied on.
    if count != sql.params().len() {
        return finder.found;
    }
    if let Some(query) = sql.tree() {
        finder.query(query, &scope::Outside::default());
        finder.selected(query);
    }
    if let Some(change) = sql.change() {
        finder.change(change);
    }
    finder.found
}

/// Which table's column each column of the result is, by whatever views, derived tables and CTEs it came. Fewer than there are columns where the
/// reading does not fit what the server described.
pub(super) fn origins(
    sql: &Sql,
    views: &[View],
    tables: &Tables,
    columns: &[RawColumn],
) -> Vec<Option<Origin>> {
    let finder = Finder {
        tables,
        views,
        bodies: Bodies::default(),
        found: Vec::new(),
    };
    let found = sql
        .tree()
        .and_then(|query| finder.columns_of(query, &scope::Outside::default()))
        .unwrap_or_default();
    let same = |(found, sent): (&scope::Named, &RawColumn)| {
        let name = found.name.as_ref();
        name.is_none_or(|name| *name == sent.name.to_lowercase())
    };
    if found.len() != columns.len() || !found.iter().zip(columns).all(same) {
        return Vec::new();
    }
    let origin = |column: scope::Named| {
        let known = column.known?;
        Some(Origin {
            table: known.table?,
            column: known.column?,
            kind: known.kind,
            labels: known.labels,
        })
    };
    found.into_iter().map(origin).collect()
}

/// A column of a table, found from afar.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) table: String,
    pub(super) column: String,
    pub(super) kind: Kind,
    pub(super) labels: Vec<String>,
}

/// The tables and views whose columns decide what a column of the result is that came by way of another query.
pub fn wanted_for_origins(sql: &Sql, views: &[View]) -> Vec<TableName> {
    let mut wanted = named_tables(sql);
    let below = below_views(&wanted, views);
    let is_set = |query: &Query| !matches!(query.body, Body::Select(_));
    if below.is_empty() && !sql.shape().derived && !sql.tree().is_some_and(is_set) {
        return Vec::new();
    }
    wanted.extend(below);
    wanted
}

/// The tables and views whose columns decide about parameters.
pub fn wanted_for_params(sql: &Sql) -> Vec<TableName> {
    if sql.change().is_none() && sql.params().is_empty() {
        return Vec::new();
    }
    named_tables(sql)
}

/// The tables and views that a statement names.
pub fn named_tables(sql: &Sql) -> Vec<TableName> {
    let mut wanted = Vec::new();
    let mut add = |table: &Table| {
        wanted.push(TableName {
            schema: table.schema.clone(),
            name: table.name.clone(),
        });
    };
    if let Some(query) = sql.tree() {
        query.tables(&mut add);
    }
    if let Some(change) = sql.change() {
        change.tables(&mut add);
    }
    wanted.sort();
    wanted.dedup();
    // The tables of WITH are none of the database's; one of the same name is asked for in vain.
    wanted.retain(|table| table.schema.is_some() || !sql.shape().is_derived(&table.name));
    wanted
}

struct Finder<'a> {
    views: &'a [View],
    tables: &'a Tables,
    bodies: Bodies<'a, scope::Columns>,
    found: Vec<DescribedParam>,
}

impl Finder<'_> {
    fn compared(&mut self, parameter: usize, with: &Known) {
        // JSON is compared with everything: numbers, text, documents. Of the others nobody knows.
        if matches!(
            with.kind,
            Kind::Json | Kind::Geometry | Kind::Vector | Kind::Null
        ) {
            return;
        }
        self.put(parameter, with, Usage::Compared);
    }

    fn stored(&mut self, parameter: usize, into: &Known) {
        if into.kind != Kind::Null {
            let nullable = into.takes_null;
            self.put(parameter, into, Usage::Stored { nullable });
        }
    }

    /// What a function takes, whatever it is given beside it.
    fn argument(&mut self, parameter: usize, kind: Kind) {
        self.put(parameter, &Known::of(kind), Usage::Argument);
    }

    fn limit(&mut self, parameter: usize) {
        self.put(parameter, &Known::of(Kind::BigIntUnsigned), Usage::Limit);
    }

    /// Parameters that are columns of the result, and nothing else. Where columns of several SELECTs become one they are whatever those make of them.
    fn selected(&mut self, query: &Query) {
        let Body::Select(select) = &query.body else {
            return;
        };
        for item in &select.items {
            if let Item::Column(Expression::Parameter(parameter), _) = item {
                self.put(*parameter, &Known::of(Kind::Text), Usage::Selected);
            }
        }
    }

    fn put(&mut self, parameter: usize, known: &Known, usage: Usage) {
        if let Some(param) = self.found.get_mut(parameter) {
            param.against.get_or_insert_with(|| Against {
                kind: known.kind,
                usage,
                table: known.table.clone(),
                column: known.column.clone(),
                labels: known.labels.clone(),
            });
        }
    }
}
