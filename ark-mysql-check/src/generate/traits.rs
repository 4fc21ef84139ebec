//! `Clone`, `Debug` and `PartialEq` for the row's struct.

use proc_macro2::TokenStream;
use quote::quote;

use super::row::Field;

/// For rows with types of the user's, which may lack any of them: then the row lacks it too, and only then.
/// The lifetime that is not used makes rustc accept a bound that does not hold.
pub(super) fn impls(fields: &[Field<'_>], lifetime: &TokenStream) -> TokenStream {
    let names: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let texts = names
        .iter()
        .map(|name| name.to_string().trim_start_matches("r#").to_owned());
    let types: Vec<_> = fields.iter().map(Field::rust_type).collect();
    quote! {
        #[automatically_derived]
        impl #lifetime ::core::clone::Clone for Row #lifetime where #(for<'any> #types: ::core::clone::Clone,)* {
            fn clone(&self) -> Self {
                Row { #(#names: ::core::clone::Clone::clone(&self.#names),)* }
            }
        }
        #[automatically_derived]
        impl #lifetime ::core::fmt::Debug for Row #lifetime where #(for<'any> #types: ::core::fmt::Debug,)* {
            fn fmt(&self, out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Formatter::debug_struct(out, "Row")#(.field(#texts, &self.#names))*.finish()
            }
        }
        #[automatically_derived]
        impl #lifetime ::core::cmp::PartialEq for Row #lifetime where #(for<'any> #types: ::core::cmp::PartialEq,)* {
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                true #(&& ::core::cmp::PartialEq::eq(&self.#names, &other.#names))*
            }
        }
    }
}
