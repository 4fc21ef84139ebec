//! Columns that an INSERT leaves out and that have got no default since: the server refuses such a row, but prepares the statement.

use std::collections::BTreeMap;

use super::checked::{Checked, CheckedInsert};
use super::judge::Table;
use crate::connection::Connection;
use crate::dynamic;
use crate::error::Error;

/// What an INSERT has to name. A trigger may give a value before a row is looked at, a view's columns are none of its own, an ENUM begins
/// with its first label, and without a strict `sql_mode` every type has a value to begin with.
const REQUIRED: &str = "SELECT c.column_name FROM information_schema.columns c JOIN information_schema.tables t \
    ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE' \
    WHERE c.table_schema = ? AND c.table_name = ? AND c.is_nullable = 'NO' AND c.column_default IS NULL \
    AND c.data_type <> 'enum' AND c.extra NOT LIKE '%auto_increment%' AND c.extra NOT LIKE '%generated%' \
    AND (@@sql_mode LIKE '%STRICT_TRANS_TABLES%' OR @@sql_mode LIKE '%STRICT_ALL_TABLES%') \
    AND NOT EXISTS (SELECT 1 FROM information_schema.triggers g WHERE g.event_object_schema = c.table_schema \
    AND g.event_object_table = c.table_name AND g.event_manipulation = 'INSERT' AND g.action_timing = 'BEFORE') \
    ORDER BY c.ordinal_position";

/// The tables as they are now, and what has been asked of them.
pub(super) struct Inserts<'t> {
    tables: &'t [Option<Table>],
    required: BTreeMap<usize, Vec<String>>,
}

impl<'t> Inserts<'t> {
    pub(super) fn new(tables: &'t [Option<Table>]) -> Self {
        Self {
            tables,
            required: BTreeMap::new(),
        }
    }

    /// One line for each column. The server is asked only about tables of which something without a default is left out: once each.
    pub(super) async fn left_out(
        &mut self,
        connection: &mut Connection,
        checked: &Checked,
    ) -> Result<Vec<String>, Error> {
        let Some(CheckedInsert { at, names }) = &checked.insert else {
            return Ok(Vec::new());
        };
        let is_named = |column: &str| names.iter().any(|name| is_same(name, column));
        let Some(Some(table)) = self.tables.get(*at) else {
            return Ok(Vec::new());
        };
        if table.without_default().all(is_named) {
            return Ok(Vec::new());
        }
        if !self.required.contains_key(at) {
            self.required
                .insert(*at, required(connection, table).await?);
        }
        let required = self.required.get(at).into_iter().flatten();
        let missing = required.filter(|column| !is_named(column));
        let line = |column| {
            format!(
                "`{column}` ({}.{column}) is left out, is NOT NULL and has no default",
                table.name()
            )
        };
        Ok(missing.map(line).collect())
    }
}

async fn required(connection: &mut Connection, table: &Table) -> Result<Vec<String>, Error> {
    let rows = dynamic::query(REQUIRED)
        .bind(table.schema())
        .bind(table.name())
        .fetch_all(connection)
        .await?;
    rows.iter().map(|row| row.get(0)).collect()
}

fn is_same(name: &str, column: &str) -> bool {
    name.to_lowercase() == column.to_lowercase()
}
