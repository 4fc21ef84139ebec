//! The words for arguments whose type is set in `ark-mysql.toml`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::fits::{Parameter, column, without_braces};
use crate::description::{RustType, Usage};

/// Of an argument that has another type.
pub(super) fn words(parameter: &Parameter<'_>, rust: &RustType, span: Span) -> TokenStream {
    let plain = without_braces;
    let (wanted, line) = (plain(rust.rust.clone()), rust.line);
    let (number, name) = (plain(parameter.number()), plain(named(parameter)));
    let usage = parameter.against().map(|against| against.usage);
    let stored = matches!(usage, Some(Usage::Stored { .. }));
    let stands = if stored {
        "goes into"
    } else {
        "stands against"
    };
    let message =
        format!("{number} {stands} `{name}`, whose type is `{wanted}`: `{{Self}}` is another one");
    let label = format!("give a `{wanted}`");
    let no_null = usage == Some(Usage::Stored { nullable: false });
    let notes = [
        Some(plain(format!("it stands here in the SQL:\n{}", parameter.drawing()))),
        Some(format!("the type of `{name}` is set in ark-mysql.toml, line {line}, for all statements")),
        parameter.list().map(plain),
        no_null.then(|| "the column is NOT NULL, so it takes no `Option`".to_owned()),
        Some("another type on purpose: write `CAST(? AS …)`, such as `CAST(? AS UNSIGNED)`; the argument of a CAST is not checked".to_owned()),
    ];
    let notes = notes.into_iter().flatten();
    quote_spanned!(span=> #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)])
}

/// Of a type that cannot be sent there.
pub(super) fn words_of_type(parameter: &Parameter<'_>, rust: &RustType, span: Span) -> TokenStream {
    let plain = without_braces;
    let (name, line) = (plain(parameter.name()), rust.line);
    let message = format!(
        "`{{Self}}` cannot be sent to {name}, whose type it is by ark-mysql.toml, line {line}"
    );
    let label = "this argument needs a type that can be sent".to_owned();
    let note = "a type of your own is made sendable by #[derive(ark_mysql::Type)]; what it holds must go into the column";
    quote_spanned!(span=> #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)])
}

fn named(parameter: &Parameter<'_>) -> String {
    parameter.against().and_then(column).unwrap_or_default()
}
