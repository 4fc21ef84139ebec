//! Where a list of values may stand: `IN (?)`, and `IN ((?, ?))` for rows.

use std::ops::Range;

use super::Placeholder;
use super::lexer::{Kind, Token};
use super::tokens::Tokens;

/// A place for a list: all that stands in the parentheses of an IN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSpot {
    /// The number of its first placeholder, from 0.
    pub first: usize,
    /// How many placeholders an element has.
    pub width: usize,
    /// Where its one element stands in the SQL as sent: `?`, or `(?, ?)`.
    pub sent: Range<usize>,
    /// How many columns stand in front of IN, where they are counted in parentheses.
    pub columns: Option<usize>,
    /// All of `a IN (?)` in the SQL as sent, where its beginning is certain and no other placeholder is part of it.
    pub predicate: Option<Range<usize>>,
    /// Whether it is NOT IN.
    pub negated: bool,
}

pub(super) fn spots(sql: &str, tokens: &[Token], params: &[Placeholder]) -> Vec<ListSpot> {
    let words = Tokens::new(sql, tokens);
    let placeholders = (0..tokens.len()).filter(|at| is_placeholder(&words, *at));
    placeholders
        .zip(params)
        .enumerate()
        .filter_map(|(first, (at, param))| {
            let element = Element::at(&words, at)?;
            let last = params.get(first + element.width - 1)?;
            // In front of the first placeholder and behind the last one the SQL is sent as it is written.
            let before = |token: usize| {
                let distance = param.written_at.checked_sub(tokens.get(token)?.start)?;
                param.sent_at.checked_sub(distance)
            };
            let behind = |token: usize| {
                let distance = tokens.get(token)?.end.checked_sub(last.written().end)?;
                Some(last.sent_at + 1 + distance)
            };
            let predicate = element.operand(&words).and_then(|operand| {
                let close = element.last + 1;
                Some(before(operand)?..behind(close)?)
            });
            Some(ListSpot {
                first,
                width: element.width,
                sent: before(element.first)?..behind(element.last)?,
                columns: element.columns(&words),
                predicate,
                negated: element.not.is_some(),
            })
        })
        .collect()
}

fn is_placeholder(words: &Tokens<'_>, at: usize) -> bool {
    matches!(words.kind(at), Some(Kind::Question | Kind::Named))
}

/// The tokens of a list's one element, which has an IN for itself.
struct Element {
    first: usize,
    last: usize,
    width: usize,
    not: Option<usize>,
    /// The last token of what stands in front of IN or NOT IN.
    operand_end: usize,
}

impl Element {
    /// The one that the placeholder at `at` begins.
    fn at(words: &Tokens<'_>, at: usize) -> Option<Self> {
        let open = at
            .checked_sub(1)
            .filter(|open| words.is_mark(*open, b'('))?;
        let before = open.checked_sub(1)?;
        if words.is(before, "IN") {
            return Self::behind(words, before, at, at, 1).filter(|_| words.is_mark(at + 1, b')'));
        }
        let word = before.checked_sub(1)?;
        if !words.is_mark(before, b'(') || !words.is(word, "IN") {
            return None;
        }
        let (mut last, mut width) = (at, 1);
        while words.is_mark(last + 1, b',') && is_placeholder(words, last + 2) {
            last += 2;
            width += 1;
        }
        let closed = words.is_mark(last + 1, b')') && words.is_mark(last + 2, b')');
        Self::behind(words, word, open, last + 1, width).filter(|_| closed)
    }

    fn behind(
        words: &Tokens<'_>,
        word: usize,
        first: usize,
        last: usize,
        width: usize,
    ) -> Option<Self> {
        let not = word.checked_sub(1).filter(|not| words.is(*not, "NOT"));
        Some(Self {
            first,
            last,
            width,
            not,
            operand_end: not.unwrap_or(word).checked_sub(1)?,
        })
    }

    /// The `(` of what stands in front of IN, if it ends with `)`.
    fn open(&self, words: &Tokens<'_>) -> Option<usize> {
        let is_it =
            |open: &usize| words.is_mark(*open, b'(') && words.partner(*open) == self.operand_end;
        (0..self.operand_end).find(is_it)
    }

    /// How many columns `(a, b) IN` has.
    fn columns(&self, words: &Tokens<'_>) -> Option<usize> {
        let open = self.open(words)?;
        // A function's parentheses are no row.
        let name = open.checked_sub(1).and_then(|name| words.keyword(name));
        if name.is_some_and(|name| !name.eq_ignore_ascii_case("ROW") && !begins_predicate(name)) {
            return None;
        }
        let mut count = 1;
        let mut at = open + 1;
        while at < self.operand_end {
            if words.is_mark(at, b'(') {
                at = words.partner(at);
            } else if words.is_mark(at, b',') {
                count += 1;
            }
            at += 1;
        }
        (count > 1).then_some(count)
    }

    /// The first token of what stands in front of IN: a name, a call, or something in parentheses, with what begins a predicate before it.
    fn operand(&self, words: &Tokens<'_>) -> Option<usize> {
        let is_name = |at: usize| matches!(words.kind(at), Some(Kind::Word | Kind::Quoted));
        let mut first = self.operand_end;
        if words.is_mark(first, b')') {
            first = self.open(words)?;
            let name = first.checked_sub(1).filter(|name| is_name(*name));
            let is_call = |name: &usize| !words.keyword(*name).is_some_and(begins_predicate);
            first = name.filter(is_call).unwrap_or(first);
        }
        if is_name(first) {
            while first >= 2 && words.is_mark(first - 1, b'.') && is_name(first - 2) {
                first -= 2;
            }
        }
        let before = first.checked_sub(1)?;
        let begins = words.keyword(before).is_some_and(begins_predicate)
            || words.is_mark(before, b'(')
            || words.is_mark(before, b',');
        let is_plain = is_name(first) || words.is_mark(first, b'(');
        let has_placeholder = (first..self.operand_end).any(|at| is_placeholder(words, at));
        (begins && is_plain && !has_placeholder).then_some(first)
    }
}

/// Words behind which a predicate begins. (Not NOT: by one sql_mode it belongs to the operand.)
fn begins_predicate(word: &str) -> bool {
    ["WHERE", "AND", "OR", "ON", "HAVING", "WHEN", "SELECT"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use crate::sql::Sql;

    fn spots(sql: &str) -> Vec<(usize, usize, String, Option<usize>)> {
        let sql = Sql::parse(sql).unwrap();
        let lists = sql.lists().iter();
        lists
            .map(|spot| {
                (
                    spot.first,
                    spot.width,
                    sql.text()[spot.sent.clone()].to_owned(),
                    spot.columns,
                )
            })
            .collect()
    }

    #[test]
    fn lists_have_their_parentheses_for_themselves() {
        let one = |first| (first, 1, "?".to_owned(), None);
        assert_eq!(
            spots("SELECT a FROM t WHERE b = ? AND c IN (?) AND d NOT IN ( ? )"),
            [one(1), one(2)]
        );
        assert_eq!(
            spots("SELECT a FROM t WHERE :x = 1 AND c IN (/* ids */ :ids)"),
            [one(1)]
        );
        assert_eq!(spots("SELECT a FROM t WHERE f(a, b) IN (?)"), [one(0)]);
        for none in [
            "SELECT a FROM t WHERE a = ?",
            "SELECT a FROM t WHERE a IN (?, ?)",
            "SELECT a FROM t WHERE a IN (1, ?)",
            "SELECT a FROM t WHERE a IN (? + 1)",
            "SELECT f(?)",
            "INSERT INTO t VALUES (?)",
        ] {
            assert_eq!(spots(none), [], "{none}");
        }
    }

    #[test]
    fn predicates_are_taken_whole_where_they_are_certain() {
        let of = |sql: &str| {
            let sql = Sql::parse(sql).unwrap();
            let spot = sql.lists().first().unwrap();
            let text = spot
                .predicate
                .clone()
                .map(|range| sql.text()[range].to_owned());
            (text.unwrap_or_default(), spot.negated)
        };
        for (sql, predicate, negated) in [
            ("SELECT a FROM t WHERE b IN (?)", "b IN (?)", false),
            (
                "SELECT a FROM t WHERE x = :y AND s.`t` . b NOT IN ( :b ) OR c",
                "s.`t` . b NOT IN ( ? )",
                true,
            ),
            (
                "SELECT a FROM t WHERE lower(b) IN (?)",
                "lower(b) IN (?)",
                false,
            ),
            (
                "SELECT a FROM t WHERE (a, b) IN ((?, ?))",
                "(a, b) IN ((?, ?))",
                false,
            ),
            ("SELECT (a + 1) IN (?), b", "(a + 1) IN (?)", false),
            ("SELECT f(b IN (?))", "b IN (?)", false),
            ("SELECT a FROM t WHERE NOT b IN (?)", "", false),
            ("SELECT a FROM t WHERE a + b IN (?)", "", false),
            ("SELECT a FROM t WHERE a = b IN (?)", "", false),
            ("SELECT a FROM t WHERE BINARY b IN (?)", "", false),
            (
                "SELECT a FROM t WHERE CASE WHEN a THEN b END IN (?)",
                "",
                false,
            ),
            ("SELECT a FROM t WHERE 1 IN (?)", "", false),
        ] {
            assert_eq!(of(sql), (predicate.to_owned(), negated), "{sql}");
        }
        let called = Sql::parse("SELECT a FROM t WHERE f(?) IN (?)").unwrap();
        assert_eq!(called.lists()[0].predicate, None);
    }

    #[test]
    fn rows_have_parentheses_of_their_own() {
        assert_eq!(
            spots("SELECT a FROM t WHERE (a, t.b) IN ((?, ?)) AND c IN (?)"),
            [
                (0, 2, "(?, ?)".to_owned(), Some(2)),
                (2, 1, "?".to_owned(), None)
            ]
        );
        assert_eq!(
            spots("SELECT a FROM t WHERE x = :long AND (a, b) NOT IN (( :pairs ,:pairs ))"),
            [(1, 2, "( ? ,? )".to_owned(), Some(2))]
        );
        assert_eq!(
            spots("SELECT a FROM t WHERE (a, b) IN (?)"),
            [(0, 1, "?".to_owned(), Some(2))]
        );
        assert_eq!(
            spots("SELECT a FROM t WHERE (a, b) IN ((?, ?), (?, ?))"),
            []
        );
    }
}
