//! What `verify_schema!` puts into the program: the statements of its crate as they were checked.

use ark_mysql_proto::Kind;

use crate::value::ColumnSpec;

/// All of a crate.
#[derive(Debug)]
pub struct CheckedCrate {
    /// What was set where it was checked.
    pub session: CheckedSession,
    /// Each statement once.
    pub statements: &'static [Checked],
    /// `SELECT * FROM …` for each table that something below refers to.
    pub tables: &'static [&'static str],
}

/// Settings of the server that change what statements mean.
#[derive(Debug)]
pub struct CheckedSession {
    /// Of `sql_mode`, what changes the meaning of statements.
    pub sql_mode: &'static [&'static str],
    /// `lower_case_table_names`.
    pub lower_case_table_names: u8,
}

/// One statement.
#[derive(Debug)]
pub struct Checked {
    /// As sent.
    pub sql: &'static str,
    /// Where it stands, `src/main.rs:12`; or its cache file.
    pub place: &'static str,
    /// The columns of its result.
    pub columns: &'static [CheckedColumn],
    /// What each parameter stands against, if it is a table's column.
    pub params: &'static [Option<CheckedParam>],
    /// Of an INSERT that fails where something else has no default.
    pub insert: Option<CheckedInsert>,
    /// The SELECT that has the columns of its RETURNING, of which PREPARE says nothing.
    pub returned: Option<&'static str>,
}

/// What an INSERT names.
#[derive(Debug)]
pub struct CheckedInsert {
    /// Which of [`CheckedCrate::tables`] it goes into.
    pub at: usize,
    /// The columns.
    pub names: &'static [&'static str],
}

/// One column of a result.
#[derive(Debug)]
pub struct CheckedColumn {
    /// Name and type.
    pub spec: ColumnSpec,
    /// Where it comes from, if it is a table's column.
    pub origin: Option<Origin>,
    /// Whether it counts as NOT NULL because it was declared so.
    pub by_declaration: bool,
}

/// What a parameter stands against.
#[derive(Debug)]
pub struct CheckedParam {
    /// The type of the column.
    pub kind: Kind,
    /// The column.
    pub origin: Origin,
    /// Of a value that is stored: whether the column takes NULL.
    pub stores_null: bool,
}

/// A column of a table.
#[derive(Debug)]
pub struct Origin {
    /// The table's name.
    pub table: &'static str,
    /// The column's name.
    pub column: &'static str,
    /// Which of [`CheckedCrate::tables`] it is; `None` where that is not certain.
    pub at: Option<usize>,
}
