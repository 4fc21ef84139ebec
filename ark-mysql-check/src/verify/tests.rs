use super::*;
use crate::description::{Against, Description};
use crate::settings::scratch::Scratch;

const SQL: &str = "SELECT id, name FROM users WHERE name IS NOT NULL AND org = ?";

fn described() -> Description {
    let column = |name: &str, kind| DescribedColumn {
        name: name.to_owned(),
        kind,
        nullable: false,
        why: None,
        table: Some("users".to_owned()),
        column: Some(name.to_owned()),
        labels: Vec::new(),
    };
    Description {
        family: None,
        columns: vec![column("id", Kind::Int), column("name", Kind::Text)],
        params: vec![DescribedParam {
            against: Some(Against {
                kind: Kind::Int,
                usage: Usage::Compared,
                table: Some("users".to_owned()),
                column: Some("org".to_owned()),
                labels: Vec::new(),
            }),
        }],
    }
}

fn expanded(scratch: &Scratch, tokens: &str, recorded: bool) -> String {
    let tokens = tokens.parse().unwrap();
    let text = expand_with(tokens, scratch.path(), recorded).to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn statements_come_from_the_cache() {
    let scratch = Scratch::new("verify");
    let cache = Cache::of(scratch.path());
    cache.write(SQL, &described()).unwrap();
    let session = SessionSettings {
        sql_mode: vec!["ANSI_QUOTES"],
        lower_case_table_names: 0,
    };
    cache.write_session(&session).unwrap();
    let text = expanded(&scratch, "&pool", false);
    for part in [
        ":: ark_mysql :: __private :: verify_schema (& pool ,",
        "sql : \"SELECT id, name FROM users WHERE name IS NOT NULL AND org = ?\"",
        "\"SELECT * FROM `users`\"",
        "sql_mode : & [\"ANSI_QUOTES\"]",
        "session.json",
        &cache.path(SQL).display().to_string(),
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    // The SQL keeps `name` from being NULL, only the table `id`.
    assert_eq!(text.matches("by_declaration : true").count(), 1, "{text}");
}

#[test]
fn without_a_cache_it_says_so_but_lets_prepare_pass() {
    let scratch = Scratch::new("verify-none");
    let text = expanded(&scratch, "&pool", false);
    assert!(
        text.contains("compile_error") && text.contains("cargo ark-mysql prepare"),
        "{text}"
    );
    let text = expanded(&scratch, "crate = my::db, &pool", true);
    assert!(
        text.starts_with("my :: db :: __private :: verify_schema"),
        "{text}"
    );
    for call in ["", "&pool, 1"] {
        assert!(expanded(&scratch, call, true).contains("verify_schema!(&pool)"));
    }
}

#[test]
fn a_damaged_cache_is_named() {
    let scratch = Scratch::new("verify-damaged");
    let cache = Cache::of(scratch.path());
    cache.write(SQL, &described()).unwrap();
    std::fs::rename(cache.path(SQL), cache.path("SELECT 1")).unwrap();
    let text = expanded(&scratch, "&pool", false);
    assert!(text.contains("describes another statement"), "{text}");
}
