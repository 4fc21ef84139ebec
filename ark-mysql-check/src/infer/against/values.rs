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
        match value {
            Expression::Parameter(parameter) => self.stored(*parameter, column),
            Expression::Case { results, .. } => {
                results
                    .iter()
                    .for_each(|result| self.passes(result, column));
            }
            Expression::Call(call) => match (call.name.as_str(), call.arguments.as_slice()) {
                ("IF" | "NVL2", [_, yes, no]) => {
                    self.passes(yes, column);
                    self.passes(no, column);
                }
                ("NULLIF", [value, _]) => self.passes(value, column),
                ("COALESCE" | "IFNULL" | "NVL", [first @ .., last]) => {
                    let or_null = Known {
                        takes_null: true,
                        ..column.clone()
                    };
                    first.iter().for_each(|value| self.passes(value, &or_null));
                    self.passes(last, column);
                }
                _ => {}
            },
            _ => {}
        }
    }
}
