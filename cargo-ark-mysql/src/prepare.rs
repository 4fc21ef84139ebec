//! `cargo ark-mysql prepare`: asks the server about every statement and writes the cache.

use std::io::Write;

use ark_mysql_check::describe::cache::Written;
use ark_mysql_check::record::By;
use ark_mysql_check::settings::DATABASE_URL;

use crate::arguments::PrepareOptions;
use crate::collect::collect;
use crate::database::Servers;
use crate::failure::Failure;
use crate::statements::{Package, by_package, one_line, unasked};
use crate::workspace::Workspace;
use crate::{Verdict, background, database};

/// What was done, in numbers.
#[derive(Default)]
struct Sum {
    written: usize,
    unchanged: usize,
    removed: usize,
    left_over: usize,
    failed: usize,
    unasked: usize,
}

pub(crate) fn run(options: &PrepareOptions, out: &mut impl Write) -> Result<Verdict, Failure> {
    let workspace = Workspace::load(&options.selection)?;
    let servers = database::find(&workspace, &options.database, false)?.ok_or_else(no_server)?;
    writeln!(out, "Asking {}", servers.described.join(" and "))?;
    let collected = collect(&workspace, &options.selection, &servers.environment)?;
    let mut sum = Sum::default();
    for package in by_package(&workspace, collected.records) {
        write_cache(&package, &mut sum, out)?;
        note_settings(&package, &servers)?;
        if options.selection.names_targets() {
            continue; // what the other targets use is not known
        }
        // After a broken build a statement that was not seen may well be there.
        let prune = options.prune || options.selection.is_all_of(package.member);
        clear_cache(&package, prune && collected.complete, &mut sum)?;
    }
    report(&sum, collected.complete, out)?;
    Ok(if collected.complete && sum.failed == 0 {
        Verdict::Clean
    } else {
        Verdict::Findings
    })
}

fn no_server() -> Failure {
    Failure::new(format!(
        "there is no server to ask: set {DATABASE_URL} (in the environment, in a file .env beside Cargo.toml, or by --database-url) \
         to a development server, such as mysql://root@127.0.0.1:3306/shop{}; or have a throw-away one started: \
         `cargo ark-mysql prepare --dev --migrations FOLDER`",
        background::advice()
    ))
}

fn write_cache(package: &Package<'_>, sum: &mut Sum, out: &mut impl Write) -> Result<(), Failure> {
    let cache = package.member.cache();
    for statement in &package.statements {
        sum.unasked += usize::from(statement.by == By::Cache);
        match &statement.outcome {
            Ok(description) => match cache.write(&statement.sql, description)? {
                Written::Changed => sum.written += 1,
                Written::Unchanged => sum.unchanged += 1,
            },
            Err(message) => {
                sum.failed += 1;
                writeln!(
                    out,
                    "{}: not written: {message}\n    {}",
                    statement.place(),
                    one_line(&statement.sql)
                )?;
            }
        }
    }
    Ok(())
}

/// What was set at the server, beside the statements that it described: `verify_schema!` compares it.
fn note_settings(package: &Package<'_>, servers: &Servers) -> Result<(), Failure> {
    if package.statements.is_empty() {
        return Ok(());
    }
    if let Some(settings) = servers.settings_for(package.member)? {
        package.member.cache().write_session(&settings)?;
    }
    Ok(())
}

fn clear_cache(package: &Package<'_>, prune: bool, sum: &mut Sum) -> Result<(), Failure> {
    let left_over = package.left_over()?;
    if !prune {
        sum.left_over += left_over.len();
        return Ok(());
    }
    for file in left_over {
        package.member.cache().remove(&file)?;
        sum.removed += 1;
    }
    Ok(())
}

fn report(sum: &Sum, complete: bool, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{} written, {} unchanged, {} removed",
        sum.written, sum.unchanged, sum.removed
    )?;
    if let Some(text) = unasked(sum.unasked) {
        writeln!(out, "{text}")?;
    }
    if sum.failed > 0 {
        writeln!(out, "{} could not be described", sum.failed)?;
    }
    if !complete {
        writeln!(
            out,
            "cargo check failed (see its messages): statements behind the errors were not seen, and nothing was removed"
        )?;
    } else if sum.left_over > 0 {
        writeln!(
            out,
            "{} no longer used: `cargo ark-mysql prepare --prune` removes them",
            sum.left_over
        )?;
    }
    Ok(())
}
