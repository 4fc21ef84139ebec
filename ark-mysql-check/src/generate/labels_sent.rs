//! Whether a column has each label of the type of an argument. See `value/labels/variants` in the driver.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::fits::{Parameter, column};
use crate::description::Usage;
use crate::label_hash::label_hash;

/// What it takes to check an argument, and the check; `None` where the column has no labels, or so many that rustc would be kept busy.
pub(super) fn check(
    parameter: &Parameter<'_>,
    name: &Ident,
    argument: &Ident,
    span: Span,
) -> Option<(TokenStream, TokenStream)> {
    const MOST: usize = 512;
    let against = parameter.against()?;
    if against.labels.is_empty()
        || against.labels.len() > MOST
        || matches!(against.usage, Usage::Limit | Usage::Selected)
    {
        return None;
    }
    let mut hashes: Vec<u64> = against
        .labels
        .iter()
        .map(|label| label_hash(label))
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    let hashes = hashes.into_iter().map(Literal::u64_suffixed);
    let (has, kind) = (
        format_ident!("{name}_has_labels", span = span),
        format_ident!("{name}_kind", span = span),
    );
    let (all, one) = (
        format_ident!("{name}_labels", span = span),
        format_ident!("{name}_label", span = span),
    );
    let words = words(parameter, span);
    let traits = quote! {
        #[allow(non_camel_case_types, reason = "it is never named by people")]
        struct #kind;
        impl<T: ?::core::marker::Sized> ark::Takes<T> for #kind {}
        impl ark::TakesNull for #kind {}
        impl<V: #all> ark::TakesVariants<V> for #kind {}
        trait #one {}
        #(impl #one for ark::Label<#hashes> {})*
        trait #all {}
        impl #all for () {}
        impl<V: ark::Variant, R: #all> #all for (V, R) where V::Label: #one {}
        #words
        trait #has {
            fn fits(&self) {}
        }
        #[diagnostic::do_not_recommend]
        impl<T: ark::Encode<#kind> + ?::core::marker::Sized> #has for T {}
    };
    Some((traits, quote_spanned!(span=> #has::fits(#argument);)))
}

fn words(parameter: &Parameter<'_>, span: Span) -> TokenStream {
    let Some(against) = parameter.against() else {
        return TokenStream::new();
    };
    // Braces mean parameters in these texts.
    let plain = |text: String| text.replace(['{', '}'], "_");
    let column = plain(column(against).unwrap_or_else(|| "this column".to_owned()));
    let labels: Vec<String> = against
        .labels
        .iter()
        .map(|label| format!("`{label}`"))
        .collect();
    let number = plain(parameter.number());
    let (stands, of) = match against.usage {
        Usage::Stored { .. } => ("goes into", "hold"),
        Usage::Compared | Usage::Argument | Usage::Limit | Usage::Selected => {
            ("stands against", "be")
        }
    };
    let message = format!(
        "{number} {stands} `{column}`, which cannot {of} every `{{Self}}`: some of its labels are none of the column's"
    );
    let label = plain(format!("`{column}` can be {}", labels.join(", ")));
    let notes = [
        plain(format!("it stands here in the SQL:\n{}", parameter.drawing())),
        "the label of a variant is set by #[ark_mysql(rename = \"…\")], those of all by #[ark_mysql(rename_all = \"…\")]".to_owned(),
        format!("a label that `{column}` shall have is added to the column first, by ALTER TABLE"),
    ];
    quote_spanned!(span=> #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)])
}
