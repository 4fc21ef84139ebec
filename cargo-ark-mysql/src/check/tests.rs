use std::path::PathBuf;

use ark_mysql_check::description::{DescribedColumn, Description, Kind, Place};
use ark_mysql_check::record::{By, Record};

use super::*;
use crate::workspace::Member;

/// A workspace of one package in a folder of its own.
struct House {
    _folder: tempfile::TempDir,
    workspace: Workspace,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let member = Member {
            name: "app".to_owned(),
            manifest_dir: folder.path().to_owned(),
            has_features: false,
        };
        let workspace = Workspace {
            members: vec![member],
            target: folder.path().join("target"),
        };
        Self {
            _folder: folder,
            workspace,
        }
    }

    fn cached(self, sql: &str, kind: Kind) -> Self {
        let cache = self.workspace.members[0].cache();
        cache.write(sql, &described(kind)).unwrap();
        self
    }

    fn record(&self, line: usize, sql: &str, outcome: Result<Description, String>) -> Record {
        let place = Place {
            manifest_dir: self.workspace.members[0].manifest_dir.clone(),
            package: "app".to_owned(),
            file: "src/main.rs".to_owned(),
            line,
        };
        let sql = sql.to_owned();
        Record {
            place,
            sql,
            by: By::Server,
            outcome,
        }
    }

    fn findings(&self, records: Vec<Record>, live: bool, complete: bool) -> Vec<(String, bool)> {
        let sum = Sum {
            live,
            complete,
            ..Sum::default()
        };
        let packages = by_package(&self.workspace, records);
        let found = findings_of(&packages[0], &sum).unwrap();
        found
            .into_iter()
            .map(|finding| {
                let text = show::text(std::slice::from_ref(&finding));
                (text.trim_end().to_owned(), finding.repairable)
            })
            .collect()
    }
}

fn described(kind: Kind) -> Description {
    let column = DescribedColumn {
        why: None,
        name: "id".to_owned(),
        kind,
        nullable: false,
        table: None,
        column: None,
        labels: Vec::new(),
    };
    Description {
        family: None,
        columns: vec![column],
        params: vec![],
    }
}

#[test]
fn what_agrees_is_no_finding() {
    let house = House::new().cached("SELECT 1", Kind::BigInt);
    let record = house.record(1, "SELECT 1", Ok(described(Kind::BigInt)));
    assert!(house.findings(vec![record], true, true).is_empty());
}

#[test]
fn a_stale_entry_names_statement_place_column_and_both_types() {
    let house = House::new().cached("SELECT\n  1", Kind::BigInt);
    let records = [3, 9].map(|line| house.record(line, "SELECT\n  1", Ok(described(Kind::Int))));
    let found = house.findings(records.to_vec(), true, true);
    let text =
        "column 1 `id`: i64 → i32 in 1 statement (src/main.rs:3, src/main.rs:9)\n    SELECT 1";
    assert_eq!(found, [(text.to_owned(), true)]);
}

#[test]
fn a_statement_that_the_server_refuses_is_not_put_right_by_prepare() {
    let house = House::new().cached("SELECT x", Kind::Int);
    let record = house.record(3, "SELECT x", Err("Unknown column 'x'".to_owned()));
    let found = house.findings(vec![record], true, true);
    assert_eq!(
        found,
        [(
            "src/main.rs:3: Unknown column 'x'\n    SELECT x".to_owned(),
            false
        )]
    );
}

#[test]
fn missing_and_left_over_entries_are_told_apart() {
    let house = House::new().cached("SELECT 'old'", Kind::Text);
    let record = || house.record(3, "SELECT 'new'", Err("not in the cache".to_owned()));
    let found = house.findings(vec![record()], false, true);
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0],
        (
            "src/main.rs:3: missing in the cache\n    SELECT 'new'".to_owned(),
            true
        )
    );
    assert!(
        found[1]
            .0
            .contains("left over: no statement of `app` uses it\n    SELECT 'old'"),
        "{}",
        found[1].0
    );
    assert_eq!(
        house.findings(vec![record()], false, false).len(),
        1,
        "after a broken build nothing counts as left over"
    );
}

#[test]
fn a_damaged_entry_is_named_with_and_without_a_server() {
    let house = House::new().cached("SELECT 1", Kind::Int);
    let cache = house.workspace.members[0].cache();
    std::fs::write(cache.path("SELECT 1"), "{}").unwrap();
    for live in [true, false] {
        let outcome = if live {
            Ok(described(Kind::Int))
        } else {
            Err("damaged".to_owned())
        };
        let found = house.findings(vec![house.record(3, "SELECT 1", outcome)], live, true);
        assert!(
            found[0].0.contains("tampered with or damaged"),
            "{}",
            found[0].0
        );
    }
}

#[test]
fn records_of_other_packages_are_left_alone() {
    let house = House::new();
    let mut record = house.record(3, "SELECT 1", Ok(described(Kind::Int)));
    record.place.manifest_dir = PathBuf::from("/elsewhere");
    assert!(house.findings(vec![record], true, true).is_empty());
}

#[test]
fn one_change_of_a_column_is_told_once_with_all_its_statements() {
    let house = House::new();
    let of = |kind| {
        let mut described = described(kind);
        described.columns[0].table = Some("users".to_owned());
        described.columns[0].column = Some("id".to_owned());
        described
    };
    let statements = ["SELECT id FROM users", "SELECT id FROM users WHERE id > 1"];
    let cache = house.workspace.members[0].cache();
    let mut records = Vec::new();
    for (line, sql) in [3, 9].into_iter().zip(statements) {
        cache.write(sql, &of(Kind::Int)).unwrap();
        records.push(house.record(line, sql, Ok(of(Kind::BigInt))));
    }
    let packages = by_package(&house.workspace, records);
    let sum = Sum {
        live: true,
        complete: true,
        ..Sum::default()
    };
    let found = findings_of(&packages[0], &sum).unwrap();
    let text = show::text(&found);
    let expected = "users.id: i32 → i64 in 2 statements (src/main.rs:3, src/main.rs:9)\n    SELECT id FROM users\n    SELECT id FROM users WHERE id > 1\n";
    assert_eq!(text, expected);
    let mut out = Vec::new();
    json::write(&found, &sum, &mut out).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let change = &report["findings"][1]["changes"][0];
    assert_eq!(
        (&change["subject"], &change["old"], &change["new"]),
        (&"users.id".into(), &"i32".into(), &"i64".into())
    );
    assert_eq!(report["findings"][1]["places"][0]["line"], 9);
    assert_eq!(report["version"], 1);
}
