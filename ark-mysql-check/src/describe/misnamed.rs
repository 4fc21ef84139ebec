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
    named.iter().filter(is_typed).cloned().collect()
}

/// One text for each column that is set and not there, with the nearest one that is.
pub(super) fn problems(named: &[TableName], tables: &Tables, settings: &Settings) -> Vec<String> {
    let file = settings.config_file.as_deref().and_then(Path::file_name);
    let file = file.map_or("ark-mysql.toml".into(), |file| file.to_string_lossy());
    let mut problems = Vec::new();
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
}
