//! Which argument stands for which placeholder, and how they are handed over: by reference, each evaluated once.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

use super::fits::{self, Parameter, ToCheck};
use super::literal;
use crate::description::DescribedParam;
use crate::diagnostics::{Problem, excerpt};
use crate::infer::field_ident;
use crate::input::Arg;
use crate::sql::{ListSpot, Placeholder, Sql};

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

/// What stands for one placeholder, or for those of a list.
#[derive(Clone, Debug)]
struct Value {
    /// The number of its placeholder, from 0.
    first: usize,
    /// The placeholders of one element, if it is a list.
    list: Option<usize>,
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
    /// The expression for `Query::params`: a tuple of references, or a `Chain` of tuples and lists.
    pub(super) values: TokenStream,
    /// The type for `Statement::Params`, of the same shape.
    pub(super) kinds: TokenStream,
    /// The expression for `Query::checked`.
    pub(super) checked: TokenStream,
    /// The `ListPlace`s.
    pub(super) lists: TokenStream,
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
        let parameter = |index| Parameter { index, params, sql };
        for value in &self.order {
            match value.tokens(&parameter(value.first), &private) {
                Ok((tokens, typed)) => {
                    references.push(value.link(tokens));
                    to_check.push(ToCheck {
                        first: value.first,
                        list: value.list,
                        span: (!typed).then_some(value.span),
                    });
                }
                Err(message) => problems.push(Problem::new(value.span, message)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let kinds = self.order.iter().map(|value| {
            let kind = |index| fits::kind(&parameter(index));
            value.link(match value.list {
                None => kind(value.first),
                Some(1) => {
                    let kind = kind(value.first);
                    quote!(ark::Each<ark::One<#kind>>)
                }
                Some(width) => {
                    let kinds = (value.first..value.first + width).map(kind);
                    quote!(ark::Each<(#(#kinds,)*)>)
                }
            })
        });
        let kinds: Vec<Link> = kinds.collect();
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
            lists: self.list_places(sql),
        })
    }

    fn list_places(&self, sql: &Sql) -> TokenStream {
        let spots = self
            .order
            .iter()
            .filter(|value| value.list.is_some())
            .filter_map(|value| spot(value.first, sql));
        let places = spots.map(|spot| {
            let (at, length, width) = (spot.sent.start, spot.sent.len(), spot.width);
            let (begin, end) = match &spot.predicate {
                Some(predicate) => (predicate.start, predicate.end),
                None => (0, 0),
            };
            let negated = spot.negated;
            quote!(ark::ListPlace { at: #at, length: #length, width: #width, predicate: (#begin, #end), negated: #negated },)
        });
        places.collect()
    }
}

fn spot(first: usize, sql: &Sql) -> Option<&ListSpot> {
    sql.lists().iter().find(|spot| spot.first == first)
}

impl Value {
    fn of(value: &TokenStream, first: usize, span: Span) -> Self {
        Self {
            first,
            list: None,
            reference: Reference::Of(value.clone()),
            span,
        }
    }

    /// A list, if there is a place for one.
    fn spread(arg: &Arg, first: usize, sql: &Sql) -> Result<Self, Problem> {
        let spot = spot(first, sql);
        let width = match spot {
            Some(spot) if spot.columns.unwrap_or(spot.width) == spot.width => spot.width,
            _ => return Err(no_place(arg, first, spot, sql)),
        };
        Ok(Self {
            list: Some(width),
            ..Self::of(&arg.value, first, arg.span)
        })
    }

    fn link(&self, tokens: TokenStream) -> Link {
        match self.list {
            None => Link::One(tokens),
            Some(_) => Link::List(tokens),
        }
    }

    /// How many placeholders it takes.
    fn width(&self) -> usize {
        self.list.unwrap_or(1)
    }

    /// The reference, and whether it was given the parameter's type, as a literal without one is.
    fn tokens(
        &self,
        place: &Parameter<'_>,
        private: &TokenStream,
    ) -> Result<(TokenStream, bool), String> {
        match &self.reference {
            Reference::Known(name) => Ok((name.to_token_stream(), false)),
            Reference::Of(value) if self.list.is_some() => {
                let span = Span::mixed_site().located_at(self.span);
                let list = quote_spanned!(span=> #private::spread(&(#value)));
                Ok((list, false))
            }
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

/// Why a list cannot stand where it is given.
fn no_place(arg: &Arg, first: usize, spot: Option<&ListSpot>, sql: &Sql) -> Problem {
    let place = sql.params().get(first);
    let mark = place.and_then(|place| place.name.as_ref());
    let mark = mark.map_or_else(|| "?".to_owned(), |name| format!(":{name}"));
    let help = match spot {
        Some(ListSpot {
            columns: Some(columns),
            ..
        }) => format!(
            "{columns} columns stand in front of this IN, so its elements are rows: write `IN (({}))` and spread tuples into it",
            vec![mark; *columns].join(", ")
        ),
        Some(_) => format!(
            "one column stands in front of this IN: write `IN ({mark})`, or `(a, b) IN (({mark}, {mark}))` for rows"
        ),
        None => format!(
            "a list stands in an IN or NOT IN that it has for itself: `IN ({mark})`; for rows `(a, b) IN (({mark}, {mark}))`"
        ),
    };
    let drawing = excerpt(sql.written(), place.map(Placeholder::written));
    let message = format!("there is no place for a list here\n{drawing}\n= help: {help}");
    Problem::new(arg.span, message)
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

fn named(args: &[Arg], sql: &Sql, span: Span) -> Result<Values, Vec<Problem>> {
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

/// One link of the chain of parameters: a part of a tuple, or a list, which stands alone.
pub(super) enum Link {
    One(TokenStream),
    List(TokenStream),
}

/// Values, or patterns for them: a tuple, a list, or a `Chain` of them.
pub(super) fn chained(values: &[Link], private: &TokenStream) -> TokenStream {
    chain(
        values,
        &|head, tail| quote!(#private::Chain { head: #head, tail: #tail }),
    )
}

pub(super) fn chained_kinds(kinds: &[Link]) -> TokenStream {
    chain(kinds, &|head, tail| quote!(ark::Chain<#head, #tail>))
}

fn chain(links: &[Link], both: &impl Fn(TokenStream, TokenStream) -> TokenStream) -> TokenStream {
    let (head, rest) = match links {
        [Link::List(list), rest @ ..] => (list.clone(), rest),
        _ => {
            let ones = links.iter().map_while(|link| match link {
                Link::One(tokens) => Some(tokens),
                Link::List(_) => None,
            });
            let ones: Vec<&TokenStream> = ones.take(TUPLE).collect();
            (
                quote!((#(#ones,)*)),
                links.get(ones.len()..).unwrap_or_default(),
            )
        }
    };
    match rest {
        [] => head,
        rest => both(head, chain(rest, both)),
    }
}
