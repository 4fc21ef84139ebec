//! Asks cargo. It builds crates anew where it was not this package alone that was tested.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{Artifacts, CRATES, profile_folder};

pub(super) fn find(test: &Path) -> Artifacts {
    let mut found = Artifacts {
        libraries: Vec::new(),
        folders: Vec::new(),
    };
    for message in build(test)
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
                found.libraries.push((name.to_owned(), file.clone()));
            }
            found.folders.extend(file.parent().map(Path::to_owned));
        }
    }
    found.folders.sort();
    found.folders.dedup();
    found
}

fn build(test: &Path) -> String {
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
    match profile_folder(test)
        .and_then(Path::file_name)
        .and_then(|name| name.to_str())
    {
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
