use std::path::Path;

use super::*;

fn parsed(which: Macro, tokens: &str) -> Result<Invocation, Vec<String>> {
    let tokens = tokens.parse().unwrap();
    parse(which, tokens, Path::new(env!("CARGO_MANIFEST_DIR"))).map_err(|problems| {
        problems
            .into_iter()
            .map(|problem| problem.message)
            .collect()
    })
}

fn sql(tokens: &str) -> String {
    parsed(Macro::Query, tokens).unwrap().source.sql
}

fn refused(which: Macro, tokens: &str) -> String {
    parsed(which, tokens).unwrap_err().join("\n")
}

fn spaceless(tokens: &TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}

#[test]
fn every_form_of_a_literal_is_sql() {
    for tokens in [
        "\"SELECT 1\"",
        "r\"SELECT 1\"",
        "r#\"SELECT 1\"#,",
        "concat!(\"SELECT\", \" \", 1)",
        "std::concat!(\"SEL\", concat!(\"ECT\", ' '), \"1\",)",
        "\"SELECT \\\n      1\"",
    ] {
        assert_eq!(sql(tokens), "SELECT 1", "{tokens}");
    }
}

#[test]
fn literals_from_macro_rules_are_sql() {
    let literal: TokenTree = proc_macro2::Literal::string("SELECT 1").into();
    let group = |stream: TokenStream| {
        TokenStream::from(TokenTree::from(proc_macro2::Group::new(
            Delimiter::None,
            stream,
        )))
    };
    let tokens = group(group(literal.into()));
    assert_eq!(
        parse(Macro::Query, tokens, Path::new(""))
            .unwrap()
            .source
            .sql,
        "SELECT 1"
    );
}

#[test]
fn what_a_macro_cannot_see_is_refused() {
    for tokens in [
        "QUERY",
        "&sql",
        "format!(\"SELECT {}\", 1)",
        "b\"SELECT 1\"",
        "1",
        "concat!(\"SELECT\", X)",
        "env!(\"SQL\")",
    ] {
        assert!(
            refused(Macro::Query, tokens).starts_with("the SQL must be there while compiling"),
            "{tokens}"
        );
    }
}

#[test]
fn arguments_are_positional_or_named() {
    let call = parsed(
        Macro::Query,
        "\"\", a.b(1, 2), id = user.id, r#type = x, a == b,",
    )
    .unwrap();
    let names: Vec<_> = call
        .args
        .iter()
        .map(|arg| arg.name.as_ref().map(ToString::to_string))
        .collect();
    assert_eq!(
        names,
        [None, Some("id".to_owned()), Some("r#type".to_owned()), None]
    );
    assert_eq!(spaceless(&call.args[1].value), "user.id");
    assert_eq!(spaceless(&call.args[3].value), "a==b");
}

#[test]
fn two_dots_make_a_list() {
    let call = parsed(
        Macro::Query,
        "\"\", ..ids, a..b, names = ..&user.names, ..1..=3",
    )
    .unwrap();
    let lists: Vec<_> = call
        .args
        .iter()
        .map(|arg| (arg.spread, spaceless(&arg.value)))
        .collect();
    let list = |spread, value: &str| (spread, value.to_owned());
    assert_eq!(
        lists,
        [
            list(true, "ids"),
            list(false, "a..b"),
            list(true, "&user.names"),
            list(true, "1..=3")
        ]
    );
    assert_eq!(
        refused(Macro::Query, "\"\", .."),
        "a list is missing behind `..`"
    );
}

#[test]
fn types_come_first() {
    let call = parsed(
        Macro::QueryAs,
        "crate = my::ark, Page<'_, User>, \"SELECT 1\", 7",
    )
    .unwrap();
    assert_eq!(spaceless(&call.driver), "my::ark");
    assert!(matches!(&call.target, Target::Type(tokens) if spaceless(tokens) == "Page<'_,User>"));
    assert!(
        matches!(parsed(Macro::QueryAs, "crate::User, \"SELECT 1\"").unwrap().target, Target::Type(tokens) if spaceless(&tokens) == "crate::User")
    );
}

#[test]
fn what_is_missing_is_said_with_an_example() {
    assert_eq!(
        refused(Macro::Query, ""),
        "the SQL is missing: write query!(\"SELECT … WHERE id = ?\", id)"
    );
    assert_eq!(
        refused(Macro::QueryAs, "User"),
        "the SQL is missing: write query_as!(Type, \"SELECT … WHERE id = ?\", id)"
    );
    assert!(
        refused(Macro::QueryAs, "\"SELECT 1\"")
            .starts_with("the first argument of query_as! is the type of the rows")
    );
    assert!(refused(Macro::QueryFile, "").starts_with("the path of the SQL file is missing"));
}

#[test]
fn all_problems_of_the_arguments_are_told_at_once() {
    let problems = parsed(Macro::Query, "\"SELECT\", ...ids, , x =").unwrap_err();
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert_eq!(problems[0], "a list is spread by two dots: `..ids`");
    assert_eq!(problems[1], "an argument is missing between two commas");
    assert_eq!(problems[2], "a value is missing behind `=`");
}

#[test]
fn files_are_read_from_the_crate_s_folder() {
    let call = parsed(Macro::QueryFile, "\"Cargo.toml\", 1").unwrap();
    assert!(call.source.sql.starts_with("[package]"));
    assert!(call.source.file.unwrap().ends_with("Cargo.toml"));
    let problem = refused(Macro::QueryFile, "\"nothing.sql\"");
    assert!(
        problem.starts_with("cannot read the SQL file `nothing.sql`: ")
            && problem.contains("the folder of Cargo.toml"),
        "{problem}"
    );
}

/// Random token streams give an invocation or problems, never a panic.
#[test]
fn no_tokens_panic() {
    let words = [
        "a",
        ",",
        "=",
        "\"SELECT ?\"",
        "..",
        "crate",
        "<",
        ">",
        "::",
        "(",
        ")",
        "concat",
        "!",
        "'_",
        "&",
        "1",
        "-",
        "as",
        "r\"x\"",
        "include_str!(\"x\")",
    ];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut source = String::new();
        for _ in 0..10 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            source.push_str(words[(state >> 33) as usize % words.len()]);
            source.push(' ');
        }
        let Ok(tokens) = source.parse::<TokenStream>() else {
            continue;
        };
        for which in [Macro::Query, Macro::QueryAs, Macro::QueryFileScalar] {
            _ = parse(which, tokens.clone(), Path::new(""));
        }
    }
}
