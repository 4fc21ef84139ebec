//! The macros of ark-mysql: shells over `ark-mysql-check`. Their documentation stands where people meet them, in `ark_mysql`.

use ark_mysql_check::{Macro, expand};
use proc_macro::TokenStream;

/// A checked statement; each row becomes a struct made for the call.
#[proc_macro]
pub fn query(tokens: TokenStream) -> TokenStream {
    expand(Macro::Query, tokens.into()).into()
}

/// A checked statement; each row becomes the given type: a struct with a field for each column, or the value of the one column.
#[proc_macro]
pub fn query_as(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryAs, tokens.into()).into()
}

/// A checked statement with one column; each row becomes its value.
#[proc_macro]
pub fn query_scalar(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryScalar, tokens.into()).into()
}

/// `query!` with the SQL in a file; its path begins at the folder of `Cargo.toml`.
#[proc_macro]
pub fn query_file(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFile, tokens.into()).into()
}

/// `query_as!` with the SQL in a file; its path begins at the folder of `Cargo.toml`.
#[proc_macro]
pub fn query_file_as(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFileAs, tokens.into()).into()
}

/// `query_scalar!` with the SQL in a file; its path begins at the folder of `Cargo.toml`.
#[proc_macro]
pub fn query_file_scalar(tokens: TokenStream) -> TokenStream {
    expand(Macro::QueryFileScalar, tokens.into()).into()
}
