//! The columns that values go round through: every SQL type, its widths, its edges, and what is in between.

mod moments;
mod numbers;
mod others;
mod strings;

use ark_mysql::__private::Kind;
use proptest::prelude::*;
use tests::Server;

use crate::canon::Canon;

/// One column.
pub(crate) struct Column {
    pub(crate) kind: Kind,
    pub(crate) sql: String,
    /// Values that are tried each time.
    pub(crate) edges: Vec<Canon>,
    /// Any value.
    pub(crate) any: BoxedStrategy<Canon>,
}

/// Those that this server has.
pub(crate) fn columns(server: Server) -> Vec<Column> {
    let mut all = Vec::new();
    all.extend(numbers::integers());
    all.extend(numbers::bits());
    all.extend(numbers::floats());
    all.extend(numbers::decimals());
    all.extend(strings::texts());
    all.extend(strings::bytes());
    all.extend(moments::moments());
    all.extend(moments::times(server));
    all.extend(others::labels());
    all.extend(others::documents());
    if server != Server::MariaDb10 {
        all.push(others::vectors());
    }
    if server != Server::MySql {
        all.extend(others::mariadb_only());
    }
    all
}

fn column(
    kind: Kind,
    sql: impl Into<String>,
    edges: Vec<Canon>,
    any: impl Strategy<Value = Canon> + 'static,
) -> Column {
    Column {
        kind,
        sql: sql.into(),
        edges,
        any: any.boxed(),
    }
}
