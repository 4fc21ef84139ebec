//! Fetching a server into the cache folder, without root, by the package tools of a Debian-family system.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::error::DevServerError;
use super::{Flavor, cache, progress};

/// Our own; it finds the mirror in apt's settings.
const SCRIPT: &str = include_str!("fetch.sh");

/// The script's word for "not on this machine".
const CANNOT: i32 = 3;

/// Enough for apt's own errors, which come last.
const KEPT_LINES: usize = 12;

/// Where a fetched server lies, or will lie.
pub(super) fn place(flavor: Flavor, suite: &str) -> Result<PathBuf, DevServerError> {
    Ok(cache::folder()?
        .join("servers")
        .join(format!("{}-{suite}", flavor.word())))
}

/// The folder of a fetched server; fetches it the first time.
pub(super) fn ensure(flavor: Flavor, suite: &str) -> Result<PathBuf, DevServerError> {
    let place = place(flavor, suite)?;
    cache::once(&place, |folder| {
        progress(&format!(
            "fetching {flavor} into {} (once)",
            place.display()
        ));
        run(folder, flavor, suite)
    })?;
    Ok(place)
}

fn run(folder: &Path, flavor: Flavor, suite: &str) -> Result<(), DevServerError> {
    let mut script = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "fetch"])
        .arg(folder)
        .args([flavor.word(), suite])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(DevServerError::file("running", Path::new("/bin/sh")))?;
    let output = follow(&mut script);
    let status = script
        .wait()
        .map_err(DevServerError::file("waiting for", Path::new("/bin/sh")))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(CANNOT) => Err(DevServerError::NoServer {
            flavor,
            reason: output,
        }),
        _ => Err(DevServerError::Fetch {
            flavor,
            suite: suite.to_owned(),
            output,
        }),
    }
}

/// Passes progress lines on as they come; returns the last of the others.
fn follow(script: &mut Child) -> String {
    let mut kept: Vec<String> = Vec::new();
    let lines = script
        .stderr
        .take()
        .map(|stderr| BufReader::new(stderr).lines());
    for line in lines.into_iter().flatten().map_while(Result::ok) {
        match line.strip_prefix("progress: ") {
            Some(news) => progress(news),
            None => kept.push(line),
        }
    }
    let skipped = kept.len().saturating_sub(KEPT_LINES);
    kept.split_off(skipped).join("\n")
}
