//! The committed cache of these cases, against servers.

use std::fs;
use std::path::Path;

use ark_mysql_check::describe::cache::{Cache, read_entry};
use ark_mysql_check::describe::describe_with;
use ark_mysql_check::record::Record;
use ark_mysql_check::settings::Settings;
use ark_mysql_check::sql::Sql;
use tests::{Database, Flavor};

use crate::compile::{Case, folder};
use crate::expected::{Mode, mode};
use crate::suite;

/// Compares every entry with what each server says of its statement; before that, writes all of them anew if that is wanted.
///
/// # Panics
///
/// With the first difference.
pub(crate) fn compare(databases: &[Database]) {
    let cache = Cache::of(&folder());
    if mode() == Mode::Prepare {
        databases
            .iter()
            .filter(|database| database.flavor() == Flavor::MySql)
            .for_each(|database| prepare(&cache, database));
    }
    let files = cache.files().expect("the folder can be listed");
    assert!(!files.is_empty(), "the cache has no entries");
    for file in files {
        let entry = read_entry(&file)
            .unwrap_or_else(|error| panic!("{error}"))
            .expect("a file that was listed");
        let sql = Sql::parse(&entry.sql).expect("a statement");
        for database in databases.iter().filter(|database| {
            entry.description.family.is_none() || database.flavor() == Flavor::MySql
        }) {
            let described = describe_with(&sql, &settings(database))
                .unwrap_or_else(|error| panic!("{}: {error}", entry.sql));
            assert_eq!(
                described.description,
                entry.description,
                "{}: {}",
                database.flavor(),
                entry.sql
            );
        }
    }
}

fn settings(database: &Database) -> Settings {
    let url = database.url();
    Settings::load(&folder(), &|name| {
        (name == "DATABASE_URL").then(|| url.clone().into())
    })
    .expect("an address")
}

/// Compiles all cases with a server at hand and keeps what it said.
fn prepare(cache: &Cache, database: &Database) {
    let records = tempfile::tempdir().expect("a folder for records");
    for source in ["mistakes", "correct"].into_iter().flat_map(suite::sources) {
        let case = Case::new(&source).env("DATABASE_URL", database.url());
        case.env("ARK_MYSQL_RECORD", records.path().display().to_string())
            .compile();
    }
    for file in cache.files().expect("the folder can be listed") {
        fs::remove_file(file).expect("a file can be removed");
    }
    for record in Record::collect(records.path()).expect("records") {
        if let Ok(description) = record.outcome {
            let written = cache.write(&record.sql, &description);
            written.unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(
        Path::new(cache.folder()).exists(),
        "no statement was described"
    );
}
