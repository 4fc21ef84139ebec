//! Arguments by their order.

use std::ops::Range;

use proc_macro2::Span;

use super::{Value, Values};
use crate::diagnostics::{Problem, excerpt};
use crate::input::Arg;
use crate::sql::Sql;

pub(super) fn values(args: &[Arg], sql: &Sql, span: Span) -> Result<Values, Vec<Problem>> {
    let mut order: Vec<Value> = Vec::new();
    let mut problems = Vec::new();
    let mut next = 0;
    for arg in args {
        if arg.spread && next < sql.params().len() {
            match Value::spread(arg, next, sql) {
                Ok(list) => order.push(list),
                Err(problem) => {
                    problems.push(problem);
                    next += 1;
                    continue;
                }
            }
        } else {
            order.push(Value::of(&arg.value, next, arg.span));
        }
        next += order.last().map_or(1, Value::width);
    }
    if next != sql.params().len() && problems.is_empty() {
        problems.push(count_problem(args, next, sql, span));
    }
    if problems.is_empty() {
        Ok(Values {
            order,
            evaluated_first: Vec::new(),
        })
    } else {
        Err(problems)
    }
}

/// `count`: how many placeholders the arguments are for.
fn count_problem(args: &[Arg], count: usize, sql: &Sql, span: Span) -> Problem {
    let plural =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let placeholders = sql.params().len();
    let mut without: Vec<_> = sql
        .params()
        .iter()
        .skip(count)
        .map(|param| param.written_at..param.written_at + 1)
        .collect();
    let hint = match quoted_placeholder(sql) {
        _ if !without.is_empty() => "\n= help: give a value for each `?`, in their order",
        Some(at) => {
            without.push(at);
            "\n= help: a `?` in quotes is text: a placeholder stands without them"
        }
        None => "\n= help: remove what is too much, or add a `?` for it",
    };
    let span = args.get(placeholders).map_or(span, |arg| arg.span);
    let counts = format!(
        "the SQL has {}, and {} given",
        plural(placeholders, "placeholder"),
        if count != args.len() {
            format!("values for {count} are")
        } else if count == 1 {
            "1 argument is".to_owned()
        } else {
            format!("{count} arguments are")
        }
    );
    Problem::new(
        span,
        format!("{counts}\n{}{hint}", excerpt(sql.written(), without)),
    )
}

/// The `?` of a string that is nothing but that.
fn quoted_placeholder(sql: &Sql) -> Option<Range<usize>> {
    let at = ["'?'", "\"?\""]
        .iter()
        .find_map(|quoted| sql.written().find(quoted))?;
    Some(at + 1..at + 2)
}
