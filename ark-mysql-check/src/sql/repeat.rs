//! Which row of an INSERT can be repeated, so that one statement inserts many.

use std::ops::Range;

use super::Placeholder;
use super::lexer::{self, Kind};
use super::tokens::Tokens;

/// Why none can be, and the place of the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrepeatable {
    /// Neither INSERT nor REPLACE.
    NotAnInsert(Range<usize>),
    /// It inserts something else: SET, a query, `VALUES ROW (…)`.
    NoValues(Range<usize>),
    /// There are several already.
    SecondRow(Range<usize>),
    /// Every row would be the same.
    NoPlaceholder(Range<usize>),
    /// A placeholder that would not be repeated.
    PlaceholderOutside(Range<usize>),
    /// `:name`
    Named(Range<usize>),
    /// RETURNING.
    Returning(Range<usize>),
    /// Something unknown.
    Behind(Range<usize>),
}

/// The place of the row with its parentheses.
pub(super) fn row(sql: &str, params: &[Placeholder]) -> Result<Range<usize>, Unrepeatable> {
    let lexed = lexer::lex(sql).unwrap_or_default();
    let tokens = Tokens::new(sql, &lexed);
    if !tokens.is_any(0, &["INSERT", "REPLACE"]) {
        return Err(Unrepeatable::NotAnInsert(tokens.place(0)));
    }
    let open = open_row(&tokens).map_err(|at| Unrepeatable::NoValues(tokens.place(at)))?;
    let close = tokens.partner(open);
    let row = tokens.place(open).start..tokens.place(close).end;
    what_follows(&tokens, close + 1)?;
    if let Some(named) = params.iter().find(|param| param.name.is_some()) {
        return Err(Unrepeatable::Named(named.written()));
    }
    let is_outside = |param: &&Placeholder| !row.contains(&param.written_at);
    if let Some(param) = params.iter().find(is_outside) {
        return Err(Unrepeatable::PlaceholderOutside(param.written()));
    }
    match params {
        [] => Err(Unrepeatable::NoPlaceholder(row)),
        _ => Ok(row),
    }
}

/// The index of the row's `(`, or of what stands there in place of a row.
fn open_row(tokens: &Tokens<'_>) -> Result<usize, usize> {
    let mut index = 1;
    while index < tokens.len() {
        if tokens.is_mark(index, b'(') {
            if tokens.opens_select(index) {
                return Err(index);
            }
            index = tokens.partner(index);
        } else if tokens.is_any(index, &["SELECT", "SET", "WITH", "TABLE"])
            && !is_table(tokens, index)
        {
            return Err(index);
        } else if tokens.is_any(index, &["VALUES", "VALUE"]) && !is_table(tokens, index) {
            return match tokens.is_mark(index + 1, b'(') {
                true => Ok(index + 1),
                false => Err(index + 1),
            };
        }
        index += 1;
    }
    Err(0)
}

/// Whether a table's name is expected here: some keywords can be one.
fn is_table(tokens: &Tokens<'_>, index: usize) -> bool {
    const FRONT: &[&str] = &[
        "INSERT",
        "REPLACE",
        "INTO",
        "IGNORE",
        "LOW_PRIORITY",
        "HIGH_PRIORITY",
        "DELAYED",
    ];
    index > 0 && tokens.is_any(index - 1, FRONT)
}

fn what_follows(tokens: &Tokens<'_>, index: usize) -> Result<(), Unrepeatable> {
    let place = |index| tokens.place(index);
    if index >= tokens.len() {
        return Ok(());
    }
    if tokens.is_mark(index, b',') {
        return Err(Unrepeatable::SecondRow(place(index + 1)));
    }
    if let Some(at) = (index..tokens.len()).find(|at| tokens.is(*at, "RETURNING")) {
        return Err(Unrepeatable::Returning(place(at)));
    }
    let known = tokens.is_any(index, &["ON", "AS"]) || tokens.kind(index) == Some(Kind::Mark(b';'));
    match known {
        true => Ok(()),
        false => Err(Unrepeatable::Behind(place(index))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Sql;

    fn row(sql: &str) -> Result<&str, Unrepeatable> {
        Sql::parse(sql).unwrap().repeated_row().map(|row| &sql[row])
    }

    #[test]
    fn the_row_is_found_with_its_parentheses() {
        for (sql, found) in [
            ("INSERT INTO t (a, b) VALUES (?, ?)", "(?, ?)"),
            ("insert t value (?)", "(?)"),
            (
                "REPLACE INTO s.t VALUES (?, NOW(), (SELECT MAX(b) FROM u)) ;",
                "(?, NOW(), (SELECT MAX(b) FROM u))",
            ),
            (
                "INSERT IGNORE INTO `values` (a) VALUES (DEFAULT, ? + 1)",
                "(DEFAULT, ? + 1)",
            ),
            ("INSERT INTO value (a) VALUES (?)", "(?)"),
            (
                "INSERT INTO t PARTITION (p) (a) VALUES ('),(', ?)",
                "('),(', ?)",
            ),
            (
                "INSERT INTO t (a, b) VALUES (?, ?) ON DUPLICATE KEY UPDATE b = VALUES(b)",
                "(?, ?)",
            ),
            (
                "INSERT INTO t (a, b) VALUES (?, ?) AS new ON DUPLICATE KEY UPDATE b = new.b",
                "(?, ?)",
            ),
        ] {
            assert_eq!(row(sql), Ok(found), "{sql}");
        }
    }

    #[test]
    fn everything_else_is_refused_at_its_place() {
        use Unrepeatable::*;
        for (sql, why) in [
            ("UPDATE t SET a = ?", NotAnInsert(0..6)),
            ("INSERT INTO t SELECT ?", NoValues(14..20)),
            ("INSERT INTO t (SELECT ?)", NoValues(14..15)),
            ("INSERT INTO t SET a = ?", NoValues(14..17)),
            ("INSERT INTO t VALUES ROW (?)", NoValues(21..24)),
            ("INSERT INTO t VALUES (?), (?)", SecondRow(26..27)),
            ("INSERT INTO t VALUES (1)", NoPlaceholder(21..24)),
            (
                "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = ?",
                PlaceholderOutside(53..54),
            ),
            ("INSERT INTO t VALUES (:a)", Named(22..24)),
            ("INSERT INTO t VALUES (?) RETURNING a", Returning(25..34)),
            ("INSERT INTO t VALUES (?) WHERE", Behind(25..30)),
        ] {
            assert_eq!(row(sql), Err(why), "{sql}");
        }
    }
}
