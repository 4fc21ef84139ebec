//! CASE, and functions with the words that some have between their arguments.

use super::parser::Parser;
use super::{Call, Expression, Over};

/// Functions whose first word is a unit.
const OF_UNITS: &[&str] = &["EXTRACT", "TIMESTAMPADD", "TIMESTAMPDIFF"];

/// Behind a type: that it is not the text that one would take it for.
const CHARACTER_SETS: &[&str] = &["ASCII", "BINARY", "BYTE", "CHARACTER", "CHARSET", "UNICODE"];

impl Parser<'_> {
    pub(super) fn case(&mut self) -> Option<Expression> {
        let mut conditions = Vec::new();
        let mut results = Vec::new();
        if !self.is("WHEN") {
            conditions.push(self.expression()?);
        }
        while self.eat("WHEN") {
            conditions.push(self.expression()?);
            self.expect("THEN")?;
            results.push(self.expression()?);
        }
        let has_else = self.eat("ELSE");
        if has_else {
            results.push(self.expression()?);
        }
        self.expect("END")?;
        Some(Expression::Case {
            conditions,
            results,
            has_else,
        })
    }

    pub(super) fn call(&mut self) -> Option<Expression> {
        let name = self.tokens.text(self.at).to_ascii_uppercase();
        let close = self.tokens.partner(self.at + 1);
        self.at += 2;
        let mut call = Box::new(Call::of(&name, Vec::new()));
        self.eat_any(&["DISTINCT", "ALL"]);
        if self.eat_mark(b'*') {
            (self.at == close).then_some(())?;
        } else if self.at < close {
            let open = self.at;
            if self.arguments(&mut call, close).is_none() {
                self.hides_nothing(open, close)?;
                self.at = close + 1;
                return Some(Expression::Unknown(Vec::new()));
            }
        }
        self.at = close;
        self.expect_mark(b')')?;
        if self.eat_any(&["RESPECT", "IGNORE"]) {
            self.expect("NULLS")?;
        }
        if self.eat("OVER") {
            call.over = Some(self.over()?);
        }
        Some(Expression::Call(call))
    }

    /// MATCH (a, b) AGAINST ('x' IN BOOLEAN MODE): what is looked for, and behind it the columns. MySQL needs no parentheses around these.
    pub(super) fn full_text(&mut self) -> Option<Expression> {
        let in_parentheses = self.eat_mark(b'(');
        let columns = self.list(Self::column)?;
        if in_parentheses {
            self.expect_mark(b')')?;
        }
        self.expect("AGAINST")?;
        self.expect_mark(b'(')?;
        let mut arguments = vec![self.bits()?];
        self.modifier_of_against()?;
        self.expect_mark(b')')?;
        arguments.extend(columns);
        Some(Expression::Call(Box::new(Call::of("MATCH", arguments))))
    }

    fn modifier_of_against(&mut self) -> Option<()> {
        if self.eat("IN") {
            if !self.eat("BOOLEAN") {
                self.expect("NATURAL")?;
                self.expect("LANGUAGE")?;
            }
            self.expect("MODE")?;
        }
        if self.eat("WITH") {
            self.expect("QUERY")?;
            self.expect("EXPANSION")?;
        }
        Some(())
    }

    /// The arguments, with the words that some functions have between them.
    fn arguments(&mut self, call: &mut Call, close: usize) -> Option<()> {
        if self.eat_any(&["BOTH", "LEADING", "TRAILING"]) {
            self.eat("FROM");
        }
        if OF_UNITS.contains(&call.name.as_str()) {
            let unit = self.name()?.to_ascii_uppercase();
            call.target = Some(unit.trim_start_matches("SQL_TSI_").to_owned());
            (self.eat("FROM") || self.eat_mark(b',')).then_some(())?;
        }
        loop {
            let argument = if self.tokens.opens_select(self.at) {
                self.bits()?
            } else {
                self.expression()?
            };
            call.arguments.push(argument);
            if self.at == close {
                return Some(());
            }
            if self.eat("AS") || call.name == "CONVERT" && self.eat_mark(b',') {
                call.target = Some(self.target(close));
                return Some(());
            }
            if self.is("USING") {
                call.target = Some("USING".to_owned());
                return Some(());
            }
            // GROUP_CONCAT(x ORDER BY y SEPARATOR ','): what follows is no argument.
            if self.is_any(&["ORDER", "SEPARATOR"]) {
                return Some(());
            }
            // EXTRACT(YEAR FROM x), POSITION(x IN y)
            if !self.eat_mark(b',') && !self.eat_any(&["FROM", "FOR", "IN"]) {
                return None;
            }
        }
    }

    /// The first word of a type, or that it is text of another character set.
    fn target(&self, close: usize) -> String {
        let of_a_set = (self.at + 1..close).any(|index| self.tokens.is_any(index, CHARACTER_SETS));
        match of_a_set {
            true => "USING".to_owned(),
            false => self.tokens.text(self.at).to_ascii_uppercase(),
        }
    }

    fn over(&mut self) -> Option<Over> {
        if self.is_mark(b'(') {
            return self.window();
        }
        self.name()?;
        Some(Over {
            framed: true,
            ..Over::default()
        })
    }

    /// What a window is, in parentheses. What is not understood there is skipped, if nothing hides in it.
    pub(super) fn window(&mut self) -> Option<Over> {
        let open = self.at;
        if let Some(over) = self.window_as_read() {
            return Some(over);
        }
        self.at = open;
        self.skip_parentheses()?;
        self.hides_nothing(open, self.at)?;
        Some(Over {
            framed: true,
            ..Over::default()
        })
    }

    fn window_as_read(&mut self) -> Option<Over> {
        let mut over = Over::default();
        self.expect_mark(b'(')?;
        // It may begin with the name of another, which may have a frame.
        if self.tokens.name(self.at).is_some()
            && !self.is_any(&["PARTITION", "ORDER", "ROWS", "RANGE", "GROUPS"])
        {
            self.name()?;
            over.framed = true;
        }
        if self.eat("PARTITION") {
            self.expect("BY")?;
            over.parts = self.list(Self::expression)?;
        }
        over.parts.extend(self.order_by()?);
        let counts = self.is_any(&["ROWS", "GROUPS"]);
        if self.eat_any(&["ROWS", "RANGE", "GROUPS"]) {
            let (bounds, holds_the_row) = self.bounds()?;
            over.framed |= !holds_the_row;
            match counts {
                true => over.reach = bounds,
                false => over.parts.extend(bounds),
            }
        }
        self.expect_mark(b')')?;
        Some(over)
    }

    /// How far a frame reaches, where that is an expression, and whether it holds the row that it belongs to.
    fn bounds(&mut self) -> Option<(Vec<Expression>, bool)> {
        let between = self.eat("BETWEEN");
        let (mut bounds, from) = self.bound()?;
        let mut holds_the_row = from != Side::Following;
        if between {
            self.expect("AND")?;
            let (more, to) = self.bound()?;
            bounds.extend(more);
            holds_the_row &= to != Side::Preceding;
        }
        Some((bounds, holds_the_row))
    }

    fn bound(&mut self) -> Option<(Vec<Expression>, Side)> {
        if self.eat("CURRENT") {
            return self.expect("ROW").map(|()| (Vec::new(), Side::Current));
        }
        let reach = match self.eat("UNBOUNDED") {
            true => Vec::new(),
            false => vec![self.bits()?],
        };
        if self.eat("PRECEDING") {
            return Some((reach, Side::Preceding));
        }
        self.expect("FOLLOWING").map(|()| (reach, Side::Following))
    }
}

/// Where a frame begins or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Preceding,
    Current,
    Following,
}
