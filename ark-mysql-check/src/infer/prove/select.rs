//! The columns of one SELECT.

use std::collections::BTreeSet;

use super::grouping::{grouping, has_aggregate_of_constants, has_window, has_windows, uses_rows};
use super::joins::Joined;
use super::scope::{Grouping, Outside, Scope};
use super::{Columns, Fact, Named, Prover, functions};
use crate::description::Why;
use crate::sql::tree::{Expression, Item, Select};

impl Prover<'_> {
    pub(super) fn select(
        &self,
        select: &Select,
        order_by: &[Expression],
        outside: &Outside<'_>,
    ) -> Columns {
        let mut joined = Joined::default();
        if let Some(from) = &select.from {
            self.add(&mut joined, from, &BTreeSet::new(), outside);
        }
        if let Some(filter) = &select.filter {
            joined.filter(filter);
        }
        joined.settle();
        let mut scope = Scope {
            relations: joined.relations,
            grouping: Grouping::None,
            merges: joined.merges,
            outside,
        };
        if let Some(filter) = &select.filter {
            // No aggregate may stand here, so one of constants is somebody else's: MySQL lets it group even what reads the view that it stands in.
            if has_aggregate_of_constants(filter) {
                self.strayed.set(true);
            }
            self.fact(filter, &scope);
        }
        scope.grouping = grouping(select, order_by);
        for expression in select.having.iter().chain(order_by) {
            self.fact(expression, &scope);
        }
        self.items(select, &scope)
    }

    fn items(&self, select: &Select, scope: &Scope<'_>) -> Columns {
        let mut columns = Vec::new();
        for item in &select.items {
            match item {
                Item::Column(expression, name) => columns.push(Named {
                    name: name.clone(),
                    fact: self.item(expression, select, scope),
                }),
                Item::All(table) => columns.extend(all(table.as_deref(), scope)?),
            }
        }
        Some(columns)
    }

    fn item(&self, expression: &Expression, select: &Select, scope: &Scope<'_>) -> Fact {
        let (fact, converts) = self.meetings.within(|| self.fact(expression, scope));
        let counts = matches!(expression, Expression::Call(call) if functions::is_count(&call.name) || call.name == "GROUPING");
        match scope.grouping {
            // Every key may be left out, and keys may be expressions and constants.
            Grouping::Rollup if !counts => Fact::maybe(Why::Rollup),
            // Over no rows MariaDB gives NULL for more than the manual says.
            Grouping::All if uses_rows(expression) || !counts && has_windows(select) => Fact {
                nullable: true,
                why: Why::NoRows,
                ..fact
            },
            _ if !select.windows.is_empty() && has_window(expression) => Fact::maybe(Why::Function),
            _ if converts => Fact {
                nullable: true,
                why: Why::NotBelieved,
                ..fact
            },
            _ => Fact {
                flag_holds: self.is_given_values(expression, scope),
                ..fact
            },
        }
    }

    /// Whether nothing in it comes from a row that may be missing, or is NULL for another reason that the server may have overlooked.
    fn is_given_values(&self, expression: &Expression, scope: &Scope<'_>) -> bool {
        match expression {
            Expression::Column(..) | Expression::Parameter(_) => {
                !self.fact(expression, scope).nullable
            }
            Expression::Subquery(_) | Expression::AmongRows(..) | Expression::Null => false,
            other => other
                .parts()
                .into_iter()
                .all(|part| self.is_given_values(part, scope)),
        }
    }
}

/// All columns of a table, or of all tables; merged columns change their order.
fn all(table: Option<&str>, scope: &Scope<'_>) -> Columns {
    if scope.merges && table.is_none() {
        return None;
    }
    let mut found = Vec::new();
    let mut matches = 0;
    for relation in scope
        .relations
        .iter()
        .filter(|relation| table.is_none_or(|table| relation.alias == table))
    {
        matches += 1;
        let columns = relation.columns.as_ref()?;
        found.extend(columns.iter().map(|column| Named {
            name: column.name.clone(),
            fact: scope.of(relation, column),
        }));
    }
    (table.is_none() || matches == 1).then_some(found)
}
