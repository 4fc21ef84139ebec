//! Arguments by their names: given, or taken from the scope.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident};

use super::{Reference, Value, Values};
use crate::diagnostics::{Problem, excerpt};
use crate::infer::field_ident;
use crate::input::Arg;
use crate::sql::{Placeholder, Sql};

pub(super) fn values(args: &[Arg], sql: &Sql, span: Span) -> Result<Values, Vec<Problem>> {
    let mut problems = misnamed(args, sql);
    let mut values = Values::default();
    let mut next = 0;
    while let Some(param) = sql.params().get(next) {
        let first = next;
        next += 1;
        let Some(name) = &param.name else { continue };
        match args
            .iter()
            .find(|arg| arg_name(arg).as_deref() == Some(name))
        {
            Some(arg) if arg.spread => match named_list(arg, name, first, sql) {
                Ok(list) => {
                    next = first + list.width();
                    values.order.push(list);
                }
                Err(problem) => problems.push(problem),
            },
            Some(arg) if is_repeated(sql, name) && !is_plain(&arg.value) => {
                values.once(name, first, arg);
            }
            Some(arg) => values.order.push(Value::of(&arg.value, first, arg.span)),
            None => match from_scope(name, span) {
                Some(variable) => {
                    values
                        .order
                        .push(Value::of(&variable.into_token_stream(), first, span))
                }
                None => problems.push(not_a_variable(name, param, sql, span)),
            },
        }
    }
    if problems.is_empty() {
        Ok(values)
    } else {
        Err(problems)
    }
}

/// A list by its name: of rows every placeholder of an element has it, as in `((:pairs, :pairs))`.
fn named_list(arg: &Arg, name: &str, first: usize, sql: &Sql) -> Result<Value, Problem> {
    let list = Value::spread(arg, first, sql)?;
    let all = sql.params().iter().skip(first).take(list.width());
    match all
        .clone()
        .find(|param| param.name.as_deref() != Some(name))
    {
        None => Ok(list),
        Some(other) => {
            let drawing = excerpt(sql.written(), Some(other.written()));
            let message = format!(
                "all of a row comes from one list: write `:{name}` for each of its columns\n{drawing}"
            );
            Err(Problem::new(arg.span, message))
        }
    }
}

impl Values {
    fn once(&mut self, name: &str, first: usize, arg: &Arg) {
        let binding = format_ident!("value_of_{name}", span = Span::mixed_site());
        if !self
            .evaluated_first
            .iter()
            .any(|(known, _)| *known == binding)
        {
            self.evaluated_first
                .push((binding.clone(), arg.value.clone()));
        }
        self.order.push(Value {
            first,
            list: None,
            reference: Reference::Known(binding),
            span: arg.span,
        });
    }
}

/// Arguments that no placeholder asks for.
fn misnamed(args: &[Arg], sql: &Sql) -> Vec<Problem> {
    let mut problems = Vec::new();
    let wanted: Vec<&str> = sql
        .params()
        .iter()
        .filter_map(|param| param.name.as_deref())
        .collect();
    for (index, arg) in args.iter().enumerate() {
        let drawing = excerpt(sql.written(), None);
        let message = match arg_name(arg) {
            None => format!(
                "the SQL has named placeholders: write `name = value` for this value\n{drawing}"
            ),
            Some(name) if wanted.is_empty() => format!(
                "the SQL has no named placeholders: write `:{name}` where `{name}` belongs, or leave out `{name} =`\n{drawing}"
            ),
            Some(name) if !wanted.contains(&name.as_str()) => {
                format!(
                    "the SQL has no `:{name}`; its placeholders are :{}\n{drawing}",
                    wanted.join(", :")
                )
            }
            Some(name)
                if args
                    .iter()
                    .take(index)
                    .any(|other| arg_name(other).as_ref() == Some(&name)) =>
            {
                format!("`{name}` is given twice")
            }
            Some(_) => continue,
        };
        problems.push(Problem::new(arg.span, message));
    }
    problems
}

fn not_a_variable(name: &str, param: &Placeholder, sql: &Sql, span: Span) -> Problem {
    let place = param.written_at..param.written_at + name.len() + 1;
    Problem::new(
        span,
        format!(
            "`{name}` cannot be a variable: give the value as an argument with another name\n{}",
            excerpt(sql.written(), Some(place))
        ),
    )
}

/// The name of an argument: that of `name = value`, and a variable that stands alone is named after itself.
fn arg_name(arg: &Arg) -> Option<String> {
    let name = match &arg.name {
        Some(name) => name.to_string(),
        None => match arg.value.clone().into_iter().collect::<Vec<_>>().as_slice() {
            [TokenTree::Ident(variable)] => variable.to_string(),
            _ => return None,
        },
    };
    Some(name.strip_prefix("r#").map(str::to_owned).unwrap_or(name))
}

/// The variable of that name where the SQL was written; as a format string takes its variables.
fn from_scope(name: &str, span: Span) -> Option<Ident> {
    if name == "self" {
        return Some(Ident::new(name, span));
    }
    let spelled = field_ident(name)?;
    Some(match spelled.strip_prefix("r#") {
        Some(keyword) => Ident::new_raw(keyword, span),
        None => Ident::new(&spelled, span),
    })
}

fn is_repeated(sql: &Sql, name: &str) -> bool {
    sql.params()
        .iter()
        .filter(|param| param.name.as_deref() == Some(name))
        .count()
        > 1
}

/// Names, fields, indices and literals: evaluating them twice is like evaluating them once.
fn is_plain(value: &TokenStream) -> bool {
    value.clone().into_iter().all(|token| match token {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), '.' | '&' | '*' | ':'),
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::Bracket && is_plain(&group.stream())
        }
    }) && !value
        .clone()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(word) if word == "await"))
}
