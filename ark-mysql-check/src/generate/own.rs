//! A statement whose rows are a struct made for it, of types of ours alone: what differs between two of them goes to the driver's `own_row!`,
//! which knows the rest. Few tokens, because each one that a macro hands over costs every build of the user.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::row::{self, Field};
use super::{Call, effect, rebuilt_by};
use crate::infer::PlannedColumn;
use crate::input::Target;

/// The statement, its items in front; `None` where there are no columns, or somebody has asked for the type of one.
pub(super) fn statement(
    call: &Call<'_>,
    params: &TokenStream,
    lists: &TokenStream,
) -> Option<TokenStream> {
    let columns = &call.plan.columns;
    let is_own = matches!(call.invocation.target, Target::Row) && !columns.is_empty();
    if !is_own || columns.iter().any(|column| column.rust.is_some()) {
        return None;
    }
    let span = call.invocation.source.span;
    let fields = columns.iter().enumerate();
    let fields = fields.map(|(index, column)| Field::new(index, column, None, false, span));
    let columns = fields.map(|field| one(&field));
    let driver = &call.invocation.driver;
    let (text, digest) = (
        Literal::string(call.sql.text()),
        Literal::u128_unsuffixed(call.sql.digest()),
    );
    let (effect, files) = (effect(call.sql.effect()), rebuilt_by(call));
    let mask = row::not_null_mask(&call.plan.columns).map(|bytes| quote!([#(#bytes)*]));
    Some(quote! {
        use #driver::__private as ark;
        ark::own_row!(#text #digest #effect [#(#files)*] (#params) {#lists} #mask; #(#columns)*)
    })
}

fn one(field: &Field<'_>) -> TokenStream {
    let (name, rust) = (&field.ident, field.rust_type());
    let text = Literal::string(name.to_string().trim_start_matches("r#"));
    let wire = Literal::string(&field.column.wire);
    let (kind, null) = field.kind_and_null();
    let PlannedColumn {
        nullable, named, ..
    } = field.column;
    let index = Literal::usize_unsuffixed(field.index);
    quote!(#name #text #wire (#rust) #kind #null #nullable #named #index;)
}
