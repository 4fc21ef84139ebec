//! What stands after FROM: tables, views, derived tables.

use std::collections::BTreeSet;

use super::joins::Joined;
use super::query::renamed;
use super::scope::{Outside, Relation};
use super::{Columns, Fact, Named, Prover, TableName};
use crate::description::{View, Why};
use crate::infer::views::{Found, named, view};
use crate::sql::tree::{From, Table};

impl<'a> Prover<'a> {
    pub(super) fn add<'q>(
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

    fn view(&self, view: &'a View) -> Columns {
        let outside = Outside {
            schema: Some(&view.schema),
            ..Outside::default()
        };
        self.bodies.of(view, |body| self.apart(body, &outside))
    }
}
