//! Which columns of `ark-mysql.toml` are none of their table's: nothing else would ever say so.

use std::path::Path;

use crate::description::Types;
use crate::infer::{TableName, Tables};
use crate::settings::{Settings, nearest};

/// The tables of a statement that `[types.columns]` says something of. Its tables have no database, so they are those of the present one.
pub(super) fn wanted(named: &[TableName], types: &Types) -> Vec<TableName> {
    let is_typed = |table: &&TableName| {
        table.schema.is_none() && types.columns_of(&table.name).next().is_some()
    };
    let misnamed = misnamed(named, types).map(|(_, typed, _)| TableName {
        schema: None,
        name: typed.to_owned(),
    });
    named
        .iter()
        .filter(is_typed)
        .cloned()
        .chain(misnamed)
        .collect()
}

/// Tables of the statement of which nothing is said, each with one that is called nearly the same and of which something is: with its line. That one may be
/// a table of its own.
fn misnamed<'a>(
    named: &'a [TableName],
    types: &'a Types,
) -> impl Iterator<Item = (&'a TableName, &'a str, usize)> {
    let untyped = named
        .iter()
        .filter(|table| table.schema.is_none() && types.columns_of(&table.name).next().is_none());
    untyped.filter_map(|table| {
        let typed: Vec<&str> = types.tables().map(|(table, _)| table).collect();
        let near = nearest(&table.name, &typed)?;
        let (near, line) = types.tables().find(|(table, _)| *table == near)?;
        Some((table, near, line))
    })
}

/// One text for each column that is set and not there, with the nearest one that is.
pub(super) fn problems(named: &[TableName], tables: &Tables, settings: &Settings) -> Vec<String> {
    let file = settings.config_file.as_deref().and_then(Path::file_name);
    let file = file.map_or("ark-mysql.toml".into(), |file| file.to_string_lossy());
    let mut problems = Vec::new();
    let is_there = |name: &str| {
        tables
            .keys()
            .any(|table| table.schema.is_none() && table.name == name)
    };
    for (table, typed, line) in misnamed(named, &settings.types) {
        if is_there(&table.name) && !is_there(typed) {
            problems.push(format!(
                "{file}, line {line}: there is no table `{typed}` in the database: did you mean `{}`, which this statement names?",
                table.name
            ));
        }
    }
    for table in wanted(named, &settings.types) {
        let Some(columns) = tables.get(&table) else {
            continue;
        };
        let known: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        for (name, rust) in settings.types.columns_of(&table.name) {
            // As `Types` compares them.
            if known.iter().any(|known| known.to_lowercase() == name) {
                continue;
            }
            let meant = match nearest(name, &known) {
                Some(known) => format!("did you mean `{}.{known}`?", table.name),
                None => format!("it has {}", list(&known)),
            };
            problems.push(format!(
                "{file}, line {}: the table `{}` has no column `{name}`, which is to be `{}`: {meant}",
                rust.line, table.name, rust.rust
            ));
        }
    }
    problems
}

/// The first of the names, quoted.
fn list(names: &[&str]) -> String {
    const SHOWN: usize = 8;
    let quoted: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{Kind, RawColumn, RustType};

    fn table(schema: Option<&str>, name: &str) -> TableName {
        TableName {
            schema: schema.map(str::to_owned),
            name: name.to_owned(),
        }
    }

    fn column(name: &str) -> RawColumn {
        RawColumn {
            name: name.to_owned(),
            kind: Kind::Int,
            not_null: true,
            auto_increment: false,
            table: "users".to_owned(),
            org_table: "users".to_owned(),
            org_name: name.to_owned(),
            schema: String::new(),
            labels: Vec::new(),
        }
    }

    #[test]
    fn columns_that_are_not_there_and_those_that_are() {
        let mut settings = Settings::load(Path::new("/nowhere"), &|_| None).unwrap();
        let set = [
            ("users", "ID"),
            ("Users", "nmae"),
            ("users", "colour"),
            ("orders", "x"),
        ];
        for (line, (table, column)) in set.into_iter().enumerate() {
            let rust = "crate::T".to_owned();
            settings
                .types
                .add_column(table, column, RustType { rust, line });
        }
        let tables = Tables::from([
            (table(None, "users"), vec![column("id"), column("Name")]),
            (table(Some("other"), "orders"), vec![column("id")]),
        ]);
        let named: Vec<TableName> = tables.keys().cloned().collect();
        let problems = problems(&named, &tables, &settings);
        assert_eq!(
            problems,
            [
                "ark-mysql.toml, line 1: the table `users` has no column `nmae`, which is to be `crate::T`: did you mean `users.Name`?",
                "ark-mysql.toml, line 2: the table `users` has no column `colour`, which is to be `crate::T`: it has `id`, `Name`",
            ]
        );
        assert_eq!(wanted(&named, &Types::default()), []);
    }

    #[test]
    fn tables_that_are_not_there() {
        let mut settings = Settings::load(Path::new("/nowhere"), &|_| None).unwrap();
        for (line, name) in ["Usres", "order", "colours"].into_iter().enumerate() {
            let rust = "crate::T".to_owned();
            settings
                .types
                .add_column(name, "id", RustType { rust, line });
        }
        let named = [
            table(None, "users"),
            table(None, "orders"),
            table(Some("other"), "colour"),
        ];
        let asked = wanted(&named, &settings.types);
        assert_eq!(asked, [table(None, "Usres"), table(None, "order")]);
        // Another table that is there is no mistake.
        let tables = Tables::from([
            (table(None, "users"), vec![column("id")]),
            (table(None, "orders"), vec![column("id")]),
            (table(None, "order"), vec![column("id")]),
        ]);
        assert_eq!(
            problems(&named, &tables, &settings),
            [
                "ark-mysql.toml, line 0: there is no table `Usres` in the database: did you mean `users`, which this statement names?",
            ]
        );
    }
}
