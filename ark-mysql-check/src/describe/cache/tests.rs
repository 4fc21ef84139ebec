use super::*;
use crate::description::{Against, DescribedColumn, DescribedParam, Family, Kind, Usage};
use crate::settings::scratch::Scratch;

const SQL: &str = "SELECT id, COUNT(*) AS \"n!\" FROM users WHERE id = ? AND name = ?";

fn users() -> Description {
    let column = |name: &str, kind, nullable, table: Option<&str>| DescribedColumn {
        why: None,
        name: name.to_owned(),
        kind,
        nullable,
        table: table.map(str::to_owned),
        column: table.map(|_| name.to_owned()),
        labels: Vec::new(),
    };
    Description {
        family: None,
        columns: vec![
            column("id", Kind::BigIntUnsigned, false, Some("users")),
            column("n!", Kind::BigInt, true, None),
        ],
        params: vec![
            DescribedParam::default(),
            DescribedParam {
                against: Some(Against {
                    kind: Kind::Text,
                    usage: Usage::Compared,
                    table: Some("users".to_owned()),
                    column: Some("name".to_owned()),
                    labels: Vec::new(),
                }),
            },
        ],
    }
}

fn users_json() -> String {
    Entry {
        sql: SQL.to_owned(),
        description: users(),
    }
    .to_json()
}

#[test]
fn the_text_is_fixed_to_the_byte() {
    let expected = r#"{
  "format": 1,
  "sql": "SELECT id, COUNT(*) AS \"n!\" FROM users WHERE id = ? AND name = ?",
  "columns": [
    {"name": "id", "kind": "BigIntUnsigned", "nullable": false, "table": "users", "column": "id"},
    {"name": "n!", "kind": "BigInt", "nullable": true}
  ],
  "params": [
    null,
    {"kind": "Text", "use": "compared", "table": "users", "column": "name"}
  ]
}
"#;
    assert_eq!(users_json(), expected);
    let nothing = Description {
        family: Some(Family::MariaDb),
        columns: vec![],
        params: vec![],
    };
    let text = Entry {
        sql: "DO 1".to_owned(),
        description: nothing,
    }
    .to_json();
    assert_eq!(
        text,
        "{\n  \"format\": 1,\n  \"family\": \"mariadb\",\n  \"sql\": \"DO 1\",\n  \"columns\": [],\n  \"params\": []\n}\n"
    );
}

#[test]
fn what_was_written_is_read() {
    for sql in [SQL, "", "SELECT 'a\n\t\\ \u{202e}\u{1f600}\u{7f}'"] {
        for description in [
            users(),
            Description {
                family: Some(Family::MySql),
                columns: vec![],
                params: vec![],
            },
        ] {
            let entry = Entry {
                sql: sql.to_owned(),
                description,
            };
            assert_eq!(Entry::parse(&entry.to_json()), Ok(entry));
        }
    }
}

#[test]
fn invisible_characters_are_written_as_escapes() {
    let entry = Entry {
        sql: "SELECT '\u{202e}\u{e0041}'".to_owned(),
        description: users(),
    };
    assert!(entry.to_json().contains(r#""SELECT '\u202e\udb40\udc41'""#));
}

#[test]
fn a_formatter_or_git_may_change_white_space() {
    let text = users_json();
    assert!(Entry::parse(&text.replace('\n', "\r\n")).is_ok());
    assert!(
        Entry::parse(
            &text
                .replace(", \"", ",\n            \"")
                .replace("\": ", "\" : ")
        )
        .is_ok()
    );
}

#[test]
fn whatever_prepare_would_not_write_is_refused() {
    let good = users_json();
    let refuse = |from: &str, to: &str| {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "`{from}` is not in the text");
        Entry::parse(&text).expect_err(to)
    };
    assert!(refuse("\"BigInt\"", "\"std::process::exit\"").contains("kind that does not exist"));
    assert!(refuse("\"BigInt\"", "7").contains("\"kind\" is missing or no string"));
    assert!(refuse("\"format\": 1", "\"format\": 2").contains("format"));
    assert!(
        refuse("\"format\": 1,", "\"format\": 1, \"rust\": \"evil()\",")
            .contains("does not belong")
    );
    assert!(
        refuse(
            "\"nullable\": true}",
            "\"nullable\": true, \"type\": \"x\"}"
        )
        .contains("does not belong")
    );
    assert!(
        refuse(
            "\"nullable\": true",
            "\"nullable\": false, \"nullable\": true"
        )
        .contains("a key stands twice")
    );
    assert!(refuse("\"nullable\": true", "\"nullable\": 1").contains("nullable"));
    assert!(
        refuse(
            "\"name\": \"n!\", \"kind\": \"BigInt\"",
            "\"kind\": \"BigInt\", \"name\": \"n!\""
        )
        .contains("does not belong")
    );
    assert!(refuse("users", "u\\u0073ers").contains("does not belong"));
    assert!(refuse("    null,", "    1,").contains("\"use\" is missing"));
    assert!(refuse("    null,", "    {},").contains("\"use\" is missing"));
    assert!(refuse("\"compared\"", "\"eaten\"").contains("none that exists"));
    assert!(refuse("\"compared\"", "\"stored\"").contains("\"nullable\" is missing"));
    assert!(
        refuse(
            "\"use\": \"compared\"",
            "\"use\": \"compared\", \"nullable\": true"
        )
        .contains("does not belong")
    );
    assert!(refuse("\"params\": [", "\"params\": null, \"x\": [").contains("no list"));
    assert!(refuse("\"sql\"", "\"family\": \"oracle\",\n\"sql\"").contains("family"));
    assert!(refuse("\"id\"", &format!("\"{}\"", "x".repeat(2000))).contains("longer than"));
    assert!(refuse("}\n", "} {}").contains("cannot be read"));
    assert!(Entry::parse("").unwrap_err().contains("cannot be read"));
    assert!(Entry::parse("[]").unwrap_err().contains("format"));
    assert!(
        Entry::parse(&"[".repeat(100_000))
            .unwrap_err()
            .contains("cannot be read")
    );
}

#[test]
fn every_cut_of_a_file_is_refused() {
    let text = users_json();
    for end in 0..text.len() - 1 {
        let cut = &text[..end];
        assert!(
            cut.trim_end() == text.trim_end() || Entry::parse(cut).is_err(),
            "{cut}"
        );
    }
}

#[test]
fn writes_once_and_reads_back() {
    let scratch = Scratch::new("cache");
    let cache = Cache::of(scratch.path());
    assert_eq!(cache.read(SQL), Ok(None));
    assert_eq!(cache.files(), Ok(vec![]));
    assert_eq!(cache.write(SQL, &users()), Ok(Written::Changed));
    assert_eq!(cache.write(SQL, &users()), Ok(Written::Unchanged));
    assert_eq!(cache.read(SQL), Ok(Some(users())));
    assert_eq!(cache.files(), Ok(vec![cache.path(SQL)]));
    assert_eq!(
        fs::read_dir(cache.folder()).unwrap().count(),
        1,
        "no temporary file stays"
    );
    fs::write(cache.path(SQL), "{").unwrap();
    assert_eq!(
        cache.write(SQL, &users()),
        Ok(Written::Changed),
        "a damaged entry is replaced"
    );
    cache.remove(&cache.path(SQL)).unwrap();
    assert_eq!(cache.read(SQL), Ok(None));
}

#[test]
fn the_sql_must_be_the_one_that_was_asked_for() {
    let scratch = Scratch::new("cache-other");
    let cache = Cache::of(scratch.path());
    cache.write("SELECT 2", &users()).unwrap();
    fs::rename(cache.path("SELECT 2"), cache.path("SELECT 1")).unwrap();
    let error = cache.read("SELECT 1").unwrap_err();
    assert_eq!(error.problem, CacheProblem::OtherStatement);
    assert!(
        error.to_string().contains("run `cargo ark-mysql prepare`"),
        "{error}"
    );
}

#[test]
fn large_files_and_other_bytes_are_refused() {
    let scratch = Scratch::new("cache-large");
    let cache = Cache::of(scratch.path());
    fs::create_dir(cache.folder()).unwrap();
    fs::write(cache.path(SQL), " ".repeat(2 << 20)).unwrap();
    assert!(
        cache
            .read(SQL)
            .unwrap_err()
            .to_string()
            .contains("larger than 1 MiB")
    );
    fs::write(cache.path(SQL), [0xff]).unwrap();
    assert!(
        cache
            .read(SQL)
            .unwrap_err()
            .to_string()
            .contains("not UTF-8")
    );
    fs::remove_file(cache.path(SQL)).unwrap();
    fs::create_dir(cache.path(SQL)).unwrap();
    assert_eq!(cache.read(SQL).unwrap_err().problem, CacheProblem::NotAFile);
}

#[cfg(unix)]
#[test]
fn links_are_refused() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("cache-link");
    let cache = Cache::of(scratch.path());
    fs::create_dir(cache.folder()).unwrap();
    scratch.write("outside.json", &users_json());
    symlink(scratch.path().join("outside.json"), cache.path(SQL)).unwrap();
    assert_eq!(cache.read(SQL).unwrap_err().problem, CacheProblem::NotAFile);
    assert_eq!(
        cache.write(
            SQL,
            &Description {
                family: None,
                columns: vec![],
                params: vec![]
            }
        ),
        Ok(Written::Changed)
    );
    assert_eq!(
        fs::read_to_string(scratch.path().join("outside.json")).unwrap(),
        users_json(),
        "the link was replaced, not followed"
    );

    let other = Scratch::new("cache-link-folder");
    symlink(cache.folder(), other.path().join(FOLDER)).unwrap();
    assert_eq!(
        Cache::of(other.path()).files().unwrap_err().problem,
        CacheProblem::NotAFile
    );
    assert!(Cache::of(other.path()).write(SQL, &users()).is_err());
}

#[test]
fn line_ends_of_windows_are_no_difference() {
    let scratch = Scratch::new("cache-windows");
    let cache = Cache::of(scratch.path());
    cache.write(SQL, &users()).unwrap();
    let text = users_json().replace('\n', "\r\n");
    fs::write(cache.path(SQL), &text).unwrap();
    assert_eq!(cache.read(SQL), Ok(Some(users())));
    assert_eq!(cache.write(SQL, &users()), Ok(Written::Unchanged));
    assert_eq!(fs::read_to_string(cache.path(SQL)).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn the_mode_of_a_file_is_fixed() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new("cache-mode");
    let cache = Cache::of(scratch.path());
    cache.write(SQL, &users()).unwrap();
    fs::set_permissions(cache.path(SQL), fs::Permissions::from_mode(0o600)).unwrap();
    let nothing = Description {
        family: None,
        columns: vec![],
        params: vec![],
    };
    cache.write(SQL, &nothing).unwrap();
    let mode = fs::metadata(cache.path(SQL)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn unusual_settings_of_a_server_stand_beside_the_entries() {
    let scratch = Scratch::new("cache-session");
    let cache = Cache::of(scratch.path());
    let usual = SessionSettings::default();
    let unusual = SessionSettings {
        sql_mode: vec!["ANSI_QUOTES"],
        lower_case_table_names: 1,
    };
    assert_eq!(cache.session(), Ok(usual.clone()));
    assert_eq!(cache.write_session(&usual), Ok(Written::Unchanged));
    assert!(!cache.folder().exists());
    assert_eq!(cache.write_session(&unusual), Ok(Written::Changed));
    assert_eq!(cache.write_session(&unusual), Ok(Written::Unchanged));
    assert_eq!(cache.session(), Ok(unusual));
    assert_eq!(cache.files(), Ok(vec![]), "it is no entry");
    fs::write(cache.session_path(), "{}").unwrap();
    assert!(cache.session().is_err());
    assert_eq!(cache.write_session(&usual), Ok(Written::Changed));
    assert!(!cache.session_path().exists());
}
