//! What may stand below the attribute: an `async fn` without generics.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

use super::USAGE;
use crate::diagnostics::Problem;

/// An `async fn`, in pieces.
pub(super) struct Function {
    /// Attributes and visibility.
    pub(super) before: TokenStream,
    pub(super) should_panic: bool,
    pub(super) name: Ident,
    pub(super) parameters: Group,
    /// `-> Type`, or nothing.
    pub(super) result: TokenStream,
    pub(super) body: Group,
}

impl Function {
    pub(super) fn read(item: TokenStream) -> Result<Self, Problem> {
        let tokens: Vec<TokenTree> = item.into_iter().collect();
        let wrong = |span: Span, why: &str| Problem::new(span, format!("{why}: write {USAGE}"));
        let no_function = || {
            wrong(
                Span::call_site(),
                "#[ark_mysql::test] belongs on a function",
            )
        };
        let is_word = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
        let at = tokens
            .iter()
            .position(|token| is_word(token, "fn"))
            .ok_or_else(no_function)?;
        let (before, rest) = tokens.split_at(at);
        let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
            (rest.get(1), rest.last())
        else {
            return Err(no_function());
        };
        let Some(TokenTree::Group(parameters)) = rest.get(2) else {
            return Err(wrong(name.span(), "a test has no generics"));
        };
        if !before.iter().any(|token| is_word(token, "async")) {
            return Err(wrong(
                name.span(),
                "a test with a database is an async function",
            ));
        }
        let result = rest
            .get(3..rest.len().saturating_sub(1))
            .unwrap_or_default();
        Ok(Self {
            should_panic: before.iter().any(has_should_panic),
            before: before
                .iter()
                .filter(|token| !is_word(token, "async"))
                .cloned()
                .collect(),
            name: name.clone(),
            parameters: parameters.clone(),
            result: result.iter().cloned().collect(),
            body: body.clone(),
        })
    }
}

fn has_should_panic(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "should_panic")
}
