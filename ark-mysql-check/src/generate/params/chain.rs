//! Many values as tuples of a length that the driver takes, and lists between them.

use proc_macro2::TokenStream;
use quote::quote;

/// The longest tuple that the driver takes; longer lists are chained.
pub(in crate::generate) const TUPLE: usize = 16;

/// One link of the chain of parameters: a part of a tuple, or a list, which stands alone.
pub(in crate::generate) enum Link {
    One(TokenStream),
    List(TokenStream),
}

/// Values, or patterns for them: a tuple, a list, or a `Chain` of them.
pub(in crate::generate) fn chained(values: &[Link], private: &TokenStream) -> TokenStream {
    chain(
        values,
        &|head, tail| quote!(#private::Chain { head: #head, tail: #tail }),
    )
}

pub(in crate::generate) fn chained_kinds(kinds: &[Link]) -> TokenStream {
    chain(kinds, &|head, tail| quote!(ark::Chain<#head, #tail>))
}

fn chain(links: &[Link], both: &impl Fn(TokenStream, TokenStream) -> TokenStream) -> TokenStream {
    let (head, rest) = match links {
        [Link::List(list), rest @ ..] => (list.clone(), rest),
        _ => {
            let ones = links.iter().map_while(|link| match link {
                Link::One(tokens) => Some(tokens),
                Link::List(_) => None,
            });
            let ones: Vec<&TokenStream> = ones.take(TUPLE).collect();
            (
                quote!((#(#ones,)*)),
                links.get(ones.len()..).unwrap_or_default(),
            )
        }
    };
    match rest {
        [] => head,
        rest => both(head, chain(rest, both)),
    }
}
