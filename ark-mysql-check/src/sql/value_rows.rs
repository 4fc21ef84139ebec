//! Tables that are written down: `VALUES (1, ?), (2, ?)`, wherever a query may stand. What an INSERT takes is none: its columns have types.

use std::ops::Range;

use super::lexer::{self, Kind};
use super::tokens::Tokens;

/// The placeholders that make whole columns by themselves, so that nothing says what type these have.
pub(super) fn untyped(sql: &str) -> Vec<Range<usize>> {
    let lexed = lexer::lex(sql).unwrap_or_default();
    let tokens = Tokens::new(sql, &lexed);
    (0..tokens.len())
        .filter(|&index| tokens.is(index, "VALUES") && !is_of_insert(&tokens, index))
        .flat_map(|index| untyped_columns(&tokens, index + 1))
        .collect()
}

/// Whether it is what an INSERT or REPLACE takes, or its function VALUES: no parenthesis is around it.
fn is_of_insert(tokens: &Tokens<'_>, index: usize) -> bool {
    let is_around = |open: usize| tokens.is_mark(open, b'(') && tokens.partner(open) > index;
    tokens.is_any(0, &["INSERT", "REPLACE"]) && !(0..index).any(is_around)
}

fn untyped_columns(tokens: &Tokens<'_>, first: usize) -> Vec<Range<usize>> {
    let rows = rows(tokens, first);
    let columns = rows.iter().map(Vec::len).min().unwrap_or(0);
    let all_bare = |column: &usize| {
        rows.iter()
            .all(|row| matches!(row.get(*column), Some(Some(_))))
    };
    let untyped = (0..columns).filter(all_bare);
    untyped
        .flat_map(|column| {
            rows.iter()
                .filter_map(move |row| row.get(column).copied().flatten())
        })
        .map(|at| tokens.place(at))
        .collect()
}

/// The rows; of each value the placeholder, if it is nothing else.
fn rows(tokens: &Tokens<'_>, first: usize) -> Vec<Vec<Option<usize>>> {
    let mut rows = Vec::new();
    let mut at = first;
    loop {
        at += usize::from(tokens.is(at, "ROW"));
        if !tokens.is_mark(at, b'(') {
            return rows;
        }
        rows.push(values(tokens, at));
        at = tokens.partner(at) + 1;
        if !tokens.is_mark(at, b',') {
            return rows;
        }
        at += 1;
    }
}

fn values(tokens: &Tokens<'_>, open: usize) -> Vec<Option<usize>> {
    let close = tokens.partner(open);
    let mut values = Vec::new();
    let mut from = open + 1;
    let mut at = from;
    while at <= close {
        if at == close || tokens.is_mark(at, b',') {
            let is_bare = matches!(tokens.kind(from), Some(Kind::Question | Kind::Named));
            values.push((is_bare && at == from + 1).then_some(from));
            from = at + 1;
        } else if tokens.is_mark(at, b'(') {
            at = tokens.partner(at);
        }
        at += 1;
    }
    values
}

#[cfg(test)]
mod tests {
    fn places(sql: &str) -> Vec<usize> {
        super::untyped(sql)
            .into_iter()
            .map(|place| place.start)
            .collect()
    }

    #[test]
    fn columns_of_nothing_but_placeholders() {
        assert_eq!(places("VALUES (?, 'a')"), [8]);
        assert_eq!(places("VALUES ROW(1, :name), ROW(2, :name)"), [14, 29]);
        assert_eq!(places("SELECT * FROM (VALUES (1, ?)) v"), [26]);
        assert_eq!(
            places("SELECT id FROM t WHERE id IN (VALUES (?), (?))"),
            [38, 43]
        );
        assert_eq!(places("INSERT INTO t SELECT * FROM (VALUES (?)) v"), [37]);
        assert_eq!(places("WITH v AS (VALUES (?, ?)) SELECT 1"), [19, 22]);
    }

    #[test]
    fn columns_with_a_type() {
        for sql in [
            "VALUES (1, 'a'), (?, ?)",
            "VALUES (CAST(? AS SIGNED)), (? + 1)",
            "INSERT INTO t VALUES (?, ?)",
            "REPLACE INTO t (a) VALUES ROW(?), ROW(?)",
            "INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE a = VALUES(a) + ?",
            "SELECT `values` FROM t WHERE t.values = ?",
            "VALUES (",
            "VALUES",
        ] {
            assert_eq!(places(sql), [], "{sql}");
        }
    }
}
