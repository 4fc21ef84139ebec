//! How a column goes into a type that the user chose: a trait of its own, so that the message for a type that does not fit can name the column,
//! what it is in SQL and what would fit. rustc takes such words only from a trait's attributes.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::named::Alias;
use super::row::{Field, row_variable};
use super::types::default_name;
use crate::description::Kind;
use crate::infer::AskedBy;

pub(super) fn reader(field: &Field<'_>) -> TokenStream {
    let (name, declared, row) = (field.reader_name(), field.declared(), row_variable());
    let index = Literal::usize_unsuffixed(field.index);
    let wanted = field.wanted();
    let words = match wanted {
        Some((_, rust, line)) => words_of_wanted(field, rust, line),
        None => words(field),
    };
    let one_of = wanted.map(|(alias, ..)| {
        let is = one_of_name(field);
        let (one, wanted) = (only(&is, alias, true), &is);
        (one, quote!(+ #wanted))
    });
    let (one_of, bound) = one_of.unzip();
    quote! {
        #one_of
        #words
        trait #name<'r>: ::core::marker::Sized {
            fn read<R: ark::Source<'r>>(#row: &mut R) -> ark::Result<Self, ark::DecodeError>;
        }
        #[diagnostic::do_not_recommend]
        impl<'r, T: ark::Column<'r, #declared> #bound> #name<'r> for T {
            #[inline]
            fn read<R: ark::Source<'r>>(#row: &mut R) -> ark::Result<Self, ark::DecodeError> {
                <T as ark::Column<'r, #declared>>::decode::<R>(#row, #index)
            }
        }
    }
}

fn one_of_name(field: &Field<'_>) -> Ident {
    format_ident!("is_{}", field.ident, span = field.span)
}

/// A trait that only this type has, and what holds it.
pub(super) fn only(name: &Ident, alias: &Alias, may_be_null: bool) -> TokenStream {
    let (lifetime, wanted) = match alias.borrows {
        true => (quote!(<'r>), &alias.used),
        false => (TokenStream::new(), &alias.used),
    };
    let option = may_be_null.then(|| {
        quote! {
            #[diagnostic::do_not_recommend]
            impl<T: #name> #name for ark::Option<T> {}
        }
    });
    quote! {
        trait #name {}
        #[diagnostic::do_not_recommend]
        impl #lifetime #name for #wanted {}
        #option
        #[diagnostic::do_not_recommend]
        impl<T: #name + ?::core::marker::Sized> #name for &T {}
        #[diagnostic::do_not_recommend]
        impl<T: #name + ?::core::marker::Sized> #name for ark::Box<T> {}
        #[diagnostic::do_not_recommend]
        impl<T: #name + ?::core::marker::Sized> #name for ark::Rc<T> {}
        #[diagnostic::do_not_recommend]
        impl<T: #name + ?::core::marker::Sized> #name for ark::Arc<T> {}
        #[diagnostic::do_not_recommend]
        impl<T: #name + ark::ToOwned + ?::core::marker::Sized> #name for ark::Cow<'_, T> {}
    }
}

/// What rustc says where the user's type has another type for the column than `ark-mysql.toml`.
fn words_of_wanted(field: &Field<'_>, rust: &str, line: usize) -> TokenStream {
    let column = field.column;
    let plain = |text: String| text.replace(['{', '}'], "_");
    let name = plain(column.name.clone());
    let origin = plain(column.origin.clone().unwrap_or_default());
    let (fits, null) = match column.nullable {
        true => (format!("Option<{rust}>"), " and can be NULL"),
        false => (rust.to_owned(), ""),
    };
    let why = column.why.filter(|_| column.nullable);
    let why = why.map(|why| format!("it can be NULL: {}", why.text()));
    let message = format!(
        "column `{name}` is `{origin}`{null}, so its type is `{fits}`: `{{Self}}` is another one"
    );
    let label = format!("column `{name}` needs `{fits}`");
    let set =
        format!("the type of `{origin}` is set in ark-mysql.toml, line {line}, for all statements");
    let otherwise = format!("another type on purpose: say so in its alias, AS `{name}: _`");
    let notes = [Some(set), why, Some(otherwise)];
    let notes = notes.into_iter().flatten();
    quote_spanned!(field.span=> #[diagnostic::on_unimplemented(message = #message, label = #label #(, note = #notes)*)])
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
    let asked = by_file(field).map(|note| quote!(, note = #note));
    let note = "the documentation of `ark_mysql::value` lists which types hold what; a CAST in the SQL makes it another type";
    quote_spanned!(field.span=> #[diagnostic::on_unimplemented(message = #message, label = #label #asked #why #forced #other, note = #note)])
}

/// Where the type was asked for, if not in the statement.
fn by_file(field: &Field<'_>) -> Option<String> {
    let asked = field.column.rust.as_ref()?;
    let (line, what) = match asked.by {
        AskedBy::Alias => return None,
        AskedBy::Column(line) => (line, field.column.origin.clone().unwrap_or_default()),
        AskedBy::SqlType(line) => (line, field.column.kind.sql_name().to_owned()),
    };
    let text = format!(
        "`{}` is what ark-mysql.toml says of `{what}` in line {line}; a type of your own is made readable by #[derive(ark_mysql::Type)]",
        asked.rust
    );
    Some(text.replace(['{', '}'], "_"))
}
