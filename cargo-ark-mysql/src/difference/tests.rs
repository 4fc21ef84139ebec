use ark_mysql_check::description::RustType;

use super::*;

fn differences(old: &Description, new: &Description) -> Vec<Change> {
    super::differences("SELECT 1", old, new, &Types::default())
}

use ark_mysql_check::description::Kind;

fn column(name: &str, kind: Kind, nullable: bool) -> DescribedColumn {
    DescribedColumn {
        why: None,
        name: name.to_owned(),
        kind,
        nullable,
        table: Some("t".to_owned()),
        column: Some(name.to_owned()),
        labels: Vec::new(),
    }
}

fn described(columns: Vec<DescribedColumn>, params: usize) -> Description {
    Description {
        family: None,
        columns,
        params: vec![DescribedParam::default(); params],
    }
}

#[test]
fn the_same_has_no_difference() {
    let one = described(vec![column("a", Kind::Int, false)], 1);
    assert!(differences(&one, &one.clone()).is_empty());
    let mut other = one.clone();
    other.family = Some(Family::MariaDb);
    assert!(differences(&one, &other).is_empty());
}

#[test]
fn every_difference_is_named() {
    let old = described(
        vec![
            column("a", Kind::Int, false),
            column("b", Kind::Text, true),
            column("c", Kind::Date, true),
        ],
        1,
    );
    let mut new = described(
        vec![
            column("a", Kind::BigInt, true),
            column("bb", Kind::Text, true),
        ],
        2,
    );
    new.family = Some(Family::MariaDb);
    assert_eq!(
        differences(&old, &new)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        [
            "t.a: i32 → Option<i64>",
            "column 2: `b` → `bb`",
            "origin of column 2 `bb`: t.b → t.bb",
            "column 3 `c`: DATE NULL → gone",
            "number of parameters: 1 → 2",
            "described by: any server → MariaDB",
        ]
    );
}

fn against(kind: Kind, usage: Usage) -> DescribedParam {
    DescribedParam {
        against: Some(Against {
            kind,
            usage,
            table: Some("t".to_owned()),
            column: Some("a".to_owned()),
            labels: Vec::new(),
        }),
    }
}

#[test]
fn a_parameter_changes_as_its_column_does() {
    let text = |old, new| param(0, &old, &new, &Types::default()).to_string();
    let (int, big) = (Kind::Int, Kind::BigInt);
    assert_eq!(
        text(against(int, Usage::Compared), against(big, Usage::Compared)),
        "t.a: i32 → i64"
    );
    let stored = |nullable| against(int, Usage::Stored { nullable });
    assert_eq!(text(stored(true), stored(false)), "t.a: Option<i32> → i32");
    assert_eq!(
        text(DescribedParam::default(), against(int, Usage::Compared)),
        "parameter 1: any → compared with t.a, INT"
    );
}

#[test]
fn types_that_are_one_in_rust_are_told_in_sql() {
    let old = column("a", Kind::Text, true);
    let new = column("a", Kind::Enum, true);
    let text = super::column(0, &old, &new, None)[0].to_string();
    assert_eq!(text, "t.a: CHAR/VARCHAR/TEXT NULL → ENUM NULL");
}

#[test]
fn types_that_somebody_asked_for_are_told() {
    let mut types = Types::default();
    let rust = |rust: &str| RustType {
        rust: rust.to_owned(),
        line: 1,
    };
    types.add_column("t", "id", rust("crate::Id"));
    types.add_kind(Kind::Int, rust("crate::Whole"));
    let told = |sql: &str, old: DescribedColumn, new: DescribedColumn| {
        let (old, new) = (described(vec![old], 0), described(vec![new], 0));
        let all = super::differences(sql, &old, &new, &types);
        all.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let change = |name: &str, kind: (Kind, Kind), nullable: (bool, bool)| {
        (
            column(name, kind.0, nullable.0),
            column(name, kind.1, nullable.1),
        )
    };
    let wider = (Kind::Int, Kind::BigInt);
    let (old, new) = change("id", wider, (false, false));
    assert_eq!(
        told("SELECT id FROM t", old, new),
        ["t.id: INT NOT NULL → BIGINT NOT NULL (`crate::Id` in Rust)"]
    );
    let (old, new) = change("id", wider, (false, true));
    assert_eq!(
        told("SELECT id FROM t", old, new),
        ["t.id: crate::Id → Option<crate::Id>"]
    );
    let (old, new) = change("n", wider, (false, false));
    assert_eq!(
        told("SELECT n FROM t", old, new),
        ["t.n: crate::Whole → i64"]
    );
    let (old, new) = change("n!: Score", wider, (false, true));
    assert_eq!(
        told("SELECT n AS `n!: Score` FROM t", old, new),
        ["t.n!: Score: INT NOT NULL → BIGINT NULL (`Score` in Rust)"]
    );
    let mut old = described(Vec::new(), 0);
    let mut new = old.clone();
    for (description, kind) in [(&mut old, Kind::Int), (&mut new, Kind::BigInt)] {
        let mut param = against(kind, Usage::Compared);
        if let Some(against) = &mut param.against {
            (against.table, against.column) = (Some("t".to_owned()), Some("id".to_owned()));
        }
        description.params.push(param);
    }
    assert_eq!(
        super::differences("SELECT 1 FROM t WHERE id = ?", &old, &new, &types)[0].to_string(),
        "t.id: INT NOT NULL → BIGINT NOT NULL (`crate::Id` in Rust)"
    );
}
