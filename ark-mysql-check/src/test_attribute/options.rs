//! What may stand in `#[ark_mysql::test(…)]`.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;

use super::USAGE;
use crate::diagnostics::Problem;
use crate::input::{is_crate_option, literal, split};

/// How `migrator` is written.
const MIGRATOR_USAGE: &str = "migrator = \"crate::MIGRATOR\"";

/// What stands in the attribute.
pub(super) struct Options {
    pub(super) driver: TokenStream,
    pub(super) migrations: Migrations,
    pub(super) fixtures: Vec<(String, Span)>,
}

pub(super) enum Migrations {
    Usual,
    None,
    Folder(String, Span),
    /// The path of a `Migrator` that the user's code has.
    Migrator(TokenStream),
}

impl Options {
    pub(super) fn read(tokens: TokenStream) -> Result<Self, Problem> {
        let mut options = Self {
            driver: quote!(::ark_mysql),
            migrations: Migrations::Usual,
            fixtures: Vec::new(),
        };
        for part in split::at_commas(tokens, false) {
            options.set(part)?;
        }
        Ok(options)
    }

    fn set(&mut self, part: Vec<TokenTree>) -> Result<(), Problem> {
        if is_crate_option(&part) {
            self.driver = part.into_iter().skip(2).collect();
            return Ok(());
        }
        let span = part.first().map_or_else(Span::call_site, TokenTree::span);
        match part.as_slice() {
            [TokenTree::Ident(word), TokenTree::Punct(equals), value]
                if word == "migrations" && equals.as_char() == '=' =>
            {
                self.set_migrations(migrations_option(value)?, span)
            }
            [TokenTree::Ident(word), TokenTree::Punct(equals), path @ ..]
                if word == "migrator" && equals.as_char() == '=' =>
            {
                self.set_migrations(migrator_option(path, span)?, span)
            }
            [TokenTree::Ident(word), TokenTree::Group(list)]
                if word == "fixtures" && list.delimiter() == Delimiter::Parenthesis =>
            {
                self.fixtures = split::at_commas(list.stream(), false)
                    .iter()
                    .map(|part| text(part).ok_or_else(|| not_understood(span)))
                    .collect::<Result<_, _>>()?;
                Ok(())
            }
            _ => Err(not_understood(span)),
        }
    }

    fn set_migrations(&mut self, migrations: Migrations, span: Span) -> Result<(), Problem> {
        if !matches!(self.migrations, Migrations::Usual) {
            return Err(Problem::new(
                span,
                "say once which migrations are applied: `migrations` is a folder, `migrator` a `Migrator` of yours",
            ));
        }
        self.migrations = migrations;
        Ok(())
    }
}

fn not_understood(span: Span) -> Problem {
    Problem::new(
        span,
        format!(
            "#[ark_mysql::test] knows `migrations = \"folder\"` (or `false`), `{MIGRATOR_USAGE}`, `fixtures(\"name\", …)` and `crate = path`: write {USAGE}"
        ),
    )
}

fn migrations_option(value: &TokenTree) -> Result<Migrations, Problem> {
    match value {
        TokenTree::Ident(word) if word == "false" => Ok(Migrations::None),
        value => text(std::slice::from_ref(value))
            .map(|(folder, span)| Migrations::Folder(folder, span))
            .ok_or_else(|| not_understood(value.span())),
    }
}

/// `"crate::MIGRATOR"`, as sqlx has it, or the same without quotes.
fn migrator_option(path: &[TokenTree], span: Span) -> Result<Migrations, Problem> {
    let wrong = || {
        Problem::new(
            span,
            format!("`migrator` takes the path of a `Migrator`: write {MIGRATOR_USAGE}"),
        )
    };
    let tokens = match text(path) {
        Some((path, span)) => {
            let tokens: TokenStream = path.parse().map_err(|_| wrong())?;
            // Not the span itself: lints about how a path is written are not for a string.
            let span = Span::call_site().located_at(span);
            let at_literal = |mut token: TokenTree| {
                token.set_span(span);
                token
            };
            tokens.into_iter().map(at_literal).collect()
        }
        None => path.to_vec(),
    };
    let fits = |token: &TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    };
    if !matches!(tokens.last(), Some(TokenTree::Ident(_))) || !tokens.iter().all(fits) {
        return Err(wrong());
    }
    Ok(Migrations::Migrator(tokens.into_iter().collect()))
}

fn text(part: &[TokenTree]) -> Option<(String, Span)> {
    match part {
        [TokenTree::Literal(token)] => Some((literal::string(&token.to_string())?, token.span())),
        _ => None,
    }
}
