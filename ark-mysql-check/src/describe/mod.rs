//! Has a statement described: by the server at `DATABASE_URL`, or by the cache.
//!
//! | module | what it decides |
//! |---|---|
//! | [`cache`] | what a cache file may say |
//! | `client` | one blocking conversation with a server: PREPARE and CLOSE, never EXECUTE of the user's statement |
//! | `connections` | which connection is used again, and how long a failure is remembered |
//! | `json` | how the text of cache files and records is read |
//! | `explain` | how failures are worded |
//! | `misnamed` | which columns of `ark-mysql.toml` are none |
//! | `again` | which of them is not told a second time |

mod again;
pub mod cache;
mod client;
mod connections;
mod explain;
pub(crate) mod json;
mod misnamed;

use std::path::{Path, PathBuf};

use crate::description::{DescribeError, Described, Description, Family, Place};
use crate::diagnostics::excerpt;
use crate::infer::{self, Settled};
use crate::record::{By, Record};
use crate::settings::{self, DatabaseUrl, RECORD, Settings, Source, WhenUnreachable};
use crate::sql::Sql;
use crate::stamp;

pub(crate) use again::words;
use cache::{Cache, SessionSettings};
use client::ClientError;
pub use client::ServerInfo;
use connections::Wanted;
use explain::Asker;

/// Describes a statement as the settings of its crate demand, and leaves a record where `ARK_MYSQL_RECORD` asks for one.
///
/// Blocks for at most 2 s where nobody answers, and 10 s where a statement is kept waiting by a lock.
///
/// # Errors
/// See [`DescribeError`]; every text says what to do.
pub fn describe(sql: &Sql, place: &Place) -> Result<Described, DescribeError> {
    let environment = |name: &str| std::env::var_os(name);
    let settings = settings::recent::settings(&place.manifest_dir, &environment)
        .map_err(|error| explain::settings(&error))?;
    let (by, described) = ask(sql, &settings);
    if let Some(folder) = &settings.record {
        leave_record(sql, place, folder, by, &described)?;
    }
    described
}

/// Describes a statement by given settings; leaves no record.
///
/// # Errors
/// As [`describe`].
pub fn describe_with(sql: &Sql, settings: &Settings) -> Result<Described, DescribeError> {
    ask(sql, settings).1
}

fn ask(sql: &Sql, settings: &Settings) -> (By, Result<Described, DescribeError>) {
    let Source::Server(url) = &settings.source else {
        return (By::Cache, by_cache(sql, settings));
    };
    match by_server(sql, settings, url) {
        Ok((_, problems)) if !problems.is_empty() => {
            (By::Server, Err(DescribeError::Wrong(problems)))
        }
        Ok((settled, _)) => (
            By::Server,
            Ok(Described {
                description: settled.description,
                reasons: settled.reasons,
                types: settings.types.clone(),
                rebuild_on: settings
                    .config_file
                    .iter()
                    .cloned()
                    .chain(stamp::ensure(url.url()))
                    .collect(),
            }),
        ),
        Err(error)
            if error.nobody_answered() && settings.when_unreachable == WhenUnreachable::Cache =>
        {
            (By::Cache, by_cache(sql, settings))
        }
        Err(error) => (
            By::Server,
            Err(explain::client_error(error, url, Asker::Build)),
        ),
    }
}

/// Logs in and out again: for tools that want to know early whether a server will answer.
///
/// # Errors
/// As [`describe`].
pub fn greet(url: &DatabaseUrl) -> Result<ServerInfo, DescribeError> {
    client::Client::connect(url.url())
        .map(|client| client.info())
        .map_err(|error| explain::client_error(error, url, Asker::Tool))
}

/// What is set at a server, as far as it changes what statements mean: for tools that write the cache.
///
/// # Errors
/// As [`describe`].
pub fn session_settings(url: &DatabaseUrl) -> Result<SessionSettings, DescribeError> {
    client::Client::connect(url.url())
        .and_then(|mut client| client.session_settings())
        .map_err(|error| explain::client_error(error, url, Asker::Tool))
}

/// A statement that the server prepares, and what is wrong with it all the same.
fn by_server(
    sql: &Sql,
    settings: &Settings,
    url: &DatabaseUrl,
) -> Result<(Settled, Vec<String>), ClientError> {
    let (answer, mut settled) = prepared(sql, settings, url)?;
    let of_rows = match answer.raw.columns.is_empty() {
        true => sql.returned(),
        false => None,
    };
    // Where the server does not want the SELECT, it is said that the statement has no columns.
    if let Some(Ok((_, rows))) = of_rows.map(|select| prepared(&select, settings, url)) {
        let Description {
            family,
            columns,
            params,
        } = rows.description;
        let description = &mut settled.description;
        description.family = description.family.or(family);
        description.columns = columns;
        // The list is the end of the statement, and so are its parameters.
        description
            .params
            .truncate(description.params.len().saturating_sub(params.len()));
        description.params.extend(params);
        settled.reasons = rows.reasons;
    }
    let declared = answer.declared.as_ref();
    let mut problems = declared.map_or_else(Vec::new, |table| infer::insert_problems(sql, table));
    problems.extend(lost_values(sql, answer.raw.family));
    problems.extend(returned_of_many(sql));
    let named = infer::named_tables(sql);
    problems.extend(misnamed::problems(&named, &answer.tables, settings));
    Ok((settled, problems))
}

/// What the server says of a statement, and what may be relied on of that.
fn prepared(
    sql: &Sql,
    settings: &Settings,
    url: &DatabaseUrl,
) -> Result<(client::Answer, Settled), ClientError> {
    let inserted = infer::wanted_for_insert(sql);
    let named = infer::named_tables(sql);
    let for_params = infer::wanted_for_params(sql);
    // Only a column that is nullable so far can gain by the columns of tables.
    let wanted = |answer: &client::Answer| {
        let settled = infer::settle(&answer.raw, sql, &answer.views, &answer.tables);
        let nullable = settled
            .description
            .columns
            .iter()
            .any(|column| column.nullable);
        let tree = sql.tree().filter(|_| nullable);
        let mut wanted = tree.map_or_else(Vec::new, |tree| infer::wanted(tree, &answer.views));
        wanted.extend(for_params.iter().cloned());
        wanted.extend(infer::wanted_for_origins(sql, &answer.views));
        wanted.extend(misnamed::wanted(&named, &settings.types));
        wanted.sort();
        wanted.dedup();
        wanted
    };
    let wanted = Wanted {
        views: sql.needs_views(),
        tables: &wanted,
        named: &named,
        declared: inserted.as_ref(),
    };
    let answer = connections::ask(&settings.manifest_dir, url, sql.text(), wanted)?;
    let settled = infer::settle(&answer.raw, sql, &answer.views, &answer.tables);
    Ok((answer, settled))
}

/// MariaDB gives a column of `VALUES` that is nothing but parameters the type BINARY(0), and cuts what is bound to it without a word.
fn lost_values(sql: &Sql, family: Family) -> Option<String> {
    let places = sql.untyped_values();
    if family != Family::MariaDb || places.is_empty() {
        return None;
    }
    let drawing = excerpt(sql.written(), places);
    Some(format!(
        "MariaDB loses what is bound here: a column of VALUES that is made of parameters alone has no type, and so no room for any value\n{drawing}\n\
         = help: say the type once: `CAST(? AS SIGNED)`, or whatever it is; a list for an IN is written `IN (?)` and spread by `..list`"
    ))
}

/// MariaDB refuses these when the statement runs, and not before.
fn returned_of_many(sql: &Sql) -> Option<String> {
    let places = sql.returns_of_many_rows();
    if places.is_empty() {
        return None;
    }
    let drawing = excerpt(sql.written(), places);
    Some(format!(
        "RETURNING gives each row by itself, so that no function of many rows can stand there: MariaDB refuses it when the statement runs\n{drawing}\n\
         = help: return the column, and work it out of the rows that come"
    ))
}

fn by_cache(sql: &Sql, settings: &Settings) -> Result<Described, DescribeError> {
    let cache = Cache::of(&settings.manifest_dir);
    let entry = cache.folder().join(sql.cache_name() + ".json");
    match Cache::read_at(entry.clone(), sql.text()) {
        Ok(Some(description)) => {
            let rebuild_on: Vec<PathBuf> = settings
                .config_file
                .iter()
                .cloned()
                .chain([entry])
                .collect();
            Ok(Described {
                description,
                reasons: Vec::new(),
                types: settings.types.clone(),
                rebuild_on,
            })
        }
        Ok(None) => Err(explain::not_in_cache(&cache, sql.text(), &settings.source)),
        Err(error) => Err(DescribeError::Cache(error.to_string().into())),
    }
}

fn leave_record(
    sql: &Sql,
    place: &Place,
    folder: &Path,
    by: By,
    described: &Result<Described, DescribeError>,
) -> Result<(), DescribeError> {
    let outcome = match described {
        Ok(described) => Ok(described.description.clone()),
        Err(error) => Err(error.to_string()),
    };
    let record = Record {
        place: place.clone(),
        sql: sql.text().to_owned(),
        by,
        outcome,
    };
    record.leave(folder).map_err(|error| {
        let words = format!(
            "cannot leave a record in {} ({RECORD}): {error}",
            folder.display()
        );
        DescribeError::Settings(words.into())
    })
}

#[cfg(test)]
mod tests;
