//! Which argument stands for which placeholder, and how they are handed over: by reference, each evaluated once.

mod chain;
mod named;
mod positional;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

pub(super) use self::chain::{Link, TUPLE, chained, chained_kinds};
use super::fits::{self, Parameter, Params, ToCheck};
use super::literal;
use crate::diagnostics::{Problem, excerpt};
use crate::input::Arg;
use crate::sql::{ListSpot, Placeholder, Sql};

/// Arguments in the order of the placeholders.
#[derive(Clone, Debug)]
pub struct Bound {
    values: Values,
    /// The driver's crate.
    driver: TokenStream,
}

#[derive(Clone, Debug, Default)]
struct Values {
    /// For each placeholder what stands for it.
    order: Vec<Value>,
    /// What is needed more than once and cannot be written twice: a name and its expression.
    evaluated_first: Vec<(Ident, TokenStream)>,
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
    /// The type for `Statement::Params`, of the same shape, as text.
    pub(super) kinds: String,
    /// The expression for `Query::checked`.
    pub(super) checked: TokenStream,
    /// The `ListPlace`s, as text.
    pub(super) lists: String,
}

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
        named::values(args, sql, span)?
    } else {
        positional::values(args, sql, span)?
    };
    Ok(Bound {
        values,
        driver: driver.clone(),
    })
}

impl Bound {
    /// The tokens for values that stand against what `params` says.
    ///
    /// # Errors
    /// A literal that is out of range, each of them.
    pub(super) fn hand_over(&self, params: Params<'_>) -> Result<Handed, Vec<Problem>> {
        let private = {
            let driver = &self.driver;
            quote!(#driver::__private)
        };
        let mut problems = Vec::new();
        let mut references = Vec::new();
        let mut to_check = Vec::new();
        let parameter = |index| params.parameter(index);
        for value in &self.values.order {
            match value.tokens(&parameter(value.first), &private) {
                Ok((tokens, typed)) => {
                    references.push(tokens);
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
        let kinds = self.values.order.iter().map(|value| {
            let kind = |index| fits::kind(&parameter(index));
            value.link(match value.list {
                None => kind(value.first),
                Some(1) => {
                    format!("ark::Each<ark::One<{}>>", kind(value.first))
                }
                Some(width) => {
                    let kinds = (value.first..value.first + width).map(kind);
                    let kinds: Vec<Link<String>> = kinds.map(Link::One).collect();
                    format!("ark::Each<{}>", chained_kinds(&kinds))
                }
            })
        });
        let kinds: Vec<Link<String>> = kinds.collect();
        Ok(Handed {
            values: self.values_from(references, &private),
            kinds: chained_kinds(&kinds),
            checked: fits::checked(&to_check, params, &private),
            lists: self.list_places(params.sql),
        })
    }

    /// All values as one expression. Where one of them stands for several placeholders they come into a closure, each of them: what is evaluated inside of it would be
    /// dropped there, and could neither wait nor return.
    fn values_from(&self, references: Vec<TokenStream>, private: &TokenStream) -> TokenStream {
        let Values {
            order,
            evaluated_first,
        } = &self.values;
        let mut handed: Vec<(Ident, TokenStream)> = evaluated_first
            .iter()
            .map(|(name, value)| (name.clone(), quote!(&(#value))))
            .collect();
        let links = order.iter().zip(references).map(|(value, tokens)| {
            let stays =
                evaluated_first.is_empty() || matches!(value.reference, Reference::Known(_));
            if stays {
                return value.link(tokens);
            }
            let name = format_ident!("value_{}", value.first, span = Span::mixed_site());
            handed.push((name.clone(), tokens));
            value.link(quote!(#name))
        });
        let links: Vec<Link> = links.collect();
        let tuple = chained(&links, private);
        if handed.is_empty() {
            return tuple;
        }
        let (names, values): (Vec<_>, Vec<_>) = handed.into_iter().unzip();
        quote!((|#(#names),*| #tuple)(#(#values),*))
    }

    fn list_places(&self, sql: &Sql) -> String {
        let spots = self
            .values
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
            format!("ark::ListPlace {{ at: {at}, length: {length}, width: {width}, predicate: ({begin}, {end}), negated: {negated} }},")
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

    fn link<T>(&self, tokens: T) -> Link<T> {
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
