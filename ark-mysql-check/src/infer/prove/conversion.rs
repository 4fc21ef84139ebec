//! Where values meet that are of two types.
//!
//! MariaDB makes UUIDs and INETs of text that meets one, and NULL of text that is none, in expressions that it calls NOT NULL:
//! `'1' = UUID()`.

use std::cell::Cell;

use super::scope::Scope;
use super::{Fact, Prover};
use crate::description::Kind;
use crate::sql::tree::Expression;

/// What the walk has met so far.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// A value of such a type.
    strict: Cell<bool>,
    /// One beside a value of another type.
    convert: Cell<bool>,
}

/// Functions that bring what they are given to one type.
const TO_ONE_TYPE: [&str; 7] = [
    "COALESCE", "FIELD", "GREATEST", "IFNULL", "LEAST", "NULLIF", "NVL",
];

impl Meetings {
    pub(super) fn note(&self, fact: &Fact) {
        self.strict.set(self.strict.get() || is_strict(fact));
    }

    /// Whether text may have to become something else within this. What was met before it stays what it was.
    pub(super) fn within<T>(&self, walk: impl FnOnce() -> T) -> (T, bool) {
        let before = self.convert.replace(false);
        let result = walk();
        (result, self.convert.replace(before))
    }
}

impl Prover<'_> {
    /// The facts of values that are compared with each other, or brought to one type.
    pub(super) fn meeting(&self, parts: &[Expression], scope: &Scope<'_>) -> Vec<Fact> {
        let before = self.meetings.strict.replace(false);
        let facts = self.facts(parts, scope);
        let strict = self.meetings.strict.get();
        self.meetings.strict.set(before || strict);
        if strict && !are_alike(&facts) {
            self.meetings.convert.set(true);
        }
        facts
    }

    /// Those whose facts are known already.
    pub(super) fn met(&self, facts: &[Fact]) {
        if facts.iter().any(is_strict) && !are_alike(facts) {
            self.meetings.convert.set(true);
        }
    }

    /// The facts of a function's arguments.
    pub(super) fn arguments(
        &self,
        name: &str,
        parts: &[Expression],
        scope: &Scope<'_>,
    ) -> Vec<Fact> {
        match TO_ONE_TYPE.contains(&name) {
            true => self.meeting(parts, scope),
            false => self.facts(parts, scope),
        }
    }
}

fn are_alike(facts: &[Fact]) -> bool {
    let first = facts.first().and_then(|fact| fact.kind);
    facts
        .iter()
        .all(|fact| is_strict(fact) && fact.kind == first)
}

/// Whether it is of a type that not every text can become.
fn is_strict(fact: &Fact) -> bool {
    matches!(fact.kind, Some(Kind::Uuid | Kind::Inet4 | Kind::Inet6))
}
