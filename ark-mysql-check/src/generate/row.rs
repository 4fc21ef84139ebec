//! The row: its struct, the markers named after its columns, and the straight line that decodes it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::Call;
use super::types::{default_type, is_one_value, with_row_lifetime};
use crate::diagnostics::Problem;
use crate::infer::{PlannedColumn, field_ident};
use crate::input::Target;

/// The pieces of an expansion that depend on the columns.
pub(super) struct Row {
    /// The user's types under names that nobody else uses.
    pub(super) aliases: TokenStream,
    /// The struct and the markers.
    pub(super) items: TokenStream,
    /// What `Statement::Row<'r>` is.
    pub(super) row_type: TokenStream,
    /// The `ColumnSpec`s.
    pub(super) columns: TokenStream,
    /// The body of `decode`.
    pub(super) body: TokenStream,
}

pub(super) fn row(call: &Call<'_>) -> Result<Row, Problem> {
    let columns = &call.plan.columns;
    let span = call.invocation.source.span;
    let overrides = overrides(columns, span)?;
    let mut aliases: TokenStream = overrides.iter().flatten().map(|alias| alias.item.clone()).collect();
    let fields: Vec<Field<'_>> = columns.iter().zip(&overrides).enumerate().map(|(index, (column, rust))| Field::new(index, column, rust.as_ref(), span)).collect();
    let one_value = is_one_value(&call.invocation.target, columns.len());
    let (mut items, row_type, value) = match &call.invocation.target {
        Target::Row if columns.is_empty() => (TokenStream::new(), quote!(()), quote!(())),
        Target::Row => own_struct(&fields, span),
        Target::Scalar => one(&fields, None),
        Target::Type(tokens) => {
            let given = Alias::new("ArkRowType", tokens.clone());
            aliases.extend(given.item.clone());
            if one_value { one(&fields, Some(&given)) } else { given_struct(&fields, &given) }
        }
    };
    items.extend(markers(&fields));
    let mask = not_null_mask(columns);
    let body = quote_spanned!(Span::mixed_site().located_at(span)=> #mask ark::Result::Ok(#value));
    let columns = columns.iter().map(column_spec).collect();
    Ok(Row { aliases, items, row_type, columns, body })
}

/// A type that the user wrote, under a name of ours. It stands outside the block with our items, so that a user's `Row` stays the user's.
struct Alias {
    item: TokenStream,
    /// How the type is named where `'r` is in scope.
    used: TokenStream,
    name: Ident,
}

impl Alias {
    fn new(name: &str, tokens: TokenStream) -> Self {
        let name = Ident::new(name, Span::mixed_site());
        let (tokens, borrows) = with_row_lifetime(tokens);
        let lifetime = if borrows { quote!(<'r>) } else { TokenStream::new() };
        Self { item: quote!(type #name #lifetime = #tokens;), used: quote!(#name #lifetime), name }
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
    let ends_item = tokens.clone().into_iter().any(|token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ';' | '=' | '#')));
    (!ends_item && !tokens.is_empty()).then(|| respanned(tokens, span))
}

fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = proc_macro2::Group::new(group.delimiter(), respanned(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(respan).collect()
}

/// A column with the names that it has in the generated code.
struct Field<'a> {
    index: usize,
    column: &'a PlannedColumn,
    ident: Ident,
    rust: Option<&'a Alias>,
    span: Span,
}

impl<'a> Field<'a> {
    fn new(index: usize, column: &'a PlannedColumn, rust: Option<&'a Alias>, sql: Span) -> Self {
        // As good as written by the user where the SQL stands, but lints know that it was not.
        let span = Span::mixed_site().located_at(sql);
        let ident = match field_ident(&column.name) {
            Some(name) => match name.strip_prefix("r#") {
                Some(keyword) => Ident::new_raw(keyword, span),
                None => Ident::new(&name, span),
            },
            None => format_ident!("column_{}", index + 1, span = span),
        };
        Self { index, column, ident, rust, span }
    }

    /// The type of the field: what the alias asks for, or the default; in an `Option` if NULL can come.
    fn rust_type(&self) -> TokenStream {
        let bare = match self.rust {
            Some(alias) => alias.used.clone(),
            None => default_type(self.column.kind),
        };
        if self.column.nullable { quote!(ark::Option<#bare>) } else { bare }
    }

    /// The expression that reads it.
    fn read(&self, rust: &TokenStream) -> TokenStream {
        let Self { ident, index, .. } = self;
        let kind = Ident::new(self.column.kind.zst(), Span::mixed_site());
        let null = Ident::new(if self.column.nullable { "Nullable" } else { "NotNull" }, Span::mixed_site());
        let index = Literal::usize_unsuffixed(*index);
        quote_spanned!(self.span=> ark::column::<#rust, columns::#ident, ark::#null<ark::kind::#kind>, R>(row, #index)?)
    }

    /// The type to decode into when the place it goes to says it already: only an alias says more.
    fn given_type(&self) -> TokenStream {
        match self.rust {
            Some(_) => self.rust_type(),
            None => quote!(_),
        }
    }
}

fn own_struct(fields: &[Field<'_>], span: Span) -> (TokenStream, TokenStream, TokenStream) {
    let idents = fields.iter().map(|field| &field.ident);
    let types = fields.iter().map(Field::rust_type);
    let borrows = fields.iter().filter_map(|field| field.rust).any(|alias| alias.used.clone().into_iter().count() > 1);
    let lifetime = if borrows { quote!(<'r>) } else { TokenStream::new() };
    let item = quote_spanned! {Span::mixed_site().located_at(span)=>
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        #[allow(non_snake_case, reason = "fields are named after columns")]
        pub struct Row #lifetime { #(pub #idents: #types,)* }
    };
    let reads = fields.iter().map(|field| {
        let (ident, read) = (&field.ident, field.read(&field.rust_type()));
        quote!(#ident: #read)
    });
    (item, quote!(Row #lifetime), quote!(Row { #(#reads,)* }))
}

fn given_struct(fields: &[Field<'_>], given: &Alias) -> (TokenStream, TokenStream, TokenStream) {
    let name = &given.name;
    let reads = fields.iter().map(|field| {
        let (ident, read) = (&field.ident, field.read(&field.given_type()));
        quote!(#ident: #read)
    });
    (TokenStream::new(), given.used.clone(), quote!(#name { #(#reads,)* }))
}

fn one(fields: &[Field<'_>], given: Option<&Alias>) -> (TokenStream, TokenStream, TokenStream) {
    let Some(field) = fields.first() else { return (TokenStream::new(), quote!(()), quote!(())) };
    let row_type = given.map_or_else(|| field.rust_type(), |given| given.used.clone());
    let read = field.read(&row_type);
    (TokenStream::new(), row_type, read)
}

/// Types named after the columns: they say in compile errors which column it is. In a module of their own, because a column may have any name.
fn markers(fields: &[Field<'_>]) -> TokenStream {
    if fields.is_empty() {
        return TokenStream::new();
    }
    let idents = fields.iter().map(|field| &field.ident);
    quote! {
        #[allow(non_camel_case_types, reason = "these are named after columns")]
        mod columns { #(pub enum #idents {})* }
    }
}

fn column_spec(column: &PlannedColumn) -> TokenStream {
    let name = Literal::string(&column.wire);
    let kind = Ident::new(column.kind.zst(), Span::mixed_site());
    let nullable = column.nullable;
    quote!(ark::ColumnSpec { name: #name, kind: ark::Kind::#kind, nullable: #nullable },)
}

/// The test of all columns that must not be NULL at once: bit i + 2 for column i, as in the row.
fn not_null_mask(columns: &[PlannedColumn]) -> TokenStream {
    let mut mask = vec![0u8; (columns.len() + 9) / 8];
    for (index, _) in columns.iter().enumerate().filter(|(_, column)| !column.nullable) {
        if let Some(byte) = mask.get_mut((index + 2) / 8) {
            *byte |= 1 << ((index + 2) % 8);
        }
    }
    if mask.iter().all(|&byte| byte == 0) {
        return TokenStream::new();
    }
    let bytes = mask.into_iter().map(Literal::u8_unsuffixed);
    quote!(ark::Source::expect_not_null(row, &[#(#bytes),*])?;)
}
