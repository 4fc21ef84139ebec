//! Cache files come with pull requests of strangers: whatever `cargo ark-mysql prepare` would not have written is refused, and nothing of it
//! becomes code.

use std::fs;
use std::path::Path;

use crate::compile::{Case, folder};
use crate::settings::{SOURCE, project, write};
use crate::suite::Suite;

/// The name of the statement's entry.
const ENTRY: &str = ".ark-mysql/87154d352aba922e.json";

/// The entry as it should be.
const GOOD: &str = r#"{
  "format": 1,
  "sql": "SELECT name FROM users WHERE id = ?",
  "columns": [
    {"name": "name", "kind": "Text", "nullable": false, "table": "users", "column": "name"}
  ],
  "params": [null]
}
"#;

/// Adds a case for each way to damage it.
pub(crate) fn add_all(suite: &mut Suite) {
    let mut add = |name: &str, make: &dyn Fn(&Path)| {
        let project = project(name);
        fs::create_dir(project.join(".ark-mysql")).expect("a folder");
        make(&project);
        let case = Case::new(Path::new(SOURCE)).manifest_dir(&project);
        suite.fails_with(
            case,
            folder().join(format!("settings/{name}.stderr")),
            Vec::new(),
        );
    };
    let changed = |from: &'static str, to: &'static str| {
        move |project: &Path| write(project, ENTRY, &GOOD.replace(from, to))
    };

    add(
        "cache_with_code_in_a_name",
        &changed(
            "\"name\": \"name\"",
            "\"name\": \"name: {std::process::exit(1)}\"",
        ),
    );
    add(
        "cache_with_a_type_in_a_name",
        &changed(
            "\"name\": \"name\"",
            "\"name\": \"name: std::process::ExitCode\"",
        ),
    );
    add(
        "cache_with_quotes_in_a_name",
        &changed("\"name\": \"name\"", "\"name\": \"na\\\"me\""),
    );
    add(
        "cache_with_an_unknown_kind",
        &changed("\"Text\"", "\"String\""),
    );
    add(
        "cache_of_another_statement",
        &changed("FROM users", "FROM admins"),
    );
    add(
        "cache_with_an_unknown_key",
        &changed("\"params\"", "\"run\": \"rm\",\n  \"params\""),
    );
    add(
        "cache_with_a_parameter_too_many",
        &changed("[null]", "[null, null]"),
    );
    add(
        "cache_of_a_later_format",
        &changed("\"format\": 1", "\"format\": 2"),
    );
    add(
        "cache_with_a_conflict_of_git",
        &changed(
            "  \"params\": [null]",
            "<<<<<<< HEAD\n  \"params\": [null]\n=======\n  \"params\": []\n>>>>>>> theirs",
        ),
    );
    add("cache_cut_off", &|project| {
        write(project, ENTRY, &GOOD[..80])
    });
    add("cache_that_is_empty", &|project| write(project, ENTRY, ""));
    add("cache_that_is_a_folder", &|project| {
        fs::create_dir(project.join(ENTRY)).expect("a folder")
    });
    add("cache_that_is_a_link", &|project| {
        write(project, "elsewhere.json", GOOD);
        std::os::unix::fs::symlink("../elsewhere.json", project.join(ENTRY)).expect("a link");
    });
}
