//! Which column a name means, and what that is.

use crate::description::Kind;

/// What is known of a column or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) kind: Kind,
    /// The table and the column's own name there: of plain columns, by whatever views and queries they came.
    pub(super) table: Option<String>,
    pub(super) column: Option<String>,
    /// Whether NULL may be stored there.
    pub(super) takes_null: bool,
    /// Of an ENUM or a SET, where they are known.
    pub(super) labels: Vec<String>,
}

impl Known {
    /// Of an expression.
    pub(super) fn of(kind: Kind) -> Self {
        Self {
            kind,
            table: None,
            column: None,
            takes_null: true,
            labels: Vec::new(),
        }
    }

    /// The table's column that it is, wherever it came from.
    pub(super) fn origin(&self) -> Option<(&String, &String)> {
        Some((self.table.as_ref()?, self.column.as_ref()?))
    }
}

/// A column with its name in lower case.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: Option<String>,
    pub(super) known: Option<Known>,
}

/// The columns of something; `None` where they are not known.
pub(super) type Columns = Option<Vec<Named>>;

/// One table of a FROM.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// In lower case.
    pub(super) alias: String,
    pub(super) columns: Columns,
}

/// A statement from the inside.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    pub(super) relations: Vec<Relation>,
    /// What HAVING sees by name before it looks at columns.
    pub(super) aliases: Vec<Named>,
    /// NATURAL or USING: `*` has other columns than those of its tables.
    pub(super) merges: bool,
    pub(super) outside: Outside<'s>,
}

/// What a query sees around itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside<'s> {
    pub(super) scope: Option<&'s Scope<'s>>,
    /// The tables of WITH; later ones hide earlier ones.
    pub(super) ctes: Vec<(String, Columns)>,
    /// The database of the view whose body this is.
    pub(super) schema: Option<String>,
}

impl Scope<'_> {
    /// What surrounds a query in it.
    pub(super) fn inside(&self) -> Outside<'_> {
        Outside {
            scope: Some(self),
            ctes: self.outside.ctes.clone(),
            schema: self.outside.schema.clone(),
        }
    }

    pub(super) fn column(&self, table: Option<&str>, name: &str) -> Option<&Known> {
        if table.is_none()
            && let Some(alias) = named(&self.aliases, name)
        {
            return alias.known.as_ref();
        }
        match self.own(table, name) {
            Found::One(known) => known,
            Found::Unclear => None,
            Found::None => self.outside.scope?.column(table, name),
        }
    }

    /// Inside of what ORDER BY says, a name that is given and a column's, too, is now the one and now the other.
    pub(super) fn doubt_aliases(&mut self) {
        let mut aliases = std::mem::take(&mut self.aliases);
        for alias in &mut aliases {
            let name = alias.name.as_deref().unwrap_or_default();
            if !matches!(self.own(None, name), Found::None) {
                alias.known = None;
            }
        }
        self.aliases = aliases;
    }

    fn own(&self, table: Option<&str>, name: &str) -> Found<'_> {
        let mut found = Found::None;
        let meant = |relation: &&Relation| table.is_none_or(|table| relation.alias == table);
        for relation in self.relations.iter().filter(meant) {
            let Some(columns) = &relation.columns else {
                return Found::Unclear;
            };
            let Some(column) = named(columns, name) else {
                continue;
            };
            found = match (found, &column.known) {
                (Found::None, known) => Found::One(known.as_ref()),
                // Joined by USING: it is in both.
                (Found::One(Some(one)), Some(other)) if one.kind == other.kind => {
                    Found::One(Some(one))
                }
                _ => return Found::Unclear,
            };
        }
        found
    }
}

enum Found<'s> {
    One(Option<&'s Known>),
    /// One of several, or of a table whose columns are not known.
    Unclear,
    None,
}

pub(super) fn named<'c>(columns: &'c [Named], name: &str) -> Option<&'c Named> {
    columns
        .iter()
        .find(|column| column.name.as_deref() == Some(name))
}
