//! A statement whose rows are a struct made for it, of types of ours alone: what differs between two of them goes to the driver's `own_row!`,
//! which knows the rest.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::params::TUPLE;
use super::text::{self, literal};
use super::types::default_text;
use super::{Call, effect, rebuilt_by};
use crate::infer::{PlannedColumn, field_ident};
use crate::input::Target;

/// The driver keeps what cannot be NULL in 128 bits, of which two are none of a column's.
const MOST: usize = 126;

/// A row of one number is read in 22 instructions where its statement reads it by itself, and in 54 where it comes through a tuple; from two columns on both are the same.
const LEAST: usize = 2;

/// The statement, its items in front; `None` where there are no columns, or one, or very many, or somebody has asked for the type of one.
pub(super) fn statement(call: &Call<'_>, kinds: &str, lists: &str) -> Option<TokenStream> {
    let columns = call.plan.columns.as_slice();
    let is_own =
        matches!(call.invocation.target, Target::Row) && (LEAST..=MOST).contains(&columns.len());
    if !is_own || columns.iter().any(|column| column.rust.is_some()) {
        return None;
    }
    let mut out = String::with_capacity(2048);
    let (sql, digest, effect) = (
        literal(call.sql.text()),
        call.sql.digest(),
        effect(call.sql.effect()),
    );
    let named = columns.iter().all(|column| column.named);
    let _ = write!(out, "ark::own_row!({sql} {digest} {effect} {named} [");
    for file in rebuilt_by(call) {
        out.push_str(&literal(file));
    }
    let _ = write!(out, "] ({kinds}) {{{lists}");
    if columns.len() > TUPLE {
        write_read(&mut out, columns);
    }
    out.push_str("} [");
    write_names(&mut out, columns);
    out.push(']');
    for (group, columns) in columns.chunks(TUPLE).enumerate() {
        out.push('{');
        for (index, column) in columns.iter().enumerate() {
            write_column(&mut out, group * TUPLE + index, column);
        }
        out.push('}');
    }
    out.push(')');
    let (driver, row) = (&call.invocation.driver, text::tokens(&out));
    Some(quote! {
        use #driver::__private as ark;
        #row
    })
}

/// What `Debug` calls the fields, where that is not what the server calls the columns.
fn write_names(out: &mut String, columns: &[PlannedColumn]) {
    if columns.iter().any(|column| column.name != column.wire) {
        for column in columns {
            out.push_str(&literal(&column.name));
        }
    }
}

/// The columns read one by one: see the driver's `OwnRow::read`.
fn write_read(out: &mut String, columns: &[PlannedColumn]) {
    out.push_str(
        "#[inline] fn read<'r, S: ark::Source<'r>>(ark_row: &mut S) -> ark::Result<Self, ark::DecodeError> { ark::Result::Ok(Row {",
    );
    for (index, column) in columns.iter().enumerate() {
        let (field, kind) = (field(index, column), column.kind.zst());
        let null = null(column);
        let _ = write!(
            out,
            "{field}: <_ as ark::Column<'r, ark::{null}<ark::kind::{kind}>>>::decode(ark_row, {index})?,"
        );
    }
    out.push_str("}) }");
}

fn field(index: usize, column: &PlannedColumn) -> String {
    field_ident(&column.name).unwrap_or_else(|| format!("value_{}", index + 1))
}

fn null(column: &PlannedColumn) -> &'static str {
    match column.nullable {
        true => "Nullable",
        false => "NotNull",
    }
}

fn write_column(out: &mut String, index: usize, column: &PlannedColumn) {
    let (name, rust) = (literal(&column.wire), default_text(column.kind));
    let (field, null, kind) = (field(index, column), null(column), column.kind.zst());
    let _ = match column.nullable {
        true => write!(
            out,
            "{field} {name} (ark::Option<{rust}>) {null} {kind} value_{index};"
        ),
        false => write!(out, "{field} {name} ({rust}) {null} {kind} value_{index};"),
    };
}
