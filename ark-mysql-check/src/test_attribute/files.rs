//! Which migrations and fixtures a test gets, and what is said where they are not there.

use std::path::{Path, PathBuf};

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::options::{Migrations, Options};
use crate::diagnostics::Problem;
use crate::migrations;

/// The folder of migrations that is taken where it exists and nothing is said.
const USUAL_MIGRATIONS: &str = "migrations";
/// Where fixtures are looked for: beside the source file, and beside `Cargo.toml`.
const USUAL_FIXTURES: [&str; 2] = ["fixtures", "tests/fixtures"];

/// The `Option` of a function that gives the `Migrator`.
pub(super) fn migrator(options: &Options, manifest_dir: &Path) -> Result<TokenStream, Problem> {
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
pub(super) fn fixture(name: &str, span: Span, manifest_dir: &Path) -> Result<TokenStream, Problem> {
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
