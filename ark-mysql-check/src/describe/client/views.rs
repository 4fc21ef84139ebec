//! The list of views: a view's body counts as part of every statement that reads from it.

use ark_mysql_proto::row::{Source, TextRow};

use super::Trouble;
use crate::description::View;

/// All but the servers' own databases: a statement may name a database.
pub(super) const QUERY: &str = "SELECT table_name, view_definition, table_schema, table_schema <=> DATABASE() FROM information_schema.views \
     WHERE table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')";

/// Reads a row of [`QUERY`]. A body that the account may not see comes as NULL or empty.
pub(super) fn read(payload: &[u8]) -> Result<View, Trouble> {
    let odd = |error: ark_mysql_proto::row::DecodeError| {
        Trouble::Conversation(format!("the list of views: {error}"))
    };
    let mut row = TextRow::new(payload);
    let name = row.str(0).map_err(odd)?.to_owned();
    let definition = if row.is_null(1) {
        None
    } else {
        Some(row.str(1).map_err(odd)?.to_owned())
    };
    let schema = row.str(2).map_err(odd)?.to_owned();
    let is_current = row.i64(3).map_err(odd)? == 1;
    row.finish().map_err(odd)?;
    Ok(View {
        name,
        schema,
        is_current,
        definition: definition.filter(|definition| !definition.is_empty()),
    })
}
