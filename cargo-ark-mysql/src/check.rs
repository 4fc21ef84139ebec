//! `cargo ark-mysql check`: what is missing, stale or different in the cache.

use std::io::Write;
use std::path::Path;

use ark_mysql_check::describe::cache::read_entry;
use ark_mysql_check::record::By;
use ark_mysql_check::settings::{DATABASE_URL, OFFLINE};

use crate::Verdict;
use crate::arguments::CheckOptions;
use crate::collect::collect;
use crate::database::{self, Servers};
use crate::difference::differences;
use crate::failure::Failure;
use crate::statements::{Package, Statement, by_package, one_line, short, unasked};
use crate::workspace::Workspace;

pub(crate) fn run(options: &CheckOptions, out: &mut impl Write) -> Result<Verdict, Failure> {
    let workspace = Workspace::load(&options.selection)?;
    let servers = database::find(&workspace, &options.database, true)?;
    let offline = vec![(OFFLINE, "1".into())];
    let environment = servers
        .as_ref()
        .map_or(&offline, |servers| &servers.environment);
    announce(servers.as_ref(), out)?;
    let collected = collect(&workspace, &options.selection, environment)?;
    let mut sum = Sum {
        live: servers.is_some(),
        complete: collected.complete,
        ..Sum::default()
    };
    for package in by_package(&workspace, collected.records) {
        sum.add(&package);
        for finding in findings_of(&package, &sum)? {
            writeln!(out, "{}", finding.text)?;
            sum.findings += 1;
            sum.repairable |= finding.repairable;
        }
    }
    conclude(&sum, out)
}

/// What was seen.
#[derive(Default)]
struct Sum {
    live: bool,
    complete: bool,
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

/// Something that is not as it should be.
struct Finding {
    text: String,
    /// Whether `prepare` puts it right.
    repairable: bool,
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
            "Comparing the cache with the sources (set {DATABASE_URL}, or give --dev, to have a server asked as well)"
        )?,
    }
    Ok(())
}

fn findings_of(package: &Package<'_>, sum: &Sum) -> Result<Vec<Finding>, Failure> {
    let mut found: Vec<Finding> = package
        .statements
        .iter()
        .filter_map(|statement| finding(package, statement, sum.live))
        .collect();
    // After a broken build an entry may well belong to a statement that was not seen.
    if sum.complete {
        found.extend(
            package
                .left_over()?
                .iter()
                .map(|file| left_over(package, file)),
        );
    }
    Ok(found)
}

fn left_over(package: &Package<'_>, file: &Path) -> Finding {
    let sql = read_entry(file)
        .ok()
        .flatten()
        .map(|entry| format!("\n    {}", one_line(&entry.sql)))
        .unwrap_or_default();
    let text = format!(
        "{}: left over: no statement of `{}` uses it{sql}",
        short(file),
        package.member.name
    );
    Finding {
        text,
        repairable: true,
    }
}

/// Compares one statement with its entry; without a server the entry is all that is known.
fn finding(package: &Package<'_>, statement: &Statement, live: bool) -> Option<Finding> {
    let cached = package.member.cache().read(&statement.sql);
    let (what, repairable) = match (cached, &statement.outcome) {
        (_, Err(message)) if live => (message.clone(), false),
        (Err(error), _) => (error.to_string(), true),
        (Ok(None), _) => ("missing in the cache".to_owned(), true),
        (Ok(Some(cached)), Ok(now)) => {
            let lines = differences(&cached, now);
            if lines.is_empty() {
                return None;
            }
            (
                format!("the cache is out of date\n  {}", lines.join("\n  ")),
                true,
            )
        }
        (Ok(Some(_)), Err(message)) => (message.clone(), false),
    };
    let text = format!(
        "{}: {what}\n    {}",
        statement.place(),
        one_line(&statement.sql)
    );
    Some(Finding { text, repairable })
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
