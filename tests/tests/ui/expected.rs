//! The files with the messages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// What the person who runs the tests wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Messages are as they were.
    Compare,
    /// They are taken over, to be reviewed.
    Overwrite,
    /// So is what a server says of the statements.
    Prepare,
}

pub(crate) fn mode() -> Mode {
    match env::var("ARK_MYSQL_UI").as_deref() {
        Ok("overwrite") => Mode::Overwrite,
        Ok("prepare") => Mode::Prepare,
        Ok(other) => panic!("ARK_MYSQL_UI is `overwrite` or `prepare`, not `{other}`"),
        Err(_) => Mode::Compare,
    }
}

/// A difference, to be shown to people; `None` if there is none.
pub(crate) fn compare(file: &Path, actual: &str) -> Option<String> {
    let before = fs::read_to_string(file).unwrap_or_default();
    if before == actual {
        return None;
    }
    if mode() != Mode::Compare {
        fs::write(file, actual).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        return None;
    }
    Some(format!(
        "--- {}\n{before}+++ what rustc says now\n{actual}",
        file.display()
    ))
}

/// `mistakes/x.rs` → `mistakes/x.stderr`; with a variant `mistakes/x.mysql.stderr`.
pub(crate) fn beside(source: &Path, variant: Option<&str>) -> PathBuf {
    source.with_extension(variant.map_or_else(
        || "stderr".to_owned(),
        |variant| format!("{variant}.stderr"),
    ))
}

/// What both servers say in the same words stands in one file.
pub(crate) fn merge(source: &Path) {
    if mode() == Mode::Compare {
        return;
    }
    let [mysql, mariadb, common] =
        [Some("mysql"), Some("mariadb"), None].map(|variant| beside(source, variant));
    match (fs::read(&mysql), fs::read(&mariadb)) {
        (Ok(one), Ok(other)) if one == other => {
            let merged = fs::rename(&mysql, common).and_then(|()| fs::remove_file(&mariadb));
            merged.unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        }
        // Whatever was the same before is no longer.
        _ => _ = fs::remove_file(common),
    }
}
