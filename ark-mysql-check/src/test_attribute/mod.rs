//! `#[ark_mysql::test]`: an async test with a database of its own.
//!
//! | module | what it decides |
//! |---|---|
//! | `options` | what may stand in the attribute |
//! | `function` | what may stand below it |
//! | `files` | which migrations and fixtures are meant |

mod files;
mod function;
mod options;

use std::path::{Path, PathBuf};

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use self::files::{fixture, migrator};
use self::function::Function;
use self::options::Options;
use crate::diagnostics::{Problem, compile_errors};
use crate::input::split;
use crate::settings::workspace_root;

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

#[cfg(test)]
mod tests;
