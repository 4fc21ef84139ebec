//! A throw-away server for the time of one command, with a schema.

use std::fs;
use std::path::{Path, PathBuf};

use ark_mysql::Connection;
use ark_mysql::dev_server::{DevServer, Flavor};
use ark_mysql::migrate::Migrator;

use crate::arguments::DevFlavor;
use crate::failure::Failure;

/// A running server; stops with the value.
pub(crate) struct DevDatabase(DevServer);

impl DevDatabase {
    /// Starts it and applies the migrations of a folder; files without versions are run in the order of their names.
    pub(crate) fn start(flavor: DevFlavor, migrations: Option<&Path>) -> Result<Self, Failure> {
        let schema = migrations.map(Schema::read).transpose()?;
        let flavor = match flavor {
            DevFlavor::Mysql => Flavor::MySql,
            DevFlavor::Mariadb => Flavor::MariaDb,
        };
        let server = DevServer::builder().flavor(flavor).start()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        match schema {
            None => {}
            Some(Schema::Migrations(migrator)) => {
                runtime.block_on(migrator.run(server.url()))?;
            }
            Some(Schema::Scripts(scripts)) => runtime.block_on(run(&server.url(), &scripts))?,
        }
        Ok(Self(server))
    }

    pub(crate) fn url(&self) -> String {
        self.0.url()
    }
}

/// What a folder of `.sql` files is.
enum Schema {
    Migrations(Migrator),
    Scripts(Vec<PathBuf>),
}

impl Schema {
    fn read(folder: &Path) -> Result<Self, Failure> {
        let migrator = Migrator::from_folder(folder)?;
        if migrator.migrations()?.is_empty() {
            return scripts(folder).map(Self::Scripts);
        }
        Ok(Self::Migrations(migrator))
    }
}

/// The `.sql` files of a folder, sorted by name; those that undo another one (`….down.sql`) are left out.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!(
            "cannot read the folder {}: {error}",
            folder.display()
        ))
    };
    let mut found = Vec::new();
    for item in fs::read_dir(folder).map_err(failed)? {
        let path = item.map_err(failed)?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.ends_with(".sql") && !name.ends_with(".down.sql") {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Failure::new(format!(
            "there is no .sql file in {}",
            folder.display()
        )));
    }
    found.sort();
    Ok(found)
}

async fn run(url: &str, scripts: &[PathBuf]) -> Result<(), Failure> {
    let mut connection = Connection::connect(url).await?;
    for script in scripts {
        let failed =
            |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", script.display()));
        let text = fs::read_to_string(script).map_err(|error| failed(&error))?;
        connection
            .run_script(&text)
            .await
            .map_err(|error| failed(&error))?;
    }
    connection.close().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_scripts_is_an_error() {
        let missing = scripts(Path::new("no-such-folder"))
            .unwrap_err()
            .to_string();
        assert!(missing.contains("no-such-folder"), "{missing}");
        let empty = scripts(Path::new("src")).unwrap_err().to_string();
        assert!(empty.contains("no .sql file"), "{empty}");
    }
}
