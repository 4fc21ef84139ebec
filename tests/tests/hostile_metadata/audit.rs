//! Compares an expansion with that of a harmless statement of the same shape, token by token: only literals may differ, and the one identifier
//! that a checked name becomes.

use std::path::PathBuf;

use ark_mysql_check::description::{Described, Description, Types};
use ark_mysql_check::infer::field_ident;
use ark_mysql_check::{Macro, expand_with};
use proc_macro2::{TokenStream, TokenTree};

use crate::Count;

/// One token; of a literal only that it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Open(String),
    Close,
    Mark(char),
    Word(String),
    Literal,
}

/// Expands a call by a description.
pub(crate) fn expanded(call: &str, description: &Description) -> TokenStream {
    let tokens: TokenStream = call.parse().expect("the call is Rust");
    expand_with(Macro::Query, tokens, |_, _| {
        Ok(Described {
            description: description.clone(),
            reasons: Vec::new(),
            types: Types::default(),
            rebuild_on: vec![PathBuf::from("/shop/.ark-mysql/0123456789abcdef.json")],
        })
    })
}

pub(crate) fn shape(tokens: TokenStream) -> Vec<Shape> {
    let mut out = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                out.push(Shape::Open(format!("{:?}", group.delimiter())));
                out.extend(shape(group.stream()));
                out.push(Shape::Close);
            }
            TokenTree::Punct(mark) => out.push(Shape::Mark(mark.as_char())),
            TokenTree::Ident(word) => out.push(Shape::Word(word.to_string())),
            TokenTree::Literal(_) => out.push(Shape::Literal),
        }
    }
    out
}

/// Judges an expansion. `harmless` is what the same statement expands to where the hostile names are these.
///
/// # Panics
///
/// Where a token differs that is no literal, and none of the identifiers that the names become by the rule for all names.
pub(crate) fn judge(
    what: &str,
    hostile: TokenStream,
    harmless: TokenStream,
    names: &[(&str, &str)],
) -> Count {
    let (hostile, harmless) = (shape(hostile), shape(harmless));
    if is_error(&hostile) {
        return Count {
            refused: 1,
            literal: 0,
        };
    }
    let renamed = |word: &str| {
        let known = names
            .iter()
            .find(|(_, good)| field_ident(good).as_deref() == Some(word));
        known.map_or(Some(word.to_owned()), |(bad, _)| field_ident(bare(bad)))
    };
    let expected: Vec<Shape> = harmless
        .into_iter()
        .map(|token| match token {
            Shape::Word(word) => Shape::Word(
                renamed(&word).unwrap_or_else(|| panic!("{what}: no name, and not refused")),
            ),
            other => other,
        })
        .collect();
    if let Some(at) =
        (0..hostile.len().max(expected.len())).find(|at| hostile.get(*at) != expected.get(*at))
    {
        panic!(
            "{what}: token {at} is {:?} and not {:?}",
            hostile.get(at),
            expected.get(at)
        );
    }
    Count {
        refused: 0,
        literal: 1,
    }
}

/// An alias without what it says about NULL: the rule for all of them.
fn bare(alias: &str) -> &str {
    alias.trim().trim_end_matches(['!', '?']).trim_end()
}

/// Nothing but `compile_error!` with its message, and mentions of the arguments.
fn is_error(tokens: &[Shape]) -> bool {
    let errors = tokens
        .iter()
        .filter(|token| **token == Shape::Word("compile_error".to_owned()))
        .count();
    let words = tokens.iter().filter_map(|token| match token {
        Shape::Word(word) => Some(word.as_str()),
        _ => None,
    });
    errors >= 1
        && words
            .into_iter()
            .all(|word| ["core", "compile_error", "_", "b"].contains(&word))
}
