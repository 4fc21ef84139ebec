//! Generics as they are declared, and as they are named.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

/// What stands between `<` and `>`, taken apart.
#[derive(Default)]
pub(super) struct Generics {
    /// Lifetimes with their bounds.
    pub(super) lifetimes: Vec<TokenStream>,
    /// Types and constants with their bounds, without defaults.
    pub(super) types: Vec<TokenStream>,
    /// All of them as arguments: `<'a, T, N>`, or nothing.
    pub(super) arguments: TokenStream,
    /// Behind `where`, with a comma at its end; or nothing.
    pub(super) bounds: TokenStream,
}

impl Generics {
    pub(super) fn is_empty(&self) -> bool {
        self.arguments.is_empty()
    }
}

/// Takes the generics off the front.
pub(super) fn read(tail: Vec<TokenTree>) -> (Generics, Vec<TokenTree>) {
    if !is(tail.first(), '<') {
        return (Generics::default(), tail);
    }
    let mut depth = 0usize;
    let end = tail.iter().enumerate().position(|(at, token)| {
        step(
            &mut depth,
            token,
            at.checked_sub(1).and_then(|at| tail.get(at)),
        );
        depth == 0
    });
    let end = end.unwrap_or(tail.len());
    let inner = tail.get(1..end).unwrap_or_default().to_vec();
    let rest = tail.get(end + 1..).unwrap_or_default().to_vec();
    (declared(inner), rest)
}

fn declared(inner: Vec<TokenTree>) -> Generics {
    let mut generics = Generics::default();
    let mut names = Vec::new();
    for parameter in at_commas(inner) {
        let is_lifetime = is(parameter.first(), '\'');
        let equals = parameter.iter().position(|token| is(Some(token), '='));
        let declared: TokenStream = parameter
            .get(..equals.unwrap_or(parameter.len()))
            .unwrap_or_default()
            .iter()
            .cloned()
            .collect();
        names.push(name(&parameter, is_lifetime));
        match is_lifetime {
            true => generics.lifetimes.push(declared),
            false => generics.types.push(declared),
        }
    }
    if !names.is_empty() {
        generics.arguments = quote!(<#(#names),*>);
    }
    generics
}

fn name(parameter: &[TokenTree], is_lifetime: bool) -> TokenStream {
    match parameter {
        [quote, name, ..] if is_lifetime => quote!(#quote #name),
        [TokenTree::Ident(word), name, ..] if word == "const" => name.to_token_stream(),
        [name, ..] => name.to_token_stream(),
        [] => TokenStream::new(),
    }
}

/// Whether a group is part of a `where` clause: `where (A, B): Bound { … }`. The body comes last, or has nothing but the clause behind it.
pub(super) fn is_in_where(group: &TokenTree, tail: &[TokenTree]) -> bool {
    let is_brace =
        matches!(group, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let starts_with_where = matches!(tail.first(), Some(TokenTree::Ident(word)) if word == "where");
    starts_with_where && !is_brace
}

/// What stands behind `where`, which comes before braces and behind parentheses.
pub(super) fn bounds(tail: &[TokenTree], body: Option<usize>) -> TokenStream {
    let Some(at) = tail
        .iter()
        .position(|token| matches!(token, TokenTree::Ident(word) if word == "where"))
    else {
        return TokenStream::new();
    };
    let end = body.filter(|body| *body > at).unwrap_or(tail.len());
    let bounds: Vec<&TokenTree> = tail
        .get(at + 1..end)
        .unwrap_or_default()
        .iter()
        .filter(|token| !is(Some(token), ';'))
        .collect();
    let comma = (!bounds.is_empty() && !is(bounds.last().copied(), ',')).then(|| quote!(,));
    quote!(#(#bounds)* #comma)
}

/// Splits where a comma stands outside of angle brackets; nothing behind the last comma counts for nothing.
pub(super) fn at_commas(tokens: Vec<TokenTree>) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    let mut depth = 0usize;
    let mut last: Option<TokenTree> = None;
    for token in tokens {
        step(&mut depth, &token, last.as_ref());
        last = Some(token.clone());
        if depth == 0 && is(Some(&token), ',') {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(token);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Counts angle brackets; that of `->` is none.
fn step(depth: &mut usize, token: &TokenTree, before: Option<&TokenTree>) {
    let is_arrow = matches!(before, Some(TokenTree::Punct(dash)) if dash.as_char() == '-' && dash.spacing() == Spacing::Joint);
    match token {
        TokenTree::Punct(punct) if punct.as_char() == '<' => *depth += 1,
        TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow => {
            *depth = depth.saturating_sub(1);
        }
        _ => {}
    }
}

pub(super) fn is(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}
