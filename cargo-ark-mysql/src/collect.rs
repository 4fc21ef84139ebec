//! Has rustc expand every statement of the workspace, and reads what the expansions left behind.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use ark_mysql_check::record::Record;
use ark_mysql_check::settings::RECORD;

use crate::arguments::Selection;
use crate::failure::Failure;
use crate::workspace::Workspace;

/// What rustc saw.
pub(crate) struct Collected {
    pub(crate) records: Vec<Record>,
    /// Whether everything compiled: if not, crates behind the broken ones were not seen.
    pub(crate) complete: bool,
}

/// Runs `cargo check` on what is selected, in the user's own target folder; its messages go where cargo's go.
pub(crate) fn collect(
    workspace: &Workspace,
    selection: &Selection,
    environment: &[(&'static str, OsString)],
) -> Result<Collected, Failure> {
    let folder = RecordFolder::create(&workspace.target)?;
    let complete = cargo_check(selection, environment, &folder.0)?;
    let records = Record::collect(&folder.0)?;
    Ok(Collected { records, complete })
}

fn cargo_check(
    selection: &Selection,
    environment: &[(&'static str, OsString)],
    folder: &Path,
) -> Result<bool, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // Crates that do not depend on a broken one are still worth seeing.
    command
        .args(["check", "--keep-going"])
        .args(selection.for_cargo());
    command
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .env(RECORD, folder);
    let status = command
        .status()
        .map_err(|error| Failure::new(format!("cannot run cargo: {error}")))?;
    Ok(status.success())
}

/// A folder with a name that was never used before: that makes rustc expand the crates anew, whether or not something was edited.
struct RecordFolder(PathBuf);

impl RecordFolder {
    fn create(target: &Path) -> Result<Self, Failure> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let folder = target
            .join("ark-mysql")
            .join(format!("record-{now:x}-{}", std::process::id()));
        let failed = |error| Failure::new(format!("cannot create {}: {error}", folder.display()));
        fs::create_dir_all(&folder).map_err(failed)?;
        Ok(Self(folder))
    }
}

impl Drop for RecordFolder {
    fn drop(&mut self) {
        // What is left in a target folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
