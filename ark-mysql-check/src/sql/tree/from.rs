//! Tables and joins.

use super::super::lexer::Kind;
use super::parser::Parser;
use super::query::CLAUSES;
use super::{From, Join, JoinKind, Table};

impl Parser<'_> {
    pub(super) fn from(&mut self) -> Option<From> {
        self.deeper(|parser| {
            let mut from = parser.joins()?;
            while parser.eat_mark(b',') {
                from = join(JoinKind::Inner, from, parser.joins()?);
            }
            Some(from)
        })
    }

    fn joins(&mut self) -> Option<From> {
        let mut left = self.table()?;
        loop {
            let natural = self.eat("NATURAL");
            let kind = if self.eat("LEFT") {
                JoinKind::Left
            } else if self.eat("RIGHT") {
                JoinKind::Right
            } else {
                JoinKind::Inner
            };
            if kind == JoinKind::Inner {
                if !self.eat("STRAIGHT_JOIN") {
                    let named = self.eat_any(&["INNER", "CROSS"]);
                    if !self.eat("JOIN") {
                        return (!natural && !named).then_some(left);
                    }
                }
            } else {
                self.eat("OUTER");
                self.expect("JOIN")?;
            }
            left = self.join_with(kind, left, natural)?;
        }
    }

    /// The right side and its condition. A condition that comes later (`a JOIN b JOIN c ON … ON …`) is given up.
    fn join_with(&mut self, kind: JoinKind, left: From, natural: bool) -> Option<From> {
        let right = self.table()?;
        let on = if self.eat("ON") {
            Some(self.expression()?)
        } else {
            None
        };
        let using = on.is_none() && self.eat("USING");
        if using {
            self.names()?;
        }
        if kind != JoinKind::Inner && on.is_none() && !using && !natural {
            return None;
        }
        Some(From::Join(Box::new(Join {
            kind,
            left,
            right,
            on,
            merges: natural || using,
        })))
    }

    fn table(&mut self) -> Option<From> {
        let lateral = self.eat("LATERAL");
        if self.is_mark(b'(') && self.tokens.opens_select(self.at) {
            return self.derived(lateral);
        }
        if self.eat_mark(b'(') {
            let inner = self.from()?;
            self.expect_mark(b')')?;
            return Some(inner);
        }
        if self.is_any(CLAUSES) {
            return None;
        }
        let mut name = self.name()?;
        if self.is_mark(b'(') {
            self.skip_parentheses()?;
            return Some(From::Other {
                alias: self.alias()?,
            });
        }
        let mut schema = None;
        if self.eat_mark(b'.') {
            schema = Some(std::mem::replace(&mut name, self.name()?));
        }
        if self.is("PARTITION") {
            self.at += 1;
            self.skip_parentheses()?;
        }
        self.period()?;
        let alias = self.alias().unwrap_or_else(|| name.to_lowercase());
        self.index_hints()?;
        Some(From::Table(Table {
            schema,
            name,
            alias,
        }))
    }

    /// `FOR SYSTEM_TIME AS OF …`, `FOR PORTION OF validity FROM … TO …`: which of its rows, of MariaDB.
    fn period(&mut self) -> Option<()> {
        let portion = self.tokens.is(self.at + 1, "PORTION");
        if !self.is("FOR") || !(portion || self.tokens.is(self.at + 1, "SYSTEM_TIME")) {
            return Some(());
        }
        self.at += 2;
        if portion {
            self.expect("OF")?;
            self.name()?;
        }
        if self.eat("ALL") {
            return Some(());
        }
        if self.eat("AS") {
            self.expect("OF")?;
            return self.moment();
        }
        let between = self.eat("BETWEEN");
        if !between {
            self.expect("FROM")?;
        }
        self.moment()?;
        self.expect(if between { "AND" } else { "TO" })?;
        self.moment()
    }

    fn moment(&mut self) -> Option<()> {
        if self.tokens.kind(self.at + 1) != Some(Kind::Text) {
            self.eat_any(&["TIMESTAMP", "TRANSACTION"]);
        }
        self.bits().map(drop)
    }

    /// A query where a table stands; or joins in parentheses that begin with one. Only the query has a name behind it: that decides, since trying first the one
    /// and then the other doubles the work with every parenthesis.
    fn derived(&mut self, lateral: bool) -> Option<From> {
        if !self.has_alias_at(self.tokens.partner(self.at) + 1) {
            self.at += 1;
            let inner = self.from()?;
            self.expect_mark(b')')?;
            return Some(inner);
        }
        let query = self.in_parentheses()?;
        let alias = self.alias()?;
        let columns = if self.is_mark(b'(') {
            self.names()?
        } else {
            Vec::new()
        };
        Some(From::Derived {
            query: Box::new(query),
            alias,
            columns,
            lateral,
        })
    }

    fn has_alias_at(&self, index: usize) -> bool {
        self.tokens.is(index, "AS")
            || (matches!(self.tokens.kind(index), Some(Kind::Word | Kind::Quoted))
                && !self.tokens.is_any(index, CLAUSES))
    }

    fn alias(&mut self) -> Option<String> {
        if !self.eat("AS") && self.is_any(CLAUSES) {
            return None;
        }
        self.name().map(|name| name.to_lowercase())
    }

    fn index_hints(&mut self) -> Option<()> {
        while self.eat_any(&["USE", "FORCE", "IGNORE"]) {
            self.eat_any(&["INDEX", "KEY"]);
            if self.eat("FOR") {
                while !self.at_end() && !self.is_mark(b'(') {
                    self.at += 1;
                }
            }
            self.skip_parentheses()?;
            self.eat_mark(b',');
        }
        Some(())
    }
}

fn join(kind: JoinKind, left: From, right: From) -> From {
    From::Join(Box::new(Join {
        kind,
        left,
        right,
        on: None,
        merges: false,
    }))
}
