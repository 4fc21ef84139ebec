//! Many values as tuples of a length that the driver takes, and lists between them.

use proc_macro2::TokenStream;
use quote::quote;

/// The longest tuple that the driver takes; longer lists are chained.
pub(in crate::generate) const TUPLE: usize = 16;

/// One link of the chain of parameters: a part of a tuple, or a list, which stands alone.
pub(in crate::generate) enum Link<T = TokenStream> {
    One(T),
    List(T),
}

/// Values, or patterns for them: a tuple, a list, or a `Chain` of them.
pub(in crate::generate) fn chained(values: &[Link], private: &TokenStream) -> TokenStream {
    chain(
        values,
        &|ones| quote!((#(#ones,)*)),
        &|head, tail| quote!(#private::Chain { head: #head, tail: #tail }),
    )
}

/// Their kinds, as the text of a type.
pub(in crate::generate) fn chained_kinds(kinds: &[Link<String>]) -> String {
    let tuple = |ones: &[&String]| {
        let mut tuple = "(".to_owned();
        ones.iter().for_each(|one| {
            tuple.push_str(one);
            tuple.push(',');
        });
        tuple + ")"
    };
    chain(kinds, &tuple, &|head, tail| {
        format!("ark::Chain<{head}, {tail}>")
    })
}

fn chain<T: Clone>(links: &[Link<T>], tuple: &impl Fn(&[&T]) -> T, both: &impl Fn(T, T) -> T) -> T {
    let (head, rest) = match links {
        [Link::List(list), rest @ ..] => (list.clone(), rest),
        _ => {
            let ones = links.iter().map_while(|link| match link {
                Link::One(one) => Some(one),
                Link::List(_) => None,
            });
            let ones: Vec<&T> = ones.take(TUPLE).collect();
            (tuple(&ones), links.get(ones.len()..).unwrap_or_default())
        }
    };
    match rest {
        [] => head,
        rest => both(head, chain(rest, tuple, both)),
    }
}
