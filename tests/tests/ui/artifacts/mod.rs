//! Where cargo has put the crates that the cases use: those that this very test was built with, so that there is nothing left to build.

mod by_cargo;
mod by_fingerprint;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What the cases may name, besides what the driver brings along.
const CRATES: [&str; 4] = ["ark_mysql", "chrono", "serde_json", "tokio"];

/// Compiled crates.
#[derive(Debug)]
pub(crate) struct Artifacts {
    /// Each of [`CRATES`], and its file.
    libraries: Vec<(String, PathBuf)>,
    /// Where the crates are that these need.
    folders: Vec<PathBuf>,
}

/// Finds them, once.
pub(crate) fn artifacts() -> &'static Artifacts {
    static ARTIFACTS: OnceLock<Artifacts> = OnceLock::new();
    ARTIFACTS.get_or_init(|| {
        let test = env::current_exe().expect("the system knows this program");
        by_fingerprint::find(&test).unwrap_or_else(|| by_cargo::find(&test))
    })
}

impl Artifacts {
    /// Arguments for rustc.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = String> {
        let folders = self
            .folders
            .iter()
            .map(|folder| format!("-Ldependency={}", folder.display()));
        let libraries = self
            .libraries
            .iter()
            .map(|(name, file)| format!("--extern={name}={}", file.display()));
        folders.chain(libraries)
    }
}

/// The folder of the profile of `TARGET/PROFILE/deps/ui-0123456789abcdef`.
fn profile_folder(test: &Path) -> Option<&Path> {
    test.parent()?.parent()
}
