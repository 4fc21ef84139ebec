//! From the tokens of a call to an [`Invocation`]: which SQL, which arguments, which type.
//!
//! Hand-written on token trees, because all that is needed of an expression is where it ends: a parser for all of Rust would be
//! the largest dependency that the macros have.

pub(crate) mod literal;
pub(crate) mod split;
mod text;

pub(crate) use literal::string as string_literal;

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::description::Macro;
use crate::diagnostics::Problem;

/// A call, read.
#[derive(Debug)]
pub struct Invocation {
    /// The path of the driver's crate: `::ark_mysql`, or what `crate = …` says.
    pub driver: TokenStream,
    /// What each row becomes.
    pub target: Target,
    /// The statement.
    pub source: Source,
    /// What stands behind it.
    pub args: Vec<Arg>,
}

/// What each row becomes.
#[derive(Debug)]
pub enum Target {
    /// A struct made for the call.
    Row,
    /// The one column's value.
    Scalar,
    /// The type that was given.
    Type(TokenStream),
}

/// The SQL and where it comes from.
#[derive(Debug)]
pub struct Source {
    /// The SQL as it stands there.
    pub sql: String,
    /// The literal, for messages.
    pub span: Span,
    /// The file that it was read from, as an absolute path.
    pub file: Option<PathBuf>,
}

pub(crate) use split::at_commas;

/// One argument.
#[derive(Clone, Debug)]
pub struct Arg {
    /// `name` of `name = value`.
    pub name: Option<Ident>,
    /// The expression.
    pub value: TokenStream,
    /// Whether it is a list: `..value`.
    pub spread: bool,
    /// Where it begins.
    pub span: Span,
}

impl Macro {
    fn takes_type(self) -> bool {
        matches!(self, Self::QueryAs | Self::QueryFileAs)
    }

    fn reads_file(self) -> bool {
        matches!(
            self,
            Self::QueryFile | Self::QueryFileAs | Self::QueryFileScalar
        )
    }

    /// The name with its `!`, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query!",
            Self::QueryAs => "query_as!",
            Self::QueryScalar => "query_scalar!",
            Self::QueryFile => "query_file!",
            Self::QueryFileAs => "query_file_as!",
            Self::QueryFileScalar => "query_file_scalar!",
            Self::InsertMany => "insert_many!",
        }
    }

    pub(crate) fn usage(self) -> &'static str {
        match self {
            Self::Query => "query!(\"SELECT … WHERE id = ?\", id)",
            Self::QueryAs => "query_as!(Type, \"SELECT … WHERE id = ?\", id)",
            Self::QueryScalar => "query_scalar!(\"SELECT COUNT(*) FROM … WHERE id = ?\", id)",
            Self::QueryFile => "query_file!(\"queries/one.sql\", id)",
            Self::QueryFileAs => "query_file_as!(Type, \"queries/one.sql\", id)",
            Self::QueryFileScalar => "query_file_scalar!(\"queries/count.sql\", id)",
            Self::InsertMany => "insert_many!(\"INSERT INTO … VALUES (?, ?)\", rows)",
        }
    }
}

/// Reads a call. `manifest_dir` is where relative paths of the file macros begin.
///
/// # Errors
/// Every problem of the call that shows without looking at the SQL.
pub fn parse(
    which: Macro,
    tokens: TokenStream,
    manifest_dir: &Path,
) -> Result<Invocation, Vec<Problem>> {
    let mut parts = at_commas(tokens, which.takes_type()).into_iter().peekable();
    let missing = |what: &str| {
        vec![Problem::new(
            Span::call_site(),
            format!("{what}: write {}", which.usage()),
        )]
    };
    let driver = match parts.next_if(|part| is_crate_option(part)) {
        Some(part) => part.into_iter().skip(2).collect(),
        None => quote::quote!(::ark_mysql),
    };
    let target = match which {
        Macro::Query | Macro::QueryFile | Macro::InsertMany => Target::Row,
        Macro::QueryScalar | Macro::QueryFileScalar => Target::Scalar,
        Macro::QueryAs | Macro::QueryFileAs => {
            let part = parts
                .next()
                .ok_or_else(|| missing("the type of the rows is missing"))?;
            Target::Type(row_type(which, part).map_err(|problem| vec![problem])?)
        }
    };
    let what = if which.reads_file() {
        "the path of the SQL file is missing"
    } else {
        "the SQL is missing"
    };
    let sql = parts.next().ok_or_else(|| missing(what))?;
    let source =
        text::source(which.reads_file(), &sql, manifest_dir).map_err(|problem| vec![problem])?;
    let (args, problems): (Vec<_>, Vec<_>) = parts
        .map(|part| arg(part, source.span))
        .partition(Result::is_ok);
    let problems: Vec<Problem> = problems.into_iter().filter_map(Result::err).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Invocation {
        driver,
        target,
        source,
        args: args.into_iter().filter_map(Result::ok).collect(),
    })
}

/// `crate = path`, which no type begins like.
pub(crate) fn is_crate_option(part: &[TokenTree]) -> bool {
    matches!(part, [TokenTree::Ident(word), TokenTree::Punct(equals), _, ..] if word == "crate" && equals.as_char() == '=')
}

/// Catches the usual slip, SQL where the type belongs, before rustc words it.
fn row_type(which: Macro, part: Vec<TokenTree>) -> Result<TokenStream, Problem> {
    match part.first() {
        Some(first @ TokenTree::Literal(_)) => {
            let message = format!(
                "the first argument of {} is the type of the rows: write {}",
                which.name(),
                which.usage()
            );
            Err(Problem::new(first.span(), message))
        }
        Some(_) => Ok(part.into_iter().collect()),
        None => Err(Problem::new(
            Span::call_site(),
            format!("the type of the rows is missing: write {}", which.usage()),
        )),
    }
}

fn arg(mut part: Vec<TokenTree>, sql: Span) -> Result<Arg, Problem> {
    let Some(first) = part.first() else {
        return Err(Problem::new(
            sql,
            "an argument is missing between two commas",
        ));
    };
    let mut span = first.span();
    let name = match (part.first(), part.get(1), part.get(2)) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(equals)), next)
            if equals.as_char() == '=' =>
        {
            let joined = matches!(next, Some(TokenTree::Punct(next)) if equals.spacing() == proc_macro2::Spacing::Joint && matches!(next.as_char(), '=' | '>'));
            (!joined).then(|| name.clone())
        }
        _ => None,
    };
    if name.is_some() {
        part.drain(..2);
    }
    let dots = part
        .iter()
        .take_while(|token| matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.'))
        .count();
    match dots {
        0 if part.is_empty() => {
            return Err(Problem::new(span, "a value is missing behind `=`"));
        }
        0 => {}
        2 if part.len() > 2 => {
            part.drain(..2);
            span = part.first().map_or(span, TokenTree::span);
        }
        2 => return Err(Problem::new(span, "a list is missing behind `..`")),
        _ => {
            let message = "a list is spread by two dots: `..ids`";
            return Err(Problem::new(span, message));
        }
    }
    if let Some(second) = part.windows(2).find_map(second_value) {
        let message = format!("a comma is missing in front of `{second}`");
        return Err(Problem::new(second.span(), message));
    }
    Ok(Arg {
        name,
        value: part.into_iter().collect(),
        spread: dots == 2,
        span,
    })
}

/// Two values in a row, which no expression has: rustc's own words would come beside ours about the number of arguments.
fn second_value(pair: &[TokenTree]) -> Option<&TokenTree> {
    match pair {
        [TokenTree::Literal(_), second @ TokenTree::Literal(_)] => Some(second),
        [TokenTree::Literal(_), second @ TokenTree::Ident(word)] if word != "as" => Some(second),
        _ => None,
    }
}

/// What stands in the invisible group that a `macro_rules!` variable leaves around its tokens.
fn ungrouped(tokens: &[TokenTree]) -> Vec<TokenTree> {
    match tokens {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => {
            ungrouped(&group.stream().into_iter().collect::<Vec<_>>())
        }
        other => other.to_vec(),
    }
}

#[cfg(test)]
mod tests;
