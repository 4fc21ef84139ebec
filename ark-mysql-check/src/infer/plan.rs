//! Which field each column becomes: name, nullability, type.

use std::ops::Range;

use super::{alias, names};
use crate::description::{DescribedColumn, Description, Kind, RustType, Types, Why};
use crate::diagnostics::excerpt;
use crate::sql::Sql;

/// The columns of a statement, planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowPlan {
    /// In their order.
    pub columns: Vec<PlannedColumn>,
}

/// One column, planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedColumn {
    /// The name on the wire.
    pub wire: String,
    /// The name without overrides.
    pub name: String,
    /// The SQL type.
    pub kind: Kind,
    /// Whether the statement says itself which column it is, as `*` does not.
    pub named: bool,
    /// Whether NULL can come, overrides included.
    pub nullable: bool,
    /// What the server says of NULL, before overrides.
    pub described_nullable: bool,
    /// Why NULL can come, where that is known.
    pub why: Option<Why>,
    /// The Rust type that somebody asks for.
    pub rust: Option<Asked>,
    /// The labels of an ENUM or SET column; empty where they are not known.
    pub labels: Vec<String>,
    /// The table's column, `table.column`, where it is one.
    pub origin: Option<String>,
}

/// A Rust type that a column shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// As the user wrote it.
    pub rust: String,
    /// Where.
    pub by: AskedBy,
}

/// Who asks for a Rust type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// The column's alias.
    Alias,
    /// `[types.columns]`, in this line.
    Column(usize),
    /// `[types.sql]`, in this line.
    SqlType(usize),
}

/// Plans the columns, with the types that `ark-mysql.toml` gives them. With `fields` each needs a name of its own that can be one.
///
/// # Errors
/// Every name that cannot be a field, and every name that comes twice, each with an alias that would do.
pub fn plan(
    description: &Description,
    sql: &Sql,
    types: &Types,
    fields: bool,
) -> Result<RowPlan, Vec<String>> {
    let columns: Vec<PlannedColumn> = description
        .columns
        .iter()
        .map(|column| planned(column, sql, types))
        .collect();
    if !fields {
        return Ok(RowPlan { columns });
    }
    let repeated =
        (0..columns.len()).filter_map(|index| repeated(index, &columns, description, sql));
    let problems: Vec<String> = odd_overrides(&columns, sql)
        .chain(unusable(&columns, sql))
        .chain(repeated)
        .collect();
    if problems.is_empty() {
        Ok(RowPlan { columns })
    } else {
        Err(problems)
    }
}

/// An alias says something only if it stands in the SQL: a Rust type never comes from anywhere but the source. An expression without one is
/// called by its text, which says nothing, whatever marks it has: `DATE_FORMAT(d, '%H:%i')`, `score = ?`.
fn planned(column: &DescribedColumn, sql: &Sql, types: &Types) -> PlannedColumn {
    let alias = if sql.has_alias(&column.name) {
        alias::read(&column.name)
    } else {
        alias::Alias {
            name: &column.name,
            nullable: None,
            rust: None,
        }
    };
    PlannedColumn {
        wire: column.name.clone(),
        name: alias.name.to_owned(),
        kind: column.kind,
        named: sql.names_columns(),
        nullable: alias.nullable.unwrap_or(column.nullable),
        described_nullable: column.nullable,
        why: column.why,
        rust: match alias.rust {
            Some("_") => None,
            Some(rust) => Some(Asked {
                rust: rust.to_owned(),
                by: AskedBy::Alias,
            }),
            None => by_file(column, types),
        },
        labels: column.labels.clone(),
        origin: origin(column),
    }
}

/// What `ark-mysql.toml` says of a column, or else of its SQL type.
fn by_file(column: &DescribedColumn, types: &Types) -> Option<Asked> {
    let asked = |by: fn(usize) -> AskedBy| {
        move |RustType { rust, line }: &RustType| Asked {
            rust: rust.clone(),
            by: by(*line),
        }
    };
    let of_column = match (&column.table, &column.column) {
        (Some(table), Some(name)) => types.column(table, name),
        _ => None,
    };
    let of_type = || types.kind(column.kind).map(asked(AskedBy::SqlType));
    of_column.map(asked(AskedBy::Column)).or_else(of_type)
}

fn origin(column: &DescribedColumn) -> Option<String> {
    let (table, name) = (column.table.as_ref()?, column.column.as_ref()?);
    Some(format!("{table}.{name}"))
}

/// What surrounds a name in overrides.
const MARKS: [char; 4] = ['!', '?', ':', ' '];

/// Whether an override seems to be meant and is none: `id!!`, `id!?`, `!id`, `id!:`.
fn is_odd_override(column: &PlannedColumn) -> bool {
    let bare = column.name.trim_matches(MARKS);
    bare != column.name && names::field_ident(bare).is_some()
}

fn odd_overrides(columns: &[PlannedColumn], sql: &Sql) -> impl Iterator<Item = String> {
    let odd = columns.iter().enumerate();
    odd.filter(|(_, column)| is_odd_override(column))
        .map(|(index, column)| {
            let name = column.name.trim_matches(MARKS);
            format!(
                "column {} is called `{}`, which is not a valid override: write `{name}!` (never NULL), `{name}?` (may be NULL), \
                 or either with a type, as in `{name}!: Type`\n{}",
                index + 1,
                column.wire,
                excerpt(sql.written(), places(&[(index, column)], sql))
            )
        })
}

/// All columns whose names cannot be fields, in one message.
fn unusable(columns: &[PlannedColumn], sql: &Sql) -> Option<String> {
    let unusable: Vec<(usize, &PlannedColumn)> = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| {
            names::field_ident(&column.name).is_none() && !is_odd_override(column)
        })
        .collect();
    let called = |&(index, column): &(usize, &PlannedColumn)| match column.name.as_str() {
        "" => format!("column {} has no name", index + 1),
        name => format!("column {} is called `{name}`", index + 1),
    };
    let list = unusable.iter().map(called).collect::<Vec<_>>().join(", ");
    let first = unusable
        .first()
        .map(|(index, column)| names::suggestion(&column.name, *index))?;
    let (which, each) = match unusable.as_slice() {
        [(_, column)] if column.name.is_empty() => ("", "it"),
        [_] => (", which cannot be the name of a field", "it"),
        _ => (", and fields cannot have such names", "each of them"),
    };
    let drawing = excerpt(sql.written(), places(&unusable, sql));
    if sql.is_no_query() {
        return Some(format!(
            "{list}{which}, and this statement can have no alias\n{drawing}\n\
             = help: take a single column by query_scalar!, select the columns from information_schema, or run it with `ark_mysql::query(sql)`, whose rows are read by position"
        ));
    }
    Some(format!(
        "{list}{which}: give {each} an alias, such as `AS {first}`\n{drawing}"
    ))
}

/// Where the columns' own texts stand, one after the other; an unnamed expression is called by its text.
fn places(columns: &[(usize, &PlannedColumn)], sql: &Sql) -> Vec<Range<usize>> {
    let mut from = 0;
    let mut places = Vec::new();
    for (_, column) in columns.iter().filter(|(_, column)| !column.wire.is_empty()) {
        let Some(at) = sql
            .text()
            .get(from..)
            .and_then(|rest| rest.find(&column.wire))
        else {
            continue;
        };
        from += at + column.wire.len();
        places.push(sql.written_position(from - column.wire.len())..sql.written_position(from));
    }
    places
}

/// Where a column is written, if that can be told: `*` hides which of them it makes.
fn written_at(index: usize, columns: &[PlannedColumn], sql: &Sql) -> Option<Range<usize>> {
    let wire = columns.get(index)?.wire.as_str();
    let alike = |columns: &[PlannedColumn]| {
        let alike = columns.iter().filter(|column| column.wire == wire);
        alike.count()
    };
    let places = sql.find_columns(wire);
    let before = alike(columns.get(..index)?);
    (places.len() == alike(columns))
        .then(|| places.get(before).cloned())
        .flatten()
}

/// The second and later columns of one name.
fn repeated(
    index: usize,
    columns: &[PlannedColumn],
    description: &Description,
    sql: &Sql,
) -> Option<String> {
    let column = columns.get(index)?;
    names::field_ident(&column.name)?;
    let earlier = columns
        .iter()
        .take(index)
        .position(|other| other.name == column.name)?;
    let origin = |index: usize| match description.columns.get(index) {
        Some(DescribedColumn {
            table: Some(table),
            column: Some(name),
            ..
        }) => format!(" ({table}.{name})"),
        _ => String::new(),
    };
    let table = description
        .columns
        .get(index)
        .and_then(|column| column.table.as_deref());
    let suggestion = table.map_or_else(
        || format!("{}_{}", column.name, index + 1),
        |table| format!("{table}_{}", column.name),
    );
    let places = [earlier, index]
        .into_iter()
        .filter_map(|index| written_at(index, columns, sql));
    Some(format!(
        "two columns are called `{}`: column {}{} and column {}{}. Give one an alias, such as `AS {}`{}",
        column.name,
        earlier + 1,
        origin(earlier),
        index + 1,
        origin(index),
        names::suggestion(&suggestion, index),
        format_args!("\n{}", excerpt(sql.written(), places))
    ))
}

#[cfg(test)]
mod tests;
