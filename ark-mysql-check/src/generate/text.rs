//! Code as text. rustc's own lexer, which is optimised, makes tokens of it in one go; put together one by one, as `quote!` does, each token is a dozen calls of
//! code that is not. For what no span of the user's belongs to: all of it stands where the call does.
//!
//! Data goes into it as literals ([`literal`]) and as names that were checked (`field_ident`), never in another way.

use proc_macro2::TokenStream;
use quote::quote;

extern crate proc_macro;

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> TokenStream {
    // proc-macro2 reads a text itself before it hands it to rustc, which takes ten times as long.
    let tokens = match proc_macro::is_available() {
        true => text.parse().ok().map(proc_macro::TokenStream::into),
        false => text.parse().ok(),
    };
    tokens.unwrap_or_else(|| {
        quote!(::core::compile_error! { "ark-mysql wrote what is no Rust: please report this" })
    })
}

/// A string as a literal.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenTree;

    #[test]
    fn any_text_is_one_literal() {
        let all: String = ('\0'..='\u{3000}')
            .chain(['\u{202e}', '\u{e0041}', '\u{10ffff}'])
            .collect();
        for text in [
            all.as_str(),
            "\"",
            "\\\"; evil()",
            "*/ r#\"",
            "\r\n",
            "{}",
            "",
        ] {
            let tokens: Vec<TokenTree> = super::tokens(&super::literal(text)).into_iter().collect();
            let [TokenTree::Literal(literal)] = tokens.as_slice() else {
                panic!("{text:?} is {tokens:?}");
            };
            let value = crate::input::string_literal(&literal.to_string());
            assert_eq!(value.as_deref(), Some(text));
        }
    }
}
