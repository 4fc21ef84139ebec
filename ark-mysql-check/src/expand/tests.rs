//! Whole expansions, with descriptions made up here instead of a server's.

use super::*;
use crate::description::{DescribedColumn, DescribedParam, Kind};

/// A statement with these columns; as many parameters as the SQL has placeholders.
fn expanded(which: Macro, tokens: &str, columns: &[(&str, Kind, bool)]) -> String {
    let tokens: TokenStream = tokens.parse().unwrap();
    let columns = columns
        .iter()
        .map(|&(name, kind, nullable)| DescribedColumn {
            why: None,
            name: name.to_owned(),
            kind,
            nullable,
            table: Some("users".to_owned()),
            column: None,
            labels: Vec::new(),
        });
    let columns: Vec<DescribedColumn> = columns.collect();
    let output = expand_with(which, tokens, |sql, _| {
        let params = vec![DescribedParam::default(); sql.params().len()];
        Ok(Described {
            description: Description {
                family: None,
                columns,
                params,
            },
            reasons: Vec::new(),
            types: crate::description::Types::default(),
            rebuild_on: vec![PathBuf::from("/shop/.ark-mysql/1.json")],
        })
    });
    pretty(&output.to_string())
}

fn refused(which: Macro, tokens: &str, error: DescribeError) -> String {
    pretty(&expand_with(which, tokens.parse().unwrap(), |_, _| Err(error)).to_string())
}

/// One statement a line, so that a change shows as a change of few lines.
fn pretty(tokens: &str) -> String {
    let mut lines = String::new();
    let mut depth = 0usize;
    let mut in_text = false;
    for char in tokens.chars() {
        in_text ^= char == '"';
        depth = if char == '}' && !in_text {
            depth.saturating_sub(1)
        } else {
            depth
        };
        if lines.ends_with('\n') {
            if char == ' ' {
                continue;
            }
            lines.push_str(&"    ".repeat(depth));
        }
        lines.push(char);
        if matches!(char, '{' | '}' | ';') && !in_text {
            lines.push('\n');
        }
        depth += usize::from(char == '{' && !in_text);
    }
    lines
}

const USERS: &[(&str, Kind, bool)] = &[
    ("id", Kind::BigIntUnsigned, false),
    ("email", Kind::Text, true),
    ("type", Kind::TinyInt, false),
];

#[test]
fn a_query_with_parameters() {
    insta::assert_snapshot!(expanded(
        Macro::Query,
        "\"SELECT id, email, type FROM users WHERE id = ? AND org = ?\", id, user.org",
        USERS
    ));
}

#[test]
fn rows_of_a_given_type_that_borrows() {
    insta::assert_snapshot!(expanded(
        Macro::QueryAs,
        "crate = my::ark, UserRef<'_>, \"SELECT id, email, type FROM users\"",
        USERS
    ));
}

#[test]
fn a_scalar() {
    insta::assert_snapshot!(expanded(
        Macro::QueryScalar,
        "\"SELECT COUNT(*) FROM users\"",
        &[("COUNT(*)", Kind::BigInt, false)]
    ));
}

#[test]
fn a_given_value() {
    insta::assert_snapshot!(expanded(
        Macro::QueryAs,
        "Option<&str>, \"SELECT email FROM users\"",
        &[("email", Kind::Text, true)]
    ));
}

#[test]
fn overrides_in_aliases() {
    let columns = [
        ("id!: UserId", Kind::BigIntUnsigned, true),
        ("name?", Kind::Text, false),
    ];
    insta::assert_snapshot!(expanded(
        Macro::Query,
        "\"SELECT id AS `id!: UserId`, name AS `name?` FROM users\"",
        &columns
    ));
}

/// In the closure they would be dropped before the query runs, and `?` and `await` would not be the caller's.
#[test]
fn beside_a_value_that_is_needed_twice_all_are_evaluated_outside() {
    let call = "\"UPDATE t SET a = :a, b = :b WHERE a = :a\", a = next(), b = later().await?";
    let found = expanded(Macro::Query, call, &[]).replace(char::is_whitespace, "");
    assert!(
        found.contains("|(value_of_a,value_1,value_of_a,))(&(next()),&(later().await?))"),
        "{found}"
    );
}

#[test]
fn a_statement_without_rows_and_with_many_named_parameters() {
    let sets: Vec<String> = (0..18)
        .map(|number| {
            format!(
                "c{number} = :{}",
                if number % 2 == 0 { "even" } else { "odd" }
            )
        })
        .collect();
    let call = format!("\"UPDATE t SET {}\", odd = next(), even", sets.join(", "));
    insta::assert_snapshot!(expanded(Macro::Query, &call, &[]));
    assert_eq!(
        expanded(Macro::Query, &call, &[]),
        expanded(Macro::Query, &call.replace(", even", ""), &[]),
        "from scope"
    );
    let refused = expanded(Macro::Query, &call.replace(", even", ", 1 + 1"), &[]);
    assert!(refused.contains("write `name = value`"), "{refused}");
}

#[test]
fn a_file() {
    let call = "\"src/expand/tests.rs\"";
    assert!(
        expanded(Macro::QueryFile, call, &[]).contains("compile_error"),
        "Rust is no SQL"
    );
    let file = expanded(
        Macro::QueryFileScalar,
        "\"testdata/count.sql\"",
        &[("n", Kind::BigInt, false)],
    );
    assert!(
        file.contains("include_bytes ! (\"") && file.contains("testdata/count.sql\")"),
        "{file}"
    );
    assert!(
        file.contains("sql : \"SELECT COUNT(*) AS n FROM users\\n\""),
        "{file}"
    );
}

#[test]
fn a_refused_statement() {
    let error = DescribeError::Server {
        code: 1146,
        sql_state: "42S02".to_owned(),
        message: "Table 'shop.usrs' doesn't exist".to_owned(),
        nearest: None,
    };
    insta::assert_snapshot!(refused(
        Macro::Query,
        "\"SELECT id FROM usrs WHERE id = ?\", id",
        error.clone()
    ));
    let both = refused(Macro::Query, "\"SELECT id FROM usrs WHERE id = ?\"", error);
    assert_eq!(
        both.matches("compile_error").count(),
        2,
        "the missing argument and the missing table: {both}"
    );
}

#[test]
fn what_describe_says_is_passed_on() {
    let refused = refused(
        Macro::Query,
        "\"SELECT 1\"",
        DescribeError::NoDatabase("set DATABASE_URL".to_owned().into()),
    );
    assert_eq!(refused, ":: core :: compile_error ! (\"set DATABASE_URL\")");
}

#[test]
fn a_count_that_differs_from_the_server_s_is_refused() {
    let description = Description {
        family: None,
        columns: Vec::new(),
        params: Vec::new(),
    };
    let tokens = "\"UPDATE t SET a = ?\", 1".parse().unwrap();
    let output = expand_with(Macro::Query, tokens, |_, _| {
        Ok(Described {
            description,
            reasons: Vec::new(),
            types: crate::description::Types::default(),
            rebuild_on: Vec::new(),
        })
    });
    assert!(
        output
            .to_string()
            .contains("the server counts 0 parameters in this statement, ark-mysql counts 1"),
        "{output}"
    );
}

#[test]
fn rows_are_wanted_where_there_are_none() {
    let scalar = expanded(Macro::QueryScalar, "\"DELETE FROM users\"", &[]);
    assert!(
        scalar.contains("query_scalar! wants rows, and this statement returns none"),
        "{scalar}"
    );
    let returning = expanded(
        Macro::Query,
        "\"INSERT INTO users (id) VALUES (1) RETURNING id\"",
        &[],
    );
    assert!(
        returning.contains("MariaDB tells the columns of RETURNING only when the statement runs"),
        "{returning}"
    );
    let two = expanded(
        Macro::QueryAs,
        "i64, \"SELECT id, type FROM users\"",
        &USERS[..2],
    );
    assert!(two.contains("this one has 2: `id`, `email`"), "{two}");
}

#[test]
fn a_type_in_an_alias_is_a_type_and_nothing_else() {
    for hostile in [
        "i64; fn f() {}",
        "a b",
        "{ 1 }",
        "x!()",
        "#[x] y",
        "A = B",
        "A,",
    ] {
        let wire = format!("id: {hostile}");
        let call = format!("\"SELECT id AS `{wire}` FROM users\"");
        let output = expanded(Macro::Query, &call, &[(&wire, Kind::BigInt, false)]);
        assert!(output.contains("is not a Rust type"), "{hostile}: {output}");
    }
}

/// The driver's macro takes them by groups of 16, and no more than 126.
#[test]
fn a_hundred_columns() {
    let output = many_columns(126);
    assert_eq!(
        output.matches("(ark :: i32) NotNull Int value_").count(),
        126
    );
    assert!(output.contains("c16 \"c16\""), "{output}");
    assert_eq!(output.matches("} {").count(), 7, "{output}");
    let output = many_columns(130);
    assert_eq!(output.matches("pub c").count(), 130);
    assert!(output.contains("[252 , 255 , 255"), "{output}");
}

fn many_columns(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|number| format!("c{number}")).collect();
    let columns: Vec<(&str, Kind, bool)> = names
        .iter()
        .map(|name| (name.as_str(), Kind::Int, false))
        .collect();
    let sql = format!("\"SELECT {} FROM t\"", names.join(", "));
    let output = expanded(Macro::Query, &sql, &columns);
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}
