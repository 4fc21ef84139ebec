//! Whether an argument fits what its parameter stands against: a trait for each parameter, so that the message for one that does not can
//! name the parameter, the column and what would fit. rustc takes such words only from a trait's attributes.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

use super::named::{self, Alias};
use super::params::{Link, TUPLE, chained};
use super::{labels_sent, reader, text, unfit, wanted};
use crate::description::{Against, DescribedParam, RustType, Types, Usage};
use crate::diagnostics::excerpt;
use crate::sql::Sql;

/// The parameters of a statement, with what is known of them.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    /// What they stand against.
    pub all: &'a [DescribedParam],
    /// The Rust types that `ark-mysql.toml` gives to columns.
    pub types: &'a Types,
    /// The statement.
    pub sql: &'a Sql,
}

impl<'a> Params<'a> {
    /// One of them, by its number from 0.
    pub(super) fn parameter(self, index: usize) -> Parameter<'a> {
        let Params { all, types, sql } = self;
        Parameter {
            index,
            params: all,
            types,
            sql,
            alone: false,
        }
    }
}

/// One parameter with what is known of it.
pub(super) struct Parameter<'a> {
    /// Its number, from 0.
    pub(super) index: usize,
    params: &'a [DescribedParam],
    types: &'a Types,
    sql: &'a Sql,
    /// Whether it is known to be one value, and not those of a list.
    alone: bool,
}

impl<'a> Parameter<'a> {
    /// What to write where a list was meant and none was given.
    pub(super) fn list(&self) -> Option<String> {
        let mut spots = self.sql.lists().iter();
        let spot = spots.find(|spot| spot.first == self.index && spot.width == 1);
        let name = self.sql.params().get(self.index)?.name.as_ref();
        spot.filter(|_| self.alone).map(|_| match name {
            None => {
                "a list such as a `Vec` or a slice is spread by two dots: `..values`".to_owned()
            }
            Some(name) => {
                format!(
                    "a list such as a `Vec` or a slice is spread by two dots: `{name} = ..values`"
                )
            }
        })
    }

    pub(super) fn against(&self) -> Option<&'a Against> {
        self.params.get(self.index)?.against.as_ref()
    }

    /// The Rust type that `ark-mysql.toml` gives to the column.
    pub(super) fn rust(&self) -> Option<&'a RustType> {
        let against = self.against()?;
        let (table, column) = (against.table.as_ref()?, against.column.as_ref()?);
        self.types.column(table, column)
    }

    fn is_not_null(&self) -> bool {
        let usage = self.against().map(|against| against.usage);
        usage == Some(Usage::Stored { nullable: false })
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
            Usage::Selected => return "a column of the result".to_owned(),
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
    pub(super) fn number(&self) -> String {
        let place = self.sql.params().get(self.index);
        match place.and_then(|place| place.name.as_ref()) {
            Some(name) => format!("parameter `:{name}`"),
            None => format!("parameter {}", self.index + 1),
        }
    }
}

/// Braces mean parameters in the texts of `on_unimplemented`.
pub(super) fn without_braces(text: String) -> String {
    match text.contains('{') || text.contains('}') {
        true => text.replace(['{', '}'], "_"),
        false => text, // as good as always; macros are built without optimisation, where that is cheaper by far
    }
}

pub(super) fn column(against: &Against) -> Option<String> {
    match (&against.table, &against.column) {
        (Some(table), Some(column)) => Some(format!("{table}.{column}")),
        (_, column) => column.clone(),
    }
}

/// The type that stands for it in `Statement::Params`, as text.
pub(super) fn kind(parameter: &Parameter<'_>) -> String {
    let Some(against) = parameter.against() else {
        return "ark::Any".to_owned();
    };
    let kind = against.kind.zst();
    match against.usage {
        Usage::Compared | Usage::Argument => format!("ark::kind::{kind}"),
        // A NULL without a type has one of MariaDB's choice.
        Usage::Selected | Usage::Stored { nullable: false } => {
            format!("ark::NotNull<ark::kind::{kind}>")
        }
        Usage::Stored { nullable: true } => format!("ark::Nullable<ark::kind::{kind}>"),
        Usage::Limit => "ark::kind::Limit".to_owned(),
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
    params: Params<'_>,
    private: &TokenStream,
) -> TokenStream {
    if values.iter().all(|value| value.span.is_none()) {
        return quote!(#private::checked(|_| ()));
    }
    let mut checks = Checks::default();
    for value in values {
        let parameter = Parameter {
            alone: value.list.is_none(),
            ..params.parameter(value.first)
        };
        let link = match (value.span, value.list) {
            (None, _) => Link::One(quote!(_)),
            (Some(place), None) => Link::One(checks.add(&parameter, place).into_token_stream()),
            (Some(place), Some(width)) => checks.add_list(&parameter, width, place),
        };
        checks.names.push(link);
    }
    let Checks {
        aliases,
        traits,
        checks,
        names,
    } = checks;
    // A pattern, because the types of the values come in by it; of a field rustc would want to know them at once.
    let pattern = chained(&names, private);
    let block = quote!({ use #private as ark; #traits ark::checked(|&#pattern| { #checks }) });
    beside(&aliases, block)
}

/// The same for rows of values: `span` is where they come from.
pub(super) fn checked_rows(span: Span, params: Params<'_>, private: &TokenStream) -> TokenStream {
    let mut checks = Checks::default();
    for index in 0..params.sql.params().len() {
        let parameter = params.parameter(index);
        let argument = checks.add(&parameter, span);
        checks.names.push(Link::One(quote!(ref #argument)));
    }
    let Checks {
        aliases,
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
    let block = quote!({ use #private as ark; #traits #checked(|&#pattern| { #checks }) });
    beside(&aliases, block)
}

/// The user's types stand outside of our names.
fn beside(aliases: &TokenStream, block: TokenStream) -> TokenStream {
    match aliases.is_empty() {
        true => block,
        false => quote!({ #aliases #block }),
    }
}

/// What it takes to check arguments.
#[derive(Default)]
struct Checks {
    /// The user's types under names of ours.
    aliases: TokenStream,
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
            let name = self.add_trait(parameter, span);
            self.checks
                .extend(quote_spanned!(span=> #name::fits(#argument);));
            let labels = labels_sent::check(parameter, &name, &argument, span);
            if let Some((traits, check)) = labels {
                self.traits.extend(traits);
                self.checks.extend(check);
            }
        } else {
            self.checks
                .extend(quote_spanned!(span=> ark::Encode::<ark::Any>::is_sendable(#argument);));
        }
        argument
    }

    /// The trait of what is known, by the name that is returned.
    fn add_trait(&mut self, parameter: &Parameter<'_>, span: Span) -> Ident {
        let name = trait_name(parameter.index, span);
        match parameter.rust() {
            Some(rust) => self.add_wanted(parameter, rust, &name, span),
            None => self.traits.extend(of_its_own(parameter, &name)),
        }
        name
    }

    /// That of a column whose type is set: nothing but that type has it, and the type must be one that goes there.
    fn add_wanted(&mut self, parameter: &Parameter<'_>, rust: &RustType, name: &Ident, span: Span) {
        let Some(tokens) = named::tokens(&rust.rust, span) else {
            return;
        };
        let alias = Alias::new(&format!("ArkArgumentType{}", parameter.index), tokens);
        let is = format_ident!("{name}_is", span = span);
        let sent = format_ident!("{name}_sent", span = span);
        let only = reader::only(&is, &alias, !parameter.is_not_null());
        let (kind, wanted) = (text::tokens(&kind(parameter)), alias.anywhere());
        let words = wanted::words(parameter, rust, span);
        let words_of_sent = wanted::words_of_type(parameter, rust, span);
        self.traits.extend(quote! {
            #only
            #words
            trait #name {
                fn fits(&self) {}
            }
            #[diagnostic::do_not_recommend]
            impl<T: #is + ?::core::marker::Sized> #name for T {}
            #words_of_sent
            trait #sent {
                fn is_sent() {}
            }
            #[diagnostic::do_not_recommend]
            impl<T: ark::Encode<#kind>> #sent for T {}
        });
        self.checks
            .extend(quote_spanned!(span=> <#wanted as #sent>::is_sent();));
        self.aliases.extend(alias.item);
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
                text::tokens(&kind(&Parameter {
                    index,
                    ..*parameter
                }))
            };
            let kinds = (first..first + width).map(kind);
            let all = quote_spanned!(span=> ark::Element::<(#(#kinds,)*)>::is_element(#element););
            let parts = self.parts_of_element(parameter, width, element, span);
            return quote!(#all #parts);
        }
        if parameter.against().is_none() {
            return quote_spanned!(span=> ark::Encode::<ark::Any>::is_sendable(#element));
        }
        let name = self.add_trait(parameter, span);
        let fits = quote_spanned!(span=> #name::fits(#element););
        let labels = labels_sent::check(parameter, &name, element, span);
        let Some((traits, check)) = labels else {
            return fits;
        };
        self.traits.extend(traits);
        quote!(#fits #check)
    }

    /// The parts of a row, where the type of a column is set.
    fn parts_of_element(
        &mut self,
        parameter: &Parameter<'_>,
        width: usize,
        element: &Ident,
        span: Span,
    ) -> TokenStream {
        let first = parameter.index;
        let of = |index| Parameter {
            index,
            ..*parameter
        };
        if (first..first + width).all(|index| of(index).rust().is_none()) {
            return TokenStream::new();
        }
        let row = format_ident!("{}_row", trait_name(first, span), span = span);
        let (mut types, mut bounds) = (Vec::new(), TokenStream::new());
        for part in (first..first + width).map(of) {
            let rust = format_ident!("T{}", part.index);
            if part.rust().is_some() {
                let name = self.add_trait(&part, span);
                bounds.extend(quote!(#rust: #name,));
            }
            types.push(rust);
        }
        self.traits.extend(quote! {
            trait #row {
                fn fits(&self) {}
            }
            impl<#(#types),*> #row for (#(#types,)*) where #bounds {}
            impl<T: #row + ?::core::marker::Sized> #row for &T {}
        });
        quote_spanned!(span=> #row::fits(#element))
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

fn of_its_own(parameter: &Parameter<'_>, name: &Ident) -> TokenStream {
    let (kind, words) = (kind(parameter), unfit::words(parameter));
    text::tokens(&format!(
        "{words}
        trait {name} {{
            fn fits(&self) {{}}
        }}
        #[diagnostic::do_not_recommend]
        impl<T: ark::Encode<{kind}> + ?::core::marker::Sized> {name} for T {{}}"
    ))
}
