//! Scripts of SQL statements: where each statement begins and ends.
//!
//! Statements end at `;` outside of quotes and comments. Two things may hold a `;` that ends nothing:
//!
//! * the body of a routine, trigger or event (`blocks` knows where `BEGIN … END` and the other compound statements end);
//! * everything behind a line `DELIMITER //`, the `mysql` client's own command, until the next one.

mod blocks;
mod lexer;

use blocks::Blocks;
use lexer::{Token, token};

/// One statement of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement<'s> {
    /// The line that it begins on, counted from 1.
    pub(crate) line: usize,
    /// Its text, without the delimiter.
    pub(crate) sql: &'s str,
}

/// The statements of a script. Ones that hold nothing but blanks and comments are left out.
pub(crate) fn statements(script: &str) -> Vec<Statement<'_>> {
    let mut splitter = Splitter {
        script,
        at: 0,
        line: 1,
        delimiter: ";",
        begun: None,
        blocks: Blocks::default(),
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
    delimiter: &'s str,
    /// Where the statement at hand begins, and on which line; none while there were only blanks and comments.
    begun: Option<(usize, usize)>,
    blocks: Blocks,
    found: Vec<Statement<'s>>,
}

impl<'s> Splitter<'s> {
    fn step(&mut self) -> bool {
        let rest = self.rest();
        if rest.starts_with(self.delimiter) {
            return self.delimit();
        }
        let Some((token, length)) = token(rest, self.delimiter) else {
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
        if self.delimiter == ";" && self.blocks.are_open() {
            self.blocks.see(Token::Symbol(';'));
        } else {
            self.end(self.at);
        }
        self.advance(self.delimiter.len());
        true
    }

    /// The rest of the line up to a blank is the new delimiter; none there leaves the old one.
    fn change_delimiter(&mut self, word: &str) -> bool {
        let line = self.rest().lines().next().unwrap_or_default();
        let said = line.get(word.len()..).unwrap_or_default();
        if let Some(delimiter) = said.split_whitespace().next() {
            self.delimiter = delimiter;
        }
        self.advance(line.len());
        true
    }

    fn end(&mut self, at: usize) {
        self.blocks = Blocks::default();
        let Some((begin, line)) = self.begun.take() else {
            return;
        };
        let sql = self.script.get(begin..at).unwrap_or_default().trim_end();
        self.found.push(Statement { line, sql });
    }
}

#[cfg(test)]
mod tests;
