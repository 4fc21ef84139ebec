//! Which text is a Rust type: what an alias or `ark-mysql.toml` says becomes part of the generated code, and must be that and no more.

use proc_macro2::{TokenStream, TokenTree};

/// The tokens of a type. What could end the item that they are put into is refused.
pub(crate) fn read(rust: &str) -> Option<TokenStream> {
    let allowed = |char: char| char.is_alphanumeric() || "_:<>,&'[]();*+-= #".contains(char);
    if !rust.chars().all(allowed) {
        return None;
    }
    let tokens: TokenStream = rust.parse().ok()?;
    let words: Vec<TokenTree> = tokens.clone().into_iter().collect();
    // The name of a lifetime is followed by that of a type.
    let two_types = words.windows(2).enumerate().any(|(index, pair)| {
        let is_lifetime = index
            .checked_sub(1)
            .and_then(|before| words.get(before))
            .is_some_and(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\''));
        let joins = |word: &proc_macro2::Ident| ["dyn", "mut", "const"].iter().any(|name| word == name);
        matches!(pair, [TokenTree::Ident(first), TokenTree::Ident(_)] if !joins(first) && !is_lifetime)
    });
    let ends_early =
        matches!(words.last(), Some(TokenTree::Punct(punct)) if punct.as_char() != '>');
    let ends_item = two_types || ends_early || words.iter().any(|token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | '=' | '#')));
    (!ends_item && !tokens.is_empty()).then_some(tokens)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn types_are_types() {
        for rust in [
            "u8",
            "crate::UserId",
            "::time::PrimitiveDateTime",
            "Json<Vec<u8>>",
            "&'static str",
            "[u8; 16]",
            "(u8, u8)",
        ] {
            assert!(read(rust).is_some(), "{rust}");
        }
        for other in [
            "",
            "crate::",
            "User Id",
            "u8; fn main() {}",
            "u8 = u16",
            "{ 1 }",
            "a!()",
            "Vec<",
            "u8)",
            "\"text\"",
        ] {
            assert!(read(other).is_none(), "{other}");
        }
    }
}
