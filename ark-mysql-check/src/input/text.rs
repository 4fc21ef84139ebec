//! Where the SQL comes from: a literal, `concat!` of literals, `include_str!`, or the file of the file macros.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenTree};

use super::{Source, literal, split, ungrouped};
use crate::diagnostics::Problem;

pub(super) fn source(
    reads_file: bool,
    part: &[TokenTree],
    manifest_dir: &Path,
) -> Result<Source, Problem> {
    let tokens = ungrouped(part);
    let span = tokens.first().map_or_else(Span::call_site, TokenTree::span);
    if reads_file {
        let path = text(&tokens, span).ok_or_else(|| {
            not_a_literal(span, "path of the SQL file", " or concat!(…) of literals")
        })?;
        return read(span, &path, &manifest_dir.join(&path));
    }
    if let Some(inner) = arguments_of(&tokens, "include_str") {
        let path = text(&inner, span).ok_or_else(|| {
            not_a_literal(
                span,
                "path inside include_str!",
                " or concat!(…) of literals",
            )
        })?;
        let beside = span
            .local_file()
            .and_then(|file| file.parent().map(Path::to_owned))
            .unwrap_or_default();
        return read(
            span,
            &path,
            &std::path::absolute(beside.join(&path)).unwrap_or_default(),
        );
    }
    let sql = text(&tokens, span).ok_or_else(|| {
        no_comma(&tokens).unwrap_or_else(|| {
            not_a_literal(span, "SQL", ", concat!(…) of literals, or include_str!(…)")
        })
    })?;
    Ok(Source {
        sql,
        span,
        file: None,
    })
}

fn not_a_literal(span: Span, what: &str, or: &str) -> Problem {
    Problem::new(
        span,
        format!(
            "the {what} must be there while compiling: a string literal, a raw string{or}. \
             A `const` or a variable cannot be seen by a macro; for SQL that is known only at run time there is `ark_mysql::query(sql)`"
        ),
    )
}

/// A literal with something behind it: what is missing is a comma, or `concat!`.
fn no_comma(tokens: &[TokenTree]) -> Option<Problem> {
    let [TokenTree::Literal(sql), next, ..] = tokens else {
        return None;
    };
    literal::string(&sql.to_string())?;
    let message = match next {
        TokenTree::Punct(plus) if plus.as_char() == '+' => {
            "a macro sees the pieces of a sum, not what they make: write concat!(\"…\", \"…\")".to_owned()
        }
        TokenTree::Literal(next) if literal::string(&next.to_string()).is_some() => {
            "behind the SQL belongs a comma: then come the values; pieces of the SQL are joined by concat!(\"…\", \"…\")".to_owned()
        }
        _ => "a comma is missing behind the SQL".to_owned(),
    };
    Some(Problem::new(next.span(), message))
}

fn read(span: Span, written: &str, path: &Path) -> Result<Source, Problem> {
    let wrong = |why: String| {
        Problem::new(
            span,
            format!(
                "cannot read the SQL file `{written}`: {why} ({})",
                path.display()
            ),
        )
    };
    let bytes = fs::read(path).map_err(|error| {
        if written.contains(char::is_whitespace) && !written.ends_with(".sql") {
            return wrong(
                "no such file; SQL itself goes into query!, query_as! or query_scalar!".to_owned(),
            );
        }
        wrong(format!(
            "{error}; the path begins at the folder of Cargo.toml"
        ))
    })?;
    let sql = String::from_utf8(bytes).map_err(|error| {
        wrong(format!(
            "byte {} is not UTF-8",
            error.utf8_error().valid_up_to()
        ))
    })?;
    let sql = sql
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(sql);
    Ok(Source {
        sql,
        span,
        file: Some(PathBuf::from(path)),
    })
}

/// The text of a literal or a `concat!`.
fn text(tokens: &[TokenTree], span: Span) -> Option<String> {
    if let Some(inner) = arguments_of(tokens, "concat") {
        let parts = split::at_commas(inner.into_iter().collect(), false);
        return parts
            .iter()
            .map(|part| piece(&ungrouped(part), span))
            .collect();
    }
    match tokens {
        [TokenTree::Literal(token)] => literal::string(&token.to_string()),
        _ => None,
    }
}

/// One piece of a `concat!`.
fn piece(tokens: &[TokenTree], span: Span) -> Option<String> {
    match tokens {
        [TokenTree::Literal(token)] => literal::shown(&token.to_string()),
        [TokenTree::Ident(word)] if word == "true" || word == "false" => Some(word.to_string()),
        [TokenTree::Punct(minus), TokenTree::Literal(token)] if minus.as_char() == '-' => {
            literal::shown(&token.to_string()).map(|number| format!("-{number}"))
        }
        nested => arguments_of(nested, "concat").and_then(|_| text(nested, span)),
    }
}

/// What stands in the parentheses of `name!(…)`, also written `std::name!(…)`.
fn arguments_of(tokens: &[TokenTree], name: &str) -> Option<Vec<TokenTree>> {
    let [
        path @ ..,
        TokenTree::Ident(word),
        TokenTree::Punct(mark),
        TokenTree::Group(group),
    ] = tokens
    else {
        return None;
    };
    let is_path = path.iter().all(|token| match token {
        TokenTree::Ident(word) => word == "std" || word == "core",
        TokenTree::Punct(colon) => colon.as_char() == ':',
        _ => false,
    });
    (is_path && word == name && mark.as_char() == '!')
        .then(|| ungrouped(&group.stream().into_iter().collect::<Vec<_>>()))
}
