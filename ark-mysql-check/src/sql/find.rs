//! Where a name stands in a statement: for messages.

use std::ops::Range;

use super::lexer::{self, Kind};
use super::returning;
use super::tokens::Tokens;

/// The byte range of a possibly qualified name (`db.table`, `t.column`), or of its last part; ASCII case does not matter.
pub(super) fn name(sql: &str, wanted: &str) -> Option<Range<usize>> {
    let lexed = lexer::lex(sql).ok()?;
    let tokens = Tokens::new(sql, &lexed);
    let parts: Vec<String> = wanted.split('.').map(str::to_lowercase).collect();
    let found = (1..=parts.len()).rev().find_map(|count| {
        let tail = parts.get(parts.len() - count..)?;
        (0..tokens.len()).find_map(|index| range_at(&tokens, index, tail))
    })?;
    Some(lexed.get(found.start)?.start..lexed.get(found.end - 1)?.end)
}

/// The byte ranges of the columns of the outermost list of SELECT, or of RETURNING, that end in this name or alias, each with its qualifier; ASCII case does not matter.
pub(super) fn columns(sql: &str, wanted: &str) -> Vec<Range<usize>> {
    let lexed = lexer::lex(sql).unwrap_or_default();
    let tokens = Tokens::new(sql, &lexed);
    let wanted = wanted.to_lowercase();
    let mut found = Vec::new();
    let mut index = returning::clause(&tokens).map_or(0, |at| at + 1);
    while index < tokens.len() && !tokens.is(index, "FROM") {
        if tokens.is_mark(index, b'(') {
            index = tokens.partner(index);
        }
        let ends = index + 1 >= tokens.len()
            || tokens.is_mark(index + 1, b',')
            || tokens.is_mark(index + 1, b';')
            || tokens.is(index + 1, "FROM");
        if ends && tokens.name(index).as_ref() == Some(&wanted) {
            let mut first = index;
            while first >= 2 && tokens.is_mark(first - 1, b'.') {
                first -= 2;
            }
            if let (Some(first), Some(last)) = (lexed.get(first), lexed.get(index)) {
                found.push(first.start..last.end);
            }
        }
        index += 1;
    }
    found
}

/// Every name in its order, in lower case, and whether a qualifier stands in front; keywords count as names.
pub(super) fn names(sql: &str) -> Vec<(String, bool)> {
    let lexed = lexer::lex(sql).unwrap_or_default();
    let tokens = Tokens::new(sql, &lexed);
    let is_name = |index: &usize| matches!(tokens.kind(*index), Some(Kind::Word | Kind::Quoted));
    (0..tokens.len())
        .filter(is_name)
        .filter_map(|index| {
            let qualified = index > 0 && tokens.is_mark(index - 1, b'.');
            tokens.name(index).map(|name| (name, qualified))
        })
        .collect()
}

/// Whether a quoted name, or a string where an alias can stand, holds exactly this: not so for a string that is itself what is selected.
pub(super) fn alias(sql: &str, wanted: &str) -> bool {
    let lexed = lexer::lex(sql).unwrap_or_default();
    let tokens = Tokens::new(sql, &lexed);
    // Servers cut blanks off at its ends.
    let holds = |index: usize| unquoted(tokens.text(index)).trim() == wanted.trim();
    (0..tokens.len()).any(|index| match tokens.kind(index) {
        Some(Kind::Quoted) => holds(index),
        Some(Kind::Text) => names_what_stands_before(&tokens, index) && holds(index),
        _ => false,
    })
}

/// Whether a string behind what stands here is its alias, as far as the words in front tell.
fn names_what_stands_before(tokens: &Tokens<'_>, index: usize) -> bool {
    const NO_OPERAND: &[&str] = &[
        "SELECT",
        "DISTINCT",
        "DISTINCTROW",
        "ALL",
        "HIGH_PRIORITY",
        "STRAIGHT_JOIN",
        "SQL_SMALL_RESULT",
        "SQL_BIG_RESULT",
        "SQL_BUFFER_RESULT",
        "SQL_CACHE",
        "SQL_NO_CACHE",
        "SQL_CALC_FOUND_ROWS",
        "RETURNING",
        "N",
    ];
    let Some(before) = index.checked_sub(1) else {
        return false;
    };
    match tokens.kind(before) {
        None | Some(Kind::Text | Kind::Assign) => false,
        Some(Kind::Mark(mark)) => mark == b')',
        // `_utf8mb4 'text'` is one literal.
        Some(Kind::Word) => {
            !tokens.is_any(before, NO_OPERAND) && !tokens.text(before).starts_with('_')
        }
        Some(_) => true,
    }
}

/// What stands between the quotes; a doubled one is one.
fn unquoted(text: &str) -> String {
    let Some(quote) = text.chars().next() else {
        return String::new();
    };
    let inner = text
        .strip_prefix(quote)
        .and_then(|text| text.strip_suffix(quote));
    let doubled = [quote, quote].iter().collect::<String>();
    inner
        .unwrap_or_default()
        .replace(&doubled, &quote.to_string())
}

/// Token range of `a . b . c` at `index`.
fn range_at(tokens: &Tokens<'_>, index: usize, parts: &[String]) -> Option<Range<usize>> {
    let mut at = index;
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            if !tokens.is_mark(at, b'.') {
                return None;
            }
            at += 1;
        }
        let is_name = matches!(tokens.kind(at), Some(Kind::Word | Kind::Quoted));
        if !is_name || tokens.name(at).as_ref() != Some(part) {
            return None;
        }
        at += 1;
    }
    Some(index..at)
}

/// The byte range of the token that begins at `start`; a single character if none does.
pub(super) fn token_at(sql: &str, start: usize) -> Range<usize> {
    let lexed = lexer::lex(sql).unwrap_or_default();
    match lexed.iter().find(|token| token.start == start) {
        Some(token) => token.start..token.end,
        // Where a server stopped reading is no token of ours: one character, of however many bytes.
        None => {
            let rest = sql.get(start..).unwrap_or_default();
            start..start + rest.chars().next().map_or(0, char::len_utf8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(sql: &'static str, wanted: &str) -> &'static str {
        name(sql, wanted).map_or("", |range| &sql[range])
    }

    #[test]
    fn names_are_found_as_tokens() {
        assert_eq!(find("SELECT 'usrs', usrs_x FROM usrs", "usrs"), "usrs");
        assert_eq!(
            name("SELECT 'usrs', usrs_x FROM usrs", "usrs")
                .unwrap()
                .start,
            27
        );
        assert_eq!(
            find("SELECT a FROM shop.`Orders`", "shop.orders"),
            "shop.`Orders`"
        );
        assert_eq!(find("SELECT a FROM `Orders`", "shop.orders"), "`Orders`");
        assert_eq!(find("SELECT t.nme, nme FROM t", "t.nme"), "t.nme");
        assert_eq!(find("SELECT a FROM t", "b"), "");
    }

    #[test]
    fn columns_are_found_by_name_and_alias() {
        let found = |sql: &'static str| -> Vec<&str> {
            let places = columns(sql, "id").into_iter();
            places.map(|place| &sql[place]).collect()
        };
        assert_eq!(
            found("SELECT ID, a.id AS b, MAX(id), c.`id`, d AS id FROM t WHERE x IN (1, id)"),
            ["ID", "c.`id`", "id"]
        );
        assert_eq!(found("SELECT (SELECT id FROM t), id"), ["id"]);
        assert_eq!(found("SELECT * FROM a, id"), [""; 0]);
        assert_eq!(
            found("INSERT INTO t (id) SELECT id FROM u RETURNING t.id, a, id;"),
            ["t.id", "id"]
        );
    }
}
