//! CASE, and functions with the words that some have between their arguments.

use super::parser::Parser;
use super::{Call, Expression, Over};

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
        let mut call = Call {
            name,
            arguments: Vec::new(),
            target: None,
            over: None,
        };
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

    /// The arguments, with the words that some functions have between them.
    fn arguments(&mut self, call: &mut Call, close: usize) -> Option<()> {
        if self.eat_any(&["BOTH", "LEADING", "TRAILING"]) {
            self.eat("FROM");
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
            if self.eat("AS") {
                call.target = Some(self.tokens.text(self.at).to_ascii_uppercase());
                return Some(());
            }
            // CONVERT(x USING utf8mb4), GROUP_CONCAT(x ORDER BY y SEPARATOR ','): what follows is no argument.
            if self.is_any(&["USING", "ORDER", "SEPARATOR"]) {
                return Some(());
            }
            // EXTRACT(YEAR FROM x), POSITION(x IN y)
            if !self.eat_mark(b',') && !self.eat_any(&["FROM", "FOR", "IN"]) {
                return None;
            }
        }
    }

    fn over(&mut self) -> Option<Over> {
        if !self.is_mark(b'(') {
            self.name()?;
            return Some(Over { framed: true });
        }
        let open = self.at;
        self.skip_parentheses()?;
        self.hides_nothing(open, self.at)?;
        let words = ["ROWS", "RANGE", "GROUPS"];
        let framed = (open..self.at).any(|index| self.tokens.is_any(index, &words));
        // A window in parentheses may begin with the name of another, which may have a frame.
        let based = self.tokens.name(open + 1).is_some()
            && !self.tokens.is_any(open + 1, &["PARTITION", "ORDER"]);
        Some(Over {
            framed: framed || based,
        })
    }
}
