//! WITH, set operations, and what a query gives to whoever reads it.

use super::scope::Outside;
use super::{Columns, Fact, Named, Prover, functions};
use crate::description::Why;
use crate::sql::tree::{Body, Cte, Expression, Query};

impl Prover<'_> {
    pub(super) fn query(&self, query: &Query, outside: &Outside<'_>) -> Columns {
        let mut outside = outside.clone();
        for cte in &query.ctes {
            let columns = self.cte(cte, query.recursive, &outside);
            outside.ctes.push((cte.name.clone(), columns));
        }
        // Its columns know what they met; its conditions make no value.
        let (columns, _) = self
            .meetings
            .within(|| self.body(&query.body, &query.order_by, &outside));
        columns
    }

    /// A query where a table stands: what is doubtful in it stays in it.
    pub(super) fn apart(&self, query: &Query, outside: &Outside<'_>) -> Columns {
        let before = self.lost.replace(false);
        let columns = self.query(query, outside);
        let lost = self.lost.replace(before);
        columns.filter(|_| !lost)
    }

    fn cte(&self, cte: &Cte, recursive: bool, outside: &Outside<'_>) -> Columns {
        if recursive && reads(&cte.query, &cte.name) {
            return self.recursive(cte, outside);
        }
        renamed(self.apart(&cte.query, outside), &cte.columns)
    }

    /// One that reads itself: what holds for its first rows, and for the next as long as it holds for those before.
    fn recursive(&self, cte: &Cte, outside: &Outside<'_>) -> Columns {
        let Body::Set(first, _) = &cte.query.body else {
            return None;
        };
        let first = Query {
            ctes: cte.query.ctes.clone(),
            recursive: cte.query.recursive,
            body: (**first).clone(),
            order_by: Vec::new(),
            limit: Vec::new(),
        };
        if reads(&first, &cte.name) {
            return None;
        }
        let mut columns = renamed(self.apart(&first, outside), &cte.columns)?;
        for column in &mut columns {
            // The others may not survive the way into a column of the first rows' type.
            if !functions::takes_everything(column.fact.kind) {
                column.fact = Fact::maybe(Why::Function);
            }
        }
        loop {
            let mut outside = outside.clone();
            outside.ctes.push((cte.name.clone(), Some(columns.clone())));
            let next = self.apart(&cte.query, &outside)?;
            if next.len() != columns.len() {
                return None;
            }
            let mut changed = false;
            for (column, next) in columns.iter_mut().zip(&next) {
                if next.fact.nullable && !column.fact.nullable {
                    changed = true;
                    column.fact = next.fact;
                }
            }
            if !changed {
                return Some(columns);
            }
        }
    }

    fn body(&self, body: &Body, order_by: &[Expression], outside: &Outside<'_>) -> Columns {
        match body {
            Body::Select(select) => self.select(select, order_by, outside),
            Body::Nested(query) => self.query(query, outside),
            Body::Set(left, right) => {
                let (left, right) = (
                    self.body(left, &[], outside),
                    self.body(right, &[], outside),
                );
                let (left, right) = (left?, right?);
                (left.len() == right.len()).then(|| {
                    left.into_iter()
                        .zip(right)
                        .map(|(left, right)| either(left, &right))
                        .collect()
                })
            }
        }
    }
}

/// Whether a query names this table anywhere.
fn reads(query: &Query, name: &str) -> bool {
    let mut found = false;
    query.tables(&mut |table| found |= table.schema.is_none() && table.name.to_lowercase() == name);
    found
}

pub(super) fn renamed(columns: Columns, names: &[String]) -> Columns {
    let mut columns = columns?;
    if names.is_empty() {
        return Some(columns);
    }
    if names.len() != columns.len() {
        return None;
    }
    columns
        .iter_mut()
        .zip(names)
        .for_each(|(column, name)| column.name = Some(name.clone()));
    Some(columns)
}

fn either(left: Named, right: &Named) -> Named {
    let fact = if left.fact.nullable {
        left.fact
    } else {
        right.fact
    };
    let kind = left.fact.kind.filter(|kind| right.fact.kind == Some(*kind));
    Named {
        name: left.name,
        fact: Fact {
            kind,
            real: left.fact.real && right.fact.real,
            ..fact
        },
    }
}
