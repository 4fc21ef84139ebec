//! What is wrong with an INSERT although a server prepares it: columns left out that have no default, and values for generated ones.

use std::ops::Range;

use super::TableName;
use crate::diagnostics::excerpt;
use crate::sql::Sql;
use crate::sql::tree::{Body, Change, Expression, Insert, Item, Placed, Query, Source};

/// A table as it was declared, as far as that decides what may be inserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The columns in their order, hidden ones too.
    pub columns: Vec<DeclaredColumn>,
    /// Whether wrong values are errors: `sql_mode` has STRICT_TRANS_TABLES or STRICT_ALL_TABLES.
    pub strict: bool,
    /// Whether a trigger may mend a row before it is looked at.
    pub triggered: bool,
}

/// A column as it was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredColumn {
    /// Its name.
    pub name: String,
    /// Its type in words.
    pub sql_type: String,
    /// Whether NULL is for it, or makes a value.
    pub takes_null: bool,
    /// Whether it may be left out.
    pub optional: bool,
    /// Whether it is computed.
    pub generated: bool,
    /// Whether `*` leaves it out, as an INSERT without names does.
    pub hidden: bool,
}

/// The table that an INSERT goes into, if what it leaves out may matter.
pub fn wanted_for_insert(sql: &Sql) -> Option<TableName> {
    let Some(Change::Insert(insert)) = sql.change() else {
        return None;
    };
    Some(TableName {
        schema: insert.table.schema.clone(),
        name: insert.table.name.clone(),
    })
}

/// The table of an INSERT with the columns it names, if others that are left out and have no default make it fail.
pub fn named_by_insert(sql: &Sql) -> Option<(TableName, Vec<&str>)> {
    match sql.change() {
        Some(Change::Insert(insert)) if !insert.ignore => {
            Some((wanted_for_insert(sql)?, named(insert)?))
        }
        _ => None,
    }
}

/// Everything that is wrong, each a whole message with its place in the SQL.
pub fn insert_problems(sql: &Sql, table: &Declared) -> Vec<String> {
    let Some(Change::Insert(insert)) = sql.change() else {
        return Vec::new();
    };
    let problem = |(message, place): (String, Range<usize>)| {
        format!("{message}\n{}", excerpt(sql.written(), Some(place)))
    };
    let help = |message: String| {
        format!("{message}\n= help: give a value in the INSERT, or declare a DEFAULT in the table")
    };
    left_out(insert, table)
        .map(problem)
        .map(help)
        .into_iter()
        .chain(given(insert, table).into_iter().map(problem))
        .collect()
}

/// Columns that must be named and are not.
fn left_out(insert: &Insert, table: &Declared) -> Option<(String, Range<usize>)> {
    if !table.strict || table.triggered || insert.ignore {
        return None;
    }
    let named = named(insert)?;
    let is_named = |column: &DeclaredColumn| {
        named
            .iter()
            .any(|name| name.to_lowercase() == column.name.to_lowercase())
    };
    let missing: Vec<String> = table
        .columns
        .iter()
        .filter(|column| !column.optional && !is_named(column))
        .map(|column| format!("`{}` ({})", column.name, column.sql_type))
        .collect();
    let (count, list) = (missing.len(), missing.join(", "));
    let place = match insert.columns.as_deref() {
        Some([(_, first), .., (_, last)]) => first.start..last.end,
        Some([(_, one)]) => one.clone(),
        _ => insert.table_at.clone(),
    };
    let (is, has) = if count == 1 {
        ("is", "has")
    } else {
        ("are", "have")
    };
    (count > 0).then(|| {
        let message =
            format!("this INSERT leaves out {list}, which {is} NOT NULL and {has} no default");
        (message, place)
    })
}

/// The columns that are named, each or as a row of defaults; `None` where the table's own order stands for them.
fn named(insert: &Insert) -> Option<Vec<&str>> {
    match (&insert.source, &insert.columns) {
        (Source::Set(assignments), _) => {
            Some(assignments.iter().map(|set| set.column.as_str()).collect())
        }
        (_, Some(columns)) => Some(columns.iter().map(|(name, _)| name.as_str()).collect()),
        // All that are not hidden; `()` is a row of defaults.
        (Source::Values(rows), None) if rows.iter().all(|(row, _)| row.is_empty()) => {
            Some(Vec::new())
        }
        (_, None) => None,
    }
}

/// Values for columns that do not take them.
fn given(insert: &Insert, table: &Declared) -> Vec<(String, Range<usize>)> {
    if insert.ignore {
        return Vec::new();
    }
    let one_row = !matches!(&insert.source, Source::Values(rows) if rows.len() > 1);
    let mut problems = Vec::new();
    for (name, value, place) in values(insert, table) {
        let lower = name.to_lowercase();
        let mut columns = table.columns.iter();
        let column = columns.find(|column| column.name.to_lowercase() == lower);
        let message = column.and_then(|column| refused(column, value, table, one_row));
        if let Some(message) = message
            && !problems.contains(&(message.clone(), place.clone()))
        {
            problems.push((message, place));
        }
    }
    problems
}

/// Why a column does not take what is written there.
fn refused(
    column: &DeclaredColumn,
    value: &Expression,
    table: &Declared,
    one_row: bool,
) -> Option<String> {
    let Declared {
        strict, triggered, ..
    } = *table;
    let by_default = matches!(value, Expression::Column(None, name) if name == "default");
    let is_null = matches!(value, Expression::Null);
    let DeclaredColumn { name, sql_type, .. } = column;
    if column.generated {
        // MariaDB only warns where it is not strict; MySQL refuses by itself.
        return (!by_default && strict)
            .then(|| format!("`{name}` is a generated column: it takes no value, leave it out"));
    }
    if is_null && !column.takes_null && !triggered && (strict || one_row) {
        return Some(format!("`{name}` ({sql_type}) is NOT NULL"));
    }
    (by_default && !column.optional && !triggered && strict)
        .then(|| format!("`{name}` ({sql_type}) is NOT NULL and has no default"))
}

/// Each column with what is written for it, and the place to show.
fn values<'i>(
    insert: &'i Insert,
    table: &'i Declared,
) -> Vec<(&'i str, &'i Expression, Range<usize>)> {
    match (&insert.source, insert.columns.as_deref()) {
        (Source::Set(assignments), _) => assignments
            .iter()
            .map(|set| (set.column.as_str(), &set.value, set.at.clone()))
            .collect(),
        (Source::Values(rows), Some(columns)) => rows
            .iter()
            .flat_map(|(row, _)| columns.iter().zip(row))
            .map(|((name, at), value)| (name.as_str(), value, at.clone()))
            .collect(),
        (Source::Values(rows), None) => {
            let visible = || table.columns.iter().filter(|column| !column.hidden);
            rows.iter()
                .flat_map(|(row, at)| visible().zip(row).map(move |pair| (pair, at)))
                .map(|((column, value), at)| (column.name.as_str(), value, at.clone()))
                .collect()
        }
        (Source::Query(query), Some(columns)) => of_query(query, columns),
        (Source::Query(_), None) => Vec::new(),
    }
}

/// The items of a SELECT up to a `*`. NULL is left to the server: a query may have no rows.
fn of_query<'i>(
    query: &'i Query,
    columns: &'i [Placed],
) -> Vec<(&'i str, &'i Expression, Range<usize>)> {
    let Body::Select(select) = &query.body else {
        return Vec::new();
    };
    let items = select.items.iter().map_while(|item| match item {
        Item::All(_) => None,
        Item::Column(value, _) => Some(value),
    });
    columns
        .iter()
        .zip(items)
        .filter(|(_, value)| !matches!(value, Expression::Null))
        .map(|((name, at), value)| (name.as_str(), value, at.clone()))
        .collect()
}
