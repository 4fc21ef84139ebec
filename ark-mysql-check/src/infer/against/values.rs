//! Which parameters become a column's value, by whatever chooses among them: `SET name = COALESCE(?, name)`, `VALUES (NULLIF(?, ''))`.

use super::Finder;
use super::scope::{Known, Scope};
use crate::sql::tree::Expression;

impl Finder<'_> {
    pub(super) fn goes_into(
        &mut self,
        value: &Expression,
        column: Option<&Known>,
        scope: &Scope<'_>,
    ) {
        if let Some(column) = column {
            self.passes(value, column);
        }
        self.expression(value, scope);
    }

    /// What becomes the column's value as it is: the value itself, or one that is chosen.
    pub(super) fn passes(&mut self, value: &Expression, column: &Known) {
        self.becomes(value, column, Self::stored);
    }

    /// A NULL that is replaced by the next value is never stored, so that of such a parameter only the type counts.
    fn becomes(&mut self, value: &Expression, column: &Known, put: fn(&mut Self, usize, &Known)) {
        match value {
            Expression::Parameter(parameter) => put(self, *parameter, column),
            Expression::Case { results, .. } => {
                for result in results {
                    self.becomes(result, column, put);
                }
            }
            Expression::Call(call) => match (call.name.as_str(), call.arguments.as_slice()) {
                ("IF" | "NVL2", [_, yes, no]) => {
                    self.becomes(yes, column, put);
                    self.becomes(no, column, put);
                }
                ("NULLIF", [value, _]) => self.becomes(value, column, put),
                ("COALESCE" | "IFNULL" | "NVL", [first @ .., last]) => {
                    for value in first {
                        self.becomes(value, column, Self::compared);
                    }
                    self.becomes(last, column, put);
                }
                _ => {}
            },
            _ => {}
        }
    }
}
