//! Where cargo has put the crates that the cases use.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// What the cases may name, besides what the driver brings along.
const CRATES: [&str; 4] = ["ark_mysql", "chrono", "serde_json", "tokio"];

/// Compiled crates.
#[derive(Debug)]
pub(crate) struct Artifacts {
    /// Arguments for rustc.
    pub(crate) arguments: Vec<String>,
}

/// Asks cargo, which has nothing left to build: it has just built this test out of the same crates.
pub(crate) fn artifacts() -> &'static Artifacts {
    static ARTIFACTS: OnceLock<Artifacts> = OnceLock::new();
    ARTIFACTS.get_or_init(|| {
        let messages = build();
        let mut libraries: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut folders: Vec<PathBuf> = Vec::new();
        for message in messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let name = message["target"]["name"].as_str().unwrap_or_default();
            for file in message["filenames"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(PathBuf::from)
            {
                if file
                    .extension()
                    .is_some_and(|extension| extension == "rlib")
                    && CRATES.contains(&name)
                {
                    libraries.insert(name.to_owned(), file.clone());
                }
                folders.extend(
                    file.parent()
                        .filter(|folder| folder.ends_with("deps"))
                        .map(Path::to_owned),
                );
            }
        }
        folders.sort();
        folders.dedup();
        let folders = folders
            .iter()
            .map(|folder| format!("-Ldependency={}", folder.display()));
        let libraries = libraries
            .iter()
            .map(|(name, file)| format!("--extern={name}={}", file.display()));
        Artifacts {
            arguments: folders.chain(libraries).collect(),
        }
    })
}

fn build() -> String {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args([
        "test",
        "--package",
        "tests",
        "--test",
        "ui",
        "--no-run",
        "--quiet",
        "--message-format=json",
    ]);
    let program = env::current_exe().expect("the system knows this program");
    let folder = program
        .parent()
        .and_then(Path::parent)
        .expect("TARGET/PROFILE/deps/ui-0123");
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => {}
        Some(profile) => _ = cargo.args(["--profile", profile]),
    }
    let output = cargo.output().expect("cargo runs: it runs this test");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}
