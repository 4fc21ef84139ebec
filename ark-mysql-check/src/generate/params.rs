//! Which argument stands for which placeholder, and how they are handed over: by reference, each evaluated once.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote};

use super::fits::{self, Parameter};
use super::literal;
use crate::description::DescribedParam;
use crate::diagnostics::{Problem, excerpt};
use crate::infer::field_ident;
use crate::input::Arg;
use crate::sql::{Placeholder, Sql};

/// Arguments in the order of the placeholders.
#[derive(Clone, Debug)]
pub struct Bound {
    /// For each placeholder what stands for it.
    order: Vec<Value>,
    /// What is needed more than once and cannot be written twice: a name and its expression.
    evaluated_first: Vec<(Ident, TokenStream)>,
    /// The driver's crate.
    driver: TokenStream,
}

/// What stands for one placeholder.
#[derive(Clone, Debug)]
struct Value {
    /// The expression of a reference to it, or the name of one.
    reference: Reference,
    /// Where people see it: at the argument, or at the SQL where it is taken from the scope.
    span: Span,
}

#[derive(Clone, Debug)]
enum Reference {
    /// To be borrowed.
    Of(TokenStream),
    /// Borrowed already.
    Known(Ident),
}

/// The tokens that hand the values over.
pub(super) struct Handed {
    /// The expression for `Query::params`: a tuple of references, or a `Chain` of tuples.
    pub(super) values: TokenStream,
    /// The type for `Statement::Params`, of the same shape.
    pub(super) kinds: TokenStream,
    /// The expression for `Query::checked`.
    pub(super) checked: TokenStream,
}

/// The longest tuple that the driver takes; longer lists are chained.
pub(super) const TUPLE: usize = 16;

/// Gives every placeholder its argument. `driver` is the path of the driver's crate, `span` that of the SQL.
///
/// # Errors
/// Too few, too many, unknown, missing or repeated arguments: all of them.
pub fn bind(
    args: &[Arg],
    sql: &Sql,
    driver: &TokenStream,
    span: Span,
) -> Result<Bound, Vec<Problem>> {
    let is_named = sql
        .params()
        .first()
        .is_some_and(|param| param.name.is_some())
        || args.iter().any(|arg| arg.name.is_some());
    let values = if is_named {
        named(args, sql, span)?
    } else {
        positional(args, sql, span)?
    };
    Ok(Bound {
        order: values.order,
        evaluated_first: values.evaluated_first,
        driver: driver.clone(),
    })
}

impl Bound {
    /// The tokens for values that stand against what `params` says.
    ///
    /// # Errors
    /// A literal that is out of range, each of them.
    pub(super) fn hand_over(
        &self,
        params: &[DescribedParam],
        sql: &Sql,
    ) -> Result<Handed, Vec<Problem>> {
        let private = {
            let driver = &self.driver;
            quote!(#driver::__private)
        };
        let mut problems = Vec::new();
        let mut references = Vec::new();
        let mut to_check = Vec::new();
        for (index, value) in self.order.iter().enumerate() {
            let place = Parameter { index, params, sql };
            match value.tokens(&place) {
                Ok((tokens, typed)) => {
                    references.push(tokens);
                    to_check.push((!typed).then_some(value.span));
                }
                Err(message) => problems.push(Problem::new(value.span, message)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let kinds: Vec<TokenStream> = (0..self.order.len())
            .map(|index| fits::kind(&Parameter { index, params, sql }))
            .collect();
        let tuple = chained(&references, &private);
        let values = match self.evaluated_first.as_slice() {
            [] => tuple,
            once => {
                let (names, exprs): (Vec<_>, Vec<_>) = once.iter().cloned().unzip();
                quote!((|#(#names),*| #tuple)(#(&(#exprs)),*))
            }
        };
        Ok(Handed {
            values,
            kinds: chained_kinds(&kinds),
            checked: fits::checked(&to_check, params, sql, &private),
        })
    }
}

impl Value {
    fn of(value: &TokenStream, span: Span) -> Self {
        Self {
            reference: Reference::Of(value.clone()),
            span,
        }
    }

    /// The reference, and whether it was given the parameter's type, as a literal without one is.
    fn tokens(&self, place: &Parameter<'_>) -> Result<(TokenStream, bool), String> {
        match &self.reference {
            Reference::Known(name) => Ok((name.to_token_stream(), false)),
            Reference::Of(value) => {
                let typed = literal::typed(value, place)?;
                let value = typed.as_ref().unwrap_or(value);
                Ok((quote!(&(#value)), typed.is_some()))
            }
        }
    }
}

#[derive(Default)]
struct Values {
    /// For each placeholder.
    order: Vec<Value>,
    /// What is needed more than once and cannot be written twice: a name and its expression.
    evaluated_first: Vec<(Ident, TokenStream)>,
}

fn positional(args: &[Arg], sql: &Sql, span: Span) -> Result<Values, Vec<Problem>> {
    let (placeholders, count) = (sql.params().len(), args.len());
    if placeholders != count {
        return Err(vec![count_problem(args, sql, span)]);
    }
    Ok(Values {
        order: args
            .iter()
            .map(|arg| Value::of(&arg.value, arg.span))
            .collect(),
        evaluated_first: Vec::new(),
    })
}

fn count_problem(args: &[Arg], sql: &Sql, span: Span) -> Problem {
    let plural =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (placeholders, count) = (sql.params().len(), args.len());
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
        if count == 1 {
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

fn named(args: &[Arg], sql: &Sql, span: Span) -> Result<Values, Vec<Problem>> {
    let mut problems = misnamed(args, sql);
    let mut values = Values::default();
    for param in sql.params() {
        let Some(name) = &param.name else { continue };
        match args
            .iter()
            .find(|arg| arg_name(arg).as_deref() == Some(name))
        {
            Some(arg) if is_repeated(sql, name) && !is_plain(&arg.value) => values.once(name, arg),
            Some(arg) => values.order.push(Value::of(&arg.value, arg.span)),
            None => match from_scope(name, span) {
                Some(variable) => values
                    .order
                    .push(Value::of(&variable.into_token_stream(), span)),
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

impl Values {
    fn once(&mut self, name: &str, arg: &Arg) {
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

/// Values, or patterns for them: a tuple, or a `Chain` of tuples.
pub(super) fn chained(values: &[TokenStream], private: &TokenStream) -> TokenStream {
    match values.split_at_checked(TUPLE) {
        Some((head, tail)) if !tail.is_empty() => {
            let tail = chained(tail, private);
            quote!(#private::Chain { head: (#(#head,)*), tail: #tail })
        }
        _ => quote!((#(#values,)*)),
    }
}

pub(super) fn chained_kinds(kinds: &[TokenStream]) -> TokenStream {
    match kinds.split_at_checked(TUPLE) {
        Some((head, tail)) if !tail.is_empty() => {
            let tail = chained_kinds(tail);
            quote!(ark::Chain<(#(#head,)*), #tail>)
        }
        _ => quote!((#(#kinds,)*)),
    }
}
