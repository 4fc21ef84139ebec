//! When an expression gives NULL.

use super::functions::{self, Rule};
use super::scope::{Grouping, Lookup, Outside, Scope};
use super::{Fact, Prover};
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression};

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
                real: is_real_date(text),
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
    fn choice(&self, facts: &[Fact]) -> Fact {
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

    fn call(&self, call: &Call, scope: &Scope<'_>) -> Fact {
        if functions::is_aggregate(&call.name) && call.over.is_none() {
            return self.aggregate(call, scope);
        }
        if let Some(over) = call.over {
            return self.window(call, over.framed, scope);
        }
        let facts = self.arguments(&call.name, &call.arguments, scope);
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        let strict = first_nullable(&facts);
        match functions::rule(&call.name) {
            Rule::Never => Fact {
                kind: call.name.starts_with("UUID").then_some(Kind::Uuid),
                ..Fact::NEVER
            },
            Rule::Clock => Fact {
                real: true,
                kind: clock_kind(&call.name),
                ..Fact::NEVER
            },
            Rule::Strict => strict,
            Rule::AnyOf => any_of(&facts),
            Rule::If => self.choice(facts.get(1..).unwrap_or_default()),
            Rule::Part => only_if(has_part(&call.name, first.kind), strict, Why::Date),
            Rule::OfRealDate => only_if(
                functions::is_moment(first.kind) && first.real && facts.len() == 1,
                strict,
                Why::Date,
            ),
            Rule::Cast => cast(call, first),
            Rule::Modulo => divided(strict, &call.arguments),
            Rule::OfInteger => only_if(functions::is_integer(first.kind), strict, Why::Function),
            Rule::Repeated => only_if(
                matches!(call.arguments.last(), Some(Expression::Literal(_))),
                strict,
                Why::Function,
            ),
            Rule::First => first,
            Rule::JsonObject => {
                first_nullable(&facts.iter().copied().step_by(2).collect::<Vec<_>>())
            }
            Rule::DateFormat => only_if(
                functions::is_moment(first.kind) && formats(call, first),
                strict,
                Why::Date,
            ),
            Rule::Extreme => Fact {
                kind: common_kind(&facts),
                ..only_if(common_kind(&facts).is_some(), strict, Why::Function)
            },
            Rule::Extract => extract(call, &facts),
            Rule::TimeToSec => only_if(first.kind == Some(Kind::Time), strict, Why::Function),
            Rule::Sha2 => only_if(
                matches!(call.arguments.get(1), Some(Expression::Literal(bits)) if ["224", "256", "384", "512"].contains(&bits.as_str())),
                strict,
                Why::Function,
            ),
            Rule::Partial => Fact::maybe(if strict.nullable {
                strict.why
            } else {
                Why::Function
            }),
            Rule::Unknown => {
                // An aggregate of somebody's own would change what everything beside it means.
                if !crate::sql::is_builtin(&call.name) {
                    self.lost.set(true);
                }
                Fact::maybe(if strict.nullable {
                    strict.why
                } else {
                    Why::NotUnderstood
                })
            }
        }
    }

    fn aggregate(&self, call: &Call, scope: &Scope<'_>) -> Fact {
        let before = Scope {
            relations: scope.relations.clone(),
            grouping: Grouping::None,
            merges: scope.merges,
            outside: scope.outside,
        };
        // Where nothing is further out it cannot belong there.
        let own = scope.outside.scope.is_none()
            || call
                .arguments
                .iter()
                .all(|argument| is_own(argument, &before));
        if !own {
            self.lost.set(true);
        }
        let facts = self.facts(&call.arguments, &before);
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        if functions::is_count(&call.name) {
            return Fact {
                kind: Some(Kind::BigInt),
                ..Fact::NEVER
            };
        }
        match scope.grouping {
            Grouping::Groups if call.name == "JSON_ARRAYAGG" => Fact::NEVER,
            Grouping::Groups if functions::keeps_values(&call.name) => Fact {
                kind: computed_kind(first.kind, first.real)
                    .filter(|_| ["MIN", "MAX"].contains(&call.name.as_str())),
                ..first
            },
            Grouping::Groups => Fact::maybe(Why::Function),
            Grouping::Rollup => Fact::maybe(Why::Rollup),
            Grouping::None | Grouping::All => Fact::maybe(Why::NoRows),
        }
    }

    fn window(&self, call: &Call, framed: bool, scope: &Scope<'_>) -> Fact {
        let facts = self.facts(&call.arguments, scope);
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        match call.name.as_str() {
            name if functions::numbers_rows(name) => Fact::NEVER,
            "NTILE" if matches!(call.arguments.first(), Some(Expression::Literal(_))) => {
                Fact::NEVER
            }
            "MIN" | "MAX" | "SUM" | "AVG" | "FIRST_VALUE" | "LAST_VALUE" if !framed => Fact {
                kind: None,
                ..first
            },
            "LAG" | "LEAD" if facts.len() == 3 => first_nullable(&facts),
            _ => Fact::maybe(Why::Function),
        }
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

/// Whether an aggregate of this argument belongs to this SELECT for certain: one of outer columns belongs further out.
fn is_own(argument: &Expression, scope: &Scope<'_>) -> bool {
    match argument {
        Expression::Column(table, name) => {
            matches!(scope.column(table.as_deref(), name), Lookup::Own(_))
        }
        Expression::Subquery(_) | Expression::Exists(_) | Expression::AmongRows(..) => false,
        other => other.parts().into_iter().all(|part| is_own(part, scope)),
    }
}

fn divided(fact: Fact, parts: &[Expression]) -> Fact {
    match parts {
        [_, Expression::Literal(divisor)] if is_not_zero(divisor) => fact,
        _ if fact.nullable => fact,
        _ => Fact::maybe(Why::Division),
    }
}

/// The one in which no flag is believed makes the whole so.
fn first_nullable(facts: &[Fact]) -> Fact {
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

fn any_of(facts: &[Fact]) -> Fact {
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

fn only_if(known: bool, fact: Fact, otherwise: Why) -> Fact {
    if known || fact.nullable {
        fact
    } else {
        Fact::maybe(otherwise)
    }
}

fn common_kind(facts: &[Fact]) -> Option<Kind> {
    let first = facts.first()?.kind?;
    let same = facts.iter().all(|fact| fact.kind == Some(first));
    computed_kind(Some(first), facts.iter().all(|fact| fact.real)).filter(|_| same)
}

/// MySQL takes zero dates apart when they come from a column. From an expression they give NULL, where sql_mode forbids them.
fn computed_kind(kind: Option<Kind>, real: bool) -> Option<Kind> {
    kind.filter(|kind| real || !functions::is_moment(Some(*kind)))
}

fn cast(call: &Call, first: Fact) -> Fact {
    let target = call.target.as_deref().unwrap_or_default();
    let kind = match target {
        "CHAR" | "VARCHAR" => Some(Kind::Text),
        "SIGNED" | "INTEGER" | "INT" => Some(Kind::BigInt),
        "UNSIGNED" => Some(Kind::BigIntUnsigned),
        "DECIMAL" => Some(Kind::Decimal),
        "DOUBLE" => Some(Kind::Double),
        "BINARY" | "FLOAT" => None,
        "DATE" | "DATETIME" if functions::is_moment(first.kind) && first.real => {
            Some(Kind::DateTime)
        }
        _ => {
            return Fact::maybe(if first.nullable {
                first.why
            } else {
                Why::Function
            });
        }
    };
    Fact {
        kind,
        real: first.real && kind == Some(Kind::DateTime),
        ..first
    }
}

fn formats(call: &Call, date: Fact) -> bool {
    match call.arguments.get(1) {
        Some(Expression::Literal(format)) => {
            functions::formats_zero_dates(format) || date.real && format.len() > 2
        }
        _ => false,
    }
}

fn extract(call: &Call, facts: &[Fact]) -> Fact {
    match (call.arguments.first(), facts) {
        (Some(Expression::Column(None, unit)), [_, date]) => {
            let known = has_part(&unit.to_ascii_uppercase(), date.kind);
            only_if(known, first_nullable(&[*date]), Why::Date)
        }
        _ => Fact::maybe(Why::Function),
    }
}

/// Whether every value of the kind has this part: zero dates have all, in numbers.
fn has_part(part: &str, kind: Option<Kind>) -> bool {
    let of_times = ["HOUR", "MINUTE", "SECOND", "MICROSECOND"].contains(&part);
    functions::is_part(part) && (functions::is_moment(kind) || of_times && kind == Some(Kind::Time))
}

/// An integer or a plain decimal with a digit that is not zero. Exponents may make it zero.
fn is_not_zero(literal: &str) -> bool {
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

/// DATE'2024-00-00' may be written, where sql_mode lets it.
fn is_real_date(literal: &str) -> bool {
    !literal.contains("-00") && !literal.contains("-0-") && !literal.contains("0000")
}

fn clock_kind(name: &str) -> Option<Kind> {
    match name {
        "CURDATE" | "CURRENT_DATE" | "UTC_DATE" => Some(Kind::Date),
        "CURTIME" | "CURRENT_TIME" | "UTC_TIME" => Some(Kind::Time),
        _ => Some(Kind::DateTime),
    }
}
