//! How findings are told to people: a change of a column once, with every statement that it concerns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::counted;
use super::finding::{Finding, What};
use crate::difference::Change;
use crate::statements::{one_line, short};

/// All of them: what changed first, each change with its statements, then one by one what else is wrong.
pub(super) fn text(findings: &[Finding]) -> String {
    let mut out = String::new();
    let mut changes: BTreeMap<(&str, &Change), Vec<&Finding>> = BTreeMap::new();
    for finding in findings {
        let What::Changed(of_statement) = &finding.what else {
            continue;
        };
        for change in of_statement {
            let concerned = changes.entry((&finding.package, change)).or_default();
            if !concerned.iter().any(|known| known.sql == finding.sql) {
                concerned.push(finding);
            }
        }
    }
    for ((_, change), concerned) in changes {
        write_change(&mut out, change, &concerned);
    }
    for finding in findings {
        write_other(&mut out, finding);
    }
    out
}

fn write_change(out: &mut String, change: &Change, concerned: &[&Finding]) {
    let statements: Vec<&str> = concerned
        .iter()
        .filter_map(|finding| finding.sql.as_deref())
        .collect();
    if statements.is_empty() {
        let file = concerned.first().map(|finding| short(&finding.entry));
        let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
        let _ = writeln!(out, "{file}{change}");
        return;
    }
    let places: Vec<String> = concerned
        .iter()
        .flat_map(|finding| places(finding))
        .collect();
    let count = counted(statements.len(), "statement");
    let _ = writeln!(out, "{change} in {count} ({})", places.join(", "));
    for sql in statements {
        let _ = writeln!(out, "    {}", one_line(sql));
    }
}

fn write_other(out: &mut String, finding: &Finding) {
    let sql = finding.sql.as_deref().map(one_line);
    let sql = sql.map(|sql| format!("\n    {sql}")).unwrap_or_default();
    let what = match &finding.what {
        What::Changed(_) => return,
        What::LeftOver => {
            let (file, name) = (short(&finding.entry), &finding.package);
            let _ = writeln!(
                out,
                "{file}: left over: no statement of `{name}` uses it{sql}"
            );
            return;
        }
        What::Missing => "missing in the cache",
        What::Damaged(message) | What::Refused(message) => message,
    };
    let place = match places(finding).as_slice() {
        [] => String::new(),
        [first] => format!("{first}: "),
        [first, more @ ..] => format!("{first} (and {} more): ", more.len()),
    };
    let _ = writeln!(out, "{place}{what}{sql}");
}

fn places(finding: &Finding) -> Vec<String> {
    let places = finding.places.iter();
    places
        .map(|place| format!("{}:{}", place.file, place.line))
        .collect()
}
