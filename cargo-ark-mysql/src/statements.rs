//! Sorts records by package and statement: one statement may stand in many places.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Display, Path, PathBuf};

use ark_mysql_check::describe::cache::{CacheError, file_name};
use ark_mysql_check::description::{Description, Place};
use ark_mysql_check::record::{By, Record};

use crate::workspace::{Member, Workspace};

/// One statement of one package.
pub(crate) struct Statement {
    pub(crate) sql: String,
    /// Where it stands; never empty.
    pub(crate) places: Vec<Place>,
    /// Who was asked: a server, if any expansion had one.
    pub(crate) by: By,
    /// What it is, or why that is not known.
    pub(crate) outcome: Result<Description, String>,
}

/// The statements of one package, sorted by place.
pub(crate) struct Package<'w> {
    pub(crate) member: &'w Member,
    pub(crate) statements: Vec<Statement>,
}

/// Sorts the records of the workspace's members; others (path dependencies that were not selected) are left out.
pub(crate) fn by_package(workspace: &Workspace, records: Vec<Record>) -> Vec<Package<'_>> {
    let mut packages: Vec<Package<'_>> = workspace
        .members
        .iter()
        .map(|member| Package {
            member,
            statements: Vec::new(),
        })
        .collect();
    let mut index: BTreeMap<(String, String), usize> = BTreeMap::new();
    for record in records {
        let Some(name) = workspace
            .member(&record.place.manifest_dir)
            .map(|member| member.name.clone())
        else {
            continue;
        };
        let Some(package) = packages
            .iter_mut()
            .find(|package| package.member.name == name)
        else {
            continue;
        };
        let at = *index
            .entry((name, record.sql.clone()))
            .or_insert(package.statements.len());
        match package.statements.get_mut(at) {
            Some(known) => known.add(record),
            None => package.statements.push(Statement::first(record)),
        }
    }
    packages
}

impl Statement {
    fn first(record: Record) -> Self {
        Self {
            sql: record.sql,
            places: vec![record.place],
            by: record.by,
            outcome: record.outcome,
        }
    }

    fn add(&mut self, record: Record) {
        if !self.places.contains(&record.place) {
            self.places.push(record.place);
        }
        if self.outcome.is_err() || (self.by == By::Cache && record.by == By::Server) {
            self.by = record.by;
            self.outcome = record.outcome;
        }
    }

    /// Returns `src/main.rs:12`, and how many places more.
    pub(crate) fn place(&self) -> String {
        let first = self
            .places
            .first()
            .map(|place| format!("{}:{}", place.file, place.line))
            .unwrap_or_default();
        match self.places.len() {
            0 | 1 => first,
            more => format!("{first} (and {} more)", more - 1),
        }
    }
}

impl Package<'_> {
    /// Returns the files of the cache that belong to no statement; without statements nobody needs the settings of their server either.
    pub(crate) fn left_over(&self) -> Result<Vec<PathBuf>, CacheError> {
        let used: BTreeSet<String> = self
            .statements
            .iter()
            .map(|statement| file_name(&statement.sql))
            .collect();
        let files = self.member.cache().files()?;
        let is_used = |file: &PathBuf| {
            file.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| used.contains(name))
        };
        let session = self.member.cache().session_path();
        let session = (self.statements.is_empty() && session.exists()).then_some(session);
        Ok(files
            .into_iter()
            .filter(|file| !is_used(file))
            .chain(session)
            .collect())
    }
}

/// Says how many statements no server was asked about although one was there: their crates have no address, or it went away.
pub(crate) fn unasked(count: usize) -> Option<String> {
    (count > 0).then(|| {
        format!("{count} of them were described by the cache, not by a server: their packages have no DATABASE_URL, or it did not answer")
    })
}

/// A path as one would type it here.
pub(crate) fn short(path: &Path) -> Display<'_> {
    let here = std::env::current_dir().ok();
    here.and_then(|here| path.strip_prefix(here).ok())
        .unwrap_or(path)
        .display()
}

/// A statement on one line, cut to a length that a terminal shows.
pub(crate) fn one_line(sql: &str) -> String {
    const MOST: usize = 100;
    let mut line: String = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    line.retain(|c| !c.is_control());
    if line.chars().count() <= MOST {
        return line;
    }
    line.chars().take(MOST).collect::<String>() + " …"
}
