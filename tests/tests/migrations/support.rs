//! Folders of migrations, and what a database holds.

use std::fs;
use std::path::Path;

use ark_mysql::Connection;
use ark_mysql::migrate::{MigrateError, Migrator, State};
use tempfile::TempDir;
use tests::Database;

/// A folder of migrations that a test writes.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.0.path().join(name)).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn migrator(&self) -> Migrator {
        Migrator::from_folder(self.path()).unwrap()
    }

    pub(crate) async fn run(&self, database: &Database) -> Result<Vec<String>, MigrateError> {
        Ok(self.migrator().run(database.url()).await?.files)
    }

    /// The message of a run that must fail.
    pub(crate) async fn refusal(&self, database: &Database) -> String {
        self.run(database).await.unwrap_err().to_string()
    }

    pub(crate) async fn states(&self, database: &Database) -> Vec<State> {
        let infos = self.migrator().info(database.url()).await.unwrap();
        infos.into_iter().map(|info| info.state).collect()
    }
}

/// The first column of a query, which must be text.
pub(crate) async fn column(database: &Database, sql: &str) -> Vec<String> {
    let mut conn = Connection::connect(database.url()).await.unwrap();
    let rows = ark_mysql::query(sql).fetch_all(&mut conn).await.unwrap();
    rows.iter()
        .map(|row| row.get::<String>(0).unwrap())
        .collect()
}

/// The tables of the database, without that of the migrations.
pub(crate) async fn tables(database: &Database) -> Vec<String> {
    let sql = format!(
        "SELECT TABLE_NAME AS x FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{}' AND TABLE_NAME NOT LIKE '\\_%' ORDER BY 1",
        database.name()
    );
    column(database, &sql).await
}

#[track_caller]
pub(crate) fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}
