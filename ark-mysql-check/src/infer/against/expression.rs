//! Which operators put a parameter against something.

use super::Finder;
use super::arguments;
use super::scope::{Known, Scope};
use crate::description::Kind;
use crate::sql::tree::{Call, Expression, Query};

/// Functions whose arguments are compared with each other, or are chosen from.
const COMPARES: &[&str] = &[
    "COALESCE", "FIELD", "GREATEST", "IFNULL", "LEAST", "NULLIF", "NVL",
];

impl Finder<'_> {
    /// Every part of an expression.
    pub(super) fn expression(&mut self, expression: &Expression, scope: &Scope<'_>) {
        match expression {
            Expression::Comparison(parts) | Expression::Test(parts) => {
                if let [left, right] = parts.as_slice() {
                    self.compare(left, right, scope);
                }
            }
            Expression::Among(parts) => {
                if let Some((left, others)) = parts.split_first() {
                    others
                        .iter()
                        .for_each(|other| self.compare(left, other, scope));
                }
            }
            Expression::Pattern(parts) | Expression::Regexp(parts) => self.pattern(parts, scope),
            Expression::AmongRows(left, query) => self.among_rows(left, query, scope),
            Expression::Case {
                conditions,
                results,
                has_else,
            } => {
                let with_operand = conditions.len() > results.len() - usize::from(*has_else);
                if let (Some((operand, whens)), true) = (conditions.split_first(), with_operand) {
                    whens
                        .iter()
                        .for_each(|when| self.compare(operand, when, scope));
                }
            }
            Expression::Strict(parts) if parts.len() > 1 => self.arithmetic(parts, scope),
            Expression::Division(parts) => self.arithmetic(&parts[..], scope),
            Expression::Interval(amount, unit) if arguments::counts(unit) => {
                if let Expression::Parameter(parameter) = &**amount {
                    self.argument(*parameter, Kind::BigInt);
                }
            }
            Expression::Call(call) => {
                self.call(call, scope);
                if let Some(over) = &call.over {
                    self.limits(&over.reach);
                }
            }
            Expression::Exists(query) | Expression::Subquery(query) => {
                self.query(query, &scope.inside());
            }
            _ => {}
        }
        for part in expression.parts() {
            self.expression(part, scope);
        }
    }

    pub(super) fn expressions<'e>(
        &mut self,
        expressions: impl IntoIterator<Item = &'e Expression>,
        scope: &Scope<'_>,
    ) {
        for expression in expressions {
            self.expression(expression, scope);
        }
    }

    fn compare(&mut self, left: &Expression, right: &Expression, scope: &Scope<'_>) {
        match (left, right) {
            (Expression::Row(left), Expression::Row(right)) => left
                .iter()
                .zip(right)
                .for_each(|(left, right)| self.compare(left, right, scope)),
            (Expression::Parameter(parameter), other)
            | (other, Expression::Parameter(parameter)) => {
                if let Some(known) = self.known(other, scope) {
                    self.compared(*parameter, &known);
                }
            }
            (Expression::Subquery(query), other) | (other, Expression::Subquery(query)) => {
                let parameter = Self::is_parameter_alone(query);
                if let (Some(parameter), Some(known)) = (parameter, self.known(other, scope)) {
                    self.compared(parameter, &known);
                }
            }
            _ => {}
        }
    }

    /// LIKE: a pattern is text whatever it is matched with; bytes have patterns of their own.
    fn pattern(&mut self, parts: &[Expression], scope: &Scope<'_>) {
        for (index, part) in parts.iter().enumerate() {
            let Expression::Parameter(parameter) = part else {
                continue;
            };
            let others = parts.iter().enumerate().filter(|(at, _)| *at != index);
            let known = others
                .filter_map(|(_, other)| self.known(other, scope))
                .next();
            match known {
                Some(known) if is_text(known.kind) => self.compared(*parameter, &known),
                Some(known) if known.kind != Kind::Bytes => {
                    self.compared(*parameter, &Known::of(Kind::Text));
                }
                _ => {}
            }
        }
    }

    fn among_rows(&mut self, left: &Expression, query: &Query, scope: &Scope<'_>) {
        let inside = scope.inside();
        if let Expression::Parameter(parameter) = left
            && let Some(known) = self.first_column(query, &inside)
        {
            self.compared(*parameter, &known);
        }
        if let (Some(parameter), Some(known)) =
            (Self::is_parameter_alone(query), self.known(left, scope))
        {
            self.compared(parameter, &known);
        }
        self.query(query, &inside);
    }

    /// Beside a number stands a number.
    fn arithmetic(&mut self, parts: &[Expression], scope: &Scope<'_>) {
        if let Some(known) = self.of_arithmetic(parts, scope) {
            self.beside(parts, &known);
        }
    }

    fn call(&mut self, call: &Call, scope: &Scope<'_>) {
        for (index, argument) in call.arguments.iter().enumerate() {
            if let (Expression::Parameter(parameter), Some(kind)) =
                (argument, arguments::kind(&call.name, index))
            {
                self.argument(*parameter, kind);
            }
        }
        if call.name == "MOD" {
            self.arithmetic(&call.arguments, scope);
        }
        if COMPARES.contains(&call.name.as_str()) {
            let known = call
                .arguments
                .iter()
                .find_map(|argument| self.known(argument, scope));
            if let Some(known) = known {
                self.beside(&call.arguments, &known);
            }
        }
    }

    fn beside(&mut self, parts: &[Expression], known: &Known) {
        for part in parts {
            if let Expression::Parameter(parameter) = part {
                self.compared(*parameter, known);
            }
        }
    }
}

fn is_text(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Text | Kind::Enum | Kind::Set | Kind::Uuid | Kind::Inet4 | Kind::Inet6
    )
}
