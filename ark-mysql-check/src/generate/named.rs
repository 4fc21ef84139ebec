//! Types that the user wrote, in an alias, a call or `ark-mysql.toml`, under names of ours.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::types::with_row_lifetime;
use crate::diagnostics::Problem;
use crate::infer::PlannedColumn;
use crate::rust_type;

/// A type that the user wrote, under a name of ours. It stands outside the block with our items, so that a user's `Row` stays the user's.
pub(super) struct Alias {
    pub(super) item: TokenStream,
    /// How the type is named where `'r` is in scope.
    pub(super) used: TokenStream,
    pub(super) name: Ident,
    pub(super) borrows: bool,
}

impl Alias {
    /// The type where no lifetime is in scope.
    pub(super) fn anywhere(&self) -> TokenStream {
        let name = &self.name;
        match self.borrows {
            true => quote!(#name<'static>),
            false => quote!(#name),
        }
    }

    pub(super) fn new(name: &str, tokens: TokenStream) -> Self {
        let name = Ident::new(name, Span::mixed_site());
        let (tokens, borrows) = with_row_lifetime(tokens);
        let lifetime = if borrows {
            quote!(<'r>)
        } else {
            TokenStream::new()
        };
        Self {
            item: quote!(type #name #lifetime = #tokens;),
            used: quote!(#name #lifetime),
            name,
            borrows,
        }
    }
}

/// The types that aliases (`AS "id: UserId"`) and `ark-mysql.toml` ask for, read as Rust.
pub(super) fn asked(columns: &[PlannedColumn], span: Span) -> Result<Vec<Option<Alias>>, Problem> {
    columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let Some(asked) = &column.rust else { return Ok(None) };
            let rust = &asked.rust;
            let tokens = tokens(rust, span).ok_or_else(|| {
                Problem::new(span, format!("`{rust}` in the alias `{}` is not a Rust type: after the colon belongs one, as in `AS \"id: UserId\"`", column.wire))
            })?;
            Ok(Some(Alias::new(&format!("ArkColumnType{index}"), tokens)))
        })
        .collect()
}

/// The tokens of a type, as if they had been written at a place.
pub(super) fn tokens(rust: &str, span: Span) -> Option<TokenStream> {
    let tokens = rust_type::read(rust)?;
    Some(respanned(tokens, Span::mixed_site().located_at(span)))
}

fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token =
                proc_macro2::Group::new(group.delimiter(), respanned(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}
