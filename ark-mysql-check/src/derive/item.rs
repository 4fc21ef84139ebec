//! From the tokens behind `#[derive(Type)]` to an [`Item`]: rustc has parsed them already, so that only what is wanted is looked for.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use super::generics::{self, Generics};
use super::options::{self, Options};
use crate::diagnostics::Problem;

/// A struct or an enum, read.
pub(super) struct Item {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) options: Options,
    /// The integer of `#[repr(u8)]`.
    pub(super) repr: Option<Ident>,
    pub(super) body: Body,
}

pub(super) enum Body {
    Struct(Fields),
    /// The variants, and the braces around them.
    Enum(Vec<Variant>, Span),
    Union(Span),
}

pub(super) enum Fields {
    Named(Vec<Field>),
    Unnamed(Vec<Field>),
    Unit,
}

pub(super) struct Field {
    /// `None` in a tuple.
    pub(super) name: Option<Ident>,
    pub(super) rust: TokenStream,
    pub(super) options: Options,
    pub(super) span: Span,
}

pub(super) struct Variant {
    pub(super) name: Ident,
    pub(super) fields: Fields,
    /// Of `Name = 3`.
    pub(super) discriminant: Option<TokenStream>,
    pub(super) options: Options,
}

impl Fields {
    pub(super) fn all(&self) -> &[Field] {
        match self {
            Self::Named(fields) | Self::Unnamed(fields) => fields,
            Self::Unit => &[],
        }
    }
}

/// Reads an item. Problems of its attributes are added to `problems`, and what is read goes on.
///
/// # Errors
/// Nothing that can be made sense of: rustc has said so itself.
pub(super) fn read(tokens: TokenStream, problems: &mut Vec<Problem>) -> Result<Item, Problem> {
    let mut rest = tokens.into_iter().collect::<Vec<_>>().into_iter();
    let attributes = take_attributes(&mut rest);
    let options = options::read(&attributes, problems);
    let keyword = find_keyword(&mut rest).ok_or_else(|| odd(Span::call_site()))?;
    let Some(TokenTree::Ident(name)) = rest.next() else {
        return Err(odd(keyword.span()));
    };
    let tail: Vec<TokenTree> = rest.collect();
    let (mut generics, tail) = generics::read(tail);
    let body = tail.iter().position(|token| {
        matches!(token, TokenTree::Group(group) if matches!(group.delimiter(), Delimiter::Brace | Delimiter::Parenthesis))
            && !generics::is_in_where(token, &tail)
    });
    let group = match body.and_then(|at| tail.get(at)) {
        Some(TokenTree::Group(group)) => Some(group.clone()),
        _ => None,
    };
    generics.bounds = generics::bounds(&tail, body);
    let repr = options::repr(&attributes);
    let body = match (keyword.to_string().as_str(), group) {
        ("union", _) => Body::Union(keyword.span()),
        ("enum", Some(group)) => Body::Enum(
            variants(group.stream(), problems),
            group.delim_span().join(),
        ),
        (_, Some(group)) => Body::Struct(fields(&group, problems)),
        (_, None) => Body::Struct(Fields::Unit),
    };
    Ok(Item {
        name,
        generics,
        options,
        repr,
        body,
    })
}

fn odd(span: Span) -> Problem {
    Problem::new(span, "`derive(Type)` is for structs and enums")
}

/// The word in front of the name; what stands before it says who may see the item.
fn find_keyword(rest: &mut impl Iterator<Item = TokenTree>) -> Option<Ident> {
    rest.find_map(|token| match token {
        TokenTree::Ident(word) if word == "struct" || word == "enum" || word == "union" => {
            Some(word)
        }
        _ => None,
    })
}

/// Takes `#[…]`s off the front; returns what stands in their brackets.
fn take_attributes(rest: &mut std::vec::IntoIter<TokenTree>) -> Vec<TokenStream> {
    let mut found = Vec::new();
    while let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = rest.as_slice() {
        if hash.as_char() != '#' {
            break;
        }
        found.push(group.stream());
        rest.nth(1);
    }
    found
}

fn variants(tokens: TokenStream, problems: &mut Vec<Problem>) -> Vec<Variant> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let parts = tokens.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ','));
    parts
        .filter(|part| !part.is_empty())
        .filter_map(|part| variant(part, problems))
        .collect()
}

fn variant(part: &[TokenTree], problems: &mut Vec<Problem>) -> Option<Variant> {
    let mut rest = Vec::from(part).into_iter();
    let options = options::read(&take_attributes(&mut rest), problems);
    let Some(TokenTree::Ident(name)) = rest.next() else {
        return None;
    };
    let mut next = rest.next();
    let fields = match &next {
        Some(TokenTree::Group(group)) => {
            let fields = fields(group, problems);
            next = rest.next();
            fields
        }
        _ => Fields::Unit,
    };
    let discriminant = next.is_some().then(|| rest.collect());
    Some(Variant {
        name,
        fields,
        discriminant,
        options,
    })
}

fn fields(group: &proc_macro2::Group, problems: &mut Vec<Problem>) -> Fields {
    let is_named = group.delimiter() == Delimiter::Brace;
    let parts = generics::at_commas(group.stream().into_iter().collect());
    let fields = parts
        .into_iter()
        .filter_map(|part| field(part, is_named, problems))
        .collect();
    if is_named {
        Fields::Named(fields)
    } else {
        Fields::Unnamed(fields)
    }
}

fn field(part: Vec<TokenTree>, is_named: bool, problems: &mut Vec<Problem>) -> Option<Field> {
    let mut rest = part.into_iter();
    let options = options::read(&take_attributes(&mut rest), problems);
    skip_visibility(&mut rest);
    let name = match (is_named, rest.as_slice()) {
        (true, [TokenTree::Ident(name), TokenTree::Punct(_), ..]) => {
            let name = name.clone();
            rest.nth(1);
            Some(name)
        }
        (true, _) => return None,
        (false, _) => None,
    };
    let span = rest.as_slice().first()?.span();
    Some(Field {
        name,
        rust: rest.collect(),
        options,
        span,
    })
}

/// `pub`, `pub(…)`, and what a `$v:vis` leaves, which may be nothing in an invisible group.
fn skip_visibility(rest: &mut std::vec::IntoIter<TokenTree>) {
    match rest.as_slice() {
        [TokenTree::Ident(word), TokenTree::Group(scope), ..]
            if word == "pub" && is_scope(scope) =>
        {
            rest.nth(1);
        }
        [TokenTree::Ident(word), ..] if word == "pub" => {
            rest.next();
        }
        [TokenTree::Group(group), _, ..]
            if group.delimiter() == Delimiter::None && is_vis(group) =>
        {
            rest.next();
        }
        _ => {}
    }
}

fn is_vis(group: &proc_macro2::Group) -> bool {
    match group.stream().into_iter().next() {
        None => true,
        Some(TokenTree::Ident(word)) => word == "pub",
        Some(_) => false,
    }
}

/// `(crate)` and the like; a tuple is none, as in `pub (A, B)`.
fn is_scope(group: &proc_macro2::Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Parenthesis
        && matches!(first, Some(TokenTree::Ident(word)) if ["crate", "super", "self", "in"].iter().any(|known| word == known))
}
