//! What random statements read from: tables, views, CTEs, derived tables, joins of them, and subqueries.

use super::expression::Scope;
use super::statement::Statements;
use super::value::Class;

impl Statements<'_> {
    pub(super) fn from(&mut self, depth: usize) -> (String, Vec<(String, Class)>) {
        let (mut from, mut columns) = self.source(depth);
        let joins = match depth {
            0 => self.random.below(2),
            _ => self.random.below(3),
        };
        for _ in 0..joins {
            let (other, more) = self.joined(depth);
            let kind = *self.random.pick(&[
                "JOIN",
                "LEFT JOIN",
                "LEFT JOIN",
                "RIGHT JOIN",
                "CROSS JOIN",
                "INNER JOIN",
            ]);
            let both: Vec<(String, Class)> = columns.iter().chain(&more).cloned().collect();
            let on = if kind == "CROSS JOIN" {
                String::new()
            } else {
                format!(" ON {}", self.on(&columns, &more, &both))
            };
            from = format!("{from} {kind} {other}{on}");
            columns = both;
        }
        (from, columns)
    }

    /// What stands right of a join: now and then a join in parentheses.
    fn joined(&mut self, depth: usize) -> (String, Vec<(String, Class)>) {
        if depth > 0 && self.random.percent(12) {
            let (left, mut columns) = self.source(depth - 1);
            let (right, more) = self.source(depth - 1);
            let kind = *self.random.pick(&["JOIN", "LEFT JOIN"]);
            let both: Vec<(String, Class)> = columns.iter().chain(&more).cloned().collect();
            let on = self.on(&columns, &more, &both);
            columns = both;
            return (format!("({left} {kind} {right} ON {on})"), columns);
        }
        self.source(depth)
    }

    fn on(
        &mut self,
        left: &[(String, Class)],
        right: &[(String, Class)],
        both: &[(String, Class)],
    ) -> String {
        let integers = |columns: &[(String, Class)]| {
            columns
                .iter()
                .filter(|(_, class)| *class == Class::Int)
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        let (left, right) = (integers(left), integers(right));
        if left.is_empty() || right.is_empty() || self.random.percent(15) {
            let scope = Scope {
                columns: both.to_vec(),
                ..Scope::default()
            };
            return self.expressions().condition(&scope, 1);
        }
        let (left, right) = (
            self.random.pick(&left).clone(),
            self.random.pick(&right).clone(),
        );
        match self.random.below(10) {
            0 => format!("{left} = {right} + 50"),
            1 => format!("{left} <=> {right}"),
            _ => format!("{left} = {right}"),
        }
    }

    pub(super) fn source(&mut self, depth: usize) -> (String, Vec<(String, Class)>) {
        let alias = format!("r{}", self.alias());
        let (sql, columns) = if depth > 0 && self.random.percent(25) {
            let select = self.select(depth - 1, None);
            let lateral = if self.mysql && self.random.percent(10) {
                "LATERAL "
            } else {
                ""
            };
            (format!("{lateral}({})", select.sql), select.columns)
        } else {
            let relation = self.random.pick(&self.relations).clone();
            (relation.name, relation.columns)
        };
        let columns = columns
            .into_iter()
            .map(|column| (format!("{alias}.{}", column.name), column.class))
            .collect();
        (format!("{sql} {alias}"), columns)
    }

    /// Subqueries that give one value, some of which see the columns outside.
    pub(super) fn scalars(&mut self, outer: &[(String, Class)]) -> Vec<(String, Class)> {
        (0..2).map(|_| self.scalar(outer)).collect()
    }

    fn scalar(&mut self, outer: &[(String, Class)]) -> (String, Class) {
        let (source, columns) = self.source(0);
        let scope = Scope {
            columns: columns.clone(),
            ..Scope::default()
        };
        let class = Class::random(self.random);
        let correlated = Scope {
            columns: columns.iter().chain(outer).cloned().collect(),
            ..Scope::default()
        };
        let filter = if self.random.percent(60) {
            format!(" WHERE {}", self.expressions().condition(&correlated, 0))
        } else {
            String::new()
        };
        match self.random.below(6) {
            0 | 1 => (
                format!("(SELECT COUNT(*) FROM {source}{filter})"),
                Class::Int,
            ),
            2 => {
                let aggregating = Scope {
                    aggregates: true,
                    columns,
                    ..Scope::default()
                };
                let item = self.expressions().of(
                    class,
                    &Scope {
                        columns: Vec::new(),
                        ..aggregating
                    },
                    1,
                );
                (format!("(SELECT {item} FROM {source}{filter})"), class)
            }
            3 if !outer.is_empty() => {
                let (column, class) = self.random.pick(outer).clone();
                (format!("(SELECT {column})"), class)
            }
            _ => (
                format!(
                    "(SELECT {} FROM {source}{filter} LIMIT 1)",
                    self.expressions().of(class, &scope, 1)
                ),
                class,
            ),
        }
    }
}
