//! What `#[ark_mysql(…)]` says.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;

use super::generics::is;
use crate::diagnostics::Problem;
use crate::input::string_literal;
use crate::settings::nearest;

/// The options of one item, field or variant, in their order.
#[derive(Default)]
pub(super) struct Options(Vec<Opt>);

pub(super) struct Opt {
    pub(super) name: Ident,
    pub(super) value: Option<TokenStream>,
}

impl Opt {
    /// Where a mistake in it is shown: at its value, if it has one.
    pub(super) fn span(&self) -> Span {
        let first = self
            .value
            .clone()
            .and_then(|value| value.into_iter().next());
        first.map_or_else(|| self.name.span(), |token| token.span())
    }
}

impl Options {
    pub(super) fn get(&self, name: &str) -> Option<&Opt> {
        self.0.iter().find(|option| option.name == name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The text of `name = "…"`.
    pub(super) fn text(&self, name: &str, problems: &mut Vec<Problem>) -> Option<(String, Span)> {
        let option = self.get(name)?;
        let tokens: Vec<TokenTree> = option.value.clone()?.into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Literal(literal)] if string_literal(&literal.to_string()).is_some() => {
                string_literal(&literal.to_string()).map(|text| (text, literal.span()))
            }
            _ => {
                let message = format!("`{name}` takes a text: {name} = \"…\"");
                problems.push(Problem::new(option.span(), message));
                None
            }
        }
    }

    /// Refuses what has no meaning here. `what` completes "here stand options of …".
    pub(super) fn only(&self, known: &[&str], what: &str, problems: &mut Vec<Problem>) {
        for (index, option) in self.0.iter().enumerate() {
            let name = option.name.to_string();
            let is_repeated = self.0.iter().take(index).any(|other| other.name == name);
            let takes_value = ["crate", "rename", "rename_all"].contains(&name.as_str());
            let message = if !known.contains(&name.as_str()) {
                unknown(&name, known, what)
            } else if is_repeated {
                format!("`{name}` is given twice")
            } else if takes_value && option.value.is_none() {
                format!("`{name}` takes a value: {name} = …")
            } else if !takes_value && option.value.is_some() {
                format!("`{name}` takes no value")
            } else {
                continue;
            };
            problems.push(Problem::new(option.name.span(), message));
        }
    }
}

fn unknown(name: &str, known: &[&str], what: &str) -> String {
    if known.is_empty() {
        return format!("{what} takes no option `{name}`");
    }
    let meant = nearest(name, known);
    let meant = meant.map_or_else(String::new, |meant| format!(", did you mean `{meant}`"));
    format!(
        "{what} takes no option `{name}`{meant}; there are: {}",
        known.join(", ")
    )
}

/// Reads the options among attributes: `ark_mysql(name = value, name)`.
pub(super) fn read(attributes: &[TokenStream], problems: &mut Vec<Problem>) -> Options {
    let mut options = Vec::new();
    for attribute in attributes {
        let Some(inner) = ours(attribute, problems) else {
            continue;
        };
        let inner: Vec<TokenTree> = inner.into_iter().collect();
        for part in inner.split(|token| is(Some(token), ',')) {
            match part {
                [] => {}
                [TokenTree::Ident(name)] => options.push(Opt {
                    name: name.clone(),
                    value: None,
                }),
                [TokenTree::Ident(name), equals, value @ ..]
                    if is(Some(equals), '=') && !value.is_empty() =>
                {
                    options.push(Opt {
                        name: name.clone(),
                        value: Some(value.iter().cloned().collect()),
                    });
                }
                [first, ..] => problems.push(Problem::new(
                    first.span(),
                    "options look like #[ark_mysql(name)] or #[ark_mysql(name = \"value\")]",
                )),
            }
        }
    }
    Options(options)
}

/// What stands in the parentheses of our attribute.
fn ours(tokens: &TokenStream, problems: &mut Vec<Problem>) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Group(group)] if name == "ark_mysql" => {
            Some(group.stream())
        }
        [TokenTree::Ident(name), ..] if name == "ark_mysql" => {
            let message = "options look like #[ark_mysql(name)] or #[ark_mysql(name = \"value\")]";
            problems.push(Problem::new(name.span(), message));
            None
        }
        _ => None,
    }
}

/// The integer type of `#[repr(…)]`.
pub(super) fn repr(attributes: &[TokenStream]) -> Option<Ident> {
    attributes.iter().find_map(|tokens| {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(name), TokenTree::Group(group)] if name == "repr" => {
                group.stream().into_iter().find_map(integer)
            }
            _ => None,
        }
    })
}

fn integer(token: TokenTree) -> Option<Ident> {
    const INTEGERS: &[&str] = &[
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    ];
    match token {
        TokenTree::Ident(word) if INTEGERS.iter().any(|known| word == known) => Some(word),
        _ => None,
    }
}

/// The path of the driver's crate.
pub(super) fn driver(options: &Options, problems: &mut Vec<Problem>) -> TokenStream {
    let Some(value) = options.get("crate").and_then(|option| option.value.clone()) else {
        return quote::quote!(::ark_mysql);
    };
    match value.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) => {
            let path = options.text("crate", problems);
            let path = path.and_then(|(path, _)| path.parse::<TokenStream>().ok());
            path.unwrap_or(value)
        }
        _ => value.to_token_stream(),
    }
}
