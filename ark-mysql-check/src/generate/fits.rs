//! Whether an argument fits what its parameter stands against: a trait for each parameter, so that the message for one that does not can
//! name the parameter, the column and what would fit. rustc takes such words only from a trait's attributes.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

use super::params::{Link, TUPLE, chained};
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

/// An argument that may not fit.
pub(super) struct ToCheck {
    /// The number of its placeholder, from 0.
    pub(super) first: usize,
    /// The placeholders of one element, if it is a list.
    pub(super) list: Option<usize>,
    /// Where it stands; `None` for one that is known to fit.
    pub(super) span: Option<Span>,
}

/// The expression that compiles only if every argument fits.
pub(super) fn checked(
    values: &[ToCheck],
    params: &[DescribedParam],
    sql: &Sql,
    private: &TokenStream,
) -> TokenStream {
    if values.iter().all(|value| value.span.is_none()) {
        return quote!(#private::checked(|_| ()));
    }
    let mut checks = Checks::default();
    for value in values {
        let index = value.first;
        let parameter = Parameter { index, params, sql };
        let link = match (value.span, value.list) {
            (None, _) => Link::One(quote!(_)),
            (Some(place), None) => Link::One(checks.add(&parameter, place).into_token_stream()),
            (Some(place), Some(width)) => checks.add_list(&parameter, width, place),
        };
        checks.names.push(link);
    }
    let Checks {
        traits,
        checks,
        names,
    } = checks;
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

/// The same for rows of values: `span` is where they come from.
pub(super) fn checked_rows(
    span: Span,
    params: &[DescribedParam],
    sql: &Sql,
    private: &TokenStream,
) -> TokenStream {
    let mut checks = Checks::default();
    for index in 0..sql.params().len() {
        let parameter = Parameter { index, params, sql };
        let argument = checks.add(&parameter, span);
        checks.names.push(Link::One(quote!(ref #argument)));
    }
    let Checks {
        traits,
        checks,
        names,
    } = checks;
    let pattern = chained(&names, private);
    let count = match names.len() {
        0..=TUPLE => Literal::usize_unsuffixed(names.len()),
        _ => Literal::usize_unsuffixed(0), // a `Chain`, which a pattern of ours made of a tuple
    };
    let span = Span::mixed_site().located_at(span);
    let checked = quote_spanned!(span=> ark::checked_rows::<#count, _>);
    quote! {
        {
            use #private as ark;
            #traits
            #checked(|&#pattern| { #checks })
        }
    }
}

/// What it takes to check arguments.
#[derive(Default)]
struct Checks {
    traits: TokenStream,
    checks: TokenStream,
    /// Patterns for the arguments.
    names: Vec<Link>,
}

impl Checks {
    /// Checks one that stands at `place`, by the name that is returned.
    fn add(&mut self, parameter: &Parameter<'_>, place: Span) -> Ident {
        let span = Span::mixed_site().located_at(place);
        let number = parameter.index + 1;
        let argument = format_ident!("argument_{number}", span = span);
        if parameter.against().is_some() {
            let name = trait_name(parameter.index, span);
            self.traits.extend(of_its_own(parameter, &name, span));
            self.checks
                .extend(quote_spanned!(span=> #name::fits(#argument);));
        } else {
            self.checks
                .extend(quote_spanned!(span=> ark::Encode::<ark::Any>::is_sendable(#argument);));
        }
        argument
    }

    /// Checks the elements of a list.
    fn add_list(&mut self, parameter: &Parameter<'_>, width: usize, place: Span) -> Link {
        let span = Span::mixed_site().located_at(place);
        let argument = format_ident!("argument_{}", parameter.index + 1, span = span);
        let element = format_ident!("element", span = span);
        let check = self.element(parameter, width, &element, span);
        self.checks
            .extend(quote_spanned!(span=> ark::each(#argument, |#element| { #check });));
        Link::List(quote!(ref #argument))
    }

    /// What an element of a list must be.
    fn element(
        &mut self,
        parameter: &Parameter<'_>,
        width: usize,
        element: &Ident,
        span: Span,
    ) -> TokenStream {
        let first = parameter.index;
        if width > 1 {
            let kind = |index| {
                kind(&Parameter {
                    index,
                    ..*parameter
                })
            };
            let kinds = (first..first + width).map(kind);
            return quote_spanned!(span=> ark::Element::<(#(#kinds,)*)>::is_element(#element));
        }
        if parameter.against().is_none() {
            return quote_spanned!(span=> ark::Encode::<ark::Any>::is_sendable(#element));
        }
        let name = trait_name(first, span);
        self.traits.extend(of_its_own(parameter, &name, span));
        quote_spanned!(span=> #name::fits(#element))
    }
}

/// Not called as any other is, or rustc offers that one.
fn trait_name(index: usize, span: Span) -> Ident {
    let (number, at) = (index + 1, span.start());
    format_ident!(
        "parameter_{number}_at_{}_{}",
        at.line,
        at.column,
        span = span
    )
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
    let gives = gives(against);
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
fn gives(against: &Against) -> String {
    let number = against.usage == Usage::Compared && against.kind.is_integer();
    match against.kind {
        Kind::Text | Kind::Enum | Kind::Set => "text: a `&str` or a `String`".to_owned(),
        Kind::Uuid => "a `uuid::Uuid` (feature `uuid`), or text".to_owned(),
        Kind::Inet4 => "a `std::net::Ipv4Addr`, or text".to_owned(),
        Kind::Inet6 => "a `std::net::Ipv6Addr`, or text".to_owned(),
        Kind::Bytes => "bytes: a `&[u8]` or a `Vec<u8>`".to_owned(),
        Kind::Json => "a `serde_json::Value`, an `ark_mysql::types::Json<T>`, or text".to_owned(),
        _ if number && column(against).is_none() => "a number".to_owned(),
        Kind::Bool => "a `bool`, or an integer".to_owned(),
        other => {
            let name = default_name(other);
            let article = match name.starts_with(['i', 'f', 'a']) {
                true => "an",
                false => "a",
            };
            let more = if number { ", or another integer" } else { "" };
            format!("{article} `{name}`{more}")
        }
    }
}

/// How other types become one that fits.
fn notes(against: &Against) -> Vec<String> {
    let no_null = against.usage == (Usage::Stored { nullable: false });
    let no_null = no_null.then(|| "the column is NOT NULL, so it takes no `Option`".to_owned());
    conversion(against).into_iter().chain(no_null).collect()
}

fn conversion(against: &Against) -> Option<String> {
    let rust = default_name(against.kind);
    let of_text = format!("of text: `text.parse::<{rust}>()?`");
    let words = match (against.kind, against.usage) {
        (_, Usage::Limit) => "of a `usize` or a signed integer: `u64::try_from(n)?`".to_owned(),
        (kind, Usage::Stored { .. }) if kind.is_integer() => {
            format!(
                "of a wider integer, or one with another sign: `{rust}::try_from(n)?`; {of_text}"
            )
        }
        (kind, _) if kind.is_integer() => of_text,
        (Kind::Float | Kind::Double, _) => format!("of an integer: `n as {rust}`; {of_text}"),
        (Kind::Decimal, _) => format!("integers fit too; a float is not exact; {of_text}"),
        (Kind::Date | Kind::DateTime | Kind::Timestamp, _) => of_text,
        (Kind::Text | Kind::Enum | Kind::Set, _) => {
            "of a number or a date: `value.to_string()`; of bytes: `std::str::from_utf8(bytes)?`"
                .to_owned()
        }
        (Kind::Bytes, _) => "of text: `text.as_bytes()`".to_owned(),
        _ => return None,
    };
    Some(words)
}

/// What to write where another type is meant.
fn escape(against: &Against) -> Option<String> {
    let words = "another type on purpose: write `CAST(? AS CHAR)`, or whatever it is; the argument of a CAST is not checked";
    (against.usage != Usage::Limit).then(|| words.to_owned())
}
