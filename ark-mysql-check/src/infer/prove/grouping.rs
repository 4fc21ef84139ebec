//! What a SELECT does with its rows: keeps them, groups them, or makes one of all.

use super::scope::Grouping;
use super::{Prover, functions};
use crate::sql::tree::{Body, Expression, Item, Query, Select};

impl Prover<'_> {
    /// A query that is neither empty nor longer than a row: an aggregate over all rows, or one without a table.
    pub(super) fn gives_one_row(&self, query: &Query) -> bool {
        let Body::Select(select) = &query.body else {
            return false;
        };
        let without_table = select.from.is_none() && select.filter.is_none();
        query.limit.is_empty()
            && select.having.is_none()
            && select.group_by.is_empty()
            && (without_table || grouping(select, &query.order_by) == Grouping::All)
    }
}

pub(super) fn grouping(select: &Select, order_by: &[Expression]) -> Grouping {
    let items = select.items.iter().filter_map(|item| match item {
        Item::Column(expression, _) => Some(expression),
        Item::All(_) => None,
    });
    if select.rollup {
        Grouping::Rollup
    } else if !select.group_by.is_empty() {
        Grouping::Groups
    } else if items
        .chain(&select.having)
        .chain(order_by)
        .any(has_aggregate)
    {
        Grouping::All
    } else {
        Grouping::None
    }
}

fn has_aggregate(expression: &Expression) -> bool {
    match expression {
        Expression::Call(call) if call.over.is_none() && functions::is_aggregate(&call.name) => {
            true
        }
        other => other.parts().into_iter().any(has_aggregate),
    }
}

pub(super) fn has_window(expression: &Expression) -> bool {
    match expression {
        Expression::Call(call) if call.over.is_some() => true,
        other => other.parts().into_iter().any(has_window),
    }
}

/// Whether a SELECT computes windows: MariaDB keeps their rows in a table, and the one row that an aggregate makes of no rows as NULLs.
pub(super) fn has_windows(select: &Select) -> bool {
    select
        .items
        .iter()
        .any(|item| matches!(item, Item::Column(expression, _) if has_window(expression)))
}

/// Whether columns are used outside of aggregates, or subqueries.
pub(super) fn uses_rows(expression: &Expression) -> bool {
    match expression {
        Expression::Column(..)
        | Expression::Subquery(_)
        | Expression::Exists(_)
        | Expression::AmongRows(..) => true,
        Expression::Call(call) if call.over.is_none() && functions::is_aggregate(&call.name) => {
            false
        }
        other => other.parts().into_iter().any(uses_rows),
    }
}

/// Whether an aggregate in it, outside of its subqueries, reads no column.
pub(super) fn has_aggregate_of_constants(expression: &Expression) -> bool {
    let is_one = matches!(expression, Expression::Call(call)
        if call.over.is_none() && functions::is_aggregate(&call.name) && !call.arguments.iter().any(reads_column));
    is_one
        || expression
            .parts()
            .into_iter()
            .any(has_aggregate_of_constants)
}

fn reads_column(expression: &Expression) -> bool {
    matches!(expression, Expression::Column(..)) || expression.parts().into_iter().any(reads_column)
}
