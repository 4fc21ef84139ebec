//! `cargo ark-mysql check`: what is missing, stale or different in the cache.
//!
//! | module | what it decides |
//! |---|---|
//! | `finding` | what can be wrong |
//! | `show` | how that is told: what changed once, with all statements that it concerns |
//! | `json` | the same for programs |

mod finding;
mod json;
mod show;

use std::io::Write;
use std::path::Path;

use ark_mysql_check::describe::cache::read_entry;
use ark_mysql_check::description::Types;
use ark_mysql_check::record::By;
use ark_mysql_check::settings::{DATABASE_URL, OFFLINE, Settings};

use finding::{Finding, What};

use crate::Verdict;
use crate::arguments::CheckOptions;
use crate::collect::collect;
use crate::database::{self, Servers};
use crate::difference::{differences, settings};
use crate::failure::Failure;
use crate::statements::{Package, Statement, by_package, unasked};
use crate::workspace::Workspace;

pub(crate) fn run(options: &CheckOptions, out: &mut impl Write) -> Result<Verdict, Failure> {
    let workspace = Workspace::load(&options.selection)?;
    let servers = database::find(&workspace, &options.database, true)?;
    let offline = vec![(OFFLINE, "1".into())];
    let environment = servers
        .as_ref()
        .map_or(&offline, |servers| &servers.environment);
    if !options.json {
        announce(servers.as_ref(), out)?;
    }
    let collected = collect(&workspace, &options.selection, environment)?;
    let mut sum = Sum {
        live: servers.is_some(),
        complete: collected.complete,
        partial: options.selection.names_targets(),
        ..Sum::default()
    };
    let mut findings = Vec::new();
    for package in by_package(&workspace, collected.records) {
        sum.add(&package);
        findings.extend(findings_of(&package, &sum)?);
        findings.extend(settings_of(&package, servers.as_ref())?);
    }
    sum.findings = findings.len();
    sum.repairable = findings.iter().any(|finding| finding.repairable);
    if options.json {
        return json::write(&findings, &sum, out);
    }
    write!(out, "{}", show::text(&findings))?;
    conclude(&sum, out)
}

/// What was seen.
#[derive(Default)]
struct Sum {
    live: bool,
    complete: bool,
    /// Only some targets were compiled.
    partial: bool,
    statements: usize,
    unasked: usize,
    findings: usize,
    repairable: bool,
}

impl Sum {
    fn add(&mut self, package: &Package<'_>) {
        self.statements += package.statements.len();
        self.unasked += package
            .statements
            .iter()
            .filter(|statement| self.live && statement.by == By::Cache)
            .count();
    }
}

fn announce(servers: Option<&Servers>, out: &mut impl Write) -> Result<(), Failure> {
    match servers {
        Some(servers) => writeln!(
            out,
            "Comparing the cache with the sources and with {}",
            servers.described.join(" and ")
        )?,
        None => writeln!(
            out,
            "Comparing the cache with the sources alone: without {DATABASE_URL}, or with {OFFLINE}=1, no server is asked (--dev starts one)"
        )?,
    }
    Ok(())
}

fn findings_of(package: &Package<'_>, sum: &Sum) -> Result<Vec<Finding>, Failure> {
    let environment = |name: &str| std::env::var_os(name);
    let types = Settings::load(&package.member.manifest_dir, &environment)?.types;
    let mut found: Vec<Finding> = package
        .statements
        .iter()
        .filter_map(|statement| finding(package, statement, &types, sum.live))
        .collect();
    // After a broken build an entry may well belong to a statement that was not seen, and so it may where only some targets were compiled.
    if sum.complete && !sum.partial {
        let files = package.left_over()?;
        found.extend(files.iter().map(|file| left_over(package, file)));
    }
    Ok(found)
}

fn left_over(package: &Package<'_>, file: &Path) -> Finding {
    let entry = read_entry(file).ok().flatten();
    Finding {
        package: package.member.name.clone(),
        what: What::LeftOver,
        places: Vec::new(),
        sql: entry.map(|entry| entry.sql),
        entry: file.to_owned(),
        repairable: true,
    }
}

/// Compares one statement with its entry; without a server the entry is all that is known.
fn finding(
    package: &Package<'_>,
    statement: &Statement,
    types: &Types,
    live: bool,
) -> Option<Finding> {
    let cache = package.member.cache();
    let (what, repairable) = match (cache.read(&statement.sql), &statement.outcome) {
        (_, Err(message)) if live => (What::Refused(message.clone()), false),
        (Err(error), _) => (What::Damaged(error.to_string()), true),
        (Ok(None), _) => (What::Missing, true),
        (Ok(Some(cached)), Ok(now)) => {
            let changes = differences(&statement.sql, &cached, now, types);
            if changes.is_empty() {
                return None;
            }
            (What::Changed(changes), true)
        }
        (Ok(Some(_)), Err(message)) => (What::Refused(message.clone()), false),
    };
    Some(Finding {
        package: package.member.name.clone(),
        what,
        places: statement.places.clone(),
        sql: Some(statement.sql.clone()),
        entry: cache.path(&statement.sql),
        repairable,
    })
}

/// Compares what was set at the server that described the statements with what is set now.
fn settings_of(
    package: &Package<'_>,
    servers: Option<&Servers>,
) -> Result<Option<Finding>, Failure> {
    let Some(servers) = servers.filter(|_| !package.statements.is_empty()) else {
        return Ok(None);
    };
    let Some(now) = servers.settings_for(package.member)? else {
        return Ok(None);
    };
    let cache = package.member.cache();
    let what = match cache.session() {
        Ok(noted) if noted == now => return Ok(None),
        Ok(noted) => What::Changed(settings(&noted, &now)),
        Err(error) => What::Damaged(error.to_string()),
    };
    Ok(Some(Finding {
        package: package.member.name.clone(),
        what,
        places: Vec::new(),
        sql: None,
        entry: cache.session_path(),
        repairable: true,
    }))
}

fn conclude(sum: &Sum, out: &mut impl Write) -> Result<Verdict, Failure> {
    if !sum.complete && sum.findings == 0 {
        return Err(Failure::new(
            "cargo check failed (see its messages): statements behind the errors were not seen",
        ));
    }
    let unasked = unasked(sum.unasked)
        .map(|text| format!("{text}\n"))
        .unwrap_or_default();
    if sum.findings == 0 {
        let agreed = match sum.live {
            true => "the sources, the cache and the server agree",
            false if sum.partial => "each is in the cache",
            false => "each is in the cache, and nothing else is",
        };
        write!(
            out,
            "{} checked: {agreed}\n{unasked}",
            counted(sum.statements, "statement")
        )?;
        return Ok(Verdict::Clean);
    }
    write!(
        out,
        "{} checked: {}\n{unasked}",
        counted(sum.statements, "statement"),
        counted(sum.findings, "finding")
    )?;
    if sum.repairable {
        writeln!(
            out,
            "`cargo ark-mysql prepare --prune` brings the cache up to date"
        )?;
    }
    if !sum.complete {
        writeln!(
            out,
            "cargo check failed (see its messages): there may be more behind the errors"
        )?;
    }
    Ok(Verdict::Findings)
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
