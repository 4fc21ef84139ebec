//! `#[ark_mysql::test]`: an async test with a database of its own.

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::diagnostics::{Problem, compile_errors};
use crate::input::{is_crate_option, literal, split};
use crate::migrations;
use crate::settings::workspace_root;

/// The folder of migrations that is taken where it exists and nothing is said.
const USUAL_MIGRATIONS: &str = "migrations";
/// Where fixtures are looked for: beside the source file, and beside `Cargo.toml`.
const USUAL_FIXTURES: [&str; 2] = ["fixtures", "tests/fixtures"];

/// How `migrator` is written.
const MIGRATOR_USAGE: &str = "migrator = \"crate::MIGRATOR\"";

const USAGE: &str = "#[ark_mysql::test(migrations = \"migrations\", fixtures(\"users\"))] async fn name(pool: Pool) { … }";

/// Expands the attribute. What is wrong becomes a compile error beside the function as it was written.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let manifest_dir =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let function = match Function::read(item) {
        Ok(function) => function,
        Err(problem) => return instead(&problem, None),
    };
    Options::read(attribute)
        .and_then(|options| write(&function, &options, &manifest_dir))
        .unwrap_or_else(|problem| instead(&problem, Some(&function)))
}

/// The message; and the function, so that nothing that it uses looks unused.
fn instead(problem: &Problem, function: Option<&Function>) -> TokenStream {
    let error = compile_errors(std::slice::from_ref(problem), &[]);
    let function = function.map(|Function { name, parameters, result, body, .. }| {
        quote!(const _: () = { #[allow(dead_code, reason = "it is not run")] async fn #name #parameters #result #body };)
    });
    quote!(#error; #function)
}

/// What stands in the attribute.
struct Options {
    driver: TokenStream,
    migrations: Migrations,
    fixtures: Vec<(String, Span)>,
}

enum Migrations {
    Usual,
    None,
    Folder(String, Span),
    /// The path of a `Migrator` that the user's code has.
    Migrator(TokenStream),
}

impl Options {
    fn read(tokens: TokenStream) -> Result<Self, Problem> {
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

/// An `async fn`, in pieces.
struct Function {
    /// Attributes and visibility.
    before: TokenStream,
    should_panic: bool,
    name: Ident,
    parameters: Group,
    /// `-> Type`, or nothing.
    result: TokenStream,
    body: Group,
}

impl Function {
    fn read(item: TokenStream) -> Result<Self, Problem> {
        let tokens: Vec<TokenTree> = item.into_iter().collect();
        let wrong = |span: Span, why: &str| Problem::new(span, format!("{why}: write {USAGE}"));
        let no_function = || {
            wrong(
                Span::call_site(),
                "#[ark_mysql::test] belongs on a function",
            )
        };
        let is_word = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
        let at = tokens
            .iter()
            .position(|token| is_word(token, "fn"))
            .ok_or_else(no_function)?;
        let (before, rest) = tokens.split_at(at);
        let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
            (rest.get(1), rest.last())
        else {
            return Err(no_function());
        };
        let Some(TokenTree::Group(parameters)) = rest.get(2) else {
            return Err(wrong(name.span(), "a test has no generics"));
        };
        if !before.iter().any(|token| is_word(token, "async")) {
            return Err(wrong(
                name.span(),
                "a test with a database is an async function",
            ));
        }
        let result = rest
            .get(3..rest.len().saturating_sub(1))
            .unwrap_or_default();
        Ok(Self {
            should_panic: before.iter().any(has_should_panic),
            before: before
                .iter()
                .filter(|token| !is_word(token, "async"))
                .cloned()
                .collect(),
            name: name.clone(),
            parameters: parameters.clone(),
            result: result.iter().cloned().collect(),
            body: body.clone(),
        })
    }
}

fn has_should_panic(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "should_panic")
}

fn write(
    function: &Function,
    options: &Options,
    manifest_dir: &Path,
) -> Result<TokenStream, Problem> {
    let Function {
        before,
        should_panic,
        name,
        parameters,
        result,
        body,
    } = function;
    let driver = &options.driver;
    let migrator = migrator(options, manifest_dir)?;
    let fixtures = options
        .fixtures
        .iter()
        .map(|(name, span)| fixture(name, *span, manifest_dir))
        .collect::<Result<Vec<_>, _>>()?;
    let arguments = split::at_commas(parameters.stream(), false)
        .into_iter()
        .map(|parameter| {
            let span = parameter.last().map_or_else(Span::call_site, TokenTree::span);
            quote_spanned!(Span::call_site().located_at(span)=> #driver::testing::argument(database).await)
        });
    let text = Literal::string(&name.to_string());
    let workspace = workspace_root(manifest_dir).to_string_lossy().into_owned();
    Ok(quote! {
        #[::core::prelude::v1::test]
        #before fn #name() #result {
            async fn #name #parameters #result #body
            static CASE: #driver::testing::Case = #driver::testing::Case {
                name: ::core::concat!(::core::module_path!(), "::", #text),
                settings: &[::core::env!("CARGO_MANIFEST_DIR"), #workspace],
                migrator: #migrator,
                fixtures: &[#(#fixtures),*],
                should_panic: #should_panic,
            };
            #driver::testing::run(&CASE, async |database| #name(#(#arguments),*).await)
        }
    })
}

fn migrator(options: &Options, manifest_dir: &Path) -> Result<TokenStream, Problem> {
    let (folder, span) = match &options.migrations {
        Migrations::None => return Ok(quote!(::core::option::Option::None)),
        Migrations::Usual => {
            let folder = manifest_dir.join(USUAL_MIGRATIONS);
            if !folder.is_dir() {
                return Ok(quote!(::core::option::Option::None));
            }
            (folder, Span::call_site())
        }
        Migrations::Folder(folder, span) => (manifest_dir.join(folder), *span),
        // A `LazyLock<Migrator>` is one, too.
        Migrations::Migrator(path) => {
            return Ok(quote!(::core::option::Option::Some(|| &#path)));
        }
    };
    let driver = &options.driver;
    let migrator = migrations::migrator(&options.driver, &folder).map_err(|error| {
        Problem::new(
            span,
            format!(
                "cannot read the folder of migrations {}: {error}; the path begins at the folder of Cargo.toml",
                folder.display()
            ),
        )
    })?;
    Ok(quote! {
        ::core::option::Option::Some(|| {
            static MIGRATOR: #driver::migrate::Migrator = #migrator;
            &MIGRATOR
        })
    })
}

/// A name is that of a file `fixtures/NAME.sql`; what ends in `.sql` is a path. Both begin beside the source file, or else beside `Cargo.toml`.
fn fixture(name: &str, span: Span, manifest_dir: &Path) -> Result<TokenStream, Problem> {
    let beside = span
        .local_file()
        .and_then(|file| std::path::absolute(file.parent()?).ok());
    let folders = beside.iter().map(PathBuf::as_path).chain([manifest_dir]);
    let places: Vec<PathBuf> = if name.ends_with(".sql") {
        folders.map(|folder| folder.join(name)).collect()
    } else {
        folders
            .flat_map(|folder| {
                USUAL_FIXTURES.map(|usual| folder.join(usual).join(format!("{name}.sql")))
            })
            .collect()
    };
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        let looked: Vec<String> = places
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return Err(Problem::new(
            span,
            format!(
                "there is no fixture `{name}`: make one of these files: {}",
                looked.join(", ")
            ),
        ));
    };
    let path = Literal::string(&path.to_string_lossy());
    Ok(quote!((#name, ::core::include_str!(#path))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(attribute: TokenStream, item: TokenStream) -> Result<String, String> {
        let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        let function = Function::read(item).map_err(|problem| problem.message)?;
        let options = Options::read(attribute).map_err(|problem| problem.message)?;
        write(&function, &options, &manifest_dir)
            .map(|tokens| tokens.to_string())
            .map_err(|problem| problem.message)
    }

    #[test]
    fn the_function_keeps_its_attributes_and_gets_its_arguments() {
        let text = written(
            quote!(),
            quote!(
                #[should_panic(expected = "x")]
                pub(crate) async fn works(mut pool: Pool, conn: Connection) -> Result<(), Error> {
                    body
                }
            ),
        )
        .unwrap();
        assert!(text.contains("# [should_panic (expected = \"x\")] pub (crate) fn works () -> Result < () , Error >"), "{text}");
        assert!(text.contains("should_panic : true"), "{text}");
        assert_eq!(text.matches("testing :: argument").count(), 2);
        assert!(
            text.contains("0001_customers.sql"),
            "the usual folder is there: {text}"
        );
        let text = written(
            quote!(migrations = false),
            quote!(
                async fn f() {}
            ),
        )
        .unwrap();
        assert!(
            text.contains("migrator : :: core :: option :: Option :: None")
                && !text.contains("argument"),
            "{text}"
        );
        let text = written(
            quote!(crate = a::b, migrations = "migrations"),
            quote!(
                async fn f() {}
            ),
        )
        .unwrap();
        assert!(text.contains("a :: b :: testing :: run"), "{text}");
        for path in [quote!(crate::db::MIGRATOR), quote!("crate::db::MIGRATOR")] {
            let text = written(
                quote!(migrator = #path, crate = a::b),
                quote!(
                    async fn f() {}
                ),
            );
            assert!(
                text.unwrap()
                    .contains("Some (|| & crate :: db :: MIGRATOR)")
            );
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (attribute, item, part) in [
            (
                quote!(),
                quote!(
                    fn f() {}
                ),
                "is an async function",
            ),
            (
                quote!(),
                quote!(
                    struct S {}
                ),
                "belongs on a function",
            ),
            (
                quote!(),
                quote!(
                    async fn f<T>() {}
                ),
                "no generics",
            ),
            (
                quote!(migration = "x"),
                quote!(
                    async fn f() {}
                ),
                "knows `migrations = \"folder\"`",
            ),
            (
                quote!(fixtures(users)),
                quote!(
                    async fn f() {}
                ),
                "fixtures(\"name\", …)",
            ),
            (
                quote!(fixtures("nobody")),
                quote!(
                    async fn f() {}
                ),
                "there is no fixture `nobody`: make one of these files",
            ),
            (
                quote!(migrations = "nowhere"),
                quote!(
                    async fn f() {}
                ),
                "nowhere",
            ),
            (
                quote!(migrator = "migrations/"),
                quote!(
                    async fn f() {}
                ),
                "write migrator = \"crate::MIGRATOR\"",
            ),
            (
                quote!(migrator = "M", migrations = false),
                quote!(
                    async fn f() {}
                ),
                "say once which migrations",
            ),
        ] {
            let message = written(attribute, item).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
