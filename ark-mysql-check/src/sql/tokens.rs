//! Looking around in a lexed statement: words by position, and which parenthesis closes which.

use std::ops::Range;

use super::lexer::{Kind, Token};

/// A statement's tokens with what it takes to read them.
pub(super) struct Tokens<'a> {
    sql: &'a str,
    tokens: &'a [Token],
    /// For each `(` the index of its `)`, or the end of the statement.
    partners: Vec<usize>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(sql: &'a str, tokens: &'a [Token]) -> Self {
        let mut partners = vec![tokens.len(); tokens.len()];
        let mut open = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Mark(b'(') => open.push(index),
                Kind::Mark(b')') => {
                    if let Some(partner) = open.pop().and_then(|from: usize| partners.get_mut(from))
                    {
                        *partner = index;
                    }
                }
                _ => {}
            }
        }
        Self {
            sql,
            tokens,
            partners,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub(super) fn text(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .and_then(|token| self.sql.get(token.start..token.end))
            .unwrap_or_default()
    }

    /// Where a token stands in the SQL.
    pub(super) fn place(&self, index: usize) -> Range<usize> {
        self.tokens
            .get(index)
            .map_or(self.sql.len()..self.sql.len(), |token| {
                token.start..token.end
            })
    }

    /// How many placeholders stand before a token.
    pub(super) fn parameters_before(&self, index: usize) -> usize {
        let is_parameter = |token: &&Token| matches!(token.kind, Kind::Question | Kind::Named);
        self.tokens.iter().take(index).filter(is_parameter).count()
    }

    pub(super) fn is_mark(&self, index: usize, mark: u8) -> bool {
        self.kind(index) == Some(Kind::Mark(mark))
    }

    /// A word that is not quoted and does not follow a dot: only such can be a keyword.
    pub(super) fn keyword(&self, index: usize) -> Option<&'a str> {
        let after_dot = index > 0 && self.is_mark(index - 1, b'.');
        (self.kind(index) == Some(Kind::Word) && !after_dot).then(|| self.text(index))
    }

    pub(super) fn is(&self, index: usize, keyword: &str) -> bool {
        self.keyword(index)
            .is_some_and(|word| word.eq_ignore_ascii_case(keyword))
    }

    pub(super) fn is_any(&self, index: usize, keywords: &[&str]) -> bool {
        self.keyword(index).is_some_and(|word| {
            keywords
                .iter()
                .any(|known| word.eq_ignore_ascii_case(known))
        })
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        (0..self.len()).any(|index| self.is(index, keyword))
    }

    /// The index of the `)` that closes the `(` at `index`.
    pub(super) fn partner(&self, index: usize) -> usize {
        self.partners.get(index).copied().unwrap_or(self.len())
    }

    pub(super) fn opens_select(&self, index: usize) -> bool {
        let mut inner = index;
        while self.is_mark(inner, b'(') {
            inner += 1;
        }
        inner > index && self.is_any(inner, &["SELECT", "WITH", "VALUES", "TABLE"])
    }

    /// The name that a token stands for: without quotes, in lower case.
    pub(super) fn name(&self, index: usize) -> Option<String> {
        let text = self.text(index);
        match self.kind(index)? {
            Kind::Word => Some(text.to_lowercase()),
            Kind::Quoted => Some(text.trim_matches('`').replace("``", "`").to_lowercase()),
            Kind::Text if text.starts_with('"') => {
                Some(text.trim_matches('"').replace("\"\"", "\"").to_lowercase())
            }
            _ => None,
        }
    }
}
