//! The few tokens that decide where a statement ends.

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    Blank,
    /// Comments that the server executes (`/*! … */`) are none.
    Comment,
    Word(&'s str),
    /// A string, or a name in backticks, or an executed comment.
    Quoted,
    Symbol(char),
}

/// What `sql` begins with, and its length; a word ends where the delimiter begins (`END$$`). None at the end.
pub(super) fn token<'s>(sql: &'s str, delimiter: &str) -> Option<(Token<'s>, usize)> {
    let first = sql.chars().next()?;
    if first.is_whitespace() {
        let blank = sql.len() - sql.trim_start().len();
        return Some((Token::Blank, blank));
    }
    if matches!(first, '\'' | '"' | '`') {
        return Some((Token::Quoted, quoted(sql, first)));
    }
    if let Some(length) = comment(sql) {
        let executed = sql.starts_with("/*!") || sql.starts_with("/*M!");
        let token = if executed {
            Token::Quoted
        } else {
            Token::Comment
        };
        return Some((token, length));
    }
    if is_word(first) {
        let word = word(sql, delimiter);
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
fn quoted(sql: &str, quote: char) -> usize {
    let mut characters = sql.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote != '`' => drop(characters.next()),
            _ if character == quote => return at + 1, // a doubled quote reads as two quoted things
            _ => {}
        }
    }
    sql.len()
}

fn comment(sql: &str) -> Option<usize> {
    let to_line_end = || sql.find('\n').unwrap_or(sql.len());
    let dashes = sql
        .strip_prefix("--")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    if sql.starts_with('#') || dashes {
        return Some(to_line_end());
    }
    sql.starts_with("/*").then(|| {
        sql.get(2..)
            .and_then(|body| body.find("*/"))
            .map_or(sql.len(), |end| end + 4)
    })
}
