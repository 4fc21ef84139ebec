//! The row: its struct, and the straight line that decodes it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::Call;
use super::labels::{self, Place};
use super::reader;
use super::types::{default_type, is_one_value, with_row_lifetime};
use crate::diagnostics::Problem;
use crate::infer::{PlannedColumn, field_ident};
use crate::input::Target;

/// The pieces of an expansion that depend on the columns.
pub(super) struct Row {
    /// The user's types under names that nobody else uses.
    pub(super) aliases: TokenStream,
    /// The struct, and how columns go into the user's types.
    pub(super) items: TokenStream,
    /// What `Statement::Row<'r>` is.
    pub(super) row_type: TokenStream,
    /// The `ColumnSpec`s.
    pub(super) columns: TokenStream,
    /// The body of `decode`.
    pub(super) body: TokenStream,
    /// Whether it borrows from what the server sent.
    pub(super) borrows: bool,
}

pub(super) fn row(call: &Call<'_>) -> Result<Row, Problem> {
    let columns = &call.plan.columns;
    let span = call.invocation.source.span;
    let overrides = overrides(columns, span)?;
    let is_given = matches!(call.invocation.target, Target::Type(_));
    let mut aliases: TokenStream = overrides
        .iter()
        .flatten()
        .map(|alias| alias.item.clone())
        .collect();
    let fields: Vec<Field<'_>> = columns
        .iter()
        .zip(&overrides)
        .enumerate()
        .map(|(index, (column, rust))| Field::new(index, column, rust.as_ref(), is_given, span))
        .collect();
    let mut borrows = overrides.iter().flatten().any(|alias| alias.borrows);
    let one_value = is_one_value(&call.invocation.target, columns.len());
    let (mut items, row_type, value) = match &call.invocation.target {
        Target::Row if columns.is_empty() => {
            (TokenStream::new(), quote!(()), quote!(ark::Result::Ok(())))
        }
        Target::Row => own_struct(&fields, span),
        Target::Scalar => one(&fields, None),
        Target::Type(tokens) => {
            let given = Alias::new("ArkRowType", tokens.clone());
            borrows |= given.borrows;
            aliases.extend(given.item.clone());
            let (mut items, row_type, value) = if one_value {
                one(&fields, Some(&given))
            } else {
                given_struct(&fields, &given)
            };
            let whole = |_: &Field<'_>| match one_value {
                true => Place::Is(&given),
                false => Place::FieldOf(&given),
            };
            items.extend(
                fields
                    .iter()
                    .map(|field| labels::check(field, &whole(field))),
            );
            (items, row_type, value)
        }
    };
    let by_alias = fields.iter().filter_map(|field| Some((field, field.rust?)));
    if !is_given {
        items.extend(by_alias.map(|(field, alias)| labels::check(field, &Place::Is(alias))));
    }
    items.extend(
        fields
            .iter()
            .filter(|field| field.is_given)
            .map(reader::reader),
    );
    let mask = not_null_mask(columns);
    let body = quote!(#mask #value);
    let columns = columns.iter().map(column_spec).collect();
    Ok(Row {
        aliases,
        items,
        row_type,
        columns,
        body,
        borrows,
    })
}

/// A type that the user wrote, under a name of ours. It stands outside the block with our items, so that a user's `Row` stays the user's.
pub(super) struct Alias {
    item: TokenStream,
    /// How the type is named where `'r` is in scope.
    used: TokenStream,
    name: Ident,
    borrows: bool,
}

impl Alias {
    /// The type where no lifetime is in scope.
    pub(super) fn anywhere(&self) -> TokenStream {
        let name = &self.name;
        match self.borrows {
            true => quote!(#name<'static>),
            false => quote!(#name),
        }
    }

    fn new(name: &str, tokens: TokenStream) -> Self {
        let name = Ident::new(name, Span::mixed_site());
        let (tokens, borrows) = with_row_lifetime(tokens);
        let lifetime = if borrows {
            quote!(<'r>)
        } else {
            TokenStream::new()
        };
        Self {
            item: quote!(type #name #lifetime = #tokens;),
            used: quote!(#name #lifetime),
            name,
            borrows,
        }
    }
}

/// The types in aliases (`AS "id: UserId"`), read as Rust.
fn overrides(columns: &[PlannedColumn], span: Span) -> Result<Vec<Option<Alias>>, Problem> {
    columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let Some(rust) = &column.rust else { return Ok(None) };
            let tokens = rust_type(rust, span).ok_or_else(|| {
                Problem::new(span, format!("`{rust}` in the alias `{}` is not a Rust type: after the colon belongs one, as in `AS \"id: UserId\"`", column.wire))
            })?;
            Ok(Some(Alias::new(&format!("ArkColumnType{index}"), tokens)))
        })
        .collect()
}

/// Tokens of a type: what could end the item that they are put into is refused.
fn rust_type(rust: &str, span: Span) -> Option<TokenStream> {
    let allowed = |char: char| char.is_alphanumeric() || "_:<>,&'[]();*+-= #".contains(char);
    if !rust.chars().all(allowed) {
        return None;
    }
    let tokens: TokenStream = rust.parse().ok()?;
    let words: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let two_types = words.windows(2).any(|pair| matches!(pair, [TokenTree::Ident(first), TokenTree::Ident(_)] if !["dyn", "mut", "const"].iter().any(|word| first == word)));
    let ends_early =
        matches!(words.last(), Some(TokenTree::Punct(punct)) if punct.as_char() != '>');
    let ends_item = two_types || ends_early || tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | '=' | '#')));
    (!ends_item && !tokens.is_empty())
        .then(|| respanned(tokens, Span::mixed_site().located_at(span)))
}

fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token =
                proc_macro2::Group::new(group.delimiter(), respanned(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}

/// A column with the names that it has in the generated code.
pub(super) struct Field<'a> {
    pub(super) index: usize,
    pub(super) column: &'a PlannedColumn,
    pub(super) ident: Ident,
    rust: Option<&'a Alias>,
    /// Whether its type is the user's, so that it may not fit.
    is_given: bool,
    pub(super) span: Span,
}

impl<'a> Field<'a> {
    fn new(
        index: usize,
        column: &'a PlannedColumn,
        rust: Option<&'a Alias>,
        is_given: bool,
        sql: Span,
    ) -> Self {
        // As good as written by the user where the SQL stands, but lints know that it was not.
        let span = Span::mixed_site().located_at(sql);
        let ident = match field_ident(&column.name) {
            Some(name) => match name.strip_prefix("r#") {
                Some(keyword) => Ident::new_raw(keyword, span),
                None => Ident::new(&name, span),
            },
            None => format_ident!("value_{}", index + 1, span = span),
        };
        Self {
            index,
            column,
            ident,
            rust,
            is_given: is_given || rust.is_some(),
            span,
        }
    }

    /// The type of the field: what the alias asks for, or the default; in an `Option` if NULL can come.
    pub(super) fn rust_type(&self) -> TokenStream {
        let bare = match self.rust {
            Some(alias) => alias.used.clone(),
            None => default_type(self.column.kind),
        };
        if self.column.nullable {
            quote!(ark::Option<#bare>)
        } else {
            bare
        }
    }

    fn borrows(&self) -> bool {
        self.rust.is_some_and(|alias| alias.borrows)
    }

    /// The expression that reads it, a `Result`.
    fn read(&self, rust: &TokenStream) -> TokenStream {
        let row = row_variable();
        if self.is_given {
            let reader = self.reader_name();
            return quote_spanned!(self.span=> <#rust as #reader<'r>>::read::<R>(#row));
        }
        let (declared, index) = (self.declared(), Literal::usize_unsuffixed(self.index));
        quote_spanned!(self.span=> <#rust as ark::Column<'r, #declared>>::decode::<R>(#row, #index))
    }

    /// What the server declares, as a type.
    pub(super) fn declared(&self) -> TokenStream {
        let kind = Ident::new(self.column.kind.zst(), Span::mixed_site());
        let null = Ident::new(
            if self.column.nullable {
                "Nullable"
            } else {
                "NotNull"
            },
            Span::mixed_site(),
        );
        quote!(ark::#null<ark::kind::#kind>)
    }

    /// The name of the trait that reads it into a type of the user's. No other name of ours begins like that.
    pub(super) fn reader_name(&self) -> Ident {
        format_ident!("column_{}", self.ident, span = self.span)
    }

    /// The type to decode into when the place it goes to says it already: only an alias says more.
    fn given_type(&self) -> TokenStream {
        match self.rust {
            Some(_) => self.rust_type(),
            None => quote_spanned!(self.span=> _),
        }
    }
}

fn own_struct(fields: &[Field<'_>], span: Span) -> (TokenStream, TokenStream, TokenStream) {
    let idents = fields.iter().map(|field| &field.ident);
    let types = fields.iter().map(Field::rust_type);
    let lifetime = if fields.iter().any(Field::borrows) {
        quote!(<'r>)
    } else {
        TokenStream::new()
    };
    let (derive, impls) = if fields.iter().any(|field| field.rust.is_some()) {
        (TokenStream::new(), super::traits::impls(fields, &lifetime))
    } else {
        (super::traits::derive(), TokenStream::new())
    };
    let item = quote_spanned! {Span::mixed_site().located_at(span)=>
        #derive
        #[allow(clippy::derive_partial_eq_without_eq, reason = "a column's type can change to one that is not Eq")]
        pub struct Row #lifetime { #(pub #idents: #types,)* }
        #impls
    };
    let reads = fields.iter().map(|field| {
        let (ident, read) = (&field.ident, field.read(&field.rust_type()));
        quote!(#ident: #read?)
    });
    (
        item,
        quote!(Row #lifetime),
        quote!(ark::Result::Ok(Row { #(#reads,)* })),
    )
}

fn given_struct(fields: &[Field<'_>], given: &Alias) -> (TokenStream, TokenStream, TokenStream) {
    let name = &given.name;
    let reads = fields.iter().map(|field| {
        let (ident, read) = (&field.ident, field.read(&field.given_type()));
        quote!(#ident: #read?)
    });
    (
        TokenStream::new(),
        given.used.clone(),
        quote!(ark::Result::Ok(#name { #(#reads,)* })),
    )
}

fn one(fields: &[Field<'_>], given: Option<&Alias>) -> (TokenStream, TokenStream, TokenStream) {
    let Some(field) = fields.first() else {
        return (TokenStream::new(), quote!(()), quote!(ark::Result::Ok(())));
    };
    let row_type = given.map_or_else(|| field.rust_type(), |given| given.used.clone());
    let read = field.read(&row_type);
    (TokenStream::new(), row_type, read)
}

fn column_spec(column: &PlannedColumn) -> TokenStream {
    let name = Literal::string(&column.wire);
    let kind = Ident::new(column.kind.zst(), Span::mixed_site());
    let nullable = column.nullable;
    quote!(ark::ColumnSpec { name: #name, kind: ark::Kind::#kind, nullable: #nullable },)
}

/// The parameter of `decode`. A name that no constant of the user's has: a pattern would mean that constant.
pub(super) fn row_variable() -> Ident {
    Ident::new("ark_row", Span::call_site())
}

/// The test of all columns that must not be NULL at once: bit i + 2 for column i, as in the row.
fn not_null_mask(columns: &[PlannedColumn]) -> TokenStream {
    let mut mask = vec![0u8; (columns.len() + 9) / 8];
    for (index, _) in columns
        .iter()
        .enumerate()
        .filter(|(_, column)| !column.nullable)
    {
        if let Some(byte) = mask.get_mut((index + 2) / 8) {
            *byte |= 1 << ((index + 2) % 8);
        }
    }
    if mask.iter().all(|&byte| byte == 0) {
        return TokenStream::new();
    }
    let bytes = mask.into_iter().map(Literal::u8_unsuffixed);
    let row = row_variable();
    quote!(ark::Source::expect_not_null(#row, &[#(#bytes),*])?;)
}
