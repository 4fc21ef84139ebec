//! What people see when they make a mistake. Each file of `mistakes/` and `server_says/` is one, named after it, with the message beside it;
//! `settings.rs` and `cache_files.rs` hold the mistakes that are not in the source; `correct/` holds what must compile without a word.
//!
//! Whoever changes a message looks at it as somebody who has never seen the library: does it say what is wrong, where, what to do, and only once?
//! Then `ARK_MYSQL_UI=overwrite cargo test -p tests --test ui` takes it over; `ARK_MYSQL_UI=prepare` describes the statements anew as well.
//!
//! The cases are given to rustc one by one, with the crates that cargo has built for this very test: trybuild would build all of them once more.

mod artifacts;
mod cache;
mod cache_files;
mod compile;
mod expected;
mod normal;
mod settings;
mod suite;

use compile::{Case, Edition};
use suite::Suite;
use tests::{Database, FLAVORS, Flavor};

const SCHEMA: &str = include_str!("schema.sql");

/// Mistakes that show without a server, from the committed cache.
#[test]
fn mistakes() {
    let mut suite = Suite::new();
    for source in suite::sources("mistakes") {
        suite.fails(Case::new(&source), &source);
    }
    suite.finish();
}

/// Mistakes that only a server knows. Where the servers' words differ, each has a file.
#[test]
fn what_the_server_says() {
    let databases = FLAVORS.map(|flavor| Database::with_schema(flavor, SCHEMA));
    let mut suite = Suite::new();
    for source in suite::sources("server_says") {
        for database in &databases {
            let case = Case::new(&source).env("DATABASE_URL", database.url());
            suite.fails_on(case, &source, database);
        }
    }
    suite.finish();
    suite::sources("server_says")
        .iter()
        .for_each(|source| expected::merge(&compile::folder().join(source)));
}

/// `DATABASE_URL`, `.env`, `ark-mysql.toml`.
#[test]
fn wrong_settings() {
    let database = Database::with_schema(Flavor::MySql, SCHEMA);
    let account = database.account("s3cret");
    let mut suite = Suite::new();
    settings::add_all(&mut suite, &database, &account);
    suite.finish();
}

/// Types that `ark-mysql.toml` gives to columns: what does not have them, on both servers alike.
#[test]
fn types_of_columns() {
    let databases = FLAVORS.map(|flavor| Database::with_schema(flavor, SCHEMA));
    let mut suite = Suite::new();
    for database in &databases {
        let case = |source: &std::path::Path| {
            let folder = compile::folder().join("overrides");
            Case::new(source)
                .manifest_dir(&folder)
                .env("DATABASE_URL", database.url())
        };
        for source in suite::sources("overrides/mistakes") {
            suite.fails(case(&source), &source);
        }
        for source in suite::sources("overrides/correct") {
            for edition in [Edition::E2021, Edition::E2024] {
                suite.compiles(case(&source).edition(edition));
            }
        }
    }
    suite.finish();
}

/// Files in `.ark-mysql` that `cargo ark-mysql prepare` has not written like that.
#[test]
fn damaged_cache_files() {
    let mut suite = Suite::new();
    cache_files::add_all(&mut suite);
    suite.finish();
}

/// No error, and no lint speaks up, in any edition that people use.
#[test]
fn correct_programs() {
    let mut suite = Suite::new();
    for source in suite::sources("correct") {
        for edition in [Edition::E2021, Edition::E2024] {
            suite.compiles(Case::new(&source).edition(edition));
        }
    }
    suite.finish();
}

/// The committed cache says what both servers say, so that none of the messages is about a world that is gone.
#[test]
fn the_cache_is_what_servers_say() {
    let databases = FLAVORS.map(|flavor| Database::with_schema(flavor, SCHEMA));
    cache::compare(&databases);
}
