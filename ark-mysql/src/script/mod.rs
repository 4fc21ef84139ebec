//! Scripts of SQL statements: where each statement begins and ends.
//!
//! Statements end at `;` outside of quotes and comments. Three things may hold a `;` that ends nothing:
//!
//! * the body of a routine, trigger or event (`blocks` knows where `BEGIN … END` and the other compound statements end);
//! * everything behind a line `DELIMITER //`, the `mysql` client's own command, until the next one;
//! * a comment that the server executes: `/*!50003 CREATE TRIGGER … */`.
//!
//! Where a string ends, and how a body is written, depends on the session's `sql_mode`: `quoting` follows the statements of the script that set it.

mod blocks;
mod lexer;
mod quoting;

use blocks::Blocks;
use lexer::{Reading, Token, token};
pub(crate) use quoting::Quoting;
#[cfg(feature = "migrate")]
pub(crate) use quoting::mentions_mode;

/// One statement of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement<'s> {
    /// The line that it begins on, counted from 1.
    pub(crate) line: usize,
    /// Its text, without the delimiter.
    pub(crate) sql: &'s str,
    /// How its quotes were read.
    pub(crate) quoting: Quoting,
}

/// The statements of a script, in a session that reads quotes like this when it begins. Ones that hold nothing but blanks and comments are left out.
pub(crate) fn statements(script: &str, quoting: Quoting) -> Vec<Statement<'_>> {
    let mut splitter = Splitter {
        script,
        at: 0,
        line: 1,
        reading: Reading {
            delimiter: ";",
            quoting,
            executed: false,
        },
        initial: quoting,
        begun: None,
        blocks: Blocks::new(quoting.oracle),
        found: Vec::new(),
    };
    while splitter.step() {}
    splitter.end(splitter.at);
    splitter.found
}

/// A walk through a script.
struct Splitter<'s> {
    script: &'s str,
    at: usize,
    line: usize,
    reading: Reading<'s>,
    /// How quotes were read at first.
    initial: Quoting,
    /// Where the statement at hand begins, and on which line; none while there were only blanks and comments.
    begun: Option<(usize, usize)>,
    blocks: Blocks,
    found: Vec<Statement<'s>>,
}

impl<'s> Splitter<'s> {
    fn step(&mut self) -> bool {
        let rest = self.rest();
        if !self.reading.executed && rest.starts_with(self.reading.delimiter) {
            return self.delimit();
        }
        let Some((token, length)) = token(rest, self.reading) else {
            return false;
        };
        match token {
            Token::Word(word) if self.begun.is_none() && word.eq_ignore_ascii_case("delimiter") => {
                return self.change_delimiter(word);
            }
            Token::Blank | Token::Comment => {}
            _ => {
                self.begun.get_or_insert((self.at, self.line));
                self.blocks.see(token);
                match token {
                    Token::Opened => self.reading.executed = true,
                    Token::Closed => self.reading.executed = false,
                    _ => {}
                }
            }
        }
        self.advance(length);
        true
    }

    fn rest(&self) -> &'s str {
        self.script.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, length: usize) {
        let passed = self.rest().get(..length).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at += length;
    }

    /// A delimiter ends the statement, unless it is a `;` in the body of a routine.
    fn delimit(&mut self) -> bool {
        if self.reading.delimiter == ";" && self.blocks.are_open() {
            self.blocks.see(Token::Symbol(';'));
        } else {
            self.end(self.at);
        }
        self.advance(self.reading.delimiter.len());
        true
    }

    /// The rest of the line up to a blank is the new delimiter, or what stands in quotes; none there leaves the old one.
    fn change_delimiter(&mut self, word: &str) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let said = line.get(word.len()..).unwrap_or_default();
        let word = said.split_whitespace().next();
        let bare = word.map(|word| word.trim_matches(|c| matches!(c, '\'' | '"' | '`')));
        if let Some(delimiter) = bare.filter(|bare| !bare.is_empty()) {
            self.reading.delimiter = delimiter;
        }
        self.advance(line.len());
        true
    }

    fn end(&mut self, at: usize) {
        self.reading.executed = false;
        let Some((begin, line)) = self.begun.take() else {
            return;
        };
        let sql = self.script.get(begin..at).unwrap_or_default().trim_end();
        let quoting = self.reading.quoting;
        self.found.push(Statement { line, sql, quoting });
        self.reading.quoting = quoting.after(sql, self.initial);
        self.blocks = Blocks::new(self.reading.quoting.oracle);
    }
}

#[cfg(test)]
mod tests;
