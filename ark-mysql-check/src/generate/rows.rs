//! `insert_many!`: a statement with rows of values.
//!
//! ```text
//! InsertMany { statement: { … }, rows: rows, mode: Prepared, checked: { a trait for each parameter; whether the rows' values have it } }
//! ```

use std::ops::Range;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::params::{Link, TUPLE, chained, chained_kinds};
use super::{Call, fits, literals, rebuild, row, statement};
use crate::diagnostics::Problem;
use crate::input::Arg;

/// Writes the expansion. `repeated` is where the row stands in the SQL.
///
/// # Errors
/// Literals that are out of range.
pub fn expansion(
    call: &Call<'_>,
    repeated: Range<usize>,
    rows: &Arg,
) -> Result<TokenStream, Vec<Problem>> {
    let driver = &call.invocation.driver;
    let private = quote!(#driver::__private);
    let row = row::row(call).map_err(|problem| vec![problem])?;
    let count = call.sql.params().len();
    let kinds: Vec<Link<String>> = (0..count)
        .map(|index| Link::One(fits::kind(&call.params.parameter(index))))
        .collect();
    let statement = statement(call, &row, &chained_kinds(&kinds), "");
    let rebuild = rebuild(call);
    let (start, end) = (
        Literal::usize_unsuffixed(repeated.start),
        Literal::usize_unsuffixed(repeated.end),
    );
    let checked = fits::checked_rows(rows.span, call.params, &private);
    let rows = Arg {
        value: literals::typed_rows(&rows.value, call.params)?,
        ..rows.clone()
    };
    let rows = iterated(&rows, count, &private);
    Ok(quote! {
        #private::InsertMany {
            statement: {
                use #private as ark;
                #rebuild
                #statement
                #[automatically_derived]
                impl ark::Repeats for Statement {
                    const ROW: (ark::usize, ark::usize) = (#start, #end);
                }
                Statement
            },
            rows: #rows,
            mode: #private::Prepared,
            atomic: true,
            checked: #checked,
        }
    })
}

/// The expression for the rows. Tuples that are too long for the driver's traits become chains.
fn iterated(rows: &Arg, count: usize, private: &TokenStream) -> TokenStream {
    let value = &rows.value;
    if count <= TUPLE {
        return quote!(#value);
    }
    let span = Span::mixed_site().located_at(rows.span);
    let names: Vec<TokenStream> = (1..=count)
        .map(|number| {
            let name = format_ident!("value_{number}", span = span);
            quote!(#name)
        })
        .collect();
    let links: Vec<Link> = names.iter().cloned().map(Link::One).collect();
    let chain = chained(&links, private);
    quote_spanned! {span=>
        ::core::iter::Iterator::map(::core::iter::IntoIterator::into_iter(#value), |(#(#names,)*)| #chain)
    }
}
