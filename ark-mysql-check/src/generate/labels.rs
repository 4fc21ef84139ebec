//! Whether the user's types know the labels of their ENUM and SET columns: constants that do not compile if they do not.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::named::Alias;
use super::row::Field;

/// Where the type of a column is found.
pub(super) enum Place<'a> {
    /// The field of a struct of the user's.
    FieldOf(&'a Alias),
    /// The type itself.
    Is(&'a Alias),
}

/// The constant for a column that has labels.
pub(super) fn check(field: &Field<'_>, place: &Place<'_>) -> TokenStream {
    let column = field.column;
    if column.labels.is_empty() {
        return TokenStream::new();
    }
    let span = Span::mixed_site().located_at(field.span);
    let name = column.origin.as_ref().unwrap_or(&column.name);
    let (labels, ident) = (&column.labels, &field.ident);
    let (given, value) = match place {
        Place::FieldOf(given) => (given.anywhere(), quote_spanned!(span=> &value.#ident)),
        Place::Is(given) => (given.anywhere(), quote_spanned!(span=> value)),
    };
    let tag = quote_spanned!(span=> (&ark::Probe::of(#value)).tag());
    let compared = quote_spanned!(span=> ark::labels_fit(#name, &[#(#labels),*], ark::labels_of(|value: &#given| #tag)));
    quote! {
        const _: () = {
            #[allow(unused_imports, reason = "one of the two is used")]
            use ark::{TagOfLabelled as _, TagOfOther as _};
            #compared
        };
    }
}
