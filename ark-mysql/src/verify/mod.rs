//! `verify_schema!`: whether the database is still the one that the statements of a crate were checked with.
//!
//! | module | what it decides |
//! |---|---|
//! | `checked` | what the macro puts into the program |
//! | `judge` | what counts as a difference |
//! | `inserts` | what an INSERT leaves out and may not: the one thing that PREPARE does not show |

mod checked;
mod inserts;
mod judge;

use std::collections::BTreeSet;
use std::fmt;
use std::pin::pin;

use ark_mysql_proto::ServerError;

pub use checked::{
    Checked, CheckedColumn, CheckedCrate, CheckedInsert, CheckedParam, CheckedSession, Origin,
};
use inserts::Inserts;
use judge::Table;

use crate::connection::{Connection, Described, Link};
use crate::dynamic;
use crate::error::{Error, ErrorKind, Outcome, beginning};
use crate::executor::{Executor, Lease as _};
use crate::operation::Operation;

/// What `verify_schema!` found: the [`source`](std::error::Error::source) of its error.
///
/// Its text is one line for each statement and each difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaMismatches {
    settings: Vec<String>,
    statements: usize,
    mismatches: Vec<Mismatch>,
}

/// A statement that the database does not fit any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    place: &'static str,
    sql: &'static str,
    differences: Vec<String>,
}

impl SchemaMismatches {
    /// Settings that change what statements mean and are not what they were: `sql_mode: ANSI_QUOTES is on, and was off`.
    pub fn settings(&self) -> &[String] {
        &self.settings
    }

    /// The statements that do not fit, in the order of their places.
    pub fn statements(&self) -> &[Mismatch] {
        &self.mismatches
    }
}

impl Mismatch {
    /// Where the statement stands, `src/main.rs:12`; its cache file where that could not be told.
    pub fn place(&self) -> &'static str {
        self.place
    }

    /// The statement.
    pub fn sql(&self) -> &'static str {
        self.sql
    }

    /// What is different: ``column `id` (users.id): INT expected, BIGINT found``.
    pub fn differences(&self) -> &[String] {
        &self.differences
    }
}

impl fmt::Display for SchemaMismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bad, all) = (self.mismatches.len(), self.statements);
        write!(f, "{bad} of {all} statements do not fit the database")?;
        if !self.settings.is_empty() {
            f.write_str(", and it has other settings")?;
        }
        for setting in &self.settings {
            write!(f, "\n  {setting}")?;
        }
        for mismatch in &self.mismatches {
            // Up to the first value: such texts go into logs.
            write!(f, "\n  {}: {}", mismatch.place, beginning(mismatch.sql))?;
            for difference in &mismatch.differences {
                write!(f, "\n    {difference}")?;
            }
        }
        f.write_str(
            "\nmigrate the database, or build the program with the present schema (`cargo ark-mysql prepare`)",
        )
    }
}

impl std::error::Error for SchemaMismatches {}

/// What `verify_schema!` calls.
pub fn verify_schema<'a, E: Executor + 'a>(
    executor: E,
    checked: &'static CheckedCrate,
) -> Operation<'a, ()> {
    Operation::new(async move |clock| {
        let mut lease = executor.lease_by(clock).await?;
        let connection = lease.connection();
        let result = {
            let verifying = pin!(verify(connection, checked));
            clock.run(verifying).await
        };
        match result {
            Some(result) => result,
            None => Err(clock.end(connection.link(), "a check of the schema").await),
        }
    })
}

async fn verify(connection: &mut Connection, checked: &'static CheckedCrate) -> Result<(), Error> {
    let settings = settings(connection, &checked.session).await?;
    let link = connection.begin_operation();
    let tables = link.describe_all(checked.tables).await?;
    let tables = tables.iter().map(table).collect::<Result<Vec<_>, _>>()?;
    let described = described(link, checked.statements).await?;
    let mut inserts = Inserts::new(&tables);
    let mut mismatches = Vec::new();
    for (checked, described) in checked.statements.iter().zip(&described) {
        let differences = match described {
            Ok(described) => {
                let mut found = judge::statement(checked, described, &tables)?;
                found.extend(inserts.left_out(connection, checked).await?);
                found
            }
            Err(error) => vec![refused(error)],
        };
        if !differences.is_empty() {
            mismatches.push(Mismatch {
                place: checked.place,
                sql: checked.sql,
                differences,
            });
        }
    }
    if settings.is_empty() && mismatches.is_empty() {
        return Ok(());
    }
    Err(mismatch(SchemaMismatches {
        settings,
        statements: checked.statements.len(),
        mismatches,
    }))
}

/// What the server says of each statement; of the columns of RETURNING it says nothing, so that they are those of the SELECT that has them.
async fn described(
    link: &mut Link,
    statements: &'static [Checked],
) -> Result<Vec<Result<Described, ServerError>>, Error> {
    let sql: Vec<&'static str> = statements.iter().map(|each| each.sql).collect();
    let mut described = link.describe_all(&sql).await?;
    // Each once: a connection has no two statements of one text.
    let selects: BTreeSet<&'static str> =
        statements.iter().filter_map(|each| each.returned).collect();
    let selects: Vec<&'static str> = selects.into_iter().collect();
    let selected = link.describe_all(&selects).await?;
    for (described, each) in described.iter_mut().zip(statements) {
        let position = each
            .returned
            .and_then(|select| selects.binary_search(&select).ok());
        let selected = position.and_then(|at| selected.get(at));
        match (&mut *described, selected) {
            (Ok(described), Some(Ok(selected))) => described.columns.clone_from(&selected.columns),
            (Ok(_), Some(Err(error))) => *described = Err(error.clone()),
            (Ok(_), None) | (Err(_), _) => {}
        }
    }
    Ok(described)
}

async fn settings(
    connection: &mut Connection,
    checked: &'static CheckedSession,
) -> Result<Vec<String>, Error> {
    const QUERY: &str = "SELECT @@sql_mode, CAST(@@lower_case_table_names AS SIGNED)";
    let row = dynamic::query(QUERY).fetch_one(&mut *connection).await?;
    let (sql_mode, case): (String, i64) = (row.get(0)?, row.get(1)?);
    let case = u8::try_from(case).unwrap_or(u8::MAX);
    Ok(judge::session(checked, &sql_mode, case))
}

/// The statements that need a table which is not there any more are refused themselves.
fn table(described: &Result<Described, ServerError>) -> Result<Option<Table>, Error> {
    match described {
        Ok(described) => Ok(Some(Table::read(&described.columns)?)),
        Err(_) => Ok(None),
    }
}

fn refused(error: &ServerError) -> String {
    format!("the server refuses it: {} ({})", error.message, error.code)
}

#[cold]
fn mismatch(found: SchemaMismatches) -> Error {
    Error::new(
        ErrorKind::SchemaChanged,
        Outcome::NotSent,
        found.to_string(),
    )
    .with_source(found)
}
