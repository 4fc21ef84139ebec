//! The stages in their order.

use std::env;
use std::ops::Range;
use std::path::PathBuf;

use proc_macro2::{Span, TokenStream};

use crate::describe;
use crate::description::{DescribeError, Described, Description, Macro, Place};
use crate::diagnostics::{self, Problem, both, excerpt};
use crate::generate::{self, Bound, Call, Params};
use crate::infer::{self, RowPlan};
use crate::input::{self, Arg, Invocation, Target};
use crate::sql::tree::Expression;
use crate::sql::{Placeholder, Sql};

/// Expands a call with the description from the server or the cache. Never panics: every problem becomes a `compile_error!`.
pub fn expand(which: Macro, tokens: TokenStream) -> TokenStream {
    expand_with(which, tokens, describe::describe)
}

/// Expands a call with descriptions from elsewhere: for tests and tools.
pub fn expand_with<D>(which: Macro, tokens: TokenStream, describe: D) -> TokenStream
where
    D: FnOnce(&Sql, &Place) -> Result<Described, DescribeError>,
{
    let place = place();
    let invocation = match input::parse(which, tokens, &place.manifest_dir) {
        Ok(invocation) => invocation,
        Err(problems) => return diagnostics::compile_errors(&problems, &[]),
    };
    checked(which, &invocation, &place, describe).unwrap_or_else(|problems| {
        let args: Vec<&TokenStream> = invocation.args.iter().map(|arg| &arg.value).collect();
        diagnostics::compile_errors(&problems, &args)
    })
}

/// All that follows from the SQL.
fn checked<D>(
    which: Macro,
    invocation: &Invocation,
    place: &Place,
    describe: D,
) -> Result<TokenStream, Vec<Problem>>
where
    D: FnOnce(&Sql, &Place) -> Result<Described, DescribeError>,
{
    let Invocation {
        source,
        driver,
        args,
        ..
    } = invocation;
    let at_sql = |message| Problem::new(source.span, in_file(invocation, place, message));
    let sql = Sql::parse(&source.sql)
        .map_err(|flaw| vec![at_sql(diagnostics::flaw(&source.sql, flaw))])?;
    let bound = match which {
        Macro::InsertMany => rows_argument(invocation, &sql).map(Values::Rows),
        _ => generate::bind(args, &sql, driver, source.span).map(Values::Each),
    };
    let described = describe(&sql, place);
    let described = match (&bound, described) {
        // Mending the call may change the SQL, and with it the entry that the cache must have.
        (Err(_), Err(error))
            if !matches!(
                error,
                DescribeError::Server { .. } | DescribeError::Wrong(_)
            ) =>
        {
            Err(Vec::new())
        }
        // A list without the parentheses of its rows is one mistake, told with the argument.
        (
            Err(_),
            Err(DescribeError::Server {
                code: 1241 | 4078, ..
            }),
        ) => Err(Vec::new()),
        (_, described) => described.map_err(|error| {
            let refused = refused(&sql, &error, place);
            refused.into_iter().map(at_sql).collect::<Vec<_>>()
        }),
    };
    let (bound, described) = both(bound, described)?;
    counted(&sql, &described.description).map_err(|message| vec![at_sql(message)])?;
    sorted_by_columns(&sql).map_err(|message| vec![at_sql(message)])?;
    let plan = rows(which, invocation, &sql, &described);
    let plan = plan.map_err(|messages| messages.into_iter().map(at_sql).collect::<Vec<_>>())?;
    let call = Call {
        invocation,
        sql: &sql,
        plan: &plan,
        params: Params {
            all: &described.description.params,
            types: &described.types,
            sql: &sql,
        },
        rebuild_on: &described.rebuild_on,
    };
    match bound {
        Values::Each(bound) => generate::expansion(&call, &bound),
        Values::Rows((row, rows)) => generate::expansion_of_rows(&call, row, rows),
    }
}

/// What the placeholders get.
enum Values<'a> {
    /// One argument each.
    Each(Bound),
    /// The row that is repeated, and the argument that all rows come from.
    Rows((Range<usize>, &'a Arg)),
}

/// What `insert_many!` wants of its SQL and its argument.
fn rows_argument<'a>(
    invocation: &'a Invocation,
    sql: &Sql,
) -> Result<(Range<usize>, &'a Arg), Vec<Problem>> {
    let span = invocation.source.span;
    let row = sql
        .repeated_row()
        .map_err(|why| vec![Problem::new(span, diagnostics::unrepeatable(sql, &why))])?;
    let usage = "the rows are one argument, anything that can be iterated over; each row is a tuple with a value for each `?`, such as \
                 `users.iter().map(|user| (user.id, &user.name))`; of one value it is `(value,)`";
    match invocation.args.as_slice() {
        [] => {
            let missing = format!("the rows are missing: {usage}");
            Err(vec![Problem::new(span, missing)])
        }
        [
            Arg {
                spread: true, span, ..
            },
        ] => {
            let message = format!("leave out the two dots: {usage}");
            Err(vec![Problem::new(*span, message)])
        }
        [rows @ Arg { name: None, .. }] => Ok((row, rows)),
        [
            Arg {
                name: Some(name), ..
            },
        ] => {
            let message = format!("leave out `{name} =`: {usage}");
            Err(vec![Problem::new(name.span(), message)])
        }
        [_, second, ..] => {
            let message = format!("this argument is one too many: {usage}");
            Err(vec![Problem::new(second.span, message)])
        }
    }
}

fn refused(sql: &Sql, error: &DescribeError, place: &Place) -> Vec<String> {
    vec![match error {
        DescribeError::Wrong(problems) => return problems.clone(),
        DescribeError::Server {
            code,
            sql_state,
            message,
            nearest,
        } => diagnostics::refusal(sql, *code, sql_state, message, nearest.as_deref()),
        DescribeError::Unreachable(words)
        | DescribeError::NoDatabase(words)
        | DescribeError::Cache(words)
        | DescribeError::Settings(words) => describe::words(words, place),
    }]
}

/// The server's count against ours: they differ only where its sql_mode reads quotes and backslashes in another way.
fn counted(sql: &Sql, description: &Description) -> Result<(), String> {
    let (ours, theirs) = (sql.params().len(), description.params.len());
    if ours == theirs {
        return Ok(());
    }
    let places = sql
        .params()
        .iter()
        .map(|param| param.written_at..param.written_at + 1);
    Err(format!(
        "the server counts {theirs} parameters in this statement, ark-mysql counts {ours}: a `?` stands in a string, name or comment \
         that its sql_mode (ANSI_QUOTES, NO_BACKSLASH_ESCAPES) or version reads in another way. Write the string without backslashes and in single quotes\n{}",
        excerpt(sql.written(), places)
    ))
}

/// ORDER BY with a parameter alone sorts by nothing, and no server says so.
fn sorted_by_columns(sql: &Sql) -> Result<(), String> {
    if !sql.may_sort_by_parameter() {
        return Ok(());
    }
    let of_query = sql.tree().map(|query| query.order_by.iter());
    let of_change = sql.change().map(|change| change.order_by().iter());
    let parts = of_query
        .into_iter()
        .flatten()
        .chain(of_change.into_iter().flatten());
    let parameters = parts.filter_map(|part| match part {
        Expression::Parameter(index) => sql.params().get(*index),
        _ => None,
    });
    let places: Vec<Range<usize>> = parameters.map(Placeholder::written).collect();
    if places.is_empty() {
        return Ok(());
    }
    Err(format!(
        "a parameter in ORDER BY is one value for all rows, so it sorts nothing: the name of a column cannot be a parameter\n{}\n\
         = help: choose among columns by `ORDER BY CASE ? WHEN 'name' THEN name WHEN 'email' THEN email END`, or write a statement for each order",
        excerpt(sql.written(), places)
    ))
}

fn rows(
    which: Macro,
    invocation: &Invocation,
    sql: &Sql,
    described: &Described,
) -> Result<RowPlan, Vec<String>> {
    let description = &described.description;
    let one_value = generate::is_one_value(&invocation.target, description.columns.len());
    let wants_rows = !matches!(invocation.target, Target::Row);
    let count = description.columns.len();
    if count == 0 && (wants_rows || sql.shape().returning) {
        return Err(vec![no_rows(which, sql)]);
    }
    if one_value && count != 1 {
        let names: Vec<&str> = description
            .columns
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        let names = names.join("`, `");
        let message = format!(
            "{} with a single value needs a statement with one column; this one has {count}: `{names}`",
            which.name()
        );
        let help = "for rows of several columns write query!(…), or query_as!(User, …) with a struct that has a field for each";
        return Err(vec![format!(
            "{message}\n{}\n= help: {help}",
            excerpt(sql.written(), None)
        )]);
    }
    infer::plan(description, sql, &described.types, !one_value)
}

fn no_rows(which: Macro, sql: &Sql) -> String {
    let drawing = excerpt(sql.written(), None);
    if sql.shape().returning {
        return format!(
            "MariaDB tells the columns of RETURNING only when the statement runs, and this list cannot be selected from the table instead, so nothing \
             can be checked: leave out RETURNING and use `last_insert_id()` of what `execute` gives, or run it with `ark_mysql::query(sql)`\n{drawing}"
        );
    }
    if sql.is_no_query() {
        return format!(
            "the server tells the columns of this statement only when it runs, so nothing can be checked: run it with `ark_mysql::query(sql)`, \
             whose rows are read by name or position\n{drawing}"
        );
    }
    format!(
        "{} wants rows, and this statement returns none: run it with query!(…).execute(…)\n{drawing}",
        which.name()
    )
}

/// Says which file the SQL stands in, when it is not the one that rustc shows.
fn in_file(invocation: &Invocation, place: &Place, message: String) -> String {
    match &invocation.source.file {
        Some(file) => format!(
            "in {}: {message}",
            file.strip_prefix(&place.manifest_dir)
                .unwrap_or(file)
                .display()
        ),
        None => message,
    }
}

fn place() -> Place {
    let span = Span::call_site();
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let manifest_dir = env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .unwrap_or_default();
    Place {
        manifest_dir,
        package: variable("CARGO_PKG_NAME"),
        file: span.file(),
        line: span.start().line,
    }
}

#[cfg(test)]
mod tests;
