//! Where one argument ends and the next begins: commas outside brackets and outside the `<…>` of generics.

use proc_macro2::{Spacing, TokenStream, TokenTree};

/// Splits at commas; a trailing one counts for nothing. With `type_first` the part before the first comma is read as a type.
pub(crate) fn at_commas(tokens: TokenStream, type_first: bool) -> Vec<Vec<TokenTree>> {
    let mut parts: Vec<Vec<TokenTree>> = Vec::new();
    let mut part: Vec<TokenTree> = Vec::new();
    let mut angles = 0usize;
    let mut trailing = true;
    for token in tokens {
        let in_type = type_first && is_before_sql(&parts);
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                ',' if angles == 0 => {
                    parts.push(std::mem::take(&mut part));
                    trailing = true;
                    continue;
                }
                '<' if angles > 0 || in_type || opens_generics(&part) => angles += 1,
                '>' if !ends_arrow(&part) => angles = angles.saturating_sub(1),
                _ => {}
            }
        }
        trailing = false;
        part.push(token);
    }
    if !trailing {
        parts.push(part);
    }
    parts
}

/// Whether the row type can still come: nothing stands before it but `crate = …`.
fn is_before_sql(parts: &[Vec<TokenTree>]) -> bool {
    parts.is_empty() || (parts.len() == 1 && parts.iter().all(|part| super::is_crate_option(part)))
}

/// Whether `<` after these tokens opens generics rather than compares: after `::`, where an expression begins, and in the type behind `as`.
fn opens_generics(before: &[TokenTree]) -> bool {
    match before.last() {
        None => true,
        Some(TokenTree::Punct(punct)) => !matches!(punct.as_char(), '?' | '>' | '<'),
        Some(TokenTree::Ident(_)) => is_cast(before),
        Some(TokenTree::Literal(_) | TokenTree::Group(_)) => false,
    }
}

/// Whether the path that ends here began behind `as`: `x as a::b`.
fn is_cast(before: &[TokenTree]) -> bool {
    let is_path = |token: &&TokenTree| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ':' | '&' | '*'),
        TokenTree::Ident(_) => true,
        _ => false,
    };
    before
        .iter()
        .rev()
        .take_while(is_path)
        .any(|token| matches!(token, TokenTree::Ident(word) if word == "as"))
}

/// `->`
fn ends_arrow(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(dash)) if dash.as_char() == '-' && dash.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(tokens: &str, type_first: bool) -> Vec<String> {
        let tokens = tokens.parse().unwrap();
        at_commas(tokens, type_first)
            .into_iter()
            .map(|part| {
                part.into_iter()
                    .collect::<TokenStream>()
                    .to_string()
                    .replace(' ', "")
            })
            .collect()
    }

    #[test]
    fn commas_in_generics_belong_to_the_argument() {
        assert_eq!(
            split("a, f::<A, B>(1, 2), c", false),
            ["a", "f::<A,B>(1,2)", "c"]
        );
        assert_eq!(
            split("<A as B<C, D>>::f(), x", false),
            ["<AasB<C,D>>::f()", "x"]
        );
        assert_eq!(split("x as M<A, B>, y", false), ["xasM<A,B>", "y"]);
    }

    #[test]
    fn comparisons_are_not_generics() {
        assert_eq!(split("a < b, c > d", false), ["a<b", "c>d"]);
        assert_eq!(
            split("f(1) < b, 1 << 2, x?< y, z", false),
            ["f(1)<b", "1<<2", "x?<y", "z"]
        );
    }

    #[test]
    fn types_hold_their_commas() {
        assert_eq!(
            split("M<A, fn(B) -> C<D, E>>, \"SELECT\", a < b, c", true),
            ["M<A,fn(B)->C<D,E>>", "\"SELECT\"", "a<b", "c"]
        );
        assert_eq!(
            split("crate = x, M<A, B>, \"S\"", true),
            ["crate=x", "M<A,B>", "\"S\""]
        );
    }

    #[test]
    fn a_trailing_comma_counts_for_nothing() {
        assert_eq!(split("a, b,", false), ["a", "b"]);
        assert_eq!(split("a,, b", false), ["a", "", "b"]);
        assert_eq!(split("", false), [""; 0]);
    }
}
