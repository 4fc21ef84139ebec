//! Where values meet that are of two types.

use super::scope::Scope;
use super::{Fact, Prover};
use crate::description::Kind;
use crate::sql::tree::Expression;

/// Functions that bring what they are given to one type.
const OF_ONE_TYPE: [&str; 8] = [
    "COALESCE", "FIELD", "GREATEST", "IF", "IFNULL", "LEAST", "NULLIF", "NVL",
];

impl Prover<'_> {
    /// Whether text may have to become a UUID or an INET somewhere in it. MariaDB makes NULL of text that is none, in an expression that it
    /// calls NOT NULL: `'1' = UUID()`.
    pub(super) fn converts(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        let parts = expression.parts();
        let meet = match expression {
            Expression::Comparison(_)
            | Expression::Among(_)
            | Expression::AmongRows(..)
            | Expression::Case { .. } => true,
            Expression::Call(call) => OF_ONE_TYPE.contains(&call.name.as_str()),
            _ => false,
        };
        meet && self.are_of_two_types(&parts, scope)
            || parts.into_iter().any(|part| self.converts(part, scope))
    }

    fn are_of_two_types(&self, parts: &[&Expression], scope: &Scope<'_>) -> bool {
        let facts: Vec<Fact> = parts.iter().map(|part| self.fact(part, scope)).collect();
        let first = facts.first().and_then(|fact| fact.kind);
        let alike = parts.len() > 1
            && facts
                .iter()
                .all(|fact| is_strict(fact) && fact.kind == first);
        !alike && parts.iter().any(|part| self.has_strict(part, scope))
    }

    fn has_strict(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        is_strict(&self.fact(expression, scope))
            || expression
                .parts()
                .into_iter()
                .any(|part| self.has_strict(part, scope))
    }
}

/// Whether it is of a type that not every text can become.
fn is_strict(fact: &Fact) -> bool {
    matches!(fact.kind, Some(Kind::Uuid | Kind::Inet4 | Kind::Inet6))
}
