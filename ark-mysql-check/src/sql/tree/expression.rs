//! Expressions, by the precedence of the manual: OR, XOR, AND, NOT, comparisons, `|`, `&`, shifts, `+ -`, `* /`, `^`, unary.

use super::super::lexer::Kind;
use super::parser::Parser;
use super::query::CLAUSES;
use super::{Call, Expression};

/// Called without parentheses.
const BARE_CALLS: &[&str] = &[
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "CURRENT_USER",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "UTC_DATE",
    "UTC_TIME",
    "UTC_TIMESTAMP",
];

/// What stands behind an INTERVAL.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "DAY", "DAY_HOUR", "DAY_MICROSECOND", "DAY_MINUTE", "DAY_SECOND", "HOUR", "HOUR_MICROSECOND", "HOUR_MINUTE", "HOUR_SECOND", "MICROSECOND", "MINUTE",
    "MINUTE_MICROSECOND", "MINUTE_SECOND", "MONTH", "QUARTER", "SECOND", "SECOND_MICROSECOND", "WEEK", "YEAR", "YEAR_MONTH",
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<Expression> {
        self.deeper(Self::disjunction)
    }

    fn disjunction(&mut self) -> Option<Expression> {
        let mut left = self.exclusive()?;
        // `||` is OR or CONCAT, as sql_mode has it: both are NULL only where an operand is.
        while self.eat("OR") || self.eat_marks(b"||") {
            left = Expression::Or(Box::new([left, self.exclusive()?]));
        }
        Some(left)
    }

    fn exclusive(&mut self) -> Option<Expression> {
        let mut left = self.conjunction()?;
        while self.eat("XOR") {
            left = Expression::Or(Box::new([left, self.conjunction()?]));
        }
        Some(left)
    }

    fn conjunction(&mut self) -> Option<Expression> {
        let mut left = self.negation()?;
        while self.eat("AND") || self.eat_marks(b"&&") {
            left = Expression::And(Box::new([left, self.negation()?]));
        }
        Some(left)
    }

    fn negation(&mut self) -> Option<Expression> {
        if self.eat("NOT") {
            return self
                .deeper(Self::negation)
                .map(|inner| Expression::Strict(vec![inner]));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Option<Expression> {
        let mut left = self.bits()?;
        loop {
            if self.eat("IS") {
                left = self.is_what(left)?;
            } else if self.eat_marks(b"<=>") {
                left = Expression::Test(vec![left, self.bits()?]);
            } else if self.eat_marks(b"<>") || self.eat_marks(b"!=") {
                left = unequal(self.compared_with(left)?);
            } else if self.eat_comparison() {
                left = self.compared_with(left)?;
            } else if self.eat("BETWEEN") {
                left = self.between(left)?;
            } else if self.eat("NOT") {
                left = Expression::Strict(vec![self.pattern_or_list(left)??]);
            } else {
                match self.pattern_or_list(left.clone())? {
                    Some(more) => left = more,
                    None => return Some(left),
                }
            }
        }
    }

    fn eat_comparison(&mut self) -> bool {
        let operators: [&[u8]; 5] = [b"<=", b">=", b"=", b"<", b">"];
        let shift = self.tokens.is_mark(self.at, b'<') && self.tokens.is_mark(self.at + 1, b'<')
            || self.tokens.is_mark(self.at, b'>') && self.tokens.is_mark(self.at + 1, b'>');
        !shift && operators.iter().any(|operator| self.eat_marks(operator))
    }

    fn compared_with(&mut self, left: Expression) -> Option<Expression> {
        if self.is_any(&["ANY", "SOME", "ALL"]) && self.tokens.is_mark(self.at + 1, b'(') {
            self.at += 1;
            let query = self.in_parentheses()?;
            return Some(Expression::AmongRows(Box::new(left), Box::new(query)));
        }
        Some(Expression::Comparison(vec![left, self.bits()?]))
    }

    fn is_what(&mut self, left: Expression) -> Option<Expression> {
        let not = self.eat("NOT");
        let null = self.eat_any(&["NULL", "UNKNOWN"]);
        if !null && !self.eat_any(&["TRUE", "FALSE"]) {
            return None;
        }
        Some(if null == not {
            Expression::IsSomething(Box::new(left))
        } else {
            Expression::Test(vec![left])
        })
    }

    fn between(&mut self, left: Expression) -> Option<Expression> {
        let low = self.bits()?;
        self.expect("AND")?;
        let high = self.bits()?;
        Some(Expression::Among(vec![left, low, high]))
    }

    /// LIKE, REGEXP, IN, and BETWEEN after NOT. `Some(None)` where there is nothing of the kind.
    fn pattern_or_list(&mut self, left: Expression) -> Option<Option<Expression>> {
        if self.eat_any(&["REGEXP", "RLIKE"]) {
            return Some(Some(Expression::Regexp(vec![left, self.bits()?])));
        }
        if self.eat("SOUNDS") {
            self.expect("LIKE")?;
            return Some(Some(Expression::Strict(vec![left, self.bits()?])));
        }
        if self.eat("MEMBER") {
            self.expect("OF")?;
            self.expect_mark(b'(')?;
            let document = self.expression()?;
            self.expect_mark(b')')?;
            return Some(Some(Expression::Partial(vec![left, document])));
        }
        if self.eat("LIKE") {
            let mut parts = vec![left, self.bits()?];
            if self.eat("ESCAPE") {
                parts.push(self.bits()?);
            }
            return Some(Some(Expression::Pattern(parts)));
        }
        if self.eat("BETWEEN") {
            return self.between(left).map(Some);
        }
        if self.eat("IN") {
            if self.tokens.opens_select(self.at) {
                let query = self.in_parentheses()?;
                return Some(Some(Expression::AmongRows(Box::new(left), Box::new(query))));
            }
            let mut parts = vec![left];
            self.expect_mark(b'(')?;
            parts.extend(self.list(Self::expression)?);
            self.expect_mark(b')')?;
            return Some(Some(Expression::Among(parts)));
        }
        Some(None)
    }

    pub(super) fn bits(&mut self) -> Option<Expression> {
        let mut left = self.sum()?;
        loop {
            let or = self.is_mark(b'|') && !self.tokens.is_mark(self.at + 1, b'|');
            let and = self.is_mark(b'&') && !self.tokens.is_mark(self.at + 1, b'&');
            if or || and {
                self.at += 1;
            } else if !self.eat_marks(b"<<") && !self.eat_marks(b">>") {
                return Some(left);
            }
            left = Expression::Strict(vec![left, self.sum()?]);
        }
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut left = self.product()?;
        loop {
            let arrow = self.is_mark(b'-') && self.tokens.is_mark(self.at + 1, b'>');
            if arrow || !(self.eat_mark(b'+') || self.eat_mark(b'-')) {
                return Some(left);
            }
            left = if self.is_interval() {
                // What goes back goes as far as what goes forth.
                Expression::Call(Box::new(Call::of("DATE_ADD", vec![left, self.interval()?])))
            } else {
                Expression::Strict(vec![left, self.product()?])
            };
        }
    }

    fn product(&mut self) -> Option<Expression> {
        let mut left = self.power()?;
        loop {
            if self.eat_mark(b'*') {
                left = Expression::Strict(vec![left, self.power()?]);
            } else if self.eat_mark(b'/') || self.eat_mark(b'%') || self.eat_any(&["DIV", "MOD"]) {
                left = Expression::Division(Box::new([left, self.power()?]));
            } else {
                return Some(left);
            }
        }
    }

    fn power(&mut self) -> Option<Expression> {
        let mut left = self.unary()?;
        while self.eat_mark(b'^') {
            left = Expression::Strict(vec![left, self.unary()?]);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Expression> {
        if [b'-', b'+', b'~', b'!']
            .into_iter()
            .any(|mark| self.eat_mark(mark))
        {
            return self
                .deeper(Self::unary)
                .map(|inner| Expression::Strict(vec![inner]));
        }
        if self.eat("BINARY") {
            let inner = self.deeper(Self::unary)?;
            return Some(Expression::Call(Box::new(Call::of("BINARY", vec![inner]))));
        }
        let mut inner = self.primary()?;
        loop {
            if self.eat("COLLATE") {
                self.name()?;
                // Of a column it is that column, under other rules of comparison; and so with a parameter.
                if !matches!(inner, Expression::Column(..) | Expression::Parameter(_)) {
                    inner = Expression::Strict(vec![inner]);
                }
            } else if self.eat_marks(b"->>") || self.eat_marks(b"->") {
                inner = Expression::Partial(vec![inner, self.primary()?]);
            } else {
                return Some(inner);
            }
        }
    }

    fn primary(&mut self) -> Option<Expression> {
        match self.kind()? {
            Kind::Number => {
                self.at += 1;
                Some(Expression::Literal(
                    self.tokens.text(self.at - 1).to_owned(),
                ))
            }
            Kind::Text => Some(self.text()),
            Kind::Question | Kind::Named => {
                self.at += 1;
                Some(Expression::Parameter(
                    self.tokens.parameters_before(self.at - 1),
                ))
            }
            Kind::UserVariable | Kind::SystemVariable => {
                self.at += 1;
                if self.kind() == Some(Kind::Assign) {
                    self.at += 1;
                    return self
                        .expression()
                        .map(|inner| Expression::Unknown(vec![inner]));
                }
                Some(Expression::Unknown(Vec::new()))
            }
            Kind::Mark(b'(') => self.parenthesis(),
            Kind::Word => self.word(),
            Kind::Quoted => self.column(),
            Kind::Assign | Kind::Mark(_) => None,
        }
    }

    /// A string; strings side by side are one.
    fn text(&mut self) -> Expression {
        let text = self.tokens.text(self.at).to_owned();
        self.at += 1;
        let mut one = true;
        while self.kind() == Some(Kind::Text)
            && text.starts_with('\'')
            && self.tokens.text(self.at).starts_with('\'')
        {
            self.at += 1;
            one = false;
        }
        // Double quotes are names where sql_mode says so.
        match text.starts_with('"') {
            true => Expression::Unknown(Vec::new()),
            false if one => Expression::Literal(text),
            false => Expression::Literal("''".to_owned()),
        }
    }

    fn parenthesis(&mut self) -> Option<Expression> {
        if self.tokens.opens_select(self.at) && !self.tokens.is_mark(self.at + 1, b'(') {
            return self
                .in_parentheses()
                .map(|query| Expression::Subquery(Box::new(query)));
        }
        self.expect_mark(b'(')?;
        let mut inner = self.list(Self::expression)?;
        self.expect_mark(b')')?;
        if inner.len() == 1 {
            inner.pop()
        } else {
            Some(Expression::Row(inner))
        }
    }

    fn word(&mut self) -> Option<Expression> {
        if self.eat("NULL") {
            return Some(Expression::Null);
        }
        if self.eat_any(&["TRUE", "FALSE"]) {
            return Some(Expression::Literal(
                self.tokens.text(self.at - 1).to_owned(),
            ));
        }
        if self.eat("CASE") {
            return self.case();
        }
        if self.is("EXISTS") && self.tokens.opens_select(self.at + 1) {
            self.at += 1;
            return self
                .in_parentheses()
                .map(|query| Expression::Exists(Box::new(query)));
        }
        if self.is_interval() {
            return self.interval();
        }
        if self.is_any(&["NEXT", "PREVIOUS"]) && self.tokens.is(self.at + 1, "VALUE") {
            return self.value_of_a_sequence();
        }
        if self.eat("MATCH") {
            return self.full_text();
        }
        if self.tokens.is_mark(self.at + 1, b'(') {
            return self.call();
        }
        // DATE'…', X'…', _utf8mb4'…'
        if self.tokens.kind(self.at + 1) == Some(Kind::Text) {
            let word = self.tokens.text(self.at).to_ascii_uppercase();
            let introduces = ["DATE", "TIME", "TIMESTAMP", "X", "B", "N"].contains(&word.as_str())
                || word.starts_with('_');
            if introduces && self.tokens.text(self.at + 1).starts_with('\'') {
                self.at += 2;
                let text = self.tokens.text(self.at - 1);
                return Some(Expression::Literal(word + text));
            }
        }
        if self.is_any(BARE_CALLS) {
            self.at += 1;
            let name = self.tokens.text(self.at - 1).to_ascii_uppercase();
            return Some(Expression::Call(Box::new(Call::of(&name, Vec::new()))));
        }
        if self.is_any(CLAUSES) {
            return None;
        }
        self.column()
    }

    /// `NEXT VALUE FOR numbers` of MariaDB. By its own name: `NEXTVAL(…)` may be a function of a database.
    fn value_of_a_sequence(&mut self) -> Option<Expression> {
        let name = match self.is("NEXT") {
            true => "NEXT VALUE",
            false => "PREVIOUS VALUE",
        };
        self.at += 2;
        self.expect("FOR")?;
        self.column()?;
        Some(Expression::Call(Box::new(Call::of(name, Vec::new()))))
    }

    pub(super) fn column(&mut self) -> Option<Expression> {
        let mut table = None;
        let mut name = self.name()?.to_lowercase();
        while self.eat_mark(b'.') {
            table = Some(std::mem::replace(&mut name, self.name()?.to_lowercase()));
        }
        if self.is_mark(b'(') {
            // A function of a database: nobody knows what it does.
            self.skip_parentheses()?;
            return Some(Expression::Call(Box::new(Call::of("", Vec::new()))));
        }
        Some(Expression::Column(table, name))
    }

    /// Whether it is no function: behind `INTERVAL (a + 1)` stands a unit.
    fn is_interval(&self) -> bool {
        let behind = match self.tokens.is_mark(self.at + 1, b'(') {
            true => self.tokens.partner(self.at + 1) + 1,
            false => return self.is("INTERVAL"),
        };
        self.is("INTERVAL") && self.tokens.is_any(behind, UNITS)
    }

    fn interval(&mut self) -> Option<Expression> {
        self.expect("INTERVAL")?;
        let amount = self.expression()?;
        let unit = self.name()?.to_ascii_uppercase();
        Some(Expression::Interval(Box::new(amount), unit))
    }
}

/// Of rows it is what NOT makes of their equality: `(NULL, 1) <> (1, 2)` is true.
fn unequal(comparison: Expression) -> Expression {
    let of_rows = match &comparison {
        Expression::Comparison(parts) => matches!(parts.first(), Some(Expression::Row(_))),
        _ => false,
    };
    match of_rows {
        true => Expression::Strict(vec![comparison]),
        false => comparison,
    }
}
