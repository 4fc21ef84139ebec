//! What passes between the stages `describe` and `infer`: plain data, no behaviour but its own invariants.
//!
//! `describe::server` yields a [`RawDescription`] (what the server said), `infer::settle` turns it into a
//! [`Description`] (what may be relied on), and that is what the cache keeps. `describe::describe` hands a
//! [`Described`] to the rest, from whichever of the two it came.

use std::fmt;
use std::path::PathBuf;

pub use ark_mysql_proto::kind::Kind;

/// Which of the two families of servers described a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// MySQL and its close relatives.
    MySql,
    /// MariaDB.
    MariaDb,
}

/// A statement as the server's PREPARE described it: flags as sent, nothing judged yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawDescription {
    /// Who answered.
    pub family: Family,
    /// The result's columns in order; empty for a statement without a result.
    pub columns: Vec<RawColumn>,
    /// How many parameters the server counted.
    pub params: usize,
    /// What the session's modes make doubtful.
    pub doubts: Doubts,
}

/// What modes of MariaDB make NULL that is flagged NOT NULL. MySQL has none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// The empty string, where it is written, or where functions give it: nothing that is computed is NOT NULL for certain.
    pub empty_text: bool,
    /// Zero dates that come out of expressions.
    pub zero_dates: bool,
}

impl Doubts {
    /// By the variable `sql_mode` as MariaDB words it.
    pub fn of(sql_mode: &str) -> Self {
        let has_any = |modes: [&str; 2]| sql_mode.split(',').any(|mode| modes.contains(&mode));
        Self {
            empty_text: has_any(["EMPTY_STRING_IS_NULL", "ORACLE"]),
            zero_dates: has_any(["NO_ZERO_DATE", "NO_ZERO_IN_DATE"]),
        }
    }
}

/// One column definition as sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawColumn {
    /// The name or alias, overrides such as `id!` included.
    pub name: String,
    /// The SQL type.
    pub kind: Kind,
    /// NOT_NULL_FLAG.
    pub not_null: bool,
    /// AUTO_INCREMENT_FLAG.
    pub auto_increment: bool,
    /// `table`: the alias under which the statement uses the table; empty for expressions.
    pub table: String,
    /// `org_table`: empty for expressions. For a view it is the view's name, on MariaDB for a derived table its alias.
    pub org_table: String,
    /// `org_name`: empty for expressions.
    pub org_name: String,
    /// The database of the table; empty for expressions.
    pub schema: String,
    /// The labels of an ENUM or a SET, in their order; empty where they are not known.
    pub labels: Vec<String>,
}

/// A view of the database: its body counts as part of every statement that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Its name without the database.
    pub name: String,
    /// Its database.
    pub schema: String,
    /// Whether that is the connection's database.
    pub is_current: bool,
    /// Its SELECT; `None` when the account may not see it.
    pub definition: Option<String>,
}

/// Why a column may be NULL, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Never NULL: the server says so, and can be believed.
    Flag,
    /// Never NULL: the SQL proves it.
    Proven,
    /// The table's column is.
    Declared,
    /// An outer join may leave its row out.
    OuterJoin,
    /// An aggregate, or what stands beside one, over no rows.
    NoRows,
    /// ROLLUP puts NULL in place of keys.
    Rollup,
    /// A subquery may find no row.
    Subquery,
    /// The divisor may be zero.
    Division,
    /// A parameter may be NULL.
    Parameter,
    /// A zero date, or text that is no date.
    Date,
    /// The function may give NULL.
    Function,
    /// CASE without ELSE.
    CaseWithoutElse,
    /// NULL is written there.
    Null,
    /// The server says that it is not, and is known to be wrong in statements like this.
    NotBelieved,
    /// The server says so, and this part of the SQL was not understood.
    NotUnderstood,
}

impl Why {
    /// The reasons that the cache keeps: those for which the SQL or a table speaks, on every server alike.
    pub const KEPT: [(&'static str, Self); 10] = [
        ("declared", Self::Declared),
        ("outer join", Self::OuterJoin),
        ("no rows", Self::NoRows),
        ("rollup", Self::Rollup),
        ("subquery", Self::Subquery),
        ("division", Self::Division),
        ("parameter", Self::Parameter),
        ("date", Self::Date),
        ("case", Self::CaseWithoutElse),
        ("null", Self::Null),
    ];

    /// Its name in the cache.
    pub fn kept(self) -> Option<&'static str> {
        let mut kept = Self::KEPT.into_iter();
        kept.find_map(|(name, why)| (why == self).then_some(name))
    }

    /// As it stands in a message, after "the column may be NULL: " or "the column is never NULL: ".
    pub const fn text(self) -> &'static str {
        match self {
            Self::Flag => "the server says so",
            Self::Proven => "the SQL leaves no way to NULL",
            Self::Declared => "it is declared without NOT NULL",
            Self::OuterJoin => "an outer join may leave its row out",
            Self::NoRows => "over no rows an aggregate is NULL, and so is what stands beside it",
            Self::Rollup => "ROLLUP puts NULL in place of the keys",
            Self::Subquery => "the subquery may find no row",
            Self::Division => "division by zero gives NULL",
            Self::Parameter => "a parameter may be NULL",
            Self::Date => "a zero date, or text that is no date, gives NULL",
            Self::Function => "the function may give NULL",
            Self::CaseWithoutElse => "CASE without ELSE gives NULL",
            Self::Null => "NULL is written there",
            Self::NotBelieved => {
                "servers are known to be wrong about NOT NULL in statements like this"
            }
            Self::NotUnderstood => "the server says so",
        }
    }
}

/// A statement as the rest relies on it: this is what the cache keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Who described it, where that matters: `None` when every server says the same.
    pub family: Option<Family>,
    /// The result's columns in order; empty for a statement without a result.
    pub columns: Vec<DescribedColumn>,
    /// The parameters in order.
    pub params: Vec<DescribedParam>,
}

/// One column of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedColumn {
    /// The name as the server sends it, overrides such as `id!` included.
    pub name: String,
    /// The SQL type; a computed integer is always `BigInt` or `BigIntUnsigned`, a computed FLOAT is `Double`.
    pub kind: Kind,
    /// Whether NULL can come. Final but for an override in the alias.
    pub nullable: bool,
    /// Why it can, where that is more than the server's word.
    pub why: Option<Why>,
    /// The table whose column it is, by whatever joins, views, derived tables and CTEs it came.
    pub table: Option<String>,
    /// The column's own name there.
    pub column: Option<String>,
    /// The labels of a plain ENUM or SET column, in their order; empty where they are not known.
    pub labels: Vec<String>,
}

/// One parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribedParam {
    /// What it stands against; `None` where nothing is known, so that every value fits.
    pub against: Option<Against>,
}

/// What a parameter stands against in the SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Against {
    /// The SQL type of that.
    pub kind: Kind,
    /// What the statement does with the value.
    pub usage: Usage,
    /// The table whose column that is, by whatever views, derived tables and CTEs it came.
    pub table: Option<String>,
    /// The column's own name there.
    pub column: Option<String>,
    /// The labels of an ENUM or SET column, in their order; empty where they are not known.
    pub labels: Vec<String>,
}

/// What a statement does with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Compares it: `=`, `<`, IN, BETWEEN, LIKE.
    Compared,
    /// Puts it into a column: INSERT, SET.
    Stored {
        /// Whether the column takes NULL.
        nullable: bool,
    },
    /// LIMIT or OFFSET, or how far the frame of a window reaches.
    Limit,
    /// Gives it to a function that takes one type, or to an INTERVAL.
    Argument,
    /// Selects it: it comes back as what it is sent as, and text is the one type that every server knows before.
    Selected,
}

/// What `describe` hands over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The statement.
    pub description: Description,
    /// Why each column may be NULL or not, where a server described the statement; empty where the cache did.
    pub reasons: Vec<Why>,
    /// The Rust types that the crate's `ark-mysql.toml` gives to columns.
    pub types: Types,
    /// Absolute paths of files whose change must expand the call again: the cache entry, `ark-mysql.toml`, the schema stamp …
    pub rebuild_on: Vec<PathBuf>,
}

/// Which Rust types columns have where no alias says otherwise: `[types.columns]` and `[types.sql]` of `ark-mysql.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// With the table's and the column's name in lower case.
    columns: Vec<(String, String, RustType)>,
    /// The tables among them as written, with their lines.
    tables: Vec<(String, usize)>,
    kinds: Vec<(Kind, RustType)>,
}

/// A Rust type, and where it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustType {
    /// As written: the tokens of a type.
    pub rust: String,
    /// The line in `ark-mysql.toml`, from 1.
    pub line: usize,
}

impl Types {
    /// Says what a column is.
    pub fn add_column(&mut self, table: &str, column: &str, rust: RustType) {
        self.tables.push((table.to_owned(), rust.line));
        let (table, column) = (table.to_lowercase(), column.to_lowercase());
        self.columns.push((table, column, rust));
    }

    /// Says what an SQL type is.
    pub fn add_kind(&mut self, kind: Kind, rust: RustType) {
        self.kinds.push((kind, rust));
    }

    /// What was said of a column. Case does not count.
    pub fn column(&self, table: &str, column: &str) -> Option<&RustType> {
        let (table, column) = (table.to_lowercase(), column.to_lowercase());
        let mut found = self.columns.iter();
        found.find_map(|(a, b, rust)| (*a == table && *b == column).then_some(rust))
    }

    /// The tables of whose columns something was said, as they were written, with their lines.
    pub fn tables(&self) -> impl Iterator<Item = (&str, usize)> {
        self.tables
            .iter()
            .map(|(table, line)| (table.as_str(), *line))
    }

    /// What was said of a table's columns, by their names in lower case. Case does not count.
    pub fn columns_of(&self, table: &str) -> impl Iterator<Item = (&str, &RustType)> {
        let table = table.to_lowercase();
        self.columns
            .iter()
            .filter(move |(of, _, _)| *of == table)
            .map(|(_, column, rust)| (column.as_str(), rust))
    }

    /// What was said of an SQL type.
    pub fn kind(&self, kind: Kind) -> Option<&RustType> {
        let mut found = self.kinds.iter();
        found.find_map(|(known, rust)| (*known == kind).then_some(rust))
    }

    /// Whether anything was said of columns.
    pub fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }
}

/// Where a call stands: for finding settings and the cache, and for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `CARGO_MANIFEST_DIR` of the crate that is being compiled.
    pub manifest_dir: PathBuf,
    /// `CARGO_PKG_NAME` of it.
    pub package: String,
    /// The source file, as rustc names it.
    pub file: String,
    /// The line of the call, from 1.
    pub line: usize,
}

/// Which macro was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Macro {
    /// `query!`
    Query,
    /// `query_as!`
    QueryAs,
    /// `query_scalar!`
    QueryScalar,
    /// `query_file!`
    QueryFile,
    /// `query_file_as!`
    QueryFileAs,
    /// `query_file_scalar!`
    QueryFileScalar,
    /// `insert_many!`
    InsertMany,
}

/// Why there is no description.
///
/// The texts of all but `Server` are whole messages: what, where, what to do, never a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DescribeError {
    /// The server refused the statement: `diagnostics` draws the SQL with a caret.
    Server {
        /// The error number, such as 1064.
        code: u16,
        /// The five characters of SQLSTATE.
        sql_state: String,
        /// The server's own words.
        message: String,
        /// The name that was probably meant, where a name is unknown.
        nearest: Option<String>,
    },
    /// The server prepares the statement, and it cannot work: each message with its place in the SQL.
    Wrong(Vec<String>),
    /// There is a URL, and no conversation came about: connection, login, protocol.
    Unreachable(Words),
    /// Neither a URL nor a cache entry: names both ways out.
    NoDatabase(Words),
    /// The cache entry is missing, damaged or out of date.
    Cache(Words),
    /// `ark-mysql.toml`, `.env` or a variable does not make sense.
    Settings(Words),
}

/// A message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// What, where, what to do.
    pub whole: String,
    /// The line that is enough where another statement had the same cause, and the whole message; `None` for a cause of this statement alone.
    pub again: Option<String>,
}

impl From<String> for Words {
    fn from(whole: String) -> Self {
        Self { whole, again: None }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.whole)
    }
}

impl fmt::Display for DescribeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server {
                code,
                sql_state,
                message,
                ..
            } => write!(out, "{message} ({code}, SQLSTATE {sql_state})"),
            Self::Wrong(problems) => out.write_str(&problems.join("\n")),
            Self::Unreachable(words)
            | Self::NoDatabase(words)
            | Self::Cache(words)
            | Self::Settings(words) => words.fmt(out),
        }
    }
}

impl std::error::Error for DescribeError {}
