//! Words every problem of a call: what, where in the SQL, what to do; and turns them into compile errors.

mod excerpt;
mod refusal;

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

pub use excerpt::excerpt;
pub use refusal::refusal;

use crate::sql::{Flaw, FlawKind, Sql, Unrepeatable};

/// One problem and the tokens that rustc underlines for it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What is underlined.
    pub span: Span,
    /// What, where, what to do.
    pub message: String,
}

impl Problem {
    /// A problem with its message.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
        }
    }
}

/// Both, or the problems of both.
pub(crate) fn both<A, B>(
    one: Result<A, Vec<Problem>>,
    other: Result<B, Vec<Problem>>,
) -> Result<(A, B), Vec<Problem>> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(mut one), Err(other)) => {
            one.extend(other);
            Err(one)
        }
        (Err(problems), _) | (_, Err(problems)) => Err(problems),
    }
}

/// An expression that fails to compile with each problem and causes no other error: rustc gives it the error type, so that methods
/// and fields of it are not looked at. `args` are mentioned so that their variables do not count as unused.
pub fn compile_errors(problems: &[Problem], args: &[&TokenStream]) -> TokenStream {
    let errors = problems.iter().map(|problem| {
        let mut message = Literal::string(&problem.message);
        message.set_span(problem.span);
        quote_spanned!(problem.span=> ::core::compile_error!(#message))
    });
    let uses = args.iter().map(|arg| quote::quote!(_ = &(#arg);));
    let block = quote::quote!({ #(#uses)* #(#errors);* });
    match (problems, args) {
        ([_], []) => block.into_iter().flat_map(contents).collect(),
        _ => block,
    }
}

fn contents(token: TokenTree) -> TokenStream {
    match token {
        TokenTree::Group(group) => group.stream(),
        other => other.into(),
    }
}

/// Words why `insert_many!` cannot repeat the row of a statement.
pub fn unrepeatable(sql: &Sql, why: &Unrepeatable) -> String {
    let (what, at) = match why {
        Unrepeatable::NotAnInsert(at) => (
            "insert_many! is for INSERT … VALUES (…) and REPLACE … VALUES (…): for many runs of another statement there is `Connection::execute_many`",
            at,
        ),
        Unrepeatable::NoValues(at) => (
            "insert_many! repeats the row of an INSERT … VALUES (…), and this statement has none",
            at,
        ),
        Unrepeatable::SecondRow(at) => (
            "insert_many! repeats one row, and here a second one begins: write the row once, with a `?` for each value",
            at,
        ),
        Unrepeatable::NoPlaceholder(at) => (
            "no `?` stands in this row, so all rows would be the same",
            at,
        ),
        Unrepeatable::PlaceholderOutside(at) => (
            "insert_many! sends values for the row alone, and this placeholder stands outside of it: ON DUPLICATE KEY UPDATE can refer to the \
             row's values by `VALUES(column)`",
            at,
        ),
        Unrepeatable::Named(at) => (
            "the values of a row come in the order of its placeholders: write `?` for this name",
            at,
        ),
        Unrepeatable::Returning(at) => (
            "insert_many! gives the number of rows and the first id, and no rows: leave out RETURNING",
            at,
        ),
        Unrepeatable::Behind(at) => (
            "nothing but ON DUPLICATE KEY UPDATE can follow the row that insert_many! repeats",
            at,
        ),
    };
    let place = at.start..at.end;
    format!("{what}\n{}", excerpt(sql.written(), Some(place)))
}

/// Words what is wrong with the text of a statement.
pub fn flaw(sql: &str, flaw: Flaw) -> String {
    let what = match flaw.kind {
        FlawKind::OpenString => "this string has no closing quote",
        FlawKind::OpenName => "this name has no closing backtick",
        FlawKind::OpenComment => "this comment has no closing `*/`",
        FlawKind::MixedPlaceholders => {
            "`?` and `:name` do not mix in one statement: choose one of them"
        }
        FlawKind::TwoStatements => {
            "a query is one statement, and here a second one begins: make each of them a query of its own, in a transaction if they \
             belong together; `Connection::run_script` sends several, unchecked"
        }
        FlawKind::Interpolation => {
            "`{…}` puts no value into the SQL: write `:name` for a variable of that name, or `?` and the value behind the SQL"
        }
        FlawKind::DollarPlaceholder => {
            "the placeholders of MySQL and MariaDB are `?` and, with this library, `:name`; `$1` is PostgreSQL's"
        }
        FlawKind::Empty => return "there is no statement: the SQL is empty".to_owned(),
    };
    format!("{what}\n{}", excerpt(sql, Some(flaw.at..flaw.at + 1)))
}
