//! Where columns come from, and where values go.

use super::super::views::{self, Found};
use super::scope::{Columns, Known, Named, Outside, Relation, Scope, named};
use super::{Finder, TableName};
use crate::description::View;
use crate::sql::tree::{
    Assignment, Body, Change, Cte, Delete, Expression, From, Insert, Item, Query, Select, Source,
    Table, Update,
};

impl<'a> Finder<'a> {
    pub(super) fn query(&mut self, query: &Query, outside: &Outside<'_>) {
        let outside = self.ctes(&query.ctes, outside);
        self.body(&query.body, &query.order_by, &outside);
        self.limits(&query.limit);
    }

    fn ctes<'s>(&mut self, ctes: &[Cte], outside: &Outside<'s>) -> Outside<'s> {
        let mut outside = outside.clone();
        for cte in ctes {
            // A recursive one is itself unknown inside of itself.
            self.query(&cte.query, &outside);
            let columns = renamed(self.columns_of(&cte.query, &outside), &cte.columns);
            outside.ctes.push((cte.name.clone(), columns));
        }
        outside
    }

    pub(super) fn limits(&mut self, limit: &[Expression]) {
        for part in limit {
            if let Expression::Parameter(parameter) = part {
                self.limit(*parameter);
            }
        }
    }

    /// The ORDER BY of several SELECTs knows no columns but those of the result.
    fn body(&mut self, body: &Body, order_by: &[Expression], outside: &Outside<'_>) {
        match body {
            Body::Select(select) => self.select(select, order_by, outside),
            Body::Set(left, right) => {
                self.body(left, &[], outside);
                self.body(right, &[], outside);
            }
            Body::Nested(query) => self.query(query, outside),
        }
    }

    fn select(&mut self, select: &Select, order_by: &[Expression], outside: &Outside<'_>) {
        let mut scope = self.scope(select.from.as_ref(), outside);
        if let Some(from) = &select.from {
            self.inside_of_from(from, &scope);
        }
        self.expressions(&select.filter, &scope);
        self.expressions(&select.group_by, &scope);
        for item in &select.items {
            if let Item::Column(expression, _) = item {
                self.expression(expression, &scope);
            }
        }
        for window in &select.windows {
            self.expressions(&window.parts, &scope);
            self.limits(&window.reach);
        }
        scope.aliases = self.aliases(&select.items, &scope);
        self.expressions(&select.having, &scope);
        scope.doubt_aliases();
        self.expressions(order_by, &scope);
    }

    /// Names that were given: a column that is called by its own name is found as a column.
    fn aliases(&self, items: &[Item], scope: &Scope<'_>) -> Vec<Named> {
        let given = items.iter().filter_map(|item| match item {
            Item::Column(Expression::Column(_, own), Some(name)) if own == name => None,
            Item::Column(expression, Some(name)) => Some(Named {
                name: Some(name.clone()),
                known: self.known(expression, scope),
            }),
            _ => None,
        });
        given.collect()
    }

    /// Conditions of joins, and queries in the place of tables.
    fn inside_of_from(&mut self, from: &From, scope: &Scope<'_>) {
        match from {
            From::Join(join) => {
                self.inside_of_from(&join.left, scope);
                self.inside_of_from(&join.right, scope);
                self.expressions(&join.on, scope);
            }
            From::Derived { query, lateral, .. } => {
                let inside = if *lateral {
                    scope.inside()
                } else {
                    scope.outside.clone()
                };
                self.query(query, &inside);
            }
            From::Table(_) | From::Other { .. } => {}
        }
    }

    fn scope<'s>(&self, from: Option<&From>, outside: &Outside<'s>) -> Scope<'s> {
        let mut scope = Scope {
            outside: outside.clone(),
            ..Scope::default()
        };
        if let Some(from) = from {
            self.relations(from, &mut scope);
        }
        scope
    }

    fn relations(&self, from: &From, scope: &mut Scope<'_>) {
        let (alias, columns) = match from {
            From::Join(join) => {
                scope.merges |= join.merges;
                self.relations(&join.left, scope);
                return self.relations(&join.right, scope);
            }
            From::Table(table) => (&table.alias, self.columns_of_table(table, &scope.outside)),
            From::Derived {
                query,
                alias,
                columns,
                lateral,
            } => {
                let found = match lateral {
                    true => self.columns_of(query, &scope.inside()),
                    false => self.columns_of(query, &scope.outside),
                };
                (alias, renamed(found, columns))
            }
            From::Other { alias } => (alias, None),
        };
        scope.relations.push(Relation {
            alias: alias.clone(),
            columns,
        });
    }

    fn columns_of_table(&self, table: &Table, outside: &Outside<'_>) -> Columns {
        let name = table.name.to_lowercase();
        let cte = outside.ctes.iter().rev().find(|(cte, _)| *cte == name);
        if let (Some((_, columns)), None) = (cte, &table.schema) {
            return columns.clone();
        }
        let key = views::named(table, outside.schema.as_deref());
        let described = self.described(&key);
        match views::view(&key, self.views) {
            Found::View(view) => of_view(described?, self.columns_of_view(view)),
            Found::Table | Found::Unclear => described,
        }
    }

    /// The columns of a table or a view as they are called there.
    fn described(&self, name: &TableName) -> Columns {
        let columns = self.tables.get(name)?.iter().map(|column| Named {
            name: Some(column.name.to_lowercase()),
            known: Some(Known {
                kind: column.kind,
                table: Some(name.name.clone()),
                column: Some(column.name.clone()),
                takes_null: !column.not_null,
                labels: column.labels.clone(),
            }),
        });
        Some(columns.collect())
    }

    /// What the body of a view gives, if the account may see it.
    fn columns_of_view(&self, view: &'a View) -> Columns {
        let outside = Outside {
            schema: Some(view.schema.clone()),
            ..Outside::default()
        };
        self.bodies.of(view, |body| self.columns_of(body, &outside))
    }

    /// The columns that a query gives.
    pub(super) fn columns_of(&self, query: &Query, outside: &Outside<'_>) -> Columns {
        let mut outside = outside.clone();
        for cte in &query.ctes {
            let columns = renamed(self.columns_of(&cte.query, &outside), &cte.columns);
            outside.ctes.push((cte.name.clone(), columns));
        }
        self.columns_of_body(&query.body, &outside)
    }

    fn columns_of_body(&self, body: &Body, outside: &Outside<'_>) -> Columns {
        match body {
            Body::Select(select) => self.columns_of_select(select, outside),
            Body::Nested(query) => self.columns_of(query, outside),
            Body::Set(left, right) => {
                let mut left = self.columns_of_body(left, outside)?;
                let right = self.columns_of_body(right, outside);
                let kind = |column: &Named| column.known.as_ref().map(|known| known.kind);
                for (index, column) in left.iter_mut().enumerate() {
                    let other = right.as_ref().and_then(|right| right.get(index));
                    if other.and_then(kind) != kind(column) {
                        column.known = None;
                    }
                    let origin = |column: &Named| column.known.as_ref()?.origin().map(lower);
                    if other.and_then(origin) != origin(column) {
                        column.known = kind(column).map(Known::of);
                    }
                }
                Some(left)
            }
        }
    }

    fn columns_of_select(&self, select: &Select, outside: &Outside<'_>) -> Columns {
        let scope = self.scope(select.from.as_ref(), outside);
        let mut columns = Vec::new();
        for item in &select.items {
            match item {
                Item::Column(expression, name) => columns.push(Named {
                    name: name.clone(),
                    known: self.known(expression, &scope),
                }),
                Item::All(_) if scope.merges => return None,
                Item::All(table) => {
                    for relation in &scope.relations {
                        if table.as_ref().is_none_or(|table| relation.alias == *table) {
                            columns.extend(relation.columns.clone()?);
                        }
                    }
                }
            }
        }
        Some(columns)
    }

    pub(super) fn change(&mut self, change: &Change) {
        match change {
            Change::Insert(insert) => self.insert(insert),
            Change::Update(update) => self.update(update),
            Change::Delete(delete) => self.delete(delete),
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let from = From::Table(insert.table.clone());
        let mut scope = self.scope(Some(&from), &Outside::default());
        let mut columns = scope
            .relations
            .pop()
            .and_then(|relation| relation.columns)
            .unwrap_or_default();
        self.generated_by_null(insert, &mut columns);
        let targets = targets(insert, &columns);
        let target = |index: usize| targets.get(index).copied().flatten();
        match &insert.source {
            Source::Values(rows) => {
                for (index, value) in rows.iter().flat_map(|(row, _)| row.iter().enumerate()) {
                    self.goes_into(value, target(index), &scope);
                }
            }
            Source::Set(assignments) => {
                for Assignment { column, value, .. } in assignments {
                    let column = named(&columns, &column.to_lowercase());
                    self.goes_into(
                        value,
                        column.and_then(|column| column.known.as_ref()),
                        &scope,
                    );
                }
            }
            Source::Query(query) => {
                if let Body::Select(select) = &query.body {
                    for (index, item) in select.items.iter().enumerate() {
                        match item {
                            Item::All(_) => break,
                            Item::Column(value, _) => {
                                if let Some(column) = target(index) {
                                    self.passes(value, column);
                                }
                            }
                        }
                    }
                }
                self.query(query, &Outside::default());
            }
        }
        scope.relations.push(Relation {
            alias: insert.table.alias.clone(),
            columns: self.columns_of_table(&insert.table, &Outside::default()),
        });
        // The tables of INSERT … SELECT may be named here too; what is not found is unknown.
        self.assignments(&insert.on_duplicate, &scope);
    }

    /// A NULL for an AUTO_INCREMENT column makes a value.
    fn generated_by_null(&self, insert: &Insert, columns: &mut [Named]) {
        let key = TableName {
            schema: insert.table.schema.clone(),
            name: insert.table.name.clone(),
        };
        let table = self.tables.get(&key).into_iter().flatten();
        for (column, raw) in columns.iter_mut().zip(table) {
            if let Some(known) = &mut column.known {
                known.takes_null |= raw.auto_increment;
            }
        }
    }

    fn update(&mut self, update: &Update) {
        let outside = self.ctes(&update.ctes, &Outside::default());
        let scope = self.scope(Some(&update.from), &outside);
        self.inside_of_from(&update.from, &scope);
        self.assignments(&update.assignments, &scope);
        self.expressions(&update.filter, &scope);
        self.expressions(&update.order_by, &scope);
        self.limits(&update.limit);
    }

    fn delete(&mut self, delete: &Delete) {
        let outside = self.ctes(&delete.ctes, &Outside::default());
        let scope = self.scope(Some(&delete.from), &outside);
        self.inside_of_from(&delete.from, &scope);
        self.expressions(&delete.filter, &scope);
        self.expressions(&delete.order_by, &scope);
        self.limits(&delete.limit);
    }

    fn assignments(&mut self, assignments: &[Assignment], scope: &Scope<'_>) {
        for assignment in assignments {
            let column = scope
                .column(
                    assignment.table.as_deref(),
                    &assignment.column.to_lowercase(),
                )
                .cloned();
            self.goes_into(&assignment.value, column.as_ref(), scope);
        }
    }
}

/// The columns that the values of a row go into, in their order.
fn targets<'c>(insert: &Insert, columns: &'c [Named]) -> Vec<Option<&'c Known>> {
    match &insert.columns {
        None => columns.iter().map(|column| column.known.as_ref()).collect(),
        Some(names) => names
            .iter()
            .map(|(name, _)| named(columns, &name.to_lowercase())?.known.as_ref())
            .collect(),
    }
}

fn lower((table, column): (&String, &String)) -> (String, String) {
    (table.to_lowercase(), column.to_lowercase())
}

/// The columns of a view: those of tables are what they are there, the others are the view's own.
fn of_view(mut described: Vec<Named>, body: Columns) -> Columns {
    let body = body.filter(|body| body.len() == described.len());
    for (column, below) in described.iter_mut().zip(body.into_iter().flatten()) {
        if let (Some(column), Some(below)) = (&mut column.known, below.known)
            && below.origin().is_some()
        {
            (column.table, column.column) = (below.table, below.column);
            if column.labels.is_empty() && column.kind == below.kind {
                column.labels = below.labels;
            }
        }
    }
    Some(described)
}

/// The names behind an alias, as in `WITH x (a, b) AS (…)`.
fn renamed(columns: Columns, names: &[String]) -> Columns {
    let mut columns = columns?;
    if !names.is_empty() && names.len() != columns.len() {
        return None;
    }
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = Some(name.clone());
    }
    Some(columns)
}
