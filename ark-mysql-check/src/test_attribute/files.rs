//! Which migrations and fixtures a test gets, and what is said where they are not there.

use std::path::{Path, PathBuf};

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::options::{Migrations, Options};
use crate::diagnostics::Problem;
use crate::migrations;

/// The folder of migrations that is taken where it exists and nothing is said.
const USUAL_MIGRATIONS: &str = "migrations";
/// Where fixtures are looked for below the folder of `Cargo.toml`, after `fixtures` beside the source file.
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
    let places = places(name, beside.as_deref(), manifest_dir);
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

/// Where a fixture may be, each place once: a test in `tests/` has `tests/fixtures/` beside itself, and never looks into `tests/tests/`.
fn places(name: &str, beside: Option<&Path>, manifest_dir: &Path) -> Vec<PathBuf> {
    let beside = beside.filter(|folder| *folder != manifest_dir);
    let mut places: Vec<PathBuf> = if name.ends_with(".sql") {
        let folders = beside.into_iter().chain([manifest_dir]);
        folders.map(|folder| folder.join(name)).collect()
    } else {
        let file = format!("{name}.sql");
        let near = beside.map(|folder| folder.join("fixtures").join(&file));
        let usual = USUAL_FIXTURES.map(|usual| manifest_dir.join(usual).join(&file));
        near.into_iter().chain(usual).collect()
    };
    let mut seen = Vec::new();
    places.retain(|place| {
        let new = !seen.contains(place);
        seen.push(place.clone());
        new
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixture_is_looked_for_in_each_place_once() {
        let found = |name: &str, beside: &str| -> Vec<String> {
            let places = places(name, Some(Path::new(beside)), Path::new("/shop"));
            places
                .iter()
                .map(|path| path.display().to_string())
                .collect()
        };
        let usual = ["/shop/fixtures/a.sql", "/shop/tests/fixtures/a.sql"];
        assert_eq!(found("a", "/shop"), usual);
        assert_eq!(found("a", "/shop/tests"), [usual[1], usual[0]]);
        assert_eq!(
            found("a", "/shop/src/orders"),
            ["/shop/src/orders/fixtures/a.sql", usual[0], usual[1]]
        );
        assert_eq!(found("x/a.sql", "/shop"), ["/shop/x/a.sql"]);
        assert_eq!(
            found("x/a.sql", "/shop/src"),
            ["/shop/src/x/a.sql", "/shop/x/a.sql"]
        );
    }
}
