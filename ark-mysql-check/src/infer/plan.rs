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
    Some(format!(
        "{list}{which}: give {each} an alias, such as `AS {first}`\n{}",
        excerpt(sql.written(), places(&unusable, sql))
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
mod tests {
    use super::*;

    fn described(names: &[&str]) -> Description {
        let columns = names.iter().map(|name| DescribedColumn {
            why: None,
            name: (*name).to_owned(),
            kind: Kind::Int,
            nullable: true,
            table: Some("t".to_owned()),
            column: Some("c".to_owned()),
            labels: Vec::new(),
        });
        Description {
            family: None,
            columns: columns.collect(),
            params: Vec::new(),
        }
    }

    fn problems(sql: &str, names: &[&str]) -> Vec<String> {
        plan(
            &described(names),
            &Sql::parse(sql).unwrap(),
            &Types::default(),
            true,
        )
        .unwrap_err()
    }

    #[test]
    fn overrides_count_when_they_stand_in_the_sql() {
        let sql = Sql::parse("SELECT a AS `a!: Id`, b FROM t").unwrap();
        let plan = plan(&described(&["a!: Id", "b"]), &sql, &Types::default(), true).unwrap();
        let a = &plan.columns[0];
        assert_eq!(
            (
                a.name.as_str(),
                a.wire.as_str(),
                a.nullable,
                a.rust.as_ref().map(|asked| (asked.rust.as_str(), asked.by))
            ),
            ("a", "a!: Id", false, Some(("Id", AskedBy::Alias)))
        );
        assert!(plan.columns[1].nullable);
    }

    #[test]
    fn a_type_that_is_not_in_the_sql_is_never_used() {
        let found = problems("SELECT * FROM t", &["a: std::process::abort"]);
        assert!(
            found[0].contains("cannot be the name of a field"),
            "{found:?}"
        );
    }

    /// Servers call an expression by its text, and a literal by what it holds.
    #[test]
    fn an_expression_without_an_alias_says_nothing() {
        for (sql, name) in [
            (
                "SELECT DATE_FORMAT(d, '%H:%i') FROM t",
                "DATE_FORMAT(d, '%H:%i')",
            ),
            ("SELECT score = ? FROM t", "score = ?"),
            ("SELECT :now", "?"),
            ("SELECT 'a: b'", "a: b"),
            ("SELECT DISTINCT 'really?' FROM t", "really?"),
            ("SELECT id, \"on!\" FROM t", "on!"),
            ("SELECT 'yes' 'no!'", "no!"),
            ("SELECT JSON_EXTRACT(j, '$.a') -> '$.b?' FROM t", "$.b?"),
        ] {
            let plan = plan(
                &described(&[name]),
                &Sql::parse(sql).unwrap(),
                &Types::default(),
                false,
            )
            .unwrap();
            let column = &plan.columns[0];
            assert_eq!(
                (column.name.as_str(), column.rust.is_none(), column.nullable),
                (name, true, true),
                "{sql}"
            );
        }
    }

    #[test]
    fn aliases_say_something_in_each_kind_of_quotes() {
        for sql in [
            "SELECT a AS `n!: Id` FROM t",
            "SELECT a `n!: Id` FROM t",
            "SELECT a AS ` n!: Id` FROM t",
            "SELECT a AS 'n!: Id' FROM t",
            "SELECT COUNT(*) \"n!: Id\" FROM t",
            "SELECT 1 \"n!: Id\" FROM t",
            "SELECT 'a' as \"n!: Id\" FROM t",
            "SELECT * FROM (SELECT a AS \"n!: Id\" FROM t) s",
        ] {
            let plan = plan(
                &described(&["n!: Id"]),
                &Sql::parse(sql).unwrap(),
                &Types::default(),
                true,
            )
            .unwrap();
            let column = &plan.columns[0];
            assert_eq!(
                (column.name.as_str(), column.rust.is_some(), column.nullable),
                ("n", true, false),
                "{sql}"
            );
        }
    }

    #[test]
    fn the_alias_wins_over_the_column_over_the_sql_type() {
        let rust = |rust: &str, line| RustType {
            rust: rust.to_owned(),
            line,
        };
        let mut types = Types::default();
        types.add_kind(Kind::Int, rust("OfType", 1));
        let asked = |sql: &str, name: &str, types: &Types| {
            let plan = plan(&described(&[name]), &Sql::parse(sql).unwrap(), types, true);
            let asked = plan.unwrap().columns.remove(0).rust;
            asked.map(|asked| (asked.rust, asked.by))
        };
        let is = |rust: &str, by| Some((rust.to_owned(), by));
        assert_eq!(
            asked("SELECT c FROM t", "c", &types),
            is("OfType", AskedBy::SqlType(1))
        );
        types.add_column("T", "C", rust("OfColumn", 2));
        assert_eq!(
            asked("SELECT c FROM t", "c", &types),
            is("OfColumn", AskedBy::Column(2))
        );
        let alias = "SELECT c AS `c: OfAlias` FROM t";
        assert_eq!(
            asked(alias, "c: OfAlias", &types),
            is("OfAlias", AskedBy::Alias)
        );
        assert_eq!(asked("SELECT c AS `c: _` FROM t", "c: _", &types), None);
    }

    #[test]
    fn names_that_cannot_be_fields() {
        let found = problems("SELECT COUNT(id), 1 FROM t", &["COUNT(id)", "1"]);
        assert_eq!(
            found,
            [
                "column 1 is called `COUNT(id)`, column 2 is called `1`, and fields cannot have such names: give each of them an alias, \
              such as `AS count_id`\n  |\n1 | SELECT COUNT(id), 1 FROM t\n  |        ^^^^^^^^^  ^"
            ]
        );
        let found = problems("SELECT :a FROM t", &["?"]);
        assert!(
            found[0].ends_with("1 | SELECT :a FROM t\n  |        ^^"),
            "{found:?}"
        );
    }

    #[test]
    fn names_that_come_twice() {
        let found = problems("SELECT a.id, b.id FROM a, b", &["id", "id"]);
        assert!(found[0].starts_with("two columns are called `id`: column 1 (t.c) and column 2 (t.c). Give one an alias, such as `AS t_id`"), "{found:?}");
    }

    /// Case 93: names that are keywords, and names that are none of Rust's.
    #[test]
    fn case_93_names() {
        let sql =
            "SELECT type, self, `2nd`, `a-b`, COUNT(id), '' , ?, t.id, u.id, `Self` FROM t, u";
        let names = [
            "type",
            "self",
            "2nd",
            "a-b",
            "COUNT(id)",
            "",
            "?",
            "id",
            "id",
            "Self",
        ];
        let found = problems(sql, &names).join("\n");
        for told in [
            "column 2 is called `self`",
            "column 3 is called `2nd`",
            "column 4 is called `a-b`",
            "column 5 is called `COUNT(id)`",
            "column 6 has no name",
            "column 7 is called `?`",
            "column 10 is called `Self`",
            "two columns are called `id`: column 8 (t.c) and column 9 (t.c)",
        ] {
            assert!(found.contains(told), "{told}: {found}");
        }
        assert!(!found.contains("`type`"), "{found}");
        assert_eq!(names::field_ident("type").as_deref(), Some("r#type"));
    }
}
