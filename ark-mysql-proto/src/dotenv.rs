//! The grammar of `.env` files, in which addresses stand. Errors name the file and the line, never the value: it may be a password.
//!
//! ```
//! use std::path::Path;
//! use ark_mysql_proto::dotenv::parse;
//!
//! let text = "# development\nexport DATABASE_URL='mysql://root@127.0.0.1/shop' # no password\n";
//! let found = parse(text, Path::new(".env"))?;
//! assert_eq!((found[0].key.as_str(), found[0].line), ("DATABASE_URL", 2));
//! # Ok::<(), ark_mysql_proto::dotenv::DotenvError>(())
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

/// A line that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DotenvError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it; never any part of a value.
    pub problem: &'static str,
}

impl fmt::Display for DotenvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.problem)
    }
}

impl std::error::Error for DotenvError {}

/// One assignment.
#[derive(Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub key: String,
    /// Without quotes and escapes.
    pub value: String,
    /// The line it begins on, counted from 1.
    pub line: usize,
}

/// The value may be a password.
impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assignment")
            .field("key", &self.key)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

/// Reads the assignments of a file's text, in order. Where a key stands twice the first one holds, as with dotenvy. `file` is for errors.
///
/// # Errors
/// The first line that is no assignment, or a value that other readers would replace a variable in.
pub fn parse(text: &str, file: &Path) -> Result<Vec<Assignment>, DotenvError> {
    let mut cursor = Cursor {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
    };
    let mut found = Vec::new();
    while !cursor.rest.is_empty() {
        let line = cursor.line;
        let assignment = cursor.assignment();
        found.extend(assignment.map_err(|problem| DotenvError {
            file: file.to_owned(),
            line,
            problem,
        })?);
    }
    Ok(found)
}

struct Cursor<'a> {
    rest: &'a str,
    line: usize,
}

impl Cursor<'_> {
    /// Reads one logical line: nothing, a comment, or an assignment (whose quoted value may go over several lines).
    fn assignment(&mut self) -> Result<Option<Assignment>, &'static str> {
        let line = self.line;
        self.skip_blanks();
        if matches!(self.peek(), None | Some('#' | '\n' | '\r')) {
            self.take_while(|c| c != '\n');
            self.next();
            return Ok(None);
        }
        let key = self.key()?;
        self.skip_blanks();
        if self.next() != Some('=') {
            return Err("expected KEY=VALUE");
        }
        self.skip_blanks();
        let value = match self.peek() {
            Some('"') => self.double_quoted()?,
            Some('\'') => self.single_quoted()?,
            _ => self.unquoted()?,
        };
        self.end_of_line()?;
        Ok(Some(Assignment { key, value, line }))
    }

    fn key(&mut self) -> Result<String, &'static str> {
        let word = self.word()?;
        let after = self.rest;
        self.skip_blanks();
        if word == "export" && self.rest.len() < after.len() && self.peek() != Some('=') {
            return self.word();
        }
        Ok(word)
    }

    fn word(&mut self) -> Result<String, &'static str> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        if word.is_empty() {
            Err("expected a name, as in KEY=VALUE")
        } else {
            Ok(word)
        }
    }

    fn unquoted(&mut self) -> Result<String, &'static str> {
        let raw = self.take_while(|c| c != '\n');
        let end = raw
            .find(" #")
            .or_else(|| raw.find("\t#"))
            .unwrap_or(raw.len());
        let value = raw.get(..end).unwrap_or(&raw).trim().to_owned();
        no_substitution(value)
    }

    fn single_quoted(&mut self) -> Result<String, &'static str> {
        self.next();
        let value = self.take_while(|c| c != '\'');
        self.next()
            .map(|_| value)
            .ok_or("the quote ' is never closed")
    }

    fn double_quoted(&mut self) -> Result<String, &'static str> {
        self.next();
        let mut value = String::new();
        loop {
            match self.next().ok_or("the quote \" is never closed")? {
                '"' => return no_substitution(value),
                '\\' => value.push(self.escaped()?),
                c => value.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, &'static str> {
        match self.next().ok_or("the quote \" is never closed")? {
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            c @ ('"' | '\\' | '\'' | '$' | '#') => Ok(c),
            _ => Err(
                "unknown escape after \\ in a double-quoted value (use single quotes, or \\\\ for a backslash)",
            ),
        }
    }

    fn end_of_line(&mut self) -> Result<(), &'static str> {
        let rest = self.take_while(|c| c != '\n');
        self.next();
        let rest = rest.trim();
        if rest.is_empty() || rest.starts_with('#') {
            Ok(())
        } else {
            Err("something stands after the closing quote")
        }
    }

    fn skip_blanks(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t'));
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let (taken, rest) = self
            .rest
            .split_at(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()));
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken.to_owned()
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        self.line += usize::from(c == '\n');
        Some(c)
    }
}

/// Other readers of `.env` would put a variable in; taking the characters as they are would be a silent difference.
fn no_substitution(value: String) -> Result<String, &'static str> {
    if value.contains("${") {
        return Err(
            "`${…}` is not replaced here: write the value out, or set the variable in the environment",
        );
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        parse(text, Path::new(".env"))
            .unwrap()
            .into_iter()
            .map(|a| (a.key, a.value))
            .collect()
    }

    fn problem(text: &str) -> String {
        parse(text, Path::new(".env")).err().unwrap().to_string()
    }

    fn owned(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect()
    }

    #[test]
    fn reads_every_form_of_assignment() {
        let text = "\u{feff}# head\r\n\r\nA=1\r\nexport B = two words # note\nC='it is # \"literal\" \\n'\nD=\"a\\\"b\\\\c\\n\" # note\nE=\nF=a#b\nexport=x";
        assert_eq!(
            pairs(text),
            owned(&[
                ("A", "1"),
                ("B", "two words"),
                ("C", "it is # \"literal\" \\n"),
                ("D", "a\"b\\c\n"),
                ("E", ""),
                ("F", "a#b"),
                ("export", "x")
            ])
        );
    }

    #[test]
    fn a_quoted_value_may_go_over_lines_and_the_count_goes_on() {
        let found = parse("A=\"x\nDATABASE_URL=evil\ny\"\nB=1\n", Path::new(".env")).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].key.as_str(), found[1].line), ("B", 4));
    }

    #[test]
    fn errors_name_the_line_and_never_the_value() {
        assert_eq!(
            problem("A=1\nDATABASE_URL mysql://root:secret@h"),
            ".env:2: expected KEY=VALUE"
        );
        assert_eq!(
            problem("=secret"),
            ".env:1: expected a name, as in KEY=VALUE"
        );
        assert_eq!(problem("A='secret"), ".env:1: the quote ' is never closed");
        assert_eq!(
            problem("A=\"secret\\"),
            ".env:1: the quote \" is never closed"
        );
        assert_eq!(
            problem("\n\nA='secret' more"),
            ".env:3: something stands after the closing quote"
        );
        assert!(problem("A=\"\\q secret\"").contains("unknown escape"));
        assert!(problem("A=mysql://${USER}:secret@h").contains("not replaced here"));
    }
}
