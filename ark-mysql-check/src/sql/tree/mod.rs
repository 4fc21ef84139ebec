//! A statement as a tree: as much of it as decides where NULL can come from, and what parameters stand against.
//!
//! What is not understood inside an expression is [`Expression::Unknown`]; what is not understood outside of one leaves the
//! statement without a tree. Neither is an error: such columns get the cautious answer.

mod call;
mod change;
mod expression;
mod from;
mod parser;
mod query;
#[cfg(test)]
mod tests;

pub use change::{Assignment, Change, Delete, Insert, Placed, Source, Update};

use super::lexer::Token;
use super::tokens::Tokens;

/// A query with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// WITH.
    pub ctes: Vec<Cte>,
    /// Whether it is WITH RECURSIVE.
    pub recursive: bool,
    /// The SELECTs.
    pub body: Body,
    /// ORDER BY.
    pub order_by: Vec<Expression>,
    /// What LIMIT and OFFSET say. A limit may leave nothing.
    pub limit: Vec<Expression>,
}

/// One table of WITH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cte {
    /// In lower case.
    pub name: String,
    /// The names of its columns, where they are given.
    pub columns: Vec<String>,
    /// What it is.
    pub query: Query,
}

/// What is selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// One SELECT.
    Select(Box<Select>),
    /// UNION, EXCEPT or INTERSECT.
    Set(Box<Body>, Box<Body>),
    /// A query in parentheses.
    Nested(Box<Query>),
}

/// One SELECT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Select {
    /// What it selects.
    pub items: Vec<Item>,
    /// FROM.
    pub from: Option<From>,
    /// WHERE.
    pub filter: Option<Expression>,
    /// GROUP BY.
    pub group_by: Vec<Expression>,
    /// WITH ROLLUP.
    pub rollup: bool,
    /// HAVING.
    pub having: Option<Expression>,
    /// What WINDOW defines by name.
    pub windows: Vec<Over>,
}

/// One item of a SELECT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `*`, or `t.*` with the table in lower case.
    All(Option<String>),
    /// An expression, and the name of its column in lower case where that is known.
    Column(Expression, Option<String>),
}

/// What stands after FROM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// A table, a view or a CTE.
    Table(Table),
    /// A query in its place.
    Derived {
        /// What it is.
        query: Box<Query>,
        /// In lower case.
        alias: String,
        /// The names of its columns, where they are given.
        columns: Vec<String>,
        /// Whether it sees its neighbours.
        lateral: bool,
    },
    /// JSON_TABLE and the like.
    Other {
        /// In lower case.
        alias: String,
    },
    /// Two of them.
    Join(Box<Join>),
}

/// A name of a table, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The database, without quotes.
    pub schema: Option<String>,
    /// The name, without quotes.
    pub name: String,
    /// What it is called in the statement, in lower case.
    pub alias: String,
}

/// A join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// Which side may be missing.
    pub kind: JoinKind,
    /// Left of it.
    pub left: From,
    /// Right of it.
    pub right: From,
    /// ON.
    pub on: Option<Expression>,
    /// NATURAL or USING: columns of both sides become one.
    pub merges: bool,
}

/// Which side of a join may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// None.
    Inner,
    /// LEFT JOIN: the right side.
    Left,
    /// RIGHT JOIN: the left side.
    Right,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// NULL.
    Null,
    /// A constant other than NULL, as written.
    Literal(String),
    /// `?`: its number, from 0.
    Parameter(usize),
    /// A column in lower case: name, or table and name.
    Column(Option<String>, String),
    /// A function; boxed, since the reader keeps many expressions on its stack.
    Call(Box<Call>),
    /// An operator that gives NULL exactly when an operand is NULL.
    Strict(Vec<Expression>),
    /// A comparison: as `Strict`, and never true for NULL.
    Comparison(Vec<Expression>),
    /// LIKE: as a comparison.
    Pattern(Vec<Expression>),
    /// REGEXP: as a comparison, but for patterns that a server cannot use.
    Regexp(Vec<Expression>),
    /// A row constructor.
    Row(Vec<Expression>),
    /// AND.
    And(Box<[Expression; 2]>),
    /// OR and XOR.
    Or(Box<[Expression; 2]>),
    /// `/`, `DIV`, `%`, `MOD`.
    Division(Box<[Expression; 2]>),
    /// `a -> b` and `a ->> b`: may give NULL.
    Partial(Vec<Expression>),
    /// `INTERVAL 1 DAY`: the amount, and the unit in upper case.
    Interval(Box<Expression>, String),
    /// `IS NOT NULL`, `IS TRUE`: never NULL, and true only for what is not NULL.
    IsSomething(Box<Expression>),
    /// `IS NULL`, `IS NOT TRUE`, `<=>`: never NULL.
    Test(Vec<Expression>),
    /// `a IN (…)`, `a BETWEEN … AND …`: the first as in a comparison, the others only matter for NULL.
    Among(Vec<Expression>),
    /// `a IN (SELECT …)`, `a > ANY (SELECT …)`, `a > ALL (SELECT …)`.
    AmongRows(Box<Expression>, Box<Query>),
    /// CASE: conditions and the operand, results, and whether there is an ELSE.
    Case {
        /// The operand, if there is one, and what is compared with it.
        conditions: Vec<Expression>,
        /// What follows THEN and ELSE.
        results: Vec<Expression>,
        /// Whether there is an ELSE.
        has_else: bool,
    },
    /// EXISTS.
    Exists(Box<Query>),
    /// A query for one value.
    Subquery(Box<Query>),
    /// What is not understood, with what is inside as far as it is.
    Unknown(Vec<Expression>),
}

/// A call of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// In upper case.
    pub name: String,
    /// Its arguments; none for `COUNT(*)`.
    pub arguments: Vec<Expression>,
    /// In upper case: what CAST and CONVERT make of it, by the type's first word, `USING` where it is another character set; the unit of
    /// EXTRACT, TIMESTAMPADD and TIMESTAMPDIFF.
    pub target: Option<String>,
    /// OVER.
    pub over: Option<Over>,
}

/// The window of a window function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Over {
    /// Whether it may leave the current row out: a frame is given, or the window has a name.
    pub framed: bool,
    /// What PARTITION BY and ORDER BY say, where they were read.
    pub parts: Vec<Expression>,
    /// How many rows or groups a frame reaches: `ROWS 2 PRECEDING`.
    pub reach: Vec<Expression>,
}

impl Call {
    fn of(name: &str, arguments: Vec<Expression>) -> Self {
        Self {
            name: name.to_owned(),
            arguments,
            target: None,
            over: None,
        }
    }
}

/// Reads a statement that begins with SELECT, WITH or a parenthesis.
pub(super) fn read(sql: &str, tokens: &[Token]) -> Option<Query> {
    whole(sql, tokens, |parser| parser.query())
}

/// Reads INSERT, REPLACE, UPDATE and DELETE.
pub(super) fn read_change(sql: &str, tokens: &[Token]) -> Option<Change> {
    whole(sql, tokens, |parser| parser.change())
}

fn whole<T>(
    sql: &str,
    tokens: &[Token],
    part: impl FnOnce(&mut parser::Parser<'_>) -> Option<T>,
) -> Option<T> {
    let tokens = Tokens::new(sql, tokens);
    let mut parser = parser::Parser::new(&tokens);
    let read = part(&mut parser)?;
    let ended = parser.at_end() || (parser.eat_mark(b';') && parser.at_end());
    ended.then_some(read)
}

/// Reads the body of a view.
pub fn of_view(definition: &str) -> Option<Query> {
    read(definition, &super::lexer::lex(definition).ok()?)
}

impl Query {
    /// Calls back with every table named anywhere in it.
    pub fn tables<'q>(&'q self, found: &mut dyn FnMut(&'q Table)) {
        self.ctes.iter().for_each(|cte| cte.query.tables(found));
        self.body.tables(found);
        self.order_by
            .iter()
            .for_each(|expression| expression.tables(found));
    }
}

impl Body {
    /// Whether no `*` is among what gives its columns their names: the first SELECT.
    pub fn names_columns(&self) -> bool {
        match self {
            Self::Select(select) => {
                let mut items = select.items.iter();
                items.all(|item| matches!(item, Item::Column(..)))
            }
            Self::Set(first, _) => first.names_columns(),
            Self::Nested(query) => query.body.names_columns(),
        }
    }

    fn tables<'q>(&'q self, found: &mut dyn FnMut(&'q Table)) {
        match self {
            Self::Select(select) => {
                if let Some(from) = &select.from {
                    from.tables(found);
                }
                let items = select.items.iter().filter_map(|item| match item {
                    Item::Column(expression, _) => Some(expression),
                    Item::All(_) => None,
                });
                items
                    .chain(&select.filter)
                    .chain(&select.having)
                    .for_each(|expression| expression.tables(found));
            }
            Self::Set(left, right) => {
                left.tables(found);
                right.tables(found);
            }
            Self::Nested(query) => query.tables(found),
        }
    }
}

impl From {
    fn tables<'q>(&'q self, found: &mut dyn FnMut(&'q Table)) {
        match self {
            Self::Table(table) => found(table),
            Self::Derived { query, .. } => query.tables(found),
            Self::Other { .. } => {}
            Self::Join(join) => {
                join.left.tables(found);
                join.right.tables(found);
            }
        }
    }
}

impl Expression {
    fn tables<'q>(&'q self, found: &mut dyn FnMut(&'q Table)) {
        match self {
            Self::Exists(query) | Self::Subquery(query) => query.tables(found),
            Self::AmongRows(one, query) => {
                one.tables(found);
                query.tables(found);
            }
            _ => self.parts().into_iter().for_each(|part| part.tables(found)),
        }
    }

    /// The expressions it is made of; those inside of subqueries are not among them.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Null
            | Self::Literal(_)
            | Self::Parameter(_)
            | Self::Column(..)
            | Self::Exists(_)
            | Self::Subquery(_) => Vec::new(),
            Self::Call(call) => {
                let over = call.over.iter().flat_map(|over| &over.parts);
                call.arguments.iter().chain(over).collect()
            }
            Self::Strict(parts)
            | Self::Comparison(parts)
            | Self::Pattern(parts)
            | Self::Regexp(parts)
            | Self::Row(parts)
            | Self::Partial(parts)
            | Self::Test(parts)
            | Self::Among(parts)
            | Self::Unknown(parts) => parts.iter().collect(),
            Self::And(parts) | Self::Or(parts) | Self::Division(parts) => parts.iter().collect(),
            Self::IsSomething(part) | Self::AmongRows(part, _) | Self::Interval(part, _) => {
                vec![part]
            }
            Self::Case {
                conditions,
                results,
                ..
            } => conditions.iter().chain(results).collect(),
        }
    }
}
