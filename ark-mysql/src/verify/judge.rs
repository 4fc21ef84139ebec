//! Compares what was checked with what the server says now. Pure.

use ark_mysql_proto::session::definitions;
use ark_mysql_proto::{ColumnDefinition, Kind, ProtocolError, sql_mode};

use super::checked::{Checked, CheckedColumn, CheckedParam, CheckedSession, Origin};
use crate::connection::Described;
use crate::value::{is_readable, is_unchanged, same_name};

/// A table as it is now.
#[derive(Debug, Default)]
pub(super) struct Table {
    schema: String,
    name: String,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: String,
    kind: Option<Kind>,
    not_null: bool,
    counts: bool,
    no_default: bool,
}

impl Table {
    pub(super) fn read(raw: &[u8]) -> Result<Self, ProtocolError> {
        let mut table = Self::default();
        for definition in definitions(raw, false) {
            let definition = definition?;
            if table.columns.is_empty() {
                table.schema = definition.schema.to_owned();
                table.name = definition.org_table.to_owned();
            }
            table.columns.push(Column {
                name: definition.name.to_owned(),
                kind: Kind::of(&definition).ok(),
                not_null: definition.flags.not_null(),
                counts: definition.flags.auto_increment(),
                no_default: definition.flags.no_default(),
            });
        }
        Ok(table)
    }

    /// Its database.
    pub(super) fn schema(&self) -> &str {
        &self.schema
    }

    /// Its name, as the server has it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The columns that the server says have no default: of views and generated columns too.
    pub(super) fn without_default(&self) -> impl Iterator<Item = &str> {
        let columns = self.columns.iter();
        columns
            .filter(|column| column.no_default)
            .map(|column| column.name.as_str())
    }
}

/// What was found of a statement, and of all tables; a table that is not there any more is `None`.
pub(super) fn statement(
    checked: &Checked,
    described: &Described,
    tables: &[Option<Table>],
) -> Result<Vec<String>, ProtocolError> {
    let found: Vec<ColumnDefinition<'_>> =
        definitions(&described.columns, false).collect::<Result<_, _>>()?;
    let mut out = Vec::new();
    if found.len() != checked.columns.len() {
        out.push(format!(
            "{} columns expected, {} found",
            checked.columns.len(),
            found.len()
        ));
    }
    for (index, (column, found)) in checked.columns.iter().zip(&found).enumerate() {
        out.extend(result_column(index, column, found, tables));
    }
    if usize::from(described.params) != checked.params.len() {
        out.push(format!(
            "{} parameters expected, {} found",
            checked.params.len(),
            described.params
        ));
    }
    for (index, param) in checked.params.iter().enumerate() {
        if let Some(param) = param {
            out.extend(parameter(index, param, tables));
        }
    }
    Ok(out)
}

fn result_column(
    index: usize,
    checked: &CheckedColumn,
    found: &ColumnDefinition<'_>,
    tables: &[Option<Table>],
) -> Option<String> {
    let spec = &checked.spec;
    if !same_name(spec.name, found.name) {
        return Some(format!(
            "column {}: `{}` expected, `{}` found",
            index + 1,
            spec.name,
            found.name
        ));
    }
    let from = checked
        .origin
        .as_ref()
        .map(|origin| format!(" ({}.{})", origin.table, origin.column))
        .unwrap_or_default();
    let kind = Kind::of(found).ok();
    let fits = kind.is_some_and(|kind| match &checked.origin {
        Some(_) => is_unchanged(spec.kind, kind),
        None => is_readable(spec.kind, kind),
    });
    let declared = checked
        .origin
        .as_ref()
        .and_then(|origin| now(origin, tables));
    let may_be_null = checked.by_declaration
        && !found.flags.not_null()
        && declared.is_some_and(|declared| !declared.not_null);
    let null = |is_null: bool| match (may_be_null, is_null) {
        (false, _) => "",
        (true, false) => " NOT NULL",
        (true, true) => " NULL",
    };
    (!fits || may_be_null).then(|| {
        format!(
            "column `{}`{from}: {}{} expected, {}{} found",
            spec.name,
            spec.kind,
            null(false),
            words(kind),
            null(true)
        )
    })
}

fn parameter(index: usize, checked: &CheckedParam, tables: &[Option<Table>]) -> Option<String> {
    let Origin { table, column, .. } = &checked.origin;
    let now = now(&checked.origin, tables)?;
    let fits = now
        .kind
        .is_some_and(|kind| is_unchanged(checked.kind, kind));
    // An AUTO_INCREMENT column makes a value of NULL.
    let null_is_refused = checked.stores_null && now.not_null && !now.counts;
    let null = |text| if null_is_refused { text } else { "" };
    (!fits || null_is_refused).then(|| {
        format!(
            "parameter {} ({table}.{column}): {}{} expected, {}{} found",
            index + 1,
            checked.kind,
            null(" NULL"),
            words(now.kind),
            null(" NOT NULL")
        )
    })
}

fn now<'t>(origin: &Origin, tables: &'t [Option<Table>]) -> Option<&'t Column> {
    let table = tables.get(origin.at?)?.as_ref()?;
    table
        .columns
        .iter()
        .find(|column| column.name.eq_ignore_ascii_case(origin.column))
}

fn words(kind: Option<Kind>) -> &'static str {
    kind.map_or("an unknown type", Kind::sql_name)
}

/// What differs of the settings: `sql_mode` as the server words it, and `lower_case_table_names`.
pub(super) fn session(checked: &CheckedSession, sql_mode: &str, case: u8) -> Vec<String> {
    let now = sql_mode::meaningful(sql_mode);
    let is_new = |mode: &&&str| !checked.sql_mode.contains(mode);
    let is_gone = |mode: &&&str| !now.contains(mode);
    let new = now
        .iter()
        .filter(is_new)
        .map(|mode| format!("sql_mode: {mode} is on, and was off"));
    let gone = checked
        .sql_mode
        .iter()
        .filter(is_gone)
        .map(|mode| format!("sql_mode: {mode} is off, and was on"));
    let expected = checked.lower_case_table_names;
    let cases = (expected != case)
        .then(|| format!("lower_case_table_names: {expected} expected, {case} found"));
    new.chain(gone).chain(cases).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_change_what_statements_mean_are_compared() {
        let checked = CheckedSession {
            sql_mode: &["STRICT"],
            lower_case_table_names: 0,
        };
        let same = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION";
        assert!(session(&checked, same, 0).is_empty());
        assert_eq!(
            session(&checked, "ANSI_QUOTES", 1),
            [
                "sql_mode: ANSI_QUOTES is on, and was off",
                "sql_mode: STRICT is off, and was on",
                "lower_case_table_names: 0 expected, 1 found",
            ]
        );
    }
}
