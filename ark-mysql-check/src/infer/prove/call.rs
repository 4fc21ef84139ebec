//! When a call of a function gives NULL.

use super::expression::{any_of, common_kind, computed_kind, divided, first_nullable};
use super::functions::{self, Rule};
use super::scope::{Grouping, Lookup, Scope};
use super::{Fact, Prover, dates, documents, shifted, texts};
use crate::description::{Kind, Why};
use crate::sql::tree::{Call, Expression, Over};

impl Prover<'_> {
    pub(super) fn call(&self, call: &Call, scope: &Scope<'_>) -> Fact {
        if functions::is_aggregate(&call.name) && call.over.is_none() {
            return self.aggregate(call, scope);
        }
        if let Some(over) = &call.over {
            return self.window(call, over, scope);
        }
        let facts = self.arguments(&call.name, &call.arguments, scope);
        let strict = first_nullable(&facts);
        if self.loses_zero_dates(call, &facts, scope) {
            return Fact::maybe(Why::NotBelieved);
        }
        let fact = self.by_name(call, &facts, strict, scope);
        if fact.nullable && !strict.nullable && functions::MISJUDGED.contains(&call.name.as_str()) {
            return Fact::maybe(Why::NotBelieved);
        }
        fact
    }

    fn by_name(&self, call: &Call, facts: &[Fact], strict: Fact, scope: &Scope<'_>) -> Fact {
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        match functions::rule(&call.name) {
            Rule::Never => Fact {
                kind: call.name.starts_with("UUID").then_some(Kind::Uuid),
                ..Fact::NEVER
            },
            Rule::Clock => Fact {
                real: true,
                kind: dates::clock_kind(&call.name),
                ..Fact::NEVER
            },
            Rule::Strict => strict,
            Rule::AnyOf => any_of(facts),
            Rule::If => self.choice(facts.get(1..).unwrap_or_default()),
            Rule::Part => only_if(dates::has_part(&call.name, first.kind), strict, Why::Date),
            Rule::OfRealDate => dates::of_real_date(call, first, strict),
            Rule::OfDates => dates::of_dates(call, facts, strict),
            Rule::Cast => self.cast(call, first, scope),
            Rule::Modulo => divided(strict, &call.arguments),
            Rule::First => first_nullable(&[first]), // its kind is another
            Rule::JsonObject => {
                let keys = facts.iter().copied().step_by(2);
                let keys = first_nullable(&keys.collect::<Vec<_>>());
                only_if(self.are_as_called(call, facts, scope), keys, Why::Function)
            }
            Rule::Extreme => Fact {
                kind: common_kind(facts),
                real: facts.iter().all(|fact| fact.real),
                ..only_if(common_kind(facts).is_some(), strict, Why::Function)
            },
            Rule::Shifted => shifted::of_shifted(call, facts, strict),
            Rule::Written => only_if(
                self.are_as_called(call, facts, scope),
                Fact::NEVER,
                Why::Function,
            ),
            Rule::OfTexts => only_if(texts::are_good(call, first), strict, Why::Function),
            Rule::OfDocuments => self.of_documents(call, facts, strict, scope),
            Rule::OfPositive => only_if(is_positive(call, first), strict, Why::Function),
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
            Grouping::Groups if call.name == "JSON_ARRAYAGG" => only_if(
                self.are_as_called(call, &facts, &before),
                Fact::NEVER,
                Why::Function,
            ),
            Grouping::Groups
                if functions::spreads(&call.name) && functions::is_integer(first.kind) =>
            {
                Fact {
                    kind: None,
                    ..first
                }
            }
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

    fn window(&self, call: &Call, over: &Over, scope: &Scope<'_>) -> Fact {
        let facts = self.facts(&call.arguments, scope);
        // Which rows are neighbours makes no value.
        self.meetings.within(|| self.facts(&over.parts, scope));
        let first = facts.first().copied().unwrap_or(Fact::NEVER);
        match call.name.as_str() {
            name if functions::numbers_rows(name) => Fact::NEVER,
            "NTILE" if matches!(call.arguments.first(), Some(Expression::Literal(_))) => {
                Fact::NEVER
            }
            "MIN" | "MAX" | "SUM" | "AVG" | "FIRST_VALUE" | "LAST_VALUE" if !over.framed => Fact {
                kind: None,
                ..first
            },
            "LAG" | "LEAD" if facts.len() == 3 => first_nullable(&facts),
            _ => Fact::maybe(Why::Function),
        }
    }

    fn cast(&self, call: &Call, first: Fact, scope: &Scope<'_>) -> Fact {
        let moment = functions::is_moment(first.kind);
        let (known, kind) = match call.target.as_deref().unwrap_or_default() {
            "CHAR" | "NCHAR" | "VARCHAR" => (self.is_text(call, scope), Some(Kind::Text)),
            "USING" => (self.is_text(call, scope), None),
            "SIGNED" | "INTEGER" | "INT" => (true, Some(Kind::BigInt)),
            "UNSIGNED" => (true, Some(Kind::BigIntUnsigned)),
            "DECIMAL" => (true, Some(Kind::Decimal)),
            "DOUBLE" => (true, Some(Kind::Double)),
            "BINARY" | "FLOAT" | "REAL" => (true, None),
            "DATE" => (moment && first.real, Some(Kind::Date)),
            "DATETIME" => (moment && first.real, Some(Kind::DateTime)),
            "TIME" => (moment || first.kind == Some(Kind::Time), Some(Kind::Time)),
            // Of MySQL alone, where text that is no JSON is an error.
            "JSON" => (documents::becomes_json(first.kind), Some(Kind::Json)),
            _ => (false, None),
        };
        let fact = only_if(known, first, Why::Function);
        Fact {
            kind: kind.filter(|_| known),
            real: first.real && functions::is_moment(kind),
            ..fact
        }
    }

    /// Whether what is converted is no bytes: MySQL gives NULL for bytes that are no text.
    fn is_text(&self, call: &Call, scope: &Scope<'_>) -> bool {
        call.arguments
            .first()
            .is_some_and(|argument| !self.may_be_bytes(argument, scope))
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

pub(super) fn only_if(known: bool, fact: Fact, otherwise: Why) -> Fact {
    if known || fact.nullable {
        fact
    } else {
        Fact::maybe(otherwise)
    }
}

/// Whether a root or a logarithm exists.
fn is_positive(call: &Call, first: Fact) -> bool {
    match call.arguments.as_slice() {
        [Expression::Literal(number)] => super::expression::is_not_zero(number),
        [Expression::Call(inner)] if call.name == "SQRT" => {
            inner.over.is_none() && ["ABS", "COUNT"].contains(&inner.name.as_str())
        }
        [_] => call.name == "SQRT" && functions::is_unsigned(first.kind),
        _ => false,
    }
}
