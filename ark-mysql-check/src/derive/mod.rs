//! `#[derive(Type)]`: a Rust type that stands for another one, for labels, for numbers, or for a set of labels.
//!
//! ```text
//! TokenStream ── item ──> Item ── form ──> Form ── generate ──> TokenStream
//! ```

mod form;
mod generate;
mod generics;
mod item;
mod options;
mod rename;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote_spanned;

use crate::diagnostics::Problem;

/// Expands the derive. Never panics: every problem becomes a `compile_error!`, and none causes others.
pub fn derive_type(tokens: TokenStream) -> TokenStream {
    let mut problems = Vec::new();
    let item = match item::read(tokens, &mut problems) {
        Ok(item) => item,
        Err(problem) => return errors(&[problem]),
    };
    let driver = options::driver(&item.options, &mut problems);
    let form = form::of(&item, &mut problems).map_err(|problem| problems.push(problem));
    match form {
        Ok(form) if problems.is_empty() => generate::impls(&item, &form, &driver),
        _ => {
            let errors = errors(&problems);
            let fallback = generate::fallback(&item, &driver);
            quote::quote!(#errors #fallback)
        }
    }
}

fn errors(problems: &[Problem]) -> TokenStream {
    let errors = problems
        .iter()
        .map(|Problem { span, message }| quote_spanned!(*span=> ::core::compile_error!(#message);));
    errors.collect()
}
