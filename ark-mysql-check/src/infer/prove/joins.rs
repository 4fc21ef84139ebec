//! From FROM and WHERE to relations: which rows may be missing, and which columns conditions keep from being NULL.

use std::collections::BTreeSet;
use std::ops::Range;

use super::scope::Relation;
use crate::sql::tree::{Expression, Join, JoinKind};

/// A condition, and the rows for which it is known to be true.
pub(super) struct Term<'q> {
    expression: &'q Expression,
    /// The outer joins around it: where one of them leaves its side out, nothing is known.
    within: BTreeSet<usize>,
    /// The outer join whose own condition it is, with the relations on the side that may be missing.
    of_join: Option<(usize, Range<usize>)>,
}

/// What a FROM consists of.
#[derive(Default)]
pub(super) struct Joined<'q> {
    pub(super) relations: Vec<Relation>,
    terms: Vec<Term<'q>>,
    joins: usize,
    pub(super) merges: bool,
}

impl<'q> Joined<'q> {
    /// Adds both sides of a join by `add`.
    pub(super) fn join(
        &mut self,
        join: &'q Join,
        within: &BTreeSet<usize>,
        add: &mut dyn FnMut(&mut Self, &'q crate::sql::tree::From, &BTreeSet<usize>),
    ) {
        self.merges |= join.merges;
        let number = self.joins;
        self.joins += 1;
        let mut inside = within.clone();
        inside.insert(number);
        let start = self.relations.len();
        add(
            self,
            &join.left,
            if join.kind == JoinKind::Right {
                &inside
            } else {
                within
            },
        );
        let middle = self.relations.len();
        add(
            self,
            &join.right,
            if join.kind == JoinKind::Left {
                &inside
            } else {
                within
            },
        );
        let end = self.relations.len();
        let of_join = match join.kind {
            JoinKind::Inner => None,
            JoinKind::Left => Some((number, middle..end)),
            JoinKind::Right => Some((number, start..middle)),
        };
        if let Some(on) = &join.on {
            self.terms.push(Term {
                expression: on,
                within: within.clone(),
                of_join,
            });
        }
    }

    /// Adds WHERE.
    pub(super) fn filter(&mut self, expression: &'q Expression) {
        self.terms.push(Term {
            expression,
            within: BTreeSet::new(),
            of_join: None,
        });
    }

    /// Applies the conditions until they say nothing new: a join whose missing rows are all refused is an inner join, and then
    /// its own condition holds for all rows.
    pub(super) fn settle(&mut self) {
        while self.terms_say_something_new() {}
    }

    fn terms_say_something_new(&mut self) -> bool {
        let mut new = false;
        for index in 0..self.terms.len() {
            let Some(term) = self.terms.get(index) else {
                break;
            };
            let mut refused = BTreeSet::new();
            refuses(term.expression, &mut refused);
            let own = term.of_join.clone();
            let within = term.within.clone();
            for (table, column) in refused {
                if let Some(at) = self.relation(table, column)
                    && own.as_ref().is_none_or(|(_, side)| side.contains(&at))
                {
                    new |= self.refuse(at, column, &within, own.as_ref().map(|(join, _)| *join));
                }
            }
        }
        new
    }

    /// Rows in which this column is NULL do not pass a condition that stands within some outer joins.
    fn refuse(
        &mut self,
        at: usize,
        column: &str,
        within: &BTreeSet<usize>,
        own: Option<usize>,
    ) -> bool {
        let Some(relation) = self.relations.get_mut(at) else {
            return false;
        };
        let is_inside = within.iter().all(|join| relation.joins.contains(join));
        if !is_inside || !relation.is_tested(column) {
            return false;
        }
        let mut new = relation.filtered.insert(column.to_owned());
        let inner: Vec<usize> = relation
            .joins
            .iter()
            .copied()
            .filter(|join| !within.contains(join) && Some(*join) != own)
            .collect();
        for join in inner {
            new = true;
            for relation in &mut self.relations {
                relation.joins.remove(&join);
            }
            for term in &mut self.terms {
                term.within.remove(&join);
                if term.of_join.as_ref().is_some_and(|(own, _)| *own == join) {
                    term.of_join = None;
                }
            }
        }
        new
    }

    /// The one relation that has the column; with a table's name it need not be known to have it.
    fn relation(&self, table: Option<&str>, column: &str) -> Option<usize> {
        let known = |relation: &Relation| {
            relation.columns.as_ref().map(|columns| {
                columns
                    .iter()
                    .filter(|named| named.name.as_deref() == Some(column))
                    .count()
            })
        };
        let mut found = None;
        for (index, relation) in self.relations.iter().enumerate() {
            if table.is_some_and(|table| table != relation.alias) {
                continue;
            }
            match known(relation) {
                Some(0) => {}
                Some(1) if found.is_none() => found = Some(index),
                _ => return None,
            }
        }
        found
    }
}

type Refused<'q> = BTreeSet<(Option<&'q str>, &'q str)>;

/// The columns whose NULL keeps the condition from being true.
fn refuses<'q>(condition: &'q Expression, found: &mut Refused<'q>) {
    match condition {
        Expression::And(sides) => sides.iter().for_each(|side| refuses(side, found)),
        Expression::Or(sides) => {
            let [left, right] = &**sides;
            let (mut one, mut other) = (BTreeSet::new(), BTreeSet::new());
            refuses(left, &mut one);
            refuses(right, &mut other);
            found.extend(one.intersection(&other));
        }
        Expression::IsSomething(inner) => strict(inner, found),
        // True for what is in a list, and so not NULL.
        Expression::Among(parts) => match parts.split_first() {
            Some((Expression::Row(row), list)) => strict_of_row(row, list, row.len(), found),
            Some((first, _)) => strict(first, found),
            None => {}
        },
        // Decided by the first, unless they are equal.
        Expression::Comparison(parts) if matches!(parts.first(), Some(Expression::Row(_))) => {
            for (at, side) in parts.iter().enumerate() {
                let other = parts.get(1 - at.min(1)).map(std::slice::from_ref);
                if let Expression::Row(row) = side {
                    strict_of_row(row, other.unwrap_or_default(), 1, found);
                }
            }
        }
        other => strict(other, found),
    }
}

/// Of the first parts of a row, but for those that are compared with themselves: `a = a` is no comparison to every server.
fn strict_of_row<'q>(
    row: &'q [Expression],
    others: &[Expression],
    count: usize,
    found: &mut Refused<'q>,
) {
    for (at, part) in row.iter().enumerate().take(count) {
        let is_itself = |other: &Expression| match other {
            Expression::Row(other) => other.get(at) == Some(part),
            _ => false,
        };
        if !others.iter().any(is_itself) {
            strict(part, found);
        }
    }
}

/// Whether it may be `a IN ()`, which is false for NULL too: a list stands for its one placeholder.
fn may_be_empty(among: &[Expression]) -> bool {
    match among {
        [_, element] => is_placeholder(element),
        _ => false,
    }
}

/// One, or a row of them.
fn is_placeholder(element: &Expression) -> bool {
    let parts = element.parts();
    match element {
        Expression::Parameter { .. } => true,
        _ => !parts.is_empty() && parts.into_iter().all(is_placeholder),
    }
}

/// The columns whose NULL makes the expression NULL.
fn strict<'q>(expression: &'q Expression, found: &mut Refused<'q>) {
    match expression {
        Expression::Column(table, name) => {
            found.insert((table.as_deref(), name));
        }
        Expression::Comparison(parts) | Expression::Pattern(parts) | Expression::Regexp(parts)
            if parts.first() == parts.get(1) => {}
        Expression::Strict(parts)
        | Expression::Comparison(parts)
        | Expression::Pattern(parts)
        | Expression::Regexp(parts) => parts.iter().for_each(|part| strict(part, found)),
        Expression::Division(parts) => parts.iter().for_each(|part| strict(part, found)),
        Expression::Among(parts) if may_be_empty(parts) => {}
        Expression::Among(parts) => parts
            .first()
            .into_iter()
            .for_each(|part| strict(part, found)),
        Expression::Call(call)
            if call.over.is_none() && super::functions::is_strict(&call.name) =>
        {
            call.arguments.iter().for_each(|part| strict(part, found))
        }
        _ => {}
    }
}
