//! INSERT, REPLACE, UPDATE and DELETE.

use std::ops::Range;

use super::parser::Parser;
use super::{Cte, Expression, From, Query, Table};

/// A statement that changes rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// INSERT or REPLACE.
    Insert(Box<Insert>),
    /// UPDATE.
    Update(Box<Update>),
    /// DELETE.
    Delete(Box<Delete>),
}

/// INSERT or REPLACE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insert {
    /// Where the rows go.
    pub table: Table,
    /// Where its name stands.
    pub table_at: Range<usize>,
    /// IGNORE: what is wrong with values is a warning.
    pub ignore: bool,
    /// The columns, each with its place; `None` for all of them, in their order.
    pub columns: Option<Vec<Placed>>,
    /// The rows.
    pub source: Source,
    /// ON DUPLICATE KEY UPDATE.
    pub on_duplicate: Vec<Assignment>,
}

/// A column as written, without quotes, and where it stands.
pub type Placed = (String, Range<usize>);

/// What is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// VALUES: rows of expressions, each with its place.
    Values(Vec<(Vec<Expression>, Range<usize>)>),
    /// SET.
    Set(Vec<Assignment>),
    /// A query.
    Query(Box<Query>),
}

/// `column = value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The table in lower case, where it is given.
    pub table: Option<String>,
    /// The column as written, without quotes.
    pub column: String,
    /// Where the column stands.
    pub at: Range<usize>,
    /// What it becomes.
    pub value: Expression,
}

/// UPDATE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// WITH.
    pub ctes: Vec<Cte>,
    /// The tables.
    pub from: From,
    /// SET.
    pub assignments: Vec<Assignment>,
    /// WHERE.
    pub filter: Option<Expression>,
    /// ORDER BY.
    pub order_by: Vec<Expression>,
    /// LIMIT.
    pub limit: Vec<Expression>,
}

/// DELETE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// WITH.
    pub ctes: Vec<Cte>,
    /// The tables that rows are looked for in.
    pub from: From,
    /// WHERE.
    pub filter: Option<Expression>,
    /// ORDER BY.
    pub order_by: Vec<Expression>,
    /// LIMIT.
    pub limit: Vec<Expression>,
}

impl Change {
    /// ORDER BY.
    pub fn order_by(&self) -> &[Expression] {
        match self {
            Self::Insert(_) => &[],
            Self::Update(update) => &update.order_by,
            Self::Delete(delete) => &delete.order_by,
        }
    }

    /// Calls back with every table named anywhere in it.
    pub fn tables<'q>(&'q self, found: &mut dyn FnMut(&'q Table)) {
        let assigned = |assignments: &'q [Assignment], found: &mut dyn FnMut(&'q Table)| {
            assignments
                .iter()
                .for_each(|assignment| assignment.value.tables(found));
        };
        match self {
            Self::Insert(insert) => {
                found(&insert.table);
                match &insert.source {
                    Source::Values(rows) => rows
                        .iter()
                        .flat_map(|(row, _)| row)
                        .for_each(|value| value.tables(found)),
                    Source::Set(assignments) => assigned(assignments, found),
                    Source::Query(query) => query.tables(found),
                }
                assigned(&insert.on_duplicate, found);
            }
            Self::Update(update) => {
                update.ctes.iter().for_each(|cte| cte.query.tables(found));
                update.from.tables(found);
                assigned(&update.assignments, found);
                update.filter.iter().for_each(|filter| filter.tables(found));
            }
            Self::Delete(delete) => {
                delete.ctes.iter().for_each(|cte| cte.query.tables(found));
                delete.from.tables(found);
                delete.filter.iter().for_each(|filter| filter.tables(found));
            }
        }
    }
}

impl Parser<'_> {
    pub(super) fn change(&mut self) -> Option<Change> {
        if self.is_any(&["INSERT", "REPLACE"]) {
            return self.insert().map(Box::new).map(Change::Insert);
        }
        let (ctes, _) = self.with()?;
        if self.eat("UPDATE") {
            return self.update(ctes).map(Box::new).map(Change::Update);
        }
        self.expect("DELETE")?;
        self.delete(ctes).map(Box::new).map(Change::Delete)
    }

    fn insert(&mut self) -> Option<Insert> {
        self.at += 1;
        self.eat_any(&["LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED"]);
        let ignore = self.eat("IGNORE");
        self.eat("INTO");
        let start = self.at;
        let table = self.table_name()?;
        let table_at = self.place(start);
        if self.eat("PARTITION") {
            self.skip_parentheses()?;
        }
        let columns = self.columns()?;
        let source = self.source()?;
        // A name for the new row.
        if self.eat("AS") {
            self.name()?;
            if self.is_mark(b'(') {
                self.names()?;
            }
        }
        let mut on_duplicate = Vec::new();
        if self.eat("ON") {
            self.expect("DUPLICATE")?;
            self.expect("KEY")?;
            self.expect("UPDATE")?;
            on_duplicate = self.list(Self::assignment)?;
        }
        if self.eat("RETURNING") {
            self.at = self.tokens.len();
        }
        Some(Insert {
            table,
            table_at,
            ignore,
            columns,
            source,
            on_duplicate,
        })
    }

    fn table_name(&mut self) -> Option<Table> {
        let mut name = self.name()?;
        let mut schema = None;
        if self.eat_mark(b'.') {
            schema = Some(std::mem::replace(&mut name, self.name()?));
        }
        let alias = name.to_lowercase();
        Some(Table {
            schema,
            name,
            alias,
        })
    }

    /// `Some(None)` where no list of columns stands.
    fn columns(&mut self) -> Option<Option<Vec<Placed>>> {
        if !self.is_mark(b'(') || self.tokens.opens_select(self.at) {
            return Some(None);
        }
        self.at += 1;
        if self.eat_mark(b')') {
            return Some(Some(Vec::new()));
        }
        let columns = self.list(|parser| {
            let start = parser.at;
            let mut name = parser.name()?;
            while parser.eat_mark(b'.') {
                name = parser.name()?;
            }
            Some((name, parser.place(start)))
        })?;
        self.expect_mark(b')')?;
        Some(Some(columns))
    }

    fn source(&mut self) -> Option<Source> {
        if self.eat("SET") {
            return self.list(Self::assignment).map(Source::Set);
        }
        if self.eat_any(&["VALUES", "VALUE"]) {
            return self.list(Self::row).map(Source::Values);
        }
        self.query().map(Box::new).map(Source::Query)
    }

    fn row(&mut self) -> Option<(Vec<Expression>, Range<usize>)> {
        self.eat("ROW");
        let start = self.at;
        self.expect_mark(b'(')?;
        let mut row = Vec::new();
        if !self.is_mark(b')') {
            row = self.list(Self::expression)?;
        }
        self.expect_mark(b')')?;
        Some((row, self.place(start)))
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let start = self.at;
        let mut table = None;
        let mut column = self.name()?;
        while self.eat_mark(b'.') {
            table = Some(std::mem::replace(&mut column, self.name()?).to_lowercase());
        }
        let at = self.place(start);
        self.expect_mark(b'=')?;
        Some(Assignment {
            table,
            column,
            at,
            value: self.expression()?,
        })
    }

    fn update(&mut self, ctes: Vec<Cte>) -> Option<Update> {
        self.eat("LOW_PRIORITY");
        self.eat("IGNORE");
        let from = self.from()?;
        self.expect("SET")?;
        Some(Update {
            ctes,
            from,
            assignments: self.list(Self::assignment)?,
            filter: self.filter()?,
            order_by: self.order_by()?,
            limit: self.limit()?,
        })
    }

    fn delete(&mut self, ctes: Vec<Cte>) -> Option<Delete> {
        while self.eat_any(&["LOW_PRIORITY", "QUICK", "IGNORE"]) {}
        if !self.eat("FROM") {
            // DELETE a, b FROM …
            self.deleted_tables()?;
            self.expect("FROM")?;
        }
        let start = self.at;
        let mut from = self.from()?;
        if self.is("USING") || self.is_mark(b'.') {
            // DELETE FROM a, b USING …
            self.at = start;
            self.deleted_tables()?;
            self.expect("USING")?;
            from = self.from()?;
        }
        let (filter, order_by, limit) = (self.filter()?, self.order_by()?, self.limit()?);
        if self.eat("RETURNING") {
            self.at = self.tokens.len();
        }
        Some(Delete {
            ctes,
            from,
            filter,
            order_by,
            limit,
        })
    }

    /// `a, db.b, c.*`
    fn deleted_tables(&mut self) -> Option<()> {
        self.list(|parser| {
            parser.name()?;
            while parser.eat_mark(b'.') {
                if !parser.eat_mark(b'*') {
                    parser.name()?;
                }
            }
            Some(())
        })
        .map(drop)
    }

    /// `Some(None)` where there is no WHERE.
    fn filter(&mut self) -> Option<Option<Expression>> {
        if !self.eat("WHERE") {
            return Some(None);
        }
        self.expression().map(Some)
    }

    /// From a token to the one before this.
    fn place(&self, start: usize) -> Range<usize> {
        let last = self.at.saturating_sub(1).max(start);
        self.tokens.place(start).start..self.tokens.place(last).end
    }
}
