//! Queries: WITH, the SELECTs, what comes after them.

use super::super::lexer::Kind;
use super::parser::Parser;
use super::{Body, Cte, Expression, Item, Query, Select};

/// What ends a list of items, a table or a condition: none of them is an alias.
pub(super) const CLAUSES: &[&str] = &[
    "FROM",
    "WHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "MINUS",
    "FOR",
    "LOCK",
    "INTO",
    "PROCEDURE",
    "WINDOW",
    "QUALIFY",
    "FETCH",
    "OFFSET",
    "ON",
    "USING",
    "LEFT",
    "RIGHT",
    "INNER",
    "CROSS",
    "FULL",
    "JOIN",
    "NATURAL",
    "STRAIGHT_JOIN",
    "USE",
    "FORCE",
    "IGNORE",
    "PARTITION",
    "TABLESAMPLE",
    "WITH",
    "AS",
    "SELECT",
    "SET",
    "VALUES",
    "AND",
    "OR",
    "XOR",
    "THEN",
    "ELSE",
    "END",
    "WHEN",
    "IS",
    "IN",
    "LIKE",
    "BETWEEN",
    "REGEXP",
    "RLIKE",
    "DIV",
    "MOD",
    "NOT",
    "COLLATE",
    "ASC",
    "DESC",
    "RETURNING",
    "SOUNDS",
    "MEMBER",
    "ESCAPE",
    "OVER",
    "ROWS",
];

const FLAGS: &[&str] = &[
    "ALL",
    "DISTINCT",
    "DISTINCTROW",
    "HIGH_PRIORITY",
    "STRAIGHT_JOIN",
    "SQL_SMALL_RESULT",
    "SQL_BIG_RESULT",
    "SQL_BUFFER_RESULT",
    "SQL_NO_CACHE",
    "SQL_CACHE",
    "SQL_CALC_FOUND_ROWS",
];

impl Parser<'_> {
    pub(super) fn query(&mut self) -> Option<Query> {
        self.deeper(Self::query_here)
    }

    fn query_here(&mut self) -> Option<Query> {
        let (ctes, recursive) = self.with()?;
        let body = self.body()?;
        let order_by = self.order_by()?;
        let limit = self.limit()?;
        if self.is_any(&["FOR", "LOCK"]) {
            self.skip_locking();
        }
        Some(Query {
            ctes,
            recursive,
            body,
            order_by,
            limit,
        })
    }

    pub(super) fn with(&mut self) -> Option<(Vec<Cte>, bool)> {
        if !self.eat("WITH") {
            return Some((Vec::new(), false));
        }
        let recursive = self.eat("RECURSIVE");
        let ctes = self.list(|parser| {
            let name = parser.name()?.to_lowercase();
            let columns = if parser.is_mark(b'(') {
                parser.names()?
            } else {
                Vec::new()
            };
            parser.expect("AS")?;
            Some(Cte {
                name,
                columns,
                query: parser.in_parentheses()?,
            })
        })?;
        Some((ctes, recursive))
    }

    /// A query in parentheses.
    pub(super) fn in_parentheses(&mut self) -> Option<Query> {
        self.expect_mark(b'(')?;
        let query = self.query()?;
        self.expect_mark(b')')?;
        Some(query)
    }

    fn body(&mut self) -> Option<Body> {
        let mut body = self.term()?;
        while self.eat_any(&["UNION", "EXCEPT", "INTERSECT", "MINUS"]) {
            self.eat_any(&["ALL", "DISTINCT"]);
            body = Body::Set(Box::new(body), Box::new(self.term()?));
        }
        Some(body)
    }

    fn term(&mut self) -> Option<Body> {
        if self.is_mark(b'(') {
            return self
                .in_parentheses()
                .map(|query| Body::Nested(Box::new(query)));
        }
        self.expect("SELECT")?;
        self.select().map(|select| Body::Select(Box::new(select)))
    }

    fn select(&mut self) -> Option<Select> {
        while self.eat_any(FLAGS) {}
        let mut select = Select {
            items: self.list(Self::item)?,
            ..Select::default()
        };
        if self.eat("FROM") {
            select.from = Some(self.from()?);
        }
        if self.eat("WHERE") {
            select.filter = Some(self.expression()?);
        }
        if self.eat("GROUP") {
            self.expect("BY")?;
            (select.group_by, select.rollup) = self.group_by()?;
        }
        if self.eat("HAVING") {
            select.having = Some(self.expression()?);
        }
        if self.eat("WINDOW") {
            select.windows = self.list(|parser| {
                parser.name()?;
                parser.expect("AS")?;
                parser.window()
            })?;
        }
        Some(select)
    }

    fn item(&mut self) -> Option<Item> {
        if self.eat_mark(b'*') {
            return Some(Item::All(None));
        }
        if let Some(table) = self.table_wildcard() {
            return Some(Item::All(Some(table)));
        }
        let expression = self.expression()?;
        let name = match &expression {
            Expression::Column(_, name) => Some(name.clone()),
            _ => None,
        };
        let alias = self.item_alias()?;
        Some(Item::Column(expression, alias.or(name)))
    }

    /// `t.*` or `db.t.*`.
    fn table_wildcard(&mut self) -> Option<String> {
        let start = self.at;
        let mut table = self.name()?;
        while self.eat_mark(b'.') {
            if self.eat_mark(b'*') {
                return Some(table.to_lowercase());
            }
            let Some(name) = self.name() else { break };
            table = name;
        }
        self.at = start;
        None
    }

    /// `Some(None)` where there is none.
    fn item_alias(&mut self) -> Option<Option<String>> {
        let named = self.eat("AS");
        if self.kind() == Some(Kind::Text) {
            let text = self.tokens.text(self.at);
            self.at += 1;
            return Some(text.get(1..text.len() - 1).map(str::to_lowercase));
        }
        if named || !self.is_any(CLAUSES) {
            let name = self.name().map(|name| name.to_lowercase());
            return if named && name.is_none() {
                None
            } else {
                Some(name)
            };
        }
        Some(None)
    }

    fn group_by(&mut self) -> Option<(Vec<Expression>, bool)> {
        let keys = self.list(Self::ordered)?;
        let listed = keys.iter().any(|key| matches!(key, Expression::Call(call) if ["ROLLUP", "CUBE"].contains(&call.name.as_str())));
        if self.eat("WITH") {
            self.expect("ROLLUP")?;
            return Some((keys, true));
        }
        Some((keys, listed))
    }

    pub(super) fn ordered(&mut self) -> Option<Expression> {
        let expression = self.expression()?;
        self.eat_any(&["ASC", "DESC"]);
        Some(expression)
    }

    pub(super) fn order_by(&mut self) -> Option<Vec<Expression>> {
        if !self.eat("ORDER") {
            return Some(Vec::new());
        }
        self.expect("BY")?;
        self.list(Self::ordered)
    }

    pub(super) fn limit(&mut self) -> Option<Vec<Expression>> {
        if self.is_any(&["OFFSET", "FETCH"]) {
            return self.fetch();
        }
        if !self.eat("LIMIT") {
            return Some(Vec::new());
        }
        let mut limit = vec![self.expression()?];
        if self.eat_mark(b',') || self.eat("OFFSET") {
            limit.push(self.expression()?);
        }
        Some(limit)
    }

    /// `OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY` of MariaDB.
    fn fetch(&mut self) -> Option<Vec<Expression>> {
        const ROWS: &[&str] = &["ROW", "ROWS"];
        let mut limit = Vec::new();
        if self.eat("OFFSET") {
            limit.push(self.expression()?);
            self.eat_any(ROWS);
        }
        if self.eat("FETCH") {
            self.eat_any(&["FIRST", "NEXT"]);
            if !self.eat_any(ROWS) {
                limit.push(self.expression()?);
                self.eat_any(ROWS);
            }
            if !self.eat("ONLY") {
                self.expect("WITH")?;
                self.expect("TIES")?;
            }
        }
        Some(limit)
    }

    /// FOR UPDATE, LOCK IN SHARE MODE, with what follows: nothing else can.
    fn skip_locking(&mut self) {
        while !self.at_end() && !self.is_mark(b')') && !self.is_mark(b';') {
            self.at += 1;
        }
    }
}
