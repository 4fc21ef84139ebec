//! Reads the notes that cargo keeps about what it has built, without which there would be several candidates for each crate. They are not
//! a stable interface: where they are not what they were, there is `by_cargo`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Artifacts, CRATES, profile_folder};

pub(super) fn find(test: &Path) -> Option<Artifacts> {
    let profile = profile_folder(test)?;
    let notes = profile.join(".fingerprint");
    let (_, hash) = test.file_name()?.to_str()?.rsplit_once('-')?;
    let own = fs::read_to_string(notes.join(format!("tests-{hash}/test-integration-test-ui.json")))
        .ok()?;
    let own: Value = serde_json::from_str(&own).ok()?;
    let needed = own["deps"].as_array()?;
    let libraries = CRATES.iter().map(|name| {
        Some((
            (*name).to_owned(),
            library(profile, name, fingerprint(needed, name)?)?,
        ))
    });
    let libraries: Option<Vec<_>> = libraries.collect();
    let host = profile
        .parent()?
        .parent()?
        .join(profile.file_name()?)
        .join("deps");
    let folders = [profile.join("deps"), host]
        .into_iter()
        .filter(|folder| folder.is_dir())
        .collect();
    Some(Artifacts {
        libraries: libraries?,
        folders,
    })
}

/// A dependency is noted as `[id, name, is public, fingerprint]`.
fn fingerprint(needed: &[Value], name: &str) -> Option<u64> {
    needed.iter().find(|dependency| dependency[1] == name)?[3].as_u64()
}

/// Of all builds of a crate the one with this fingerprint, which stands in a file as the hexadecimal digits of its bytes, lowest first.
fn library(profile: &Path, name: &str, fingerprint: u64) -> Option<PathBuf> {
    let wanted: String = fingerprint
        .to_le_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut builds = fs::read_dir(profile.join(".fingerprint"))
        .ok()?
        .filter_map(Result::ok);
    let build = builds.find(|build| {
        fs::read_to_string(build.path().join(format!("lib-{name}")))
            .is_ok_and(|found| found == wanted)
    })?;
    let build = build.file_name();
    let (_, hash) = build.to_str()?.rsplit_once('-')?;
    Some(profile.join(format!("deps/lib{name}-{hash}.rlib"))).filter(|file| file.is_file())
}
