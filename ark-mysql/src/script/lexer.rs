//! The few tokens that decide where a statement ends.

use super::quoting::Quoting;

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    Blank,
    /// Comments that the server executes (`/*! … */`) are none.
    Comment,
    /// `/*!`, `/*!50003` or MariaDB's `/*M!100100`: what follows is SQL, up to a `*/` that stands in no string.
    Opened,
    /// The end of it.
    Closed,
    Word(&'s str),
    /// A string, or a name in backticks.
    Quoted,
    Symbol(char),
}

/// Where the walk is, as far as it changes what a text begins with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'d> {
    pub(super) delimiter: &'d str,
    pub(super) quoting: Quoting,
    /// In a comment that the server executes.
    pub(super) executed: bool,
}

/// What `sql` begins with, and its length; a word ends where the delimiter begins (`END$$`). None at the end.
pub(super) fn token<'s>(sql: &'s str, reading: Reading<'_>) -> Option<(Token<'s>, usize)> {
    let first = sql.chars().next()?;
    if first.is_whitespace() {
        let blank = sql.len() - sql.trim_start().len();
        return Some((Token::Blank, blank));
    }
    if matches!(first, '\'' | '"' | '`') {
        return Some((Token::Quoted, quoted(sql, first, reading.quoting)));
    }
    if let Some(length) = opened(sql) {
        return Some((Token::Opened, length));
    }
    if let Some(length) = comment(sql) {
        return Some((Token::Comment, length));
    }
    if reading.executed && sql.starts_with("*/") {
        return Some((Token::Closed, 2));
    }
    if is_word(first) {
        let word = word(sql, reading.delimiter);
        return Some((Token::Word(word), word.len()));
    }
    Some((Token::Symbol(first), first.len_utf8()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word<'s>(sql: &'s str, delimiter: &str) -> &'s str {
    let end = sql.find(|c| !is_word(c)).unwrap_or(sql.len());
    let word = sql.get(..end).unwrap_or(sql);
    // A delimiter may be made of letters, too. It does not begin the word, or it would have been seen.
    match word.find(delimiter) {
        Some(at) if at > 0 => word.get(..at).unwrap_or(word),
        _ => word,
    }
}

/// To the closing quote, or to the end: then the server will say what is wrong with it.
fn quoted(sql: &str, quote: char, quoting: Quoting) -> usize {
    let escapes = match quote {
        '`' => false,
        '"' if quoting.ansi_quotes => false,
        _ => !quoting.no_backslash_escapes,
    };
    let mut characters = sql.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if escapes => drop(characters.next()),
            _ if character == quote => return at + 1, // a doubled quote reads as two quoted things
            _ => {}
        }
    }
    sql.len()
}

/// The digits behind it are a version.
fn opened(sql: &str) -> Option<usize> {
    let behind = ["/*!", "/*M!"]
        .iter()
        .find_map(|mark| sql.strip_prefix(mark))?;
    let body = behind.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(sql.len() - body.len())
}

/// Two dashes begin one only in front of a blank or the end: `1--1` is 2.
fn comment(sql: &str) -> Option<usize> {
    let to_line_end = || sql.find('\n').unwrap_or(sql.len());
    let dashes = sql.strip_prefix("--").is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|c: char| c == ' ' || c.is_ascii_control())
    });
    if sql.starts_with('#') || dashes {
        return Some(to_line_end());
    }
    sql.starts_with("/*").then(|| {
        sql.get(2..)
            .and_then(|body| body.find("*/"))
            .map_or(sql.len(), |end| end + 4)
    })
}
