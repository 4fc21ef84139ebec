//! Which files of a folder are migrations, and in which order.

use std::collections::BTreeMap;
use std::path::Path;

use super::checksum;
use super::error::MigrateError;
use crate::script::{self, Quoting, Statement};

/// One migration: what its file does, and perhaps how that is undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    version: u64,
    name: String,
    up: Script,
    down: Option<Script>,
}

/// A file of SQL statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    file: String,
    text: String,
}

impl Migration {
    /// The number or time in front of the file's name.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What stands between the version and `.sql`, as in `create_users`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is done.
    pub fn up(&self) -> &Script {
        &self.up
    }

    /// How it is undone, if it is a pair of files.
    pub fn down(&self) -> Option<&Script> {
        self.down.as_ref()
    }
}

impl Script {
    /// The name of the file, without its folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Its text.
    pub fn sql(&self) -> &str {
        &self.text
    }

    /// SHA-256 of its text, as 64 hex digits; line ends do not count.
    pub fn checksum(&self) -> String {
        checksum::of_file(&self.text)
    }

    /// Its statements, in a session that reads quotes like this.
    pub(super) fn statements(&self, quoting: Quoting) -> Vec<Statement<'_>> {
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        script::statements(text, quoting)
    }
}

/// What a file's name says.
struct Named<'n> {
    version: u64,
    name: &'n str,
    down: bool,
}

/// Reads the files of a folder that are migrations: their names and texts, sorted by name.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, String)>, MigrateError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| MigrateError::Unreadable { path, source }
    };
    let mut files = Vec::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        let text = std::fs::read_to_string(&path).map_err(unreadable(&path))?;
        files.push((name, text));
    }
    Ok(files)
}

/// The names of the files in a folder that are migrations, sorted.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, MigrateError> {
    let unreadable = |source| MigrateError::Unreadable {
        path: folder.to_owned(),
        source,
    };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name
            && is_meant(name)
            && path.is_file()
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// `seed.sql` and `README.md` are not, as with sqlx; `x1_users.sql` is, and is wrong.
fn is_meant(name: &str) -> bool {
    name.ends_with(".sql") && name.contains('_')
}

/// Sorts files by version and joins pairs.
pub(super) fn migrations<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f str)>,
) -> Result<Vec<Migration>, MigrateError> {
    let mut ups: BTreeMap<u64, (String, Script)> = BTreeMap::new();
    let mut downs: BTreeMap<u64, Script> = BTreeMap::new();
    for (file, text) in files {
        let Named {
            version,
            name,
            down,
        } = named(file)?;
        let script = Script {
            file: file.to_owned(),
            text: text.to_owned(),
        };
        let twice = if down {
            downs.insert(version, script)
        } else {
            ups.insert(version, (name.to_owned(), script))
                .map(|(_, script)| script)
        };
        if let Some(other) = twice {
            return Err(same_version(&other.file, file, version));
        }
    }
    if let Some((_, script)) = downs.iter().find(|(version, _)| !ups.contains_key(version)) {
        return Err(without_up(&script.file));
    }
    Ok(ups
        .into_iter()
        .map(|(version, (name, up))| Migration {
            version,
            name,
            up,
            down: downs.remove(&version),
        })
        .collect())
}

fn named(file: &str) -> Result<Named<'_>, MigrateError> {
    let (version, rest) = file.split_once('_').unwrap_or((file, ""));
    let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    let number = version
        .parse::<u64>()
        .ok()
        .filter(|&number| digits && number > 0 && i64::try_from(number).is_ok());
    let Some(version) = number else {
        return Err(MigrateError::BadFile {
            file: file.to_owned(),
            problem: format!(
                "`{version}` is no version: a file is called `<version>_<name>.sql`, with a number from 1 to {} or a time \
                 such as 20260131120000. Rename it, or move it out of the folder",
                i64::MAX
            ),
        });
    };
    let (name, down) = match (rest.strip_suffix(".down.sql"), rest.strip_suffix(".up.sql")) {
        (Some(name), _) => (name, true),
        (_, Some(name)) => (name, false),
        _ => (rest.strip_suffix(".sql").unwrap_or(rest), false),
    };
    Ok(Named {
        version,
        name,
        down,
    })
}

fn same_version(one: &str, other: &str, version: u64) -> MigrateError {
    MigrateError::BadFile {
        file: other.to_owned(),
        problem: format!(
            "{one} has the version {version} as well. Give the one that no database has yet a new version"
        ),
    }
}

fn without_up(down: &str) -> MigrateError {
    let up = down.replace(".down.sql", ".up.sql");
    MigrateError::BadFile {
        file: down.to_owned(),
        problem: format!(
            "it undoes a migration that is not there. Restore {up}, or remove this file"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(files: &[&str]) -> Result<Vec<(u64, String, bool)>, String> {
        let files = files.iter().map(|&file| (file, "SELECT 1"));
        let migrations = migrations(files).map_err(|error| error.to_string())?;
        Ok(migrations
            .into_iter()
            .map(|one| (one.version, one.name.clone(), one.down.is_some()))
            .collect())
    }

    #[test]
    fn versions_are_numbers_and_pairs_are_joined() {
        assert_eq!(
            versions(&[
                "10_c.down.sql",
                "10_c.up.sql",
                "0002_a_b.sql",
                "20260131120000_d.sql"
            ])
            .unwrap(),
            [
                (2, "a_b".to_owned(), false),
                (10, "c".to_owned(), true),
                (20_260_131_120_000, "d".to_owned(), false)
            ]
        );
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        let error = versions(&["01_a.sql", "1_b.sql"]).unwrap_err();
        assert!(
            error.contains("1_b.sql") && error.contains("01_a.sql has the version 1"),
            "{error}"
        );
        let error = versions(&["1_a.down.sql"]).unwrap_err();
        assert!(error.contains("Restore 1_a.up.sql"), "{error}");
        for bad in [
            "x_a.sql",
            "_a.sql",
            "0_a.sql",
            "-1_a.sql",
            "+1_a.sql",
            "9223372036854775808_a.sql",
        ] {
            let error = versions(&[bad]).unwrap_err();
            assert!(
                error.contains(bad) && error.contains("is no version"),
                "{error}"
            );
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        assert!(is_meant("1_a.sql") && is_meant("x_y.sql"));
        assert!(!is_meant("seed.sql") && !is_meant("read_me.md"));
    }
}
