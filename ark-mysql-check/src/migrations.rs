//! `migrate!`: the files of a folder become part of the program.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote;

use crate::diagnostics::{Problem, compile_errors};
use crate::input::{is_crate_option, literal, split};

/// The folder that is meant where none is named.
const USUAL: &str = "migrations";

/// Expands `migrate!("folder")`. The path begins at the folder of `Cargo.toml`.
pub fn expand(tokens: TokenStream) -> TokenStream {
    let manifest_dir =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    read(tokens)
        .and_then(|call| embed(&call, &manifest_dir))
        .unwrap_or_else(|problem| compile_errors(&[problem], &[]))
}

struct Call {
    driver: TokenStream,
    folder: String,
    span: Span,
}

fn read(tokens: TokenStream) -> Result<Call, Problem> {
    let mut parts = split::at_commas(tokens, false).into_iter().peekable();
    let driver = match parts.next_if(|part| is_crate_option(part)) {
        Some(part) => part.into_iter().skip(2).collect(),
        None => quote!(::ark_mysql),
    };
    let part = parts.next().unwrap_or_default();
    let span = part.first().map_or_else(Span::call_site, TokenTree::span);
    let folder = match part.as_slice() {
        [] => Some(USUAL.to_owned()),
        [TokenTree::Literal(token)] => literal::string(&token.to_string()),
        _ => None,
    };
    let (Some(folder), None) = (folder, parts.next()) else {
        return Err(Problem::new(
            span,
            "migrate! takes the path of a folder, as a string literal that begins at the folder of Cargo.toml: write migrate!(\"migrations\")",
        ));
    };
    Ok(Call {
        driver,
        folder,
        span,
    })
}

fn embed(call: &Call, manifest_dir: &Path) -> Result<TokenStream, Problem> {
    let migrator = migrator(&call.driver, &manifest_dir.join(&call.folder));
    migrator.map_err(|error| {
        Problem::new(
            call.span,
            format!(
                "cannot read the folder of migrations `{}`: {error}; the path begins at the folder of Cargo.toml. \
                 `cargo ark-mysql migrate add NAME` makes a folder `migrations` with a first file",
                call.folder
            ),
        )
    })
}

/// The expression of a `Migrator` with the files of a folder in it. It can stand in a `const`.
pub(crate) fn migrator(driver: &TokenStream, folder: &Path) -> std::io::Result<TokenStream> {
    let folder = std::path::absolute(folder)?;
    let files = files(&folder)?;
    let files = files.iter().map(|name| {
        let path = text(&folder.join(name));
        quote!((#name, ::core::include_str!(#path)))
    });
    let folder = text(&folder);
    Ok(quote! {
        #driver::migrate::Migrator::embedded(
            if ::core::cfg!(debug_assertions) { ::core::option::Option::Some(#folder) } else { ::core::option::Option::None },
            &[#(#files),*],
        )
    })
}

/// Which ones are migrations is decided by the driver when it reads their names; others are left out here so that they need not be text.
fn files(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && name.ends_with(".sql")
            && name.contains('_')
            && entry.path().is_file()
        {
            files.push(name);
        }
    }
    files.sort();
    Ok(files)
}

fn text(path: &Path) -> Literal {
    Literal::string(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tokens: TokenStream) -> Result<String, String> {
        let manifest_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
        read(tokens)
            .and_then(|call| embed(&call, &manifest_dir))
            .map(|tokens| tokens.to_string())
            .map_err(|problem| problem.message)
    }

    #[test]
    fn files_are_embedded_in_the_order_of_their_names() {
        for tokens in [quote!(), quote!("migrations"), quote!("./migrations",)] {
            let text = written(tokens).unwrap();
            let places: Vec<_> = ["0001_customers.sql", "0002_products.sql", "0003_orders.sql"]
                .iter()
                .map(|name| text.find(&format!("(\"{name}\"")).unwrap())
                .collect();
            assert!(places.is_sorted(), "{text}");
            assert!(
                text.starts_with(":: ark_mysql :: migrate :: Migrator"),
                "{text}"
            );
        }
        let text = written(quote!(crate = crate::db, "migrations")).unwrap();
        assert!(
            text.starts_with("crate :: db :: migrate :: Migrator"),
            "{text}"
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let message = written(quote!("no/such/folder")).unwrap_err();
        assert!(
            message.contains("`no/such/folder`") && message.contains("migrate add NAME"),
            "{message}"
        );
        let message = written(quote!(FOLDER)).unwrap_err();
        assert!(message.contains("as a string literal"), "{message}");
        let message = written(quote!("a", "b")).unwrap_err();
        assert!(message.contains("the path of a folder"), "{message}");
    }
}
