//! What must hold of the sources themselves, before anything runs: no unsafe code, no more packages than there were, a stated compiler.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Foreign packages that a user's build compiles into the program with the default features, on Linux. Each one is somebody's to trust, so one more is a
/// decision: it is taken by changing this number.
const PACKAGES: usize = 57;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .current_dir(root())
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The folders of all packages, those outside of the workspace too.
fn packages() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let skipped = name.starts_with('.') || name == "target";
            if entry.file_type().unwrap().is_dir() && !skipped {
                folders.push(folder.join(&name));
            } else if name == "Cargo.toml" {
                found.push(folder.to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The lines of a section of a manifest.
fn section<'m>(manifest: &'m str, name: &str) -> Vec<&'m str> {
    let lines = manifest
        .lines()
        .skip_while(|line| *line != format!("[{name}]"));
    lines
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .collect()
}

#[test]
fn no_package_may_have_unsafe_code() {
    let packages = packages();
    assert!(packages.len() >= 10, "{packages:?}");
    let workspace = read("Cargo.toml");
    assert!(section(&workspace, "workspace.lints.rust").contains(&"unsafe_code = \"forbid\""));
    for package in packages.iter().filter(|package| !package.is_empty()) {
        let manifest = read(&format!("{package}/Cargo.toml"));
        let inherits = section(&manifest, "lints").contains(&"workspace = true");
        let forbids = section(&manifest, "lints.rust").contains(&"unsafe_code = \"forbid\"");
        assert!(
            inherits || forbids || package == "fuzz",
            "{package}/Cargo.toml: nothing forbids unsafe code"
        );
    }
}

/// libFuzzer is entered by a C function, which a macro makes; so those files hold nothing else.
#[test]
fn the_fuzzers_hold_nothing_but_their_entry() {
    let files: Vec<_> = fs::read_dir(root().join("fuzz/fuzz_targets"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert!(files.len() >= 20);
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let start = "#![no_main]\n\nlibfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::";
        let rest = text
            .strip_prefix(start)
            .unwrap_or_else(|| panic!("{name}: {text}"));
        let module = rest.strip_suffix(&format!("::{name}(data));\n"));
        let is_name = |module: &str| module.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(module.is_some_and(is_name), "{name}: {text}");
    }
}

#[test]
fn no_more_packages_than_there_were() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let tree = said(
        &cargo,
        &[
            "tree",
            "--package",
            "ark-mysql",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--target",
            "x86_64-unknown-linux-gnu",
            "--locked",
        ],
    );
    // A name and a version; what lies in this repository has a path behind them.
    let package = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let foreign: BTreeSet<String> = tree
        .lines()
        .filter(|line| !line.contains("(/") && !line.is_empty())
        .map(package)
        .collect();
    assert!(
        foreign.iter().any(|package| package.starts_with("tokio v")),
        "{tree}"
    );
    assert!(
        foreign.len() <= PACKAGES,
        "{} foreign packages, where {PACKAGES} are allowed: {foreign:?}",
        foreign.len()
    );
    assert_eq!(
        foreign.len(),
        PACKAGES,
        "there are fewer: lower the number, so that it stays"
    );
}

/// What is published.
const PUBLISHED: [&str; 5] = [
    "ark-mysql",
    "ark-mysql-proto",
    "ark-mysql-check",
    "ark-mysql-macros",
    "cargo-ark-mysql",
];

#[test]
fn every_package_says_which_compiler_it_needs() {
    let workspace = read("Cargo.toml");
    assert!(
        section(&workspace, "workspace.package")
            .iter()
            .any(|line| line.starts_with("rust-version = "))
    );
    for package in PUBLISHED {
        let manifest = read(&format!("{package}/Cargo.toml"));
        assert!(
            section(&manifest, "package").contains(&"rust-version.workspace = true"),
            "{package}"
        );
    }
}

#[test]
fn what_is_published_has_what_a_registry_wants_and_nothing_else_is_published() {
    for package in packages().iter().filter(|package| !package.is_empty()) {
        let manifest = read(&format!("{package}/Cargo.toml"));
        let lines = section(&manifest, "package");
        let has = |begin: &str| lines.iter().any(|line| line.starts_with(begin));
        let published = PUBLISHED.contains(&package.as_str());
        assert_eq!(!has("publish = false"), published, "{package}");
        for field in [
            "description",
            "license",
            "repository",
            "keywords",
            "categories",
            "readme",
            "include",
        ] {
            assert!(has(field) || !published, "{package}: no {field}");
        }
    }
}

#[test]
fn a_package_holds_its_sources_licences_and_the_readme() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    for package in PUBLISHED {
        let list = said(
            &cargo,
            &["package", "--list", "--allow-dirty", "--package", package],
        );
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "Cargo.toml"] {
            assert!(
                list.lines().any(|line| line == file),
                "{package}: no {file}"
            );
        }
        let foreign: Vec<&str> = list
            .lines()
            .filter(|line| line.contains('/') && !line.starts_with("src/"))
            .collect();
        assert!(foreign.is_empty(), "{package}: {foreign:?}");
    }
}
