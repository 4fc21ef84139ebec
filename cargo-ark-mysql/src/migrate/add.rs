//! `cargo ark-mysql migrate add`: an empty migration with the next version.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use ark_mysql::migrate::{Migration, Migrator};

use super::arguments::Add;
use super::place::folder;
use crate::Verdict;
use crate::failure::Failure;

/// Versions of more digits are times.
const LONGEST_NUMBER: usize = 9;

pub(super) fn run(options: &Add, out: &mut impl Write) -> Result<Verdict, Failure> {
    let name = file_name(&options.name)?;
    let folder = folder(&options.source.source)?;
    let known = match Migrator::from_folder(&folder) {
        Ok(migrator) => migrator.migrations()?,
        Err(_) if !folder.exists() => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let version = version(options, &known)?;
    let pair = options.reversible || !options.simple && last_is_pair(&known);
    let files: &[(&str, &str)] = if pair {
        &[
            (
                "up.sql",
                "-- What is done. Each statement ends with a semicolon.\n",
            ),
            ("down.sql", "-- How it is undone, in the opposite order.\n"),
        ]
    } else {
        &[("sql", "-- Each statement ends with a semicolon.\n")]
    };
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    for (kind, text) in files {
        let path = folder.join(format!("{version}_{name}.{kind}"));
        write(&path, text).map_err(|error| failed(&path, &error))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(Verdict::Clean)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot create {}: {error}", path.display()))
}

/// Blanks and hyphens become underscores; what no file system should have to hold is refused.
fn file_name(name: &str) -> Result<String, Failure> {
    let name: String = name
        .trim()
        .chars()
        .map(|c| if c == ' ' || c == '-' { '_' } else { c })
        .collect();
    let fits = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if fits {
        return Ok(name);
    }
    Err(Failure::new(format!(
        "`{name}` cannot be part of a file's name: write letters, digits and underscores, as in create_users"
    )))
}

fn last_is_pair(known: &[Migration]) -> bool {
    known.last().is_some_and(|last| last.down().is_some())
}

/// As the folder does it: numbers of the same width, or times.
fn version(options: &Add, known: &[Migration]) -> Result<String, Failure> {
    let last = known.last();
    let digits = last
        .and_then(|last| last.up().file().split_once('_'))
        .map_or(0, |(version, _)| version.len());
    let counts = last.is_some_and(|_| digits <= LONGEST_NUMBER);
    if options.sequential || counts && !options.timestamp {
        let next = last.map_or(0, Migration::version) + 1;
        let width = if last.is_some() { digits } else { 4 };
        return Ok(format!("{next:0width$}"));
    }
    let mut version = now()?;
    while known.iter().any(|migration| migration.version() == version) {
        version += 1;
    }
    Ok(version.to_string())
}

/// The time in UTC as `20260131120000`.
fn now() -> Result<u64, Failure> {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    let time = chrono::DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    Ok(time.format("%Y%m%d%H%M%S").to_string().parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_to_fit() {
        assert_eq!(
            file_name(" create users-table ").unwrap(),
            "create_users_table"
        );
        for bad in ["", "../a", "a.sql", "a/b", "a\nb"] {
            assert!(file_name(bad).is_err(), "{bad}");
        }
    }
}
