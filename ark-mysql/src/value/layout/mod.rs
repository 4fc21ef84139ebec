//! Whether the rows that come are the rows that the decoder was generated for.
//!
//! Servers change the width of computed columns between PREPARE and EXECUTE, and tables are altered behind running programs. So the definitions that come
//! with the rows are compared with the expected columns once; after that they are only compared as bytes.

mod fit;
mod plan;

use std::fmt;

use ark_mysql_proto::{ColumnDefinition, Kind};

pub use plan::Plan;

use super::ColumnSpec;
use fit::Fit;
use plan::Step;

/// What became of the comparison of expected columns and sent definitions.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Rows can be decoded as they come.
    Exact,
    /// Binary rows have to be rewritten by the plan first. Text rows can be decoded as they come.
    Adapt(Plan),
    /// The rows are other rows. All the differences, in the order of the columns.
    Changed(Vec<Difference>),
}

/// One difference between the columns that a statement was checked with and those that came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// More or fewer columns.
    Count {
        /// Columns when it was checked.
        expected: usize,
        /// Columns that came.
        found: usize,
    },
    /// Another name. Two columns of one type that changed places show only by this.
    Name {
        /// Position, from 0.
        position: usize,
        /// The name when it was checked.
        expected: &'static str,
        /// The name that came.
        found: String,
        /// It is an expression, and no column of a table or a view.
        computed: bool,
    },
    /// A type whose values do not become the expected ones.
    Type {
        /// Position, from 0.
        position: usize,
        /// The column's name.
        name: &'static str,
        /// The type when it was checked.
        expected: Kind,
        /// The type that came; `None` is one that this library does not know.
        found: Option<Kind>,
        /// It is an expression, and no column of a table or a view.
        computed: bool,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { expected, found } => {
                write!(f, "{expected} columns expected, {found} came")
            }
            Self::Name {
                position,
                expected,
                found,
                ..
            } => write!(
                f,
                "column {}: `{expected}` expected, `{found}` came",
                position + 1
            ),
            Self::Type {
                name,
                expected,
                found: Some(found),
                ..
            } => write!(f, "column `{name}`: {expected} expected, {found} came"),
            Self::Type {
                name,
                expected,
                found: None,
                ..
            } => write!(
                f,
                "column `{name}`: {expected} expected, an unknown type came"
            ),
        }
    }
}

/// Compares the columns that a statement was checked with and the definitions that came with its rows. Names are compared without regard to ASCII case.
///
/// What servers call an expression is not always what the statement calls it: where they group by one of a view or a derived table, MariaDB sends one alias for
/// all (`SELECT v.x AS a, v.x AS b … GROUP BY v.x`) or, of a subquery, the name inside of the view; so does MySQL with those that read no column. So of an expression
/// that the statement names, the name is not compared: it stands in the SQL, where no ALTER changes it.
///
/// Nullability is not compared: the decoder tests it with each row.
///
/// # Errors
/// Those of the definitions.
pub fn compare<'a, E>(
    expected: &'static [ColumnSpec],
    definitions: impl IntoIterator<Item = Result<ColumnDefinition<'a>, E>>,
) -> Result<Layout, E> {
    let mut differences = Vec::new();
    let mut steps = Vec::with_capacity(expected.len());
    let mut found = 0;
    for definition in definitions {
        let definition = definition?;
        if let Some(spec) = expected.get(found) {
            compare_column(found, spec, &definition, &mut steps, &mut differences);
        }
        found += 1;
    }
    if found != expected.len() {
        differences.insert(
            0,
            Difference::Count {
                expected: expected.len(),
                found,
            },
        );
    }
    Ok(match differences.is_empty() {
        false => Layout::Changed(differences),
        true if steps.iter().all(|step| step.is_copy()) => Layout::Exact,
        true => Layout::Adapt(Plan::new(steps)),
    })
}

fn compare_column(
    position: usize,
    spec: &ColumnSpec,
    definition: &ColumnDefinition<'_>,
    steps: &mut Vec<Step>,
    differences: &mut Vec<Difference>,
) {
    let computed = definition.table.is_empty() && definition.org_table.is_empty();
    let is_certain = computed && spec.named;
    if !is_certain && !same_name(spec.name, definition.name) {
        differences.push(Difference::Name {
            position,
            expected: spec.name,
            found: definition.name.to_owned(),
            computed,
        });
    }
    let found = Kind::of(definition).ok();
    match found.map(|kind| (kind, fit::fit(spec.kind, kind))) {
        Some((kind, Fit::Same)) => steps.push(Step::copy(kind.wire())),
        Some((kind, Fit::Convert)) => steps.push(Step::convert(kind.wire(), spec.kind.wire())),
        Some((_, Fit::Never)) | None => {
            differences.push(Difference::Type {
                position,
                name: spec.name,
                expected: spec.kind,
                found,
                computed,
            });
        }
    }
}

/// Whether a table's column is of the type that it was, as far as it matters: one that has become wider is another one, for values that are
/// still to come may not fit.
pub(crate) fn is_unchanged(expected: Kind, found: Kind) -> bool {
    let is_integer = |kind: Kind| kind.is_integer() || kind == Kind::Year;
    expected == found
        || fit::fit(expected, found) == Fit::Same && !is_integer(expected) && found != Kind::Null
}

/// Whether the values of an expression can be read as those of the type that it had.
pub(crate) fn is_readable(expected: Kind, found: Kind) -> bool {
    fit::fit(expected, found) != Fit::Never
}

/// Whether a column is called what it was. An expression without an alias is called by its text, in which MySQL writes the values of
/// parameters when it runs, and we do in a statement sent as text: such a name says nothing.
pub(crate) fn same_name(expected: &str, found: &str) -> bool {
    expected.eq_ignore_ascii_case(found) || expected.contains('?')
}

#[cfg(test)]
mod tests;
