//! Which column a name means, and what is known of it there.

use std::collections::BTreeSet;

use super::{Columns, Fact, Named};
use crate::description::Why;

/// One table of a FROM.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// In lower case.
    pub(super) alias: String,
    pub(super) columns: Columns,
    /// A table, not a view or a query.
    pub(super) is_table: bool,
    /// The outer joins that may leave its row out.
    pub(super) joins: BTreeSet<usize>,
    /// Columns that conditions keep from being NULL, as long as the row is there.
    pub(super) filtered: BTreeSet<String>,
}

/// How the rows of a SELECT come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    /// One for each row.
    None,
    /// One for each group, of at least one row.
    Groups,
    /// One for all rows, even if there are none.
    All,
    /// Groups and what is above them.
    Rollup,
}

/// A SELECT from the inside.
#[derive(Debug)]
pub(super) struct Scope<'s> {
    pub(super) relations: Vec<Relation>,
    pub(super) grouping: Grouping,
    /// NATURAL or USING: names without a table may mean two columns.
    pub(super) merges: bool,
    pub(super) outside: &'s Outside<'s>,
}

/// What a query sees around itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside<'s> {
    pub(super) scope: Option<&'s Scope<'s>>,
    /// The tables of WITH; later ones hide earlier ones.
    pub(super) ctes: Vec<(String, Columns)>,
    /// The database of the view whose body this is.
    pub(super) schema: Option<&'s str>,
}

/// What a name turned out to be.
pub(super) enum Lookup {
    /// A column of this SELECT.
    Own(Fact),
    /// A column of one further out.
    Outer(Fact),
    /// None that is known.
    Unknown,
}

impl Relation {
    /// Whether the server tests this column in conditions. One that it believes to be NOT NULL, and is wrong about, it does not: MySQL
    /// takes `x = x` for true then. It is right about columns of tables, and about those declared as nullable wherever they went.
    pub(super) fn is_tested(&self, column: &str) -> bool {
        let declared = |named: &Named| {
            named.name.as_deref() == Some(column)
                && named.fact.nullable
                && named.fact.why == Why::Declared
        };
        self.is_table || self.columns.iter().flatten().any(declared)
    }
}

impl Scope<'_> {
    pub(super) fn column(&self, table: Option<&str>, name: &str) -> Lookup {
        match self.own(table, name) {
            Some(Some(fact)) => Lookup::Own(fact),
            Some(None) => Lookup::Unknown,
            None => match self.outside.scope.map(|outer| outer.column(table, name)) {
                Some(Lookup::Own(fact) | Lookup::Outer(fact)) => Lookup::Outer(fact),
                Some(Lookup::Unknown) | None => Lookup::Unknown,
            },
        }
    }

    /// `Some(None)`: it may be one of several, or of a table whose columns are not known.
    fn own(&self, table: Option<&str>, name: &str) -> Option<Option<Fact>> {
        let mut found: Option<Option<Fact>> = None;
        for relation in self
            .relations
            .iter()
            .filter(|relation| table.is_none_or(|table| relation.alias == table))
        {
            let Some(columns) = &relation.columns else {
                return Some(None);
            };
            for column in columns
                .iter()
                .filter(|column| column.name.as_deref() == Some(name))
            {
                found = Some(match found {
                    None => Some(self.of(relation, column)),
                    Some(_) => None,
                });
            }
        }
        found
    }

    /// What a column of one of its relations is here.
    pub(super) fn of(&self, relation: &Relation, column: &Named) -> Fact {
        let filtered = column
            .name
            .as_ref()
            .is_some_and(|name| relation.filtered.contains(name));
        let mut fact = Fact {
            flag_holds: false,
            ..column.fact
        };
        if filtered {
            fact.nullable = false;
        }
        match self.grouping {
            Grouping::All => Fact {
                nullable: true,
                why: Why::NoRows,
                ..fact
            },
            Grouping::Rollup => Fact {
                nullable: true,
                why: Why::Rollup,
                ..fact
            },
            Grouping::None | Grouping::Groups if relation.joins.is_empty() => fact,
            Grouping::None | Grouping::Groups => Fact {
                nullable: true,
                why: Why::OuterJoin,
                ..fact
            },
        }
    }
}
