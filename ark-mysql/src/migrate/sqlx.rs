//! What sqlx did to a database is taken over.

use super::checksum;
use super::error::MigrateError;
use super::files::Migration;
use super::table::{Mark, Table};
use crate::connection::Connection;
use crate::dynamic::query;
use crate::error::Error;

/// The table of sqlx.
pub(super) const TABLE: &str = "_sqlx_migrations";

struct Row {
    version: i64,
    description: String,
    success: bool,
    checksum: Vec<u8>,
}

/// Why a run does not begin: everything would be applied once more.
pub(super) fn not_adopted(database: &str) -> MigrateError {
    MigrateError::Refused(format!(
        "the database `{database}` was migrated by sqlx (it has the table {TABLE}). Take that over, once: `cargo ark-mysql migrate run --adopt-sqlx`, or \
         `adopt_sqlx` of the Migrator. Nothing was applied"
    ))
}

/// Makes the rows that we would have if we had applied what sqlx did. Compares first: all or nothing.
pub(super) async fn adopt(
    table: &Table,
    connection: &mut Connection,
    migrations: &[Migration],
    ignore_missing: bool,
) -> Result<usize, MigrateError> {
    let failed = || MigrateError::database("taking over the migrations of sqlx");
    let rows = rows(connection).await.map_err(failed())?;
    let mut pairs = Vec::new();
    let mut problems = Vec::new();
    for row in &rows {
        let migration = migrations
            .iter()
            .find(|migration| i64::try_from(migration.version()).ok() == Some(row.version));
        match problem(row, migration, ignore_missing) {
            Some(problem) => problems.push(problem),
            None => pairs.extend(migration),
        }
    }
    if !problems.is_empty() {
        return Err(MigrateError::Mismatch(problems));
    }
    connection
        .run_text("START TRANSACTION")
        .await
        .map_err(failed())?;
    for migration in &pairs {
        for sql in rows_of(table, migration) {
            connection.run_text(&sql).await.map_err(failed())?;
        }
    }
    connection.run_text("COMMIT").await.map_err(failed())?;
    Ok(pairs.len())
}

fn rows_of(table: &Table, migration: &Migration) -> [String; 3] {
    let statements = migration.up().statements(table.quoting());
    let version = migration.version();
    let done_checksum = checksum::of_statements(statements.iter().map(|statement| statement.sql));
    let mark = Mark {
        version,
        done: statements.len(),
        done_checksum: &done_checksum,
    };
    [
        table.insert(
            version,
            migration.name(),
            &migration.up().checksum(),
            statements.len(),
        ),
        table.done(mark),
        table.finish(version, None),
    ]
}

fn problem(row: &Row, migration: Option<&Migration>, ignore_missing: bool) -> Option<String> {
    let Row {
        version,
        description,
        ..
    } = row;
    if !row.success {
        return Some(format!(
            "{version} ({description}): sqlx did not finish it. Finish or undo it by hand, and correct its row in {TABLE} (success = 1, or remove it)"
        ));
    }
    let Some(migration) = migration else {
        return (!ignore_missing).then(|| {
            format!("{version} ({description}): sqlx applied it, but its file is gone. Restore it, or let it be missing (`ignore_missing`, `--ignore-missing`)")
        });
    };
    let same = checksum::is_of_sqlx(&row.checksum, migration.up().sql());
    (!same).then(|| {
        format!(
            "{}: changed since sqlx applied it. Restore it and put the change into a new migration",
            migration.up().file()
        )
    })
}

async fn rows(connection: &mut Connection) -> Result<Vec<Row>, Error> {
    let sql =
        format!("SELECT version, description, success, checksum FROM {TABLE} ORDER BY version");
    let rows = query(sql).fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            Ok(Row {
                version: row.get(0)?,
                description: row.get(1)?,
                success: row.get(2)?,
                checksum: row.get(3)?,
            })
        })
        .collect()
}
