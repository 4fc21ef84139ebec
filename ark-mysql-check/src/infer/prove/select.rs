//! Queries, SELECTs, tables and views.

use std::collections::BTreeSet;

use super::joins::Joined;
use super::scope::{Grouping, Outside, Relation, Scope};
use super::{Columns, Fact, Found, Named, Prover, TableName, functions, named, view};
use crate::description::Why;
use crate::sql::tree::{self, Body, Cte, Expression, From, Item, Query, Select, Table};

impl<'a> Prover<'a> {
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
    fn apart(&self, query: &Query, outside: &Outside<'_>) -> Columns {
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

    fn select(&self, select: &Select, order_by: &[Expression], outside: &Outside<'_>) -> Columns {
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
            Grouping::All if uses_rows(expression) => Fact {
                nullable: true,
                why: Why::NoRows,
                ..fact
            },
            _ if select.named_windows && has_window(expression) => Fact::maybe(Why::Function),
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

    fn add<'q>(
        &self,
        joined: &mut Joined<'q>,
        from: &'q From,
        within: &BTreeSet<usize>,
        outside: &Outside<'_>,
    ) {
        let is_table = match from {
            From::Table(table) => self.is_table(table, outside),
            From::Derived { .. } | From::Other { .. } | From::Join(_) => false,
        };
        let (alias, columns) = match from {
            From::Join(join) => {
                return joined.join(join, within, &mut |joined, from, within| {
                    self.add(joined, from, within, outside)
                });
            }
            From::Other { alias } => (alias, None),
            From::Table(table) => (&table.alias, self.table(table, outside)),
            From::Derived {
                query,
                alias,
                columns,
                lateral,
            } => {
                // What a lateral one sees of its neighbours is not looked at.
                let outside = if *lateral {
                    Outside {
                        scope: None,
                        ..outside.clone()
                    }
                } else {
                    outside.clone()
                };
                (alias, renamed(self.apart(query, &outside), columns))
            }
        };
        joined.relations.push(Relation {
            alias: alias.clone(),
            columns,
            is_table,
            joins: within.clone(),
            filtered: BTreeSet::new(),
        });
    }

    fn is_table(&self, table: &Table, outside: &Outside<'_>) -> bool {
        let lower = table.name.to_lowercase();
        let is_cte = table.schema.is_none() && outside.ctes.iter().any(|(name, _)| *name == lower);
        !is_cte
            && matches!(
                view(&named(table, outside.schema), self.views),
                Found::Table
            )
    }

    fn table(&self, table: &Table, outside: &Outside<'_>) -> Columns {
        let lower = table.name.to_lowercase();
        if table.schema.is_none()
            && let Some((_, columns)) = outside.ctes.iter().rev().find(|(name, _)| *name == lower)
        {
            return columns.clone();
        }
        let name = named(table, outside.schema);
        match view(&name, self.views) {
            Found::View(view) => self.view(view),
            Found::Table => self.base_table(&name),
            Found::Unclear => None,
        }
    }

    fn base_table(&self, name: &TableName) -> Columns {
        let columns = self.tables.get(name)?;
        let fact = |not_null: bool, kind| Fact {
            nullable: !not_null,
            why: Why::Declared,
            kind: Some(kind),
            real: false,
            flag_holds: false,
        };
        Some(
            columns
                .iter()
                .map(|column| Named {
                    name: Some(column.name.to_lowercase()),
                    fact: fact(column.not_null, column.kind),
                })
                .collect(),
        )
    }

    fn view(&self, view: &'a crate::description::View) -> Columns {
        let nested = self.reading.borrow().len();
        if nested >= super::DEEPEST_VIEW || self.reading.borrow().contains(&view.name.as_str()) {
            return None;
        }
        let body = tree::of_view(view.definition.as_deref()?)?;
        self.reading.borrow_mut().push(&view.name);
        let columns = self.apart(
            &body,
            &Outside {
                schema: Some(&view.schema),
                ..Outside::default()
            },
        );
        self.reading.borrow_mut().pop();
        columns
    }

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

fn grouping(select: &Select, order_by: &[Expression]) -> Grouping {
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

fn has_window(expression: &Expression) -> bool {
    match expression {
        Expression::Call(call) if call.over.is_some() => true,
        other => other.parts().into_iter().any(has_window),
    }
}

/// Whether columns are used outside of aggregates, or subqueries.
fn uses_rows(expression: &Expression) -> bool {
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
fn has_aggregate_of_constants(expression: &Expression) -> bool {
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

/// Whether a query names this table anywhere.
fn reads(query: &Query, name: &str) -> bool {
    let mut found = false;
    query.tables(&mut |table| found |= table.schema.is_none() && table.name.to_lowercase() == name);
    found
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

fn renamed(columns: Columns, names: &[String]) -> Columns {
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
