//! The place in the tokens, and how to move on.

use super::super::lexer::Kind;
use super::super::tokens::Tokens;

/// Deeper nesting is given up: the stack of a compiler is not ours.
const DEEPEST: usize = 100;

pub(super) struct Parser<'t> {
    pub(super) tokens: &'t Tokens<'t>,
    pub(super) at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(tokens: &'t Tokens<'t>) -> Self {
        Self {
            tokens,
            at: 0,
            depth: 0,
        }
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn kind(&self) -> Option<Kind> {
        self.tokens.kind(self.at)
    }

    pub(super) fn is(&self, keyword: &str) -> bool {
        self.tokens.is(self.at, keyword)
    }

    pub(super) fn is_any(&self, keywords: &[&str]) -> bool {
        self.tokens.is_any(self.at, keywords)
    }

    pub(super) fn is_mark(&self, mark: u8) -> bool {
        self.tokens.is_mark(self.at, mark)
    }

    pub(super) fn eat(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_any(&mut self, keywords: &[&str]) -> bool {
        let found = self.is_any(keywords);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_mark(&mut self, mark: u8) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    /// Operators of several characters come as several tokens.
    pub(super) fn eat_marks(&mut self, marks: &[u8]) -> bool {
        let found = (self.at..)
            .zip(marks)
            .all(|(index, mark)| self.tokens.is_mark(index, *mark));
        self.at += if found { marks.len() } else { 0 };
        found
    }

    pub(super) fn expect(&mut self, keyword: &str) -> Option<()> {
        self.eat(keyword).then_some(())
    }

    pub(super) fn expect_mark(&mut self, mark: u8) -> Option<()> {
        self.eat_mark(mark).then_some(())
    }

    /// Runs a part one level deeper.
    pub(super) fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = part(self);
        self.depth -= 1;
        read
    }

    /// Past the `)` that closes the `(` here.
    pub(super) fn skip_parentheses(&mut self) -> Option<()> {
        let close = self.tokens.partner(self.at);
        if !self.is_mark(b'(') || close >= self.tokens.len() {
            return None;
        }
        self.at = close + 1;
        Some(())
    }

    /// Tokens may be skipped only where no aggregate and no query hides in them: those change what everything else means.
    pub(super) fn hides_nothing(&self, from: usize, to: usize) -> Option<()> {
        let hides = |index| {
            self.tokens.is(index, "SELECT")
                || super::super::blocks::is_aggregate_call(self.tokens, index)
        };
        (!(from..to).any(hides)).then_some(())
    }

    /// A name without quotes, as written.
    pub(super) fn name(&mut self) -> Option<String> {
        let text = self.tokens.text(self.at);
        let name = match self.kind()? {
            Kind::Word => text.to_owned(),
            Kind::Quoted => text.get(1..text.len() - 1)?.replace("``", "`"),
            _ => return None,
        };
        self.at += 1;
        Some(name)
    }

    /// `a, b, c`, each read by `part`.
    pub(super) fn list<T>(
        &mut self,
        mut part: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut read = vec![part(self)?];
        while self.eat_mark(b',') {
            read.push(part(self)?);
        }
        Some(read)
    }

    /// `(a, b, c)` of names in lower case.
    pub(super) fn names(&mut self) -> Option<Vec<String>> {
        self.expect_mark(b'(')?;
        let names = self.list(|parser| parser.name().map(|name| name.to_lowercase()))?;
        self.expect_mark(b')')?;
        Some(names)
    }
}
