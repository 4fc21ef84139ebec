//! Hostile files in the place of an entry.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use ark_mysql_check::describe::cache::{Cache, Entry};
use ark_mysql_check::description::Description;

use crate::Count;
use crate::audit::{expanded, judge};
use crate::names::HOSTILE;

const SQL: &str = "SELECT name FROM users WHERE id = ?";

const GOOD: &str = r#"{
  "format": 1,
  "sql": "SELECT name FROM users WHERE id = ?",
  "columns": [
    {"name": "name", "kind": "Text", "nullable": false, "table": "users", "column": "name"}
  ],
  "params": [null]
}
"#;

const CALL: &str = "\"SELECT name FROM users WHERE id = ?\", b";

/// A piece of the good file, and what it becomes.
const CHANGES: &[(&str, &str)] = &[
    ("{\n", ""),
    ("{\n", "{ {\n"),
    ("}\n", ""),
    ("}\n", "}}\n"),
    ("}\n", "} {}\n"),
    ("}\n", "}\n\0"),
    ("{\n", "\u{feff}{\n"),
    ("{\n", "// evil\n{\n"),
    ("{\n", "/* */{\n"),
    ("\"format\": 1", "\"format\": 2"),
    ("\"format\": 1", "\"format\": -1"),
    ("\"format\": 1", "\"format\": 1.0"),
    ("\"format\": 1", "\"format\": 1e0"),
    ("\"format\": 1", "\"format\": 01"),
    ("\"format\": 1", "\"format\": \"1\""),
    ("\"format\": 1", "\"format\": 99999999999999999999"),
    ("\"format\": 1,", "\"format\": 1, \"format\": 1,"),
    ("\"format\": 1,", "\"format\": 1, \"form\\u0061t\": 1,"),
    ("\"format\": 1,", "\"format\": 1, \"run\": \"rm\","),
    ("\"format\": 1,\n", ""),
    ("\"format\": 1,", "\"format\": 1, \"family\": \"oracle\","),
    ("\"format\": 1,", "\"format\": 1, \"family\": null,"),
    (
        "\"params\": [null]",
        "\"params\": [null], \"params\": [null]",
    ),
    (
        "\"params\": [null]",
        "\"params\": [null], \"include\": \"../../x.json\"",
    ),
    ("[null]", "[null, null, ]"),
    ("[null]", "null"),
    ("[null]", "[\"evil()\"]"),
    ("[null]", "[{\"kind\": \"Int\"}]"),
    ("[null]", "[{\"kind\": \"Int\", \"use\": \"run\"}]"),
    (
        "[null]",
        "[{\"kind\": \"std::process::Command\", \"use\": \"compared\"}]",
    ),
    ("\"Text\"", "\"String\""),
    ("\"Text\"", "\"text\""),
    ("\"Text\"", "\"Text \""),
    ("\"Text\"", "\"Text>\""),
    ("\"Text\"", "\"kind::Text\""),
    ("\"Text\"", "\"{ evil() }\""),
    ("\"Text\"", "null"),
    ("\"Text\"", "[\"Text\"]"),
    ("\"nullable\": false", "\"nullable\": 0"),
    ("\"nullable\": false", "\"nullable\": \"false\""),
    (
        "\"nullable\": false",
        "\"nullable\": false, \"nullable\": true",
    ),
    (
        "\"nullable\": false",
        "\"nullable\": false, \"type\": \"Evil\"",
    ),
    (
        "\"nullable\": false",
        "\"nullable\": false, \"why\": \"evil\"",
    ),
    ("\"nullable\": false", "\"nullable\": false, \"why\": null"),
    ("\"nullable\": false, ", ""),
    ("\"table\": \"users\"", "\"table\": null"),
    (
        "\"column\": \"name\"}",
        "\"column\": \"name\", \"labels\": []}",
    ),
    (
        "\"column\": \"name\"}",
        "\"column\": \"name\", \"labels\": [1]}",
    ),
    (
        "\"column\": \"name\"}",
        "\"column\": \"name\", \"labels\": \"on\"}",
    ),
    ("\"name\": \"name\"", "\"name\": \"n\\u0061me\""),
    ("\"name\": \"name\"", "\"name\": \"\\ud800\""),
    ("\"name\": \"name\"", "\"name\": \"\\x41\""),
    ("\"name\": \"name\"", "\"name\": 'name'"),
    ("\"name\": \"name\"", "\"name\": name"),
    ("\"name\": \"name\"", "\"name\": \"a\nb\""),
    ("\"name\": \"name\"", "'name': \"name\""),
    ("FROM users", "FROM admins"),
    ("SELECT name", "select name"),
    ("WHERE id = ?\"", "WHERE id = ?; DROP TABLE users\""),
    ("\"sql\": \"SELECT", "\"sql\": \" SELECT"),
];

pub(crate) fn all() -> Count {
    let mut count = Count::default();
    for (from, to) in CHANGES {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let found = read(&|file| fs::write(file, &text).expect("a file"));
        assert!(
            found.is_none(),
            "{to:?} in the place of {from:?} is accepted"
        );
        count.refused += 1;
    }
    for (what, make) in odd_files() {
        assert!(read(&*make).is_none(), "{what} is accepted");
        count.refused += 1;
    }
    for text in HOSTILE {
        count.add(with_name(text));
    }
    count
}

/// A well-formed entry whose column has a hostile name: what gets past the reader is judged by its tokens.
fn with_name(name: &str) -> Count {
    let named = |name: &str| {
        let mut entry = Entry::parse(GOOD).expect("the good file");
        let column = &mut entry.description.columns[0];
        (column.name, column.column) = (name.to_owned(), Some(name.to_owned()));
        entry
    };
    let text = named(name).to_json();
    let Some(description) = read(&|file| fs::write(file, &text).expect("a file")) else {
        return Count {
            refused: 1,
            literal: 0,
        };
    };
    let harmless = named("harmless").description;
    judge(
        &format!("{name:?}"),
        expanded(CALL, &description),
        expanded(CALL, &harmless),
        &[(name, "harmless")],
    )
}

type Make = Box<dyn Fn(&Path)>;

fn odd_files() -> Vec<(&'static str, Make)> {
    let bytes =
        |bytes: Vec<u8>| -> Make { Box::new(move |file| fs::write(file, &bytes).expect("a file")) };
    let deep = |open: &str, close: &str| {
        bytes(format!("{}{}", open.repeat(50_000), close.repeat(50_000)).into_bytes())
    };
    let huge = |name: usize| {
        GOOD.replace(
            "\"name\": \"name\"",
            &format!("\"name\": \"{}\"", "x".repeat(name)),
        )
        .into_bytes()
    };
    let many = GOOD
        .replace("[null]", &format!("[{}]", vec!["null"; 70_000].join(", ")))
        .into_bytes();
    let utf16 = GOOD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("nothing", bytes(Vec::new())),
        ("white space", bytes(b" \n\t".to_vec())),
        ("one byte", bytes(vec![0xff])),
        (
            "half a character",
            bytes([&GOOD.as_bytes()[..30], &[0xc3]].concat()),
        ),
        (
            "a surrogate in UTF-8",
            bytes(b"{\"format\": \"\xed\xa0\x80\"}".to_vec()),
        ),
        ("UTF-16", bytes(utf16)),
        ("zeros", bytes(vec![0; 4096])),
        ("lists in lists", deep("[", "]")),
        ("objects in objects", deep("{\"a\":", "}")),
        ("a long name", bytes(huge(2000))),
        ("a name of two megabytes", bytes(huge(2 << 20))),
        ("70,000 parameters", bytes(many)),
        (
            "a file of 1 GiB",
            Box::new(|file| {
                fs::File::create(file)
                    .and_then(|open| open.set_len(1 << 30))
                    .expect("a sparse file")
            }),
        ),
        ("a program", bytes(b"#!/bin/sh\nrm -rf /\n".to_vec())),
        (
            "a folder",
            Box::new(|file| fs::create_dir(file).expect("a folder")),
        ),
        (
            "a link to a good file",
            Box::new(|file| {
                let good = file.with_extension("good");
                fs::write(&good, GOOD).expect("a file");
                symlink(good, file).expect("a link");
            }),
        ),
        (
            "a link to a device",
            Box::new(|file| symlink("/dev/zero", file).expect("a link")),
        ),
        (
            "a link to itself",
            Box::new(|file| symlink(file, file).expect("a link")),
        ),
        (
            "a link upwards",
            Box::new(|file| symlink("../../../etc/passwd", file).expect("a link")),
        ),
        (
            "a conflict of Git",
            bytes(format!("<<<<<<< HEAD\n{GOOD}=======\n{GOOD}>>>>>>> theirs\n").into_bytes()),
        ),
    ]
}

/// What the cache says with such a file in it; `None`: refused with a message that names the file and is one.
fn read(make: &dyn Fn(&Path)) -> Option<Description> {
    let house = tempfile::tempdir().expect("a folder");
    let cache = Cache::of(house.path());
    fs::create_dir(cache.folder()).expect("a folder");
    let file = cache.path(SQL);
    make(&file);
    match cache.read(SQL) {
        Ok(description) => description,
        Err(error) => {
            let text = error.to_string();
            assert!(
                text.contains(&file.display().to_string()) && text.len() < 1000,
                "{text}"
            );
            None
        }
    }
}
