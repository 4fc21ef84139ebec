//! From a plan to tokens.
//!
//! ```text
//! Query {
//!     statement: {
//!         types that the user named                      (outside of the names below, so that nothing shadows them)
//!         { what rebuilds; struct Row; struct Statement; impl Statement for Statement; Statement }
//!     },
//!     params: (&(a), &(b)),
//!     mode: Prepared,
//!     checked: { a trait for each parameter; whether its argument has it },
//! }
//! ```
//!
//! Where the rows are of types of ours alone, the inner block is made by the driver's macro `own_row!` (`own`), and handed over as `text`.
//!
//! A brace literal and not a block, so that arguments are borrowed for as long as the query lives, in every edition.
//! The inner block calls the driver's `__private` module `ark` and takes every name from there or from `::core`.

mod fits;
mod labels;
mod labels_sent;
mod literal;
mod literals;
mod named;
mod own;
mod params;
mod reader;
mod row;
mod rows;
mod text;
mod traits;
mod types;
mod unfit;
mod wanted;

use std::path::PathBuf;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

pub use fits::Params;
pub use params::{Bound, bind};
pub use rows::expansion as expansion_of_rows;
pub use types::{default_name, is_one_value};

use crate::diagnostics::{Problem, both};
use crate::infer::RowPlan;
use crate::input::Invocation;
use crate::sql::{Effect, Sql};

/// All that an expansion is made of.
#[derive(Debug)]
pub struct Call<'a> {
    /// What was written.
    pub invocation: &'a Invocation,
    /// The statement.
    pub sql: &'a Sql,
    /// Its columns.
    pub plan: &'a RowPlan,
    /// What its parameters stand against.
    pub params: Params<'a>,
    /// Files whose change expands the call again, beside the SQL's own.
    pub rebuild_on: &'a [PathBuf],
}

/// Writes the expansion, with these arguments.
///
/// # Errors
/// A type in an alias that is not one; literals that are out of range.
pub fn expansion(call: &Call<'_>, bound: &Bound) -> Result<TokenStream, Vec<Problem>> {
    let driver = &call.invocation.driver;
    let handed = bound.hand_over(call.params);
    let lists = handed
        .as_ref()
        .map(|handed| lists(&handed.lists))
        .unwrap_or_default();
    let own = handed
        .as_ref()
        .ok()
        .and_then(|handed| own::statement(call, &handed.kinds, &lists));
    let (handed, statement) = match own {
        Some(statement) => (handed?, statement),
        None => {
            let row = row::row(call).map_err(|problem| vec![problem]);
            let (row, handed) = both(row, handed)?;
            let statement = general(call, &row, &handed.kinds, &lists);
            (handed, statement)
        }
    };
    let (params, checked) = (&handed.values, &handed.checked);
    Ok(quote! {
        #driver::__private::Query {
            statement: { #statement },
            params: #params,
            mode: #driver::__private::Prepared,
            checked: #checked,
        }
    })
}

/// The statement with any row.
fn general(call: &Call<'_>, row: &row::Row, params: &str, lists: &str) -> TokenStream {
    let driver = &call.invocation.driver;
    let statement = statement(call, row, params, lists);
    let (aliases, items) = (&row.aliases, &row.items);
    let rebuild = rebuild(call);
    quote! {
        #aliases
        {
            use #driver::__private as ark;
            #rebuild
            #items
            #statement
            Statement
        }
    }
}

fn lists(places: &str) -> String {
    match places {
        "" => String::new(),
        places => format!("const LISTS: &'static [ark::ListPlace] = &[{places}];"),
    }
}

/// `lists`: the constant of the `ListPlace`s.
fn statement(call: &Call<'_>, row: &row::Row, params: &str, lists: &str) -> TokenStream {
    let (params, lists) = (text::tokens(params), text::tokens(lists));
    let text = Literal::string(call.sql.text());
    let digest = Literal::u128_unsuffixed(call.sql.digest());
    let effect = Ident::new(effect(call.sql.effect()), Span::mixed_site());
    let kinds_of_rows = kinds_of_rows(row);
    let (row_type, columns, body) = (&row.row_type, &row.columns, &row.body);
    let variable = row::row_variable();
    // The span puts errors about a column's type under the SQL.
    let decode = quote_spanned! {Span::mixed_site().located_at(call.invocation.source.span)=>
        #[inline]
        fn decode<'r, R: ark::Source<'r>>(#variable: &mut R) -> ark::Result<Self::Row<'r>, ark::DecodeError> { #body }
    };
    quote! {
        struct Statement;
        #[automatically_derived]
        impl ark::Statement for Statement {
            type Row<'r> = #row_type;
            type Params = #params;
            const TOLD: ark::Told = ark::Told { sql: #text, digest: #digest, columns: &[#columns], effect: ark::Effect::#effect };
            #lists
            #decode
        }
        #kinds_of_rows
    }
}

/// Which methods there are for the rows. (Without `do_not_recommend`: crates with `no_implicit_prelude` have no module `diagnostic`.)
fn kinds_of_rows(row: &row::Row) -> TokenStream {
    let returns = (!row.columns.is_empty()).then(|| {
        quote! {
            impl ark::ReturnsRows for Statement {}
        }
    });
    let owned = (!row.borrows).then(|| {
        quote! {
            impl ark::OwnedRows for Statement {}
        }
    });
    quote!(#returns #owned)
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "Read",
        Effect::Write => "Write",
        Effect::Session => "Session",
        Effect::Ddl => "Ddl",
    }
}

/// The environment and the files that the expansion depends on: rustc and cargo learn of them by these macros.
fn rebuild(call: &Call<'_>) -> TokenStream {
    let files = rebuilt_by(call).map(Literal::string);
    quote! {
        const _: () = ark::depends_on(
            [::core::option_env!("ARK_MYSQL_OFFLINE"), ::core::option_env!("ARK_MYSQL_RECORD")],
            &[#(::core::include_bytes!(#files),)*]
        );
    }
}

/// The files whose change expands the call again.
fn rebuilt_by<'a>(call: &Call<'a>) -> impl Iterator<Item = &'a str> {
    let files = call.invocation.source.file.iter().chain(call.rebuild_on);
    files.filter_map(|path| path.to_str())
}
