//! Which columns are never NULL only because their table says so: for those the declaration is compared when the program starts.

use crate::description::{
    DescribedColumn, Description, Doubts, Family, Kind, RawColumn, RawDescription,
};
use crate::infer::{self, TableName, Tables};
use crate::sql::Sql;

/// Says it of each column. What the SQL proves of itself (`WHERE name IS NOT NULL`) is settled once more, as if no column were declared
/// NOT NULL; where that cannot tell, nothing is claimed: better one change unseen than a program that does not start.
pub(super) fn by_declaration(
    description: &Description,
    sql: &Sql,
    named: &[TableName],
) -> Vec<bool> {
    let raw = RawDescription {
        family: description.family.unwrap_or(Family::MySql),
        columns: description.columns.iter().map(undeclared).collect(),
        params: description.params.len(),
        doubts: Doubts::default(),
    };
    let names = sql.names();
    let settled = infer::settle(&raw, sql, &[], &tables(named, &names));
    let columns = description.columns.iter().zip(settled.description.columns);
    columns
        .map(|(column, settled)| {
            !column.nullable
                && settled.nullable
                && is_named(column, named)
                && (named.len() == 1 || !may_be_conditioned(column, &names))
        })
        .collect()
}

/// What comes by way of a view may be proven inside of that.
fn is_named(column: &DescribedColumn, named: &[TableName]) -> bool {
    let table = column.table.as_deref().unwrap_or_default();
    let mut named = named.iter();
    named.any(|name| name.name.eq_ignore_ascii_case(table))
}

/// Of several tables an unqualified name may be a column of any, so that no proof is found.
fn may_be_conditioned(column: &DescribedColumn, names: &[(String, bool)]) -> bool {
    let Some(name) = &column.column else {
        return true;
    };
    let name = name.to_lowercase();
    let mut uses = names.iter().filter(|(used, _)| *used == name);
    names.iter().filter(|(used, _)| *used == name).count() > 1
        && uses.any(|(_, qualified)| !qualified)
}

fn undeclared(column: &DescribedColumn) -> RawColumn {
    let table = column.table.as_deref().unwrap_or_default();
    let name = column.column.as_deref().unwrap_or_default();
    RawColumn {
        name: column.name.clone(),
        ..raw(table, name, column.kind)
    }
}

/// Tables that have a column for each name of the statement, none of them NOT NULL.
fn tables(named: &[TableName], names: &[(String, bool)]) -> Tables {
    let mut distinct: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let columns = |table: &TableName| {
        let names = distinct.iter();
        names
            .map(|name| raw(&table.name, name, Kind::Text))
            .collect()
    };
    named
        .iter()
        .map(|table| (table.clone(), columns(table)))
        .collect()
}

fn raw(table: &str, name: &str, kind: Kind) -> RawColumn {
    RawColumn {
        name: name.to_owned(),
        kind,
        not_null: false,
        auto_increment: false,
        table: table.to_owned(),
        org_table: table.to_owned(),
        org_name: name.to_owned(),
        schema: String::new(),
        labels: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(sql: &str, columns: &[(&str, &str)]) -> Vec<bool> {
        let columns = columns.iter().map(|(table, name)| DescribedColumn {
            name: (*name).to_owned(),
            kind: Kind::Text,
            nullable: false,
            why: None,
            table: Some((*table).to_owned()),
            column: Some((*name).to_owned()),
            labels: Vec::new(),
        });
        let description = Description {
            family: None,
            columns: columns.collect(),
            params: Vec::new(),
        };
        let sql = Sql::parse(sql).unwrap();
        by_declaration(&description, &sql, &infer::named_tables(&sql))
    }

    #[test]
    fn what_the_sql_proves_is_not_the_declaration() {
        let (a, b) = (("t", "a"), ("t", "b"));
        assert_eq!(declared("SELECT a, b FROM t", &[a, b]), [true, true]);
        let sql = "SELECT a, b FROM t WHERE b IS NOT NULL AND c = 1";
        assert_eq!(declared(sql, &[a, b]), [true, false]);
        let sql = "SELECT x.a FROM t x JOIN u ON x.a = u.b";
        assert_eq!(declared(sql, &[a]), [false]);
        let sql = "SELECT x.a, x.b FROM t x JOIN u ON x.a = u.b GROUP BY x.b";
        assert_eq!(declared(sql, &[a, b]), [false, true]);
        // Whose column `b` is cannot be told without the tables.
        let sql = "SELECT b FROM t JOIN u ON b = c";
        assert_eq!(declared(sql, &[b]), [false]);
        assert_eq!(declared("SELECT * FROM t JOIN u USING (c)", &[a]), [true]);
    }
}
