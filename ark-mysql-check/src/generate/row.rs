//! The row: its struct, and the straight line that decodes it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::Call;
use super::labels::{self, Place};
use super::named::{self, Alias};
use super::reader;
use super::types::{default_type, is_one_value};
use crate::diagnostics::Problem;
use crate::infer::{AskedBy, PlannedColumn, field_ident};
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
    let is_given = matches!(call.invocation.target, Target::Type(_));
    let overrides = named::asked(columns, span)?;
    // In a type of the user's the fields say it; what was said of all columns of an SQL type is for those of whom nobody says more.
    let counts = |column: &PlannedColumn| {
        let by = column.rust.as_ref().map(|asked| asked.by);
        !is_given || !matches!(by, Some(AskedBy::SqlType(_)))
    };
    let overrides: Vec<Option<Alias>> = overrides
        .into_iter()
        .zip(columns)
        .map(|(alias, column)| alias.filter(|_| counts(column)))
        .collect();
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
    let row = row_variable();
    let mask = not_null_mask(columns)
        .map(|bytes| quote!(ark::Source::expect_not_null(#row, &[#(#bytes),*])?;));
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

/// A column with the names that it has in the generated code.
pub(super) struct Field<'a> {
    pub(super) index: usize,
    pub(super) column: &'a PlannedColumn,
    pub(super) ident: Ident,
    pub(super) rust: Option<&'a Alias>,
    /// Whether its type is the user's, so that it may not fit.
    is_given: bool,
    /// Whether it goes into a field or a value whose type the user has written.
    into_given: bool,
    pub(super) span: Span,
}

impl<'a> Field<'a> {
    pub(super) fn new(
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
            into_given: is_given,
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
        quote_spanned!(self.span=> <#rust as ark::Column<'r, #declared>>::decode(#row, #index))
    }

    /// What the server declares, as a type.
    pub(super) fn declared(&self) -> TokenStream {
        let (kind, null) = self.kind_and_null();
        quote!(ark::#null<ark::kind::#kind>)
    }

    /// The names of its kind, and of whether it can be NULL.
    pub(super) fn kind_and_null(&self) -> (Ident, Ident) {
        let null = match self.column.nullable {
            true => "Nullable",
            false => "NotNull",
        };
        let name = |name| Ident::new(name, Span::mixed_site());
        (name(self.column.kind.zst()), name(null))
    }

    /// The name of the trait that reads it into a type of the user's. No other name of ours begins like that.
    pub(super) fn reader_name(&self) -> Ident {
        format_ident!("column_{}", self.ident, span = self.span)
    }

    /// The type to decode into when the place it goes to says it already: only an alias says more.
    fn given_type(&self) -> TokenStream {
        match self.rust {
            Some(_) if self.wanted().is_none() => self.rust_type(),
            _ => quote_spanned!(self.span=> _),
        }
    }

    /// The type that `ark-mysql.toml` wants where a type of the user's takes the column, and the line there.
    pub(super) fn wanted(&self) -> Option<(&'a Alias, &'a str, usize)> {
        let asked = self.column.rust.as_ref()?;
        match (asked.by, self.rust) {
            (AskedBy::Column(line), Some(alias)) if self.into_given => {
                Some((alias, &asked.rust, line))
            }
            _ => None,
        }
    }
}

/// With a type that somebody has asked for; without one it is `own`.
fn own_struct(fields: &[Field<'_>], span: Span) -> (TokenStream, TokenStream, TokenStream) {
    let idents = fields.iter().map(|field| &field.ident);
    let types = fields.iter().map(Field::rust_type);
    let lifetime = if fields.iter().any(Field::borrows) {
        quote!(<'r>)
    } else {
        TokenStream::new()
    };
    let impls = super::traits::impls(fields, &lifetime);
    let item = quote_spanned! {Span::mixed_site().located_at(span)=>
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
    let PlannedColumn {
        nullable, named, ..
    } = column;
    quote!(ark::ColumnSpec { name: #name, kind: ark::Kind::#kind, nullable: #nullable, named: #named },)
}

/// The parameter of `decode`. A name that no constant of the user's has: a pattern would mean that constant.
pub(super) fn row_variable() -> Ident {
    Ident::new("ark_row", Span::call_site())
}

/// The test of all columns that must not be NULL at once: bit i + 2 for column i, as in the row.
pub(super) fn not_null_mask(columns: &[PlannedColumn]) -> Option<Vec<Literal>> {
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
        return None;
    }
    Some(mask.into_iter().map(Literal::u8_unsuffixed).collect())
}
