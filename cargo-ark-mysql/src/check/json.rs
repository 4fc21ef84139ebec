//! The same for programs. The shape is a promise: keys may be added, none changes its meaning or goes away without a new `version`.
//!
//! ```json
//! {
//!   "version": 1,
//!   "server": true,                    // whether one was asked
//!   "complete": true,                  // false: cargo check failed, there may be more behind its errors
//!   "statements": 214,
//!   "not_asked": 0,                    // of these, which the server was not asked about
//!   "findings": [
//!     {
//!       "kind": "changed",             // changed, missing, left-over, damaged, refused
//!       "package": "shop",
//!       "entry": "/…/.ark-mysql/819ed510af1f5659.json",
//!       "sql": "SELECT id FROM users", // null for what is no statement
//!       "places": [{"file": "src/main.rs", "line": 12}],
//!       "changes": [{"subject": "users.id", "old": "i32", "new": "i64"}],
//!       "message": null,               // of damaged and refused
//!       "repairable": true             // whether `cargo ark-mysql prepare --prune` puts it right
//!     }
//!   ]
//! }
//! ```

use std::io::Write;

use serde_json::{Value, json};

use super::Sum;
use super::finding::{Finding, What};
use crate::Verdict;
use crate::failure::Failure;

/// Writes all of it, and judges: no findings behind a broken build are no good news.
pub(super) fn write(
    findings: &[Finding],
    sum: &Sum,
    out: &mut impl Write,
) -> Result<Verdict, Failure> {
    let report = json!({
        "version": 1,
        "server": sum.live,
        "complete": sum.complete,
        "statements": sum.statements,
        "not_asked": sum.unasked,
        "findings": findings.iter().map(finding).collect::<Vec<Value>>(),
    });
    writeln!(out, "{report:#}")?;
    Ok(match sum.complete && findings.is_empty() {
        true => Verdict::Clean,
        false => Verdict::Findings,
    })
}

fn finding(finding: &Finding) -> Value {
    let places = finding.places.iter();
    let places: Vec<Value> = places
        .map(|place| json!({"file": place.file, "line": place.line}))
        .collect();
    let (changes, message) = match &finding.what {
        What::Changed(changes) => (changes.as_slice(), None),
        What::Damaged(message) | What::Refused(message) => (&[][..], Some(message)),
        What::Missing | What::LeftOver => (&[][..], None),
    };
    let changes = changes.iter();
    let changes: Vec<Value> = changes
        .map(|change| json!({"subject": change.subject, "old": change.old, "new": change.new}))
        .collect();
    json!({
        "kind": finding.what.name(),
        "package": finding.package,
        "entry": finding.entry,
        "sql": finding.sql,
        "places": places,
        "changes": changes,
        "message": message,
        "repairable": finding.repairable,
    })
}
