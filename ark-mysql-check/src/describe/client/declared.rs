//! How a table was declared: what PREPARE does not tell, and an INSERT depends on.

use ark_mysql_proto::row::{DecodeError, Source, TextRow};

use super::Trouble;
use crate::infer::{Declared, DeclaredColumn, TableName};

/// Asks for one table; `None` for a name that would have to be escaped. Views have no rows in it: what they leave out is not theirs.
pub(super) fn query(table: &TableName) -> Option<String> {
    let plain = |name: &String| !name.contains(['\'', '\\']);
    if !plain(&table.name) || !table.schema.iter().all(plain) {
        return None;
    }
    let schema = match &table.schema {
        Some(schema) => format!("'{schema}'"),
        None => "DATABASE()".to_owned(),
    };
    let name = &table.name;
    Some(format!(
        "SELECT c.column_name, c.column_type, c.is_nullable = 'YES', c.column_default IS NOT NULL, LOWER(c.extra), @@sql_mode, \
         EXISTS (SELECT 1 FROM information_schema.triggers g WHERE g.event_object_schema = c.table_schema \
         AND g.event_object_table = c.table_name AND g.event_manipulation = 'INSERT' AND g.action_timing = 'BEFORE') \
         FROM information_schema.columns c JOIN information_schema.tables t \
         ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type = 'BASE TABLE' \
         WHERE c.table_schema = {schema} AND c.table_name = '{name}' ORDER BY c.ordinal_position"
    ))
}

/// Reads a row of it.
pub(super) fn read(payload: &[u8], declared: &mut Declared) -> Result<(), Trouble> {
    column(payload, declared)
        .map_err(|error| Trouble::Conversation(format!("the declaration of a table: {error}")))
}

fn column(payload: &[u8], declared: &mut Declared) -> Result<(), DecodeError> {
    let mut row = TextRow::new(payload);
    let name = row.str(0)?.to_owned();
    let sql_type = row.str(1)?.to_owned();
    let nullable = row.i64(2)? == 1;
    let has_default = row.i64(3)? == 1;
    let extra = row.str(4)?.to_owned();
    let mode = row.str(5)?.to_owned();
    declared.triggered = row.i64(6)? == 1;
    row.finish()?;
    declared.strict = mode.contains("STRICT_TRANS_TABLES") || mode.contains("STRICT_ALL_TABLES");
    let counts = extra.contains("auto_increment");
    let generated = extra.replace("default_generated", "").contains("generated");
    // An ENUM without a default begins with its first label.
    let begins = sql_type.starts_with("enum(");
    declared.columns.push(DeclaredColumn {
        name,
        sql_type,
        takes_null: nullable || counts || generated,
        optional: nullable
            || has_default
            || counts
            || generated
            || begins
            || extra.contains("default_generated"),
        generated,
        hidden: extra.contains("invisible"),
    });
    Ok(())
}
