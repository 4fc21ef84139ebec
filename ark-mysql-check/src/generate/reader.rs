//! How a column goes into a type that the user chose: a trait of its own, so that the message for a type that does not fit can name the column,
//! what it is in SQL and what would fit. rustc takes such words only from a trait's attributes.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::row::{Field, row_variable};
use super::types::default_name;
use crate::description::Kind;

pub(super) fn reader(field: &Field<'_>) -> TokenStream {
    let (name, declared, row) = (field.reader_name(), field.declared(), row_variable());
    let index = Literal::usize_unsuffixed(field.index);
    let words = words(field);
    quote! {
        #words
        trait #name<'r>: ::core::marker::Sized {
            fn read<R: ark::Source<'r>>(#row: &mut R) -> ark::Result<Self, ark::DecodeError>;
        }
        #[diagnostic::do_not_recommend]
        impl<'r, T: ark::Column<'r, #declared>> #name<'r> for T {
            #[inline]
            fn read<R: ark::Source<'r>>(#row: &mut R) -> ark::Result<Self, ark::DecodeError> {
                <T as ark::Column<'r, #declared>>::decode::<R>(#row, #index)
            }
        }
    }
}

/// The attribute with what rustc says when a type does not fit.
fn words(field: &Field<'_>) -> TokenStream {
    let column = field.column;
    // Braces mean parameters in these texts.
    let name = column.name.replace(['{', '}'], "_");
    let (sql, default) = (column.kind.sql_name(), default_name(column.kind));
    let fits = if column.nullable {
        format!("Option<{default}>")
    } else {
        default.to_owned()
    };
    let null = if column.nullable {
        "and can be NULL"
    } else {
        "NOT NULL"
    };
    let message =
        format!("column `{name}` is {sql} {null}: `{{Self}}` cannot hold all of its values");
    let label = format!("column `{name}` needs `{fits}`, or another type that holds every {sql}");
    let forced = column.nullable.then(|| {
        let note = format!("if it is never NULL here, say so in its alias: AS `{name}!`");
        quote!(, note = #note)
    });
    let why = column.why.filter(|_| column.nullable);
    let why = why.map(|why| {
        let note = format!("it can be NULL: {}", why.text());
        quote!(, note = #note)
    });
    let other = match column.kind {
        Kind::Json => {
            Some("`ark_mysql::types::Json<T>` reads it into a `T` of your own".to_owned())
        }
        Kind::Decimal => Some(format!(
            "a float does not hold it exactly; if that is enough: `CAST(… AS DOUBLE) AS {name}`"
        )),
        _ => None,
    };
    let other = other.map(|note| quote!(, note = #note));
    let note = "the documentation of `ark_mysql::value` lists which types hold what; a CAST in the SQL makes it another type";
    quote_spanned!(field.span=> #[diagnostic::on_unimplemented(message = #message, label = #label #why #forced #other, note = #note)])
}
