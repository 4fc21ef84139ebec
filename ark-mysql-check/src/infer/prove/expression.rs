//! When an expression gives NULL.

use super::call::only_if;
use super::scope::{Grouping, Lookup, Outside, Scope};
use super::{Fact, Prover};
use super::{dates, functions};
use crate::description::{Kind, Why};
use crate::sql::tree::Expression;

impl Prover<'_> {
    /// Every part is looked at, whether it matters or not: subqueries in it may make the whole doubtful.
    pub(super) fn fact(&self, expression: &Expression, scope: &Scope<'_>) -> Fact {
        let fact = self.found(expression, scope);
        self.meetings.note(&fact);
        fact
    }

    fn found(&self, expression: &Expression, scope: &Scope<'_>) -> Fact {
        match expression {
            Expression::Null => Fact::maybe(Why::Null),
            Expression::Literal(text) => Fact {
                kind: literal_kind(text),
                real: dates::is_real_date(text),
                ..Fact::NEVER
            },
            Expression::Parameter(_) => Fact::maybe(Why::Parameter),
            Expression::Column(table, name) => match scope.column(table.as_deref(), name) {
                Lookup::Own(fact) | Lookup::Outer(fact) => fact,
                Lookup::Unknown => Fact::maybe(Why::NotUnderstood),
            },
            Expression::Call(call) => self.call(call, scope),
            Expression::Strict(parts) => self.all(parts, scope),
            Expression::Comparison(parts) | Expression::Among(parts) => {
                truth(first_nullable(&self.meeting(parts, scope)))
            }
            Expression::Pattern(parts) => truth(self.all(parts, scope)),
            // A pattern that is too large is NULL on MariaDB.
            Expression::Regexp(parts) => truth(only_if(
                matches!(parts.get(1), Some(Expression::Literal(_))),
                self.all(parts, scope),
                Why::Function,
            )),
            Expression::And(parts) | Expression::Or(parts) => self.all(&parts[..], scope),
            Expression::Division(parts) => divided(self.all(&parts[..], scope), &parts[..]),
            // What becomes NULL on the way is an answer, too.
            Expression::IsSomething(inner) => {
                self.meetings.within(|| self.fact(inner, scope));
                truth(Fact::NEVER)
            }
            Expression::Test(parts) => {
                self.meetings.within(|| self.all(parts, scope));
                truth(Fact::NEVER)
            }
            Expression::Case {
                conditions,
                results,
                has_else,
            } => {
                self.meetings.within(|| self.all(conditions, scope));
                let fact = self.choice(&self.facts(results, scope));
                if *has_else {
                    fact
                } else {
                    Fact::maybe(Why::CaseWithoutElse)
                }
            }
            Expression::Exists(query) => {
                self.query(query, &inside(scope));
                Fact::NEVER
            }
            Expression::AmongRows(one, query) => {
                let one = self.fact(one, scope);
                let rows = self
                    .query(query, &inside(scope))
                    .and_then(|columns| columns.into_iter().next());
                let rows = rows.map_or(Fact::maybe(Why::NotUnderstood), |column| column.fact);
                self.met(&[one, rows]);
                // MariaDB gives NULL for an aggregate IN (SELECT …).
                if scope.grouping != Grouping::None {
                    return Fact::maybe(Why::Subquery);
                }
                Fact {
                    kind: Some(Kind::BigInt),
                    ..first_nullable(&[one, rows])
                }
            }
            Expression::Subquery(query) => self.scalar(query, scope),
            Expression::Partial(parts) => {
                self.all(parts, scope);
                Fact::maybe(Why::Function)
            }
            Expression::Interval(amount, _) => self.fact(amount, scope).without_kind(),
            Expression::Unknown(parts) | Expression::Row(parts) => {
                self.all(parts, scope);
                Fact::maybe(Why::NotUnderstood)
            }
        }
    }

    pub(super) fn facts(&self, parts: &[Expression], scope: &Scope<'_>) -> Vec<Fact> {
        parts.iter().map(|part| self.fact(part, scope)).collect()
    }

    /// NULL if one of them is.
    fn all(&self, parts: &[Expression], scope: &Scope<'_>) -> Fact {
        first_nullable(&self.facts(parts, scope))
    }

    /// One of them, as it is.
    pub(super) fn choice(&self, facts: &[Fact]) -> Fact {
        self.met(facts);
        Fact {
            kind: common_kind(facts),
            real: facts.iter().all(|fact| fact.real),
            ..first_nullable(facts)
        }
    }

    fn scalar(&self, query: &crate::sql::tree::Query, scope: &Scope<'_>) -> Fact {
        let columns = self.query(query, &inside(scope));
        // MariaDB gives NULL for subqueries beside aggregates over no rows, even for COUNT.
        if scope.grouping == Grouping::All {
            return Fact::maybe(Why::NoRows);
        }
        let one = columns
            .filter(|_| self.gives_one_row(query))
            .and_then(|columns| columns.into_iter().next());
        one.map_or(Fact::maybe(Why::Subquery), |column| column.fact)
    }
}

/// What a subquery of an expression sees.
fn inside<'s>(scope: &'s Scope<'s>) -> Outside<'s> {
    Outside {
        scope: Some(scope),
        ctes: scope.outside.ctes.clone(),
        schema: scope.outside.schema,
    }
}

pub(super) fn divided(fact: Fact, parts: &[Expression]) -> Fact {
    match parts {
        [_, Expression::Literal(divisor)] if is_not_zero(divisor) => fact,
        _ if fact.nullable => fact,
        _ => Fact::maybe(Why::Division),
    }
}

/// The one in which no flag is believed makes the whole so.
pub(super) fn first_nullable(facts: &[Fact]) -> Fact {
    let mut nullable = facts.iter().filter(|fact| fact.nullable);
    let first = nullable.clone().next();
    nullable
        .find(|fact| fact.why == Why::NotBelieved)
        .or(first)
        .map_or(Fact::NEVER, |fact| Fact::maybe(fact.why))
}

/// 0 or 1.
fn truth(fact: Fact) -> Fact {
    Fact {
        kind: Some(Kind::BigInt),
        ..fact
    }
}

pub(super) fn any_of(facts: &[Fact]) -> Fact {
    let nullable = facts.iter().all(|fact| fact.nullable);
    let why = facts.first().map_or(Why::Function, |fact| fact.why);
    Fact {
        nullable,
        why,
        kind: common_kind(facts),
        real: facts.iter().all(|fact| fact.real),
        flag_holds: false,
    }
}

pub(super) fn common_kind(facts: &[Fact]) -> Option<Kind> {
    let first = facts.first()?.kind?;
    let same = facts.iter().all(|fact| fact.kind == Some(first));
    computed_kind(Some(first), facts.iter().all(|fact| fact.real)).filter(|_| same)
}

/// MySQL takes zero dates apart when they come from a column. From an expression they give NULL, where sql_mode forbids them.
pub(super) fn computed_kind(kind: Option<Kind>, real: bool) -> Option<Kind> {
    kind.filter(|kind| real || !functions::is_moment(Some(*kind)))
}

/// An integer or a plain decimal with a digit that is not zero. Exponents may make it zero.
pub(super) fn is_not_zero(literal: &str) -> bool {
    literal.len() <= 20
        && literal
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && literal.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}

fn literal_kind(text: &str) -> Option<Kind> {
    let kinds = [
        ("DATE'", Kind::Date),
        ("TIMESTAMP'", Kind::DateTime),
        ("TIME'", Kind::Time),
        ("'", Kind::Text),
    ];
    let found = kinds.into_iter().find(|(start, _)| text.starts_with(start));
    match found {
        Some((_, kind)) => Some(kind),
        None if text.bytes().all(|byte| byte.is_ascii_digit()) => Some(Kind::BigInt),
        None => None,
    }
}
