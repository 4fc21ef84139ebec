//! Where the `?` placeholders of a statement are: outside quotes, backticks and comments.

use std::fmt;
use std::ops::Range;

/// A quote or a comment that begins and does not end, so that nobody can tell where the placeholders are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpliceError {
    /// Byte offset where it begins.
    pub offset: usize,
}

impl fmt::Display for SpliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the quote or comment that begins at byte {} of the statement does not end",
            self.offset
        )
    }
}

impl std::error::Error for SpliceError {}

/// The byte offsets of the placeholders.
///
/// Backslashes escape inside quotes, as they do unless the sql_mode has NO_BACKSLASH_ESCAPES.
///
/// # Errors
/// A quote or a comment that does not end.
pub fn placeholders(sql: &str) -> Result<Vec<usize>, SpliceError> {
    let bytes = sql.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    let mut in_executed = false;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        if in_executed && rest.starts_with(b"*/") {
            // Its end, as a whole: in `*/*` no other comment begins with the slash.
            in_executed = false;
            at += 2;
            continue;
        }
        in_executed |= rest.starts_with(b"/*!") || rest.starts_with(b"/*M!");
        if byte == b'?' {
            found.push(at);
        }
        at += skip(rest).ok_or(SpliceError { offset: at })?;
    }
    Ok(found)
}

/// Puts one literal into each placeholder.
///
/// # Errors
/// A quote or a comment that does not end. Too few or too many literals: `None` inside.
pub fn splice<S: AsRef<str>>(sql: &str, literals: &[S]) -> Result<Option<String>, SpliceError> {
    let pieces = pieces(sql)?;
    if pieces.len() != literals.len() + 1 {
        return Ok(None);
    }
    let mut out = String::with_capacity(sql.len());
    let mut literals = literals.iter();
    for piece in pieces {
        out.push_str(piece);
        out.push_str(literals.next().map_or("", S::as_ref));
    }
    Ok(Some(out))
}

/// The text around the placeholders: one piece more than there are placeholders.
pub(super) fn pieces(sql: &str) -> Result<Vec<&str>, SpliceError> {
    let offsets = placeholders(sql)?;
    let begins = std::iter::once(0).chain(offsets.iter().map(|offset| offset + 1));
    let ends = offsets.iter().copied().chain([sql.len()]);
    let piece = |range: Range<usize>| sql.get(range).expect("placeholders are one byte of ASCII");
    Ok(begins
        .zip(ends)
        .map(|(begin, end)| piece(begin..end))
        .collect())
}

/// The length of what the input begins with: a quoted thing, a comment, or one byte of anything else.
fn skip(input: &[u8]) -> Option<usize> {
    match *input {
        [quote @ (b'\'' | b'"'), ..] => quoted(input, quote, true),
        [b'`', ..] => quoted(input, b'`', false),
        [b'#', ..] | [b'-', b'-'] => Some(line(input)),
        // `--` is a comment only before white space or a control character: `5--3` is 8.
        [b'-', b'-', next, ..] if next <= b' ' || next == 0x7f => Some(line(input)),
        // `/*! … */` and `/*M! … */` are code to the servers that they name, placeholders included.
        [b'/', b'*', b'!', ..] | [b'/', b'*', b'M', b'!', ..] => Some(2),
        [b'/', b'*', ..] => block(input),
        _ => Some(1),
    }
}

/// A doubled quote reads as two quoted things in a row, which comes to the same.
fn quoted(input: &[u8], quote: u8, escapes: bool) -> Option<usize> {
    let mut at = 1;
    loop {
        match *input.get(at)? {
            b'\\' if escapes => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn line(input: &[u8]) -> usize {
    input
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(input.len())
}

fn block(input: &[u8]) -> Option<usize> {
    let body = input.get(2..)?;
    body.windows(2)
        .position(|pair| pair == b"*/")
        .map(|end| end + 4)
}
