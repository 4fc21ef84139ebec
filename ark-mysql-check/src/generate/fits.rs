//! Whether an argument fits what its parameter stands against: a trait for each parameter, so that the message for one that does not can
//! name the parameter, the column and what would fit. rustc takes such words only from a trait's attributes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

use super::params::{Value, chained};
use super::types::default_name;
use crate::description::{Against, DescribedParam, Kind, Usage};
use crate::diagnostics::excerpt;
use crate::sql::Sql;

/// One parameter with what is known of it.
pub(super) struct Parameter<'a> {
    /// Its number, from 0.
    pub(super) index: usize,
    pub(super) params: &'a [DescribedParam],
    pub(super) sql: &'a Sql,
}

impl Parameter<'_> {
    pub(super) fn against(&self) -> Option<&Against> {
        self.params.get(self.index)?.against.as_ref()
    }

    /// What it stands against, for people: `` `users.id`, an INT UNSIGNED ``.
    pub(super) fn name(&self) -> String {
        let Some(against) = self.against() else {
            return String::new();
        };
        let article = match against.kind.sql_name().starts_with(['A', 'E', 'I', 'O']) {
            true => "an",
            false => "a",
        };
        let sql = match against.usage {
            Usage::Limit => return "a LIMIT".to_owned(),
            Usage::Stored { nullable: false } => format!("{} NOT NULL", against.kind.sql_name()),
            _ => against.kind.sql_name().to_owned(),
        };
        match column(against) {
            Some(column) => format!("`{column}`, {article} {sql}"),
            None => format!("{article} {sql}"),
        }
    }

    /// The SQL around it.
    pub(super) fn drawing(&self) -> String {
        let place = self.sql.params().get(self.index);
        excerpt(self.sql.written(), place.map(|place| place.written()))
    }

    /// `parameter 1`, or `parameter :name`.
    fn number(&self) -> String {
        let place = self.sql.params().get(self.index);
        match place.and_then(|place| place.name.as_ref()) {
            Some(name) => format!("parameter `:{name}`"),
            None => format!("parameter {}", self.index + 1),
        }
    }
}

fn column(against: &Against) -> Option<String> {
    match (&against.table, &against.column) {
        (Some(table), Some(column)) => Some(format!("{table}.{column}")),
        (_, column) => column.clone(),
    }
}

/// The type that stands for it in `Statement::Params`.
pub(super) fn kind(parameter: &Parameter<'_>) -> TokenStream {
    let Some(against) = parameter.against() else {
        return quote!(ark::Any);
    };
    let kind = Ident::new(against.kind.zst(), Span::mixed_site());
    match against.usage {
        Usage::Compared => quote!(ark::kind::#kind),
        Usage::Stored { nullable: true } => quote!(ark::Nullable<ark::kind::#kind>),
        Usage::Stored { nullable: false } => quote!(ark::NotNull<ark::kind::#kind>),
        Usage::Limit => quote!(ark::kind::Limit),
    }
}

/// The expression that compiles only if every argument fits.
pub(super) fn checked(
    values: &[Value],
    params: &[DescribedParam],
    sql: &Sql,
    private: &TokenStream,
) -> TokenStream {
    if values.is_empty() {
        return quote!(#private::checked(|_| ()));
    }
    let mut traits = TokenStream::new();
    let mut checks = TokenStream::new();
    let mut names = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let parameter = Parameter { index, params, sql };
        let span = Span::mixed_site().located_at(value.span);
        let argument = format_ident!("argument_{}", index + 1, span = span);
        if parameter.against().is_some() {
            let name = format_ident!("parameter_{}", index + 1, span = span);
            traits.extend(of_its_own(&parameter, &name, span));
            checks.extend(quote_spanned!(span=> #name::fits(#argument);));
        } else {
            checks.extend(quote_spanned!(span=> ark::Encode::<ark::Any>::is_sendable(#argument);));
        }
        names.push(argument.into_token_stream());
    }
    // A pattern, because the types of the values come in by it; of a field rustc would want to know them at once.
    let pattern = chained(&names, private);
    quote! {
        {
            use #private as ark;
            #traits
            ark::checked(|&#pattern| { #checks })
        }
    }
}

fn of_its_own(parameter: &Parameter<'_>, name: &Ident, span: Span) -> TokenStream {
    let kind = kind(parameter);
    let words = words(parameter, span);
    quote! {
        #words
        trait #name {
            fn fits(&self) {}
        }
        #[diagnostic::do_not_recommend]
        impl<T: ark::Encode<#kind> + ?::core::marker::Sized> #name for T {}
    }
}

/// The attribute with what rustc says when a type does not fit.
fn words(parameter: &Parameter<'_>, span: Span) -> TokenStream {
    let Some(against) = parameter.against() else {
        return TokenStream::new();
    };
    // Braces mean parameters in these texts.
    let plain = |text: String| text.replace(['{', '}'], "_");
    let (number, name) = (plain(parameter.number()), plain(parameter.name()));
    let gives = gives(against.kind);
    let (message, label) = match against.usage {
        Usage::Compared => (
            format!("{number} stands against {name}: `{{Self}}` cannot be compared with it"),
            format!("give {gives}"),
        ),
        Usage::Stored { .. } => (
            format!("{number} goes into {name}, which does not hold every `{{Self}}`"),
            format!("give {gives}"),
        ),
        Usage::Limit => (
            format!("{number} is a LIMIT, which takes an unsigned integer and no `{{Self}}`"),
            "give a `u64`, `u32`, `u16` or `u8`".to_owned(),
        ),
    };
    let drawing = plain(format!(
        "it stands here in the SQL:\n{}",
        parameter.drawing()
    ));
    let notes = notes(against).into_iter().chain(escape(against));
    quote_spanned!(span=> #[diagnostic::on_unimplemented(message = #message, label = #label, note = #drawing #(, note = #notes)*)])
}

/// The Rust types, the default first.
fn gives(kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Enum | Kind::Set | Kind::Uuid | Kind::Inet4 | Kind::Inet6 => {
            "text: a `&str` or a `String`".to_owned()
        }
        Kind::Bytes => "bytes: a `&[u8]` or a `Vec<u8>`".to_owned(),
        Kind::Json => "a `serde_json::Value`, an `ark_mysql::types::Json<T>`, or text".to_owned(),
        other => format!("a `{}`", default_name(other)),
    }
}

/// How other types become one that fits.
fn notes(against: &Against) -> Vec<String> {
    let mut notes = Vec::new();
    let default = default_name(against.kind);
    match (against.kind, against.usage) {
        (_, Usage::Limit) => notes.push("of a `usize` or a signed integer: `u64::try_from(n)?`".to_owned()),
        (kind, Usage::Stored { .. }) if kind.is_integer() => notes.push(format!(
            "of a wider integer, or one with another sign: `{default}::try_from(n)?`; of text: `text.parse::<{default}>()?`"
        )),
        (kind, _) if kind.is_integer() => notes.push(format!("every integer can be compared with it; of text: `text.parse::<{default}>()?`")),
        (Kind::Float | Kind::Double, _) => notes.push(format!("of an integer: `n as {default}`; of text: `text.parse::<{default}>()?`")),
        (Kind::Decimal, _) => notes.push(format!("integers fit too; a float is not exact, of text: `text.parse::<{default}>()?`")),
        (Kind::Date | Kind::DateTime | Kind::Timestamp, _) => notes.push(format!("of text: `text.parse::<{default}>()?`")),
        (Kind::Text | Kind::Enum | Kind::Set, _) => notes.push("of a number or a date: `value.to_string()`; of bytes: `std::str::from_utf8(bytes)?`".to_owned()),
        (Kind::Bytes, _) => notes.push("of text: `text.as_bytes()`".to_owned()),
        _ => {}
    }
    if against.usage == (Usage::Stored { nullable: false }) {
        notes.push("the column is NOT NULL, so it takes no `Option`".to_owned());
    }
    notes
}

/// What to write where another type is meant.
fn escape(against: &Against) -> Option<String> {
    (against.usage != Usage::Limit).then(|| {
        "where another type is meant, say so in the SQL: the argument of `CAST(? AS CHAR)`, `CAST(? AS SIGNED)` and the like is not checked".to_owned()
    })
}
