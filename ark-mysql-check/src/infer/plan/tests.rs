use super::*;

fn described(names: &[&str]) -> Description {
    let columns = names.iter().map(|name| DescribedColumn {
        why: None,
        name: (*name).to_owned(),
        kind: Kind::Int,
        nullable: true,
        table: Some("t".to_owned()),
        column: Some("c".to_owned()),
        labels: Vec::new(),
    });
    Description {
        family: None,
        columns: columns.collect(),
        params: Vec::new(),
    }
}

fn problems(sql: &str, names: &[&str]) -> Vec<String> {
    plan(
        &described(names),
        &Sql::parse(sql).unwrap(),
        &Types::default(),
        true,
    )
    .unwrap_err()
}

#[test]
fn overrides_count_when_they_stand_in_the_sql() {
    let sql = Sql::parse("SELECT a AS `a!: Id`, b FROM t").unwrap();
    let plan = plan(&described(&["a!: Id", "b"]), &sql, &Types::default(), true).unwrap();
    let a = &plan.columns[0];
    assert_eq!(
        (
            a.name.as_str(),
            a.wire.as_str(),
            a.nullable,
            a.rust.as_ref().map(|asked| (asked.rust.as_str(), asked.by))
        ),
        ("a", "a!: Id", false, Some(("Id", AskedBy::Alias)))
    );
    assert!(plan.columns[1].nullable);
}

#[test]
fn a_type_that_is_not_in_the_sql_is_never_used() {
    let found = problems("SELECT * FROM t", &["a: std::process::abort"]);
    assert!(
        found[0].contains("cannot be the name of a field"),
        "{found:?}"
    );
}

/// Servers call an expression by its text, and a literal by what it holds.
#[test]
fn an_expression_without_an_alias_says_nothing() {
    for (sql, name) in [
        (
            "SELECT DATE_FORMAT(d, '%H:%i') FROM t",
            "DATE_FORMAT(d, '%H:%i')",
        ),
        ("SELECT score = ? FROM t", "score = ?"),
        ("SELECT :now", "?"),
        ("SELECT 'a: b'", "a: b"),
        ("SELECT DISTINCT 'really?' FROM t", "really?"),
        ("SELECT id, \"on!\" FROM t", "on!"),
        ("SELECT 'yes' 'no!'", "no!"),
        ("SELECT JSON_EXTRACT(j, '$.a') -> '$.b?' FROM t", "$.b?"),
    ] {
        let plan = plan(
            &described(&[name]),
            &Sql::parse(sql).unwrap(),
            &Types::default(),
            false,
        )
        .unwrap();
        let column = &plan.columns[0];
        assert_eq!(
            (column.name.as_str(), column.rust.is_none(), column.nullable),
            (name, true, true),
            "{sql}"
        );
    }
}

#[test]
fn aliases_say_something_in_each_kind_of_quotes() {
    for sql in [
        "SELECT a AS `n!: Id` FROM t",
        "SELECT a `n!: Id` FROM t",
        "SELECT a AS ` n!: Id` FROM t",
        "SELECT a AS 'n!: Id' FROM t",
        "SELECT COUNT(*) \"n!: Id\" FROM t",
        "SELECT 1 \"n!: Id\" FROM t",
        "SELECT 'a' as \"n!: Id\" FROM t",
        "SELECT * FROM (SELECT a AS \"n!: Id\" FROM t) s",
    ] {
        let plan = plan(
            &described(&["n!: Id"]),
            &Sql::parse(sql).unwrap(),
            &Types::default(),
            true,
        )
        .unwrap();
        let column = &plan.columns[0];
        assert_eq!(
            (column.name.as_str(), column.rust.is_some(), column.nullable),
            ("n", true, false),
            "{sql}"
        );
    }
}

#[test]
fn the_alias_wins_over_the_column_over_the_sql_type() {
    let rust = |rust: &str, line| RustType {
        rust: rust.to_owned(),
        line,
    };
    let mut types = Types::default();
    types.add_kind(Kind::Int, rust("OfType", 1));
    let asked = |sql: &str, name: &str, types: &Types| {
        let plan = plan(&described(&[name]), &Sql::parse(sql).unwrap(), types, true);
        let asked = plan.unwrap().columns.remove(0).rust;
        asked.map(|asked| (asked.rust, asked.by))
    };
    let is = |rust: &str, by| Some((rust.to_owned(), by));
    assert_eq!(
        asked("SELECT c FROM t", "c", &types),
        is("OfType", AskedBy::SqlType(1))
    );
    types.add_column("T", "C", rust("OfColumn", 2));
    assert_eq!(
        asked("SELECT c FROM t", "c", &types),
        is("OfColumn", AskedBy::Column(2))
    );
    let alias = "SELECT c AS `c: OfAlias` FROM t";
    assert_eq!(
        asked(alias, "c: OfAlias", &types),
        is("OfAlias", AskedBy::Alias)
    );
    assert_eq!(asked("SELECT c AS `c: _` FROM t", "c: _", &types), None);
}

#[test]
fn names_that_cannot_be_fields() {
    let found = problems("SELECT COUNT(id), 1 FROM t", &["COUNT(id)", "1"]);
    assert_eq!(
        found,
        [
            "column 1 is called `COUNT(id)`, column 2 is called `1`, and fields cannot have such names: give each of them an alias, \
          such as `AS count_id`\n  |\n1 | SELECT COUNT(id), 1 FROM t\n  |        ^^^^^^^^^  ^"
        ]
    );
    let found = problems("SELECT :a FROM t", &["?"]);
    assert!(
        found[0].ends_with("1 | SELECT :a FROM t\n  |        ^^"),
        "{found:?}"
    );
}

#[test]
fn names_that_come_twice() {
    let found = problems("SELECT a.id, b.id FROM a, b", &["id", "id"]);
    assert!(found[0].starts_with("two columns are called `id`: column 1 (t.c) and column 2 (t.c). Give one an alias, such as `AS t_id`"), "{found:?}");
}

/// Case 93: names that are keywords, and names that are none of Rust's.
#[test]
fn case_93_names() {
    let sql = "SELECT type, self, `2nd`, `a-b`, COUNT(id), '' , ?, t.id, u.id, `Self` FROM t, u";
    let names = [
        "type",
        "self",
        "2nd",
        "a-b",
        "COUNT(id)",
        "",
        "?",
        "id",
        "id",
        "Self",
    ];
    let found = problems(sql, &names).join("\n");
    for told in [
        "column 2 is called `self`",
        "column 3 is called `2nd`",
        "column 4 is called `a-b`",
        "column 5 is called `COUNT(id)`",
        "column 6 has no name",
        "column 7 is called `?`",
        "column 10 is called `Self`",
        "two columns are called `id`: column 8 (t.c) and column 9 (t.c)",
    ] {
        assert!(found.contains(told), "{told}: {found}");
    }
    assert!(!found.contains("`type`"), "{found}");
    assert_eq!(names::field_ident("type").as_deref(), Some("r#type"));
}
