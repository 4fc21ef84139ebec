//! `verify_schema!`: the statements of a crate, as its cache has them, become part of the program, which compares them with its database.
//!
//! A macro does not see other calls, and a registry at link time would need `unsafe` code of every user. But the cache has one file for each
//! statement of the crate, is committed, and `cargo ark-mysql check` keeps it complete.

mod declared;
mod places;

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};

use crate::describe::cache::{Cache, CacheError, Entry, SessionSettings, file_name};
use crate::description::{DescribedColumn, DescribedParam, Kind, Usage};
use crate::diagnostics::{Problem, compile_errors};
use crate::infer::{self, TableName};
use crate::input::{is_crate_option, split};
use crate::settings::RECORD;
use crate::sql::Sql;
use places::Places;

/// Expands `verify_schema!(executor)`.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let recorded = env::var_os(RECORD).is_some_and(|folder| !folder.is_empty());
    expand_with(tokens, &manifest_dir, recorded)
}

/// `recorded`: `cargo ark-mysql` is at work, which may be about to make the cache, or to mend it.
fn expand_with(tokens: TokenStream, manifest_dir: &Path, recorded: bool) -> TokenStream {
    let call = match Call::read(tokens) {
        Ok(call) => call,
        Err(problem) => return compile_errors(&[problem], &[]),
    };
    let house = match House::read(manifest_dir) {
        Err(_) if recorded => House::default(),
        Ok(house) if house.entries.is_empty() && !recorded => {
            return compile_errors(&[no_cache(manifest_dir)], &[&call.executor]);
        }
        Ok(house) => house,
        Err(error) => {
            let problem = Problem::new(Span::call_site(), error.to_string());
            return compile_errors(&[problem], &[&call.executor]);
        }
    };
    let places = Places::find(manifest_dir);
    let Call { driver, executor } = &call;
    let rebuild = rebuild(&house);
    let checked = house.checked(&places);
    quote! {
        #driver::__private::verify_schema(#executor, {
            use #driver::__private as ark;
            #rebuild
            const CHECKED: &ark::CheckedCrate = &#checked;
            CHECKED
        })
    }
}

struct Call {
    driver: TokenStream,
    executor: TokenStream,
}

impl Call {
    fn read(tokens: TokenStream) -> Result<Self, Problem> {
        let mut parts = split::at_commas(tokens, false).into_iter().peekable();
        let driver = match parts.next_if(|part| is_crate_option(part)) {
            Some(part) => part.into_iter().skip(2).collect(),
            None => quote!(::ark_mysql),
        };
        let executor = parts.next().unwrap_or_default();
        if executor.is_empty() || parts.next().is_some() {
            let span = executor
                .first()
                .map_or_else(Span::call_site, TokenTree::span);
            return Err(Problem::new(
                span,
                "verify_schema! takes what the statements are prepared on: write verify_schema!(&pool).await?",
            ));
        }
        Ok(Self {
            driver,
            executor: executor.into_iter().collect(),
        })
    }
}

fn no_cache(manifest_dir: &Path) -> Problem {
    let folder = Cache::of(manifest_dir);
    let folder = folder.folder().display();
    Problem::new(
        Span::call_site(),
        format!(
            "verify_schema! knows the statements of this crate by its cache, and {folder} has none\n\
             = help: run `cargo ark-mysql prepare` where a server is at hand, and commit the folder"
        ),
    )
}

/// What the cache of a crate has.
#[derive(Default)]
struct House {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    session: SessionSettings,
}

impl House {
    fn read(manifest_dir: &Path) -> Result<Self, CacheError> {
        let cache = Cache::of(manifest_dir);
        let entries = cache.entries()?;
        let session = cache.session()?;
        let noted = Some(cache.session_path()).filter(|path| path.exists());
        let files = entries.iter().map(|entry| cache.path(&entry.sql));
        Ok(Self {
            files: files.chain(noted).collect(),
            entries,
            session,
        })
    }

    /// The `CheckedCrate`.
    fn checked(&self, places: &Places) -> TokenStream {
        let mut tables = Vec::new();
        let statements: Vec<TokenStream> = self
            .entries
            .iter()
            .filter_map(|entry| statement(entry, &places.of(&entry.sql), &mut tables))
            .collect();
        let tables = tables
            .iter()
            .map(|table: &TableName| Literal::string(&format!("SELECT * FROM {}", table.quoted())));
        let modes = self.session.sql_mode.iter();
        let modes = modes.map(|mode| Literal::string(mode));
        let case = Literal::u8_suffixed(self.session.lower_case_table_names);
        let session =
            quote!(ark::CheckedSession { sql_mode: &[#(#modes),*], lower_case_table_names: #case });
        quote! {
            ark::CheckedCrate { session: #session, statements: &[#(#statements),*], tables: &[#(#tables),*] }
        }
    }
}

fn rebuild(house: &House) -> TokenStream {
    let files = house.files.iter().filter_map(|path| path.to_str());
    let files = files.map(Literal::string);
    quote! {
        const _: ark::Option<&ark::str> = ::core::option_env!("ARK_MYSQL_RECORD");
        #(const _: &[ark::u8] = ::core::include_bytes!(#files);)*
    }
}

/// The `Checked` of an entry. One that our reader does not read (which `prepare` would not have written) is left out.
fn statement(entry: &Entry, place: &str, tables: &mut Vec<TableName>) -> Option<TokenStream> {
    let sql = Sql::parse(&entry.sql).ok()?;
    let named = infer::named_tables(&sql);
    let description = &entry.description;
    let columns: Vec<TokenStream> = description
        .columns
        .iter()
        .zip(declared::by_declaration(description, &sql, &named))
        .map(|(column, declared)| checked_column(column, declared, &named, tables))
        .collect();
    let params: Vec<TokenStream> = description
        .params
        .iter()
        .map(|param| option(checked_param(param, &named, tables)))
        .collect();
    let insert = option(checked_insert(&sql, &named, tables));
    let returned = sql.returned().filter(|_| !columns.is_empty());
    let returned =
        option(returned.map(|select| Literal::string(select.text()).into_token_stream()));
    let text = Literal::string(&entry.sql);
    let place = Literal::string(place);
    Some(quote! {
        ark::Checked { sql: #text, place: #place, columns: &[#(#columns),*], params: &[#(#params),*], insert: #insert, returned: #returned }
    })
}

fn checked_insert(
    sql: &Sql,
    named: &[TableName],
    tables: &mut Vec<TableName>,
) -> Option<TokenStream> {
    let (table, names) = infer::named_by_insert(sql)?;
    let at = Literal::usize_suffixed(at(&table.name, named, tables)?);
    let names = names.into_iter().map(Literal::string);
    Some(quote!(ark::CheckedInsert { at: #at, names: &[#(#names),*] }))
}

fn checked_column(
    column: &DescribedColumn,
    by_declaration: bool,
    named: &[TableName],
    tables: &mut Vec<TableName>,
) -> TokenStream {
    let (name, kind, nullable) = (
        Literal::string(&column.name),
        kind(column.kind),
        column.nullable,
    );
    let origin = column.table.as_deref().zip(column.column.as_deref());
    let origin = option(origin.map(|(table, column)| {
        let table_now = by_declaration.then(|| at(table, named, tables)).flatten();
        origin_of(table, column, table_now)
    }));
    quote! {
        ark::CheckedColumn {
            spec: ark::ColumnSpec { name: #name, kind: #kind, nullable: #nullable, named: false },
            origin: #origin,
            by_declaration: #by_declaration,
        }
    }
}

fn checked_param(
    param: &DescribedParam,
    named: &[TableName],
    tables: &mut Vec<TableName>,
) -> Option<TokenStream> {
    let against = param.against.as_ref()?;
    let (table, column) = against.table.as_deref().zip(against.column.as_deref())?;
    let origin = origin_of(table, column, at(table, named, tables));
    let kind = kind(against.kind);
    let stores_null = against.usage == Usage::Stored { nullable: true };
    Some(quote! {
        ark::CheckedParam { kind: #kind, origin: #origin, stores_null: #stores_null }
    })
}

fn origin_of(table: &str, column: &str, at: Option<usize>) -> TokenStream {
    let (table, column) = (Literal::string(table), Literal::string(column));
    let at = option(at.map(|at| {
        let at = Literal::usize_suffixed(at);
        quote!(#at)
    }));
    quote!(ark::Origin { table: #table, column: #column, at: #at })
}

/// The number of a table. Two of one name in two databases cannot be told apart here.
fn at(table: &str, named: &[TableName], tables: &mut Vec<TableName>) -> Option<usize> {
    let mut same = named
        .iter()
        .filter(|name| name.name.eq_ignore_ascii_case(table));
    let (Some(name), None) = (same.next(), same.next()) else {
        return None;
    };
    let known = tables.iter().position(|table| table == name);
    known.or_else(|| {
        tables.push(name.clone());
        Some(tables.len() - 1)
    })
}

fn kind(kind: Kind) -> TokenStream {
    let name = Ident::new(kind.zst(), Span::mixed_site());
    quote!(ark::Kind::#name)
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(ark::Option::Some(#value)),
        None => quote!(ark::Option::None),
    }
}

/// Where a statement is kept: what to look at where its place is not known.
fn cache_file(sql: &str) -> String {
    format!("{}/{}", crate::describe::cache::FOLDER, file_name(sql))
}

#[cfg(test)]
mod tests;
