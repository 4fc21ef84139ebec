use super::*;
use crate::description::Family;
use crate::infer::wanted;
use crate::sql::Sql;

fn column(table: &str, name: &str, kind: Kind, not_null: bool) -> RawColumn {
    RawColumn {
        name: name.to_owned(),
        kind,
        not_null,
        auto_increment: false,
        table: table.to_owned(),
        org_table: table.to_owned(),
        org_name: name.to_owned(),
        schema: String::new(),
        labels: Vec::new(),
    }
}

fn tables() -> Tables {
    tables_of(None)
}

/// Inside of a view names are those of its database.
fn tables_of(schema: Option<&str>) -> Tables {
    let table = |name: &str| TableName {
        schema: schema.map(str::to_owned),
        name: name.to_owned(),
    };
    let columns = |name: &str| {
        vec![
            column(name, "id", Kind::Int, true),
            column(name, "v", Kind::Int, true),
            column(name, "n", Kind::Int, false),
            column(name, "d", Kind::Date, true),
            column(name, "h", Kind::Time, true),
            column(name, "j", Kind::Json, true),
        ]
    };
    ["a", "b", "c"]
        .into_iter()
        .map(|name| (table(name), columns(name)))
        .collect()
}

fn view(definition: &str) -> View {
    View {
        name: "w".to_owned(),
        schema: "test".to_owned(),
        is_current: true,
        definition: Some(definition.to_owned()),
    }
}

/// `N` for never NULL, the first letter of the reason for nullable.
fn told(sql: &str, views: &[View]) -> String {
    told_of(sql, views, &tables())
}

fn told_of(sql: &str, views: &[View], tables: &Tables) -> String {
    let sql = Sql::parse(sql).unwrap();
    let prover = Prover {
        views,
        tables,
        bodies: Bodies::default(),
        lost: Cell::new(false),
        strayed: Cell::new(false),
        meetings: Default::default(),
        zero_dates: false,
    };
    let columns = prover.query(sql.tree().unwrap(), &scope::Outside::default());
    let letter = |named: &Named| match named.fact {
        Fact {
            nullable: false, ..
        } => 'N',
        Fact { why, .. } => format!("{why:?}")
            .chars()
            .next()
            .unwrap_or('?')
            .to_ascii_lowercase(),
    };
    if prover.lost.get() {
        return "lost".to_owned();
    }
    columns.map_or_else(
        || "unknown".to_owned(),
        |columns| columns.iter().map(letter).collect(),
    )
}

#[test]
fn joins_and_conditions() {
    for (sql, expected) in [
        (
            "SELECT a.id, n, b.v FROM a JOIN (SELECT v FROM b) b ON TRUE",
            "NdN",
        ),
        ("SELECT a.v, b.v FROM a LEFT JOIN b ON b.id = a.id", "No"),
        ("SELECT a.v, b.v FROM a RIGHT JOIN b ON b.id = a.id", "oN"),
        (
            "SELECT a.v, b.v, c.v FROM a LEFT JOIN (b LEFT JOIN c ON c.id = b.id) ON b.id = a.id WHERE c.v > 1",
            "NNN",
        ),
        (
            "SELECT a.v, b.v, c.v FROM a LEFT JOIN (b LEFT JOIN c ON c.id = b.id) ON c.id = a.id",
            "Noo",
        ),
        ("SELECT b.n FROM a LEFT JOIN b ON b.n = a.id", "o"),
        (
            "SELECT b.n FROM a LEFT JOIN b ON b.n = a.id WHERE b.v = 1",
            "N",
        ),
        ("SELECT n FROM a WHERE n = n", "d"),
        ("SELECT a.* FROM a WHERE n LIKE 'x%' OR n > 1", "NNNNNN"),
        ("SELECT * FROM a NATURAL JOIN b", "unknown"),
        ("SELECT v FROM a NATURAL JOIN b", "n"),
        ("SELECT x.v FROM other x", "n"),
    ] {
        assert_eq!(told(sql, &[]), expected, "{sql}");
    }
}

/// `n NOT IN ()` is true for NULL, too.
#[test]
fn a_list_may_be_empty() {
    for (condition, expected) in [
        ("n IN (?)", "N"),
        ("n NOT IN (?)", "d"),
        ("NOT (n IN (?))", "d"),
        ("(n IN (?)) = 0", "d"),
        ("n IN (?) IS NOT NULL", "d"),
        ("n IN (?) AND n > ?", "N"),
        ("n NOT IN (?, ?)", "N"),
        ("n NOT IN (1)", "N"),
    ] {
        let sql = format!("SELECT n FROM a WHERE {condition}");
        assert_eq!(told(&sql, &[]), expected, "{sql}");
    }
}

#[test]
fn groups() {
    for (sql, expected) in [
        (
            "SELECT v, MAX(v), MAX(n), SUM(v) + 1 FROM a GROUP BY v",
            "NNdN",
        ),
        ("SELECT MAX(v), COUNT(*), 1, v FROM a", "nNNn"),
        ("SELECT v FROM a HAVING COUNT(*) > 0", "n"),
        ("SELECT v, COUNT(*), 1 FROM a GROUP BY v WITH ROLLUP", "rNr"),
        (
            "SELECT (SELECT COUNT(*) FROM b), (SELECT b.v FROM b), (SELECT 1) FROM a",
            "NsN",
        ),
        ("SELECT (SELECT COUNT(a.v) FROM b) FROM a", "lost"),
        ("SELECT a.v, my_own(1) FROM a", "lost"),
    ] {
        assert_eq!(told(sql, &[]), expected, "{sql}");
    }
}

fn told_of_expressions(expected: &[(&str, &str)]) {
    for (expression, expected) in expected {
        let sql = format!("SELECT {expression} FROM a");
        assert_eq!(told(&sql, &[]), *expected, "{sql}");
    }
}

#[test]
fn dates_made_of_numbers() {
    told_of_expressions(&[
        ("MAKEDATE(2024, 365)", "N"),
        ("MAKEDATE(2024, 366)", "f"),
        ("MAKEDATE(2024, 0)", "f"),
        ("MAKEDATE(0, 1)", "f"),
        ("MAKEDATE(v, 1)", "f"),
        ("MAKEDATE(YEAR(NOW()), 1)", "N"),
        ("MAKEDATE(YEAR(d), 1)", "f"),
        ("DAYNAME(MAKEDATE(2024, 60))", "N"),
        ("MAKETIME(v, 59, 59)", "N"),
        ("MAKETIME(n, 59, 59)", "d"),
        ("MAKETIME(v, 60, 0)", "f"),
        ("MAKETIME(v, 0, v)", "f"),
        ("DAYNAME(DATE'2024-02-29')", "N"),
        ("DAYNAME(DATE'2023-02-29')", "d"),
        ("DAYNAME(DATE'1900-02-29')", "d"),
    ]);
}

#[test]
fn dates_moved_by_times_and_to_other_zones() {
    told_of_expressions(&[
        ("CONVERT_TZ(NOW(), '+00:00', '-12:59')", "N"),
        ("DAYNAME(CONVERT_TZ(NOW(), '+00:00', '+02:00'))", "N"),
        ("CONVERT_TZ(NOW(), '+00:00', '+13:00')", "f"),
        ("CONVERT_TZ(NOW(), '+00:00', '+1:00')", "f"),
        ("CONVERT_TZ(NOW(), 'UTC', '+01:00')", "f"),
        ("CONVERT_TZ(d, '+00:00', '+01:00')", "f"),
        ("ADDTIME(NOW(), h)", "N"),
        ("SUBTIME(NOW() - INTERVAL 900 YEAR, h)", "N"),
        ("SUBTIME(NOW() - INTERVAL 901 YEAR, h)", "d"),
        ("ADDTIME(d, h)", "f"),
        ("ADDTIME(CURTIME(), h)", "f"),
        ("ADDTIME(CURTIME(), '800:59:59')", "N"),
        ("ADDTIME(CURTIME(), TIME'01:00:00')", "N"),
        ("ADDTIME(CURTIME(), '801:00:00')", "f"),
        ("ADDTIME(CURTIME(), '01:60:00')", "f"),
        ("ADDTIME(CURTIME(), '-01:00:00')", "f"),
        ("ADDTIME(CURTIME(), DATE'2024-01-01')", "f"),
    ]);
}

/// MariaDB says of some that they are never NULL: `n` is for not believed.
#[test]
fn documents_that_become_too_deep() {
    told_of_expressions(&[
        ("JSON_SET(j, '$.a', ?, '$.b', v, '$.c', NULL)", "N"),
        ("JSON_SET(j, '$.a', v + 1, '$.b', IF(v, 'x', 'y'))", "N"),
        ("JSON_SET(j, '$.a', j)", "f"),
        ("JSON_SET(j, '$.a', IF(v, j, j))", "f"),
        ("JSON_SET(j, '$.a', (SELECT j FROM b LIMIT 1))", "f"),
        ("JSON_SET(j, '$.a', JSON_ARRAY(v))", "f"),
        ("JSON_SET(j, '$[0]', v)", "N"),
        ("JSON_SET(j, '$[1]', v)", "f"),
        ("JSON_REPLACE(j, '$[1]', v)", "N"),
        ("JSON_MERGE_PATCH(j, j)", "N"),
        ("JSON_MERGE_PRESERVE(j, j)", "n"),
        ("JSON_MERGE(j, j)", "n"),
        ("JSON_CONTAINS(j, j)", "N"),
        ("JSON_CONTAINS(j, j, '$.a')", "f"),
        ("JSON_DEPTH(j)", "N"),
        ("JSON_DEPTH('x')", "n"),
        ("JSON_LENGTH(CAST('[1]' AS JSON))", "N"),
    ]);
}

#[test]
fn views_are_read_and_doubts_about_them_stay_in_them() {
    let plain = [view(
        "select `test`.`a`.`v` AS `v`,max(`test`.`a`.`n`) AS `m` from `test`.`a` group by `test`.`a`.`v`",
    )];
    // The tables of a view are known by their full names.
    assert_eq!(told("SELECT v, m FROM w", &plain), "nn");
    let here = [view("select 1 AS `v`, own(2) AS `m`")];
    assert_eq!(told("SELECT a.v, w.v FROM a JOIN w", &here), "Nn");
    let itself = [view("select v, m from w")];
    assert_eq!(told("SELECT a.v, w.v FROM a JOIN w", &itself), "Nn");
}

#[test]
fn a_reading_that_does_not_fit_proves_nothing() {
    let sql = Sql::parse("SELECT v FROM a").unwrap();
    let proved = |columns: &[RawColumn]| {
        let raw = RawDescription {
            family: Family::MariaDb,
            columns: columns.to_vec(),
            params: 0,
            doubts: Default::default(),
        };
        prove(sql.tree().unwrap(), &raw, &[], &tables())
    };
    assert!(proved(&[column("a", "V", Kind::Int, true)]).is_some());
    assert!(proved(&[column("a", "x", Kind::Int, true)]).is_none());
    assert!(proved(&[]).is_none());
}

/// Each part is looked at once: twice, and some dozens of them inside of each other would never end.
#[test]
fn deep_expressions_take_no_longer_than_they_are_long() {
    for (begin, end, expected) in [
        ("IF(a.v, 1, ", ")", "N"),
        ("MOD(", ", 2)", "N"),
        ("COALESCE(", ", 1)", "N"),
        ("(SELECT ", ")", "N"),
        ("(1 = ", ")", "N"),
        ("CASE WHEN a.v THEN 1 ELSE ", " END", "N"),
    ] {
        let nested = format!("{}a.v{}", begin.repeat(DEEP), end.repeat(DEEP));
        let sql = format!("SELECT {nested} FROM a");
        assert_eq!(told(&sql, &[]), expected, "{sql}");
    }
}

/// As deep as the tree goes, brackets counted.
const DEEP: usize = 30;

/// Found by the fuzzer: a view that names itself, as no server lets it, was read once for every way through it.
#[test]
fn the_tables_of_a_view_are_collected_once() {
    let joined = format!("SELECT 1 FROM a{}", " JOIN w".repeat(40));
    let sql = Sql::parse(&joined).unwrap();
    let wanted = wanted(sql.tree().unwrap(), &[view(&joined)]);
    let names: Vec<_> = wanted.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["a", "a"]); // of this database, and of the view's
}

/// Eight views, each of which joins the one before it with itself nine times: a hundred million ways lead to the table.
#[test]
fn views_that_many_ways_lead_to_are_read_once() {
    let chain: Vec<View> = (0..8)
        .map(|number| {
            let below = match number {
                0 => "a".to_owned(),
                _ => format!("w{}", number - 1),
            };
            let joins: String = (1..10)
                .map(|join| format!(" JOIN {below} r{join} ON r{join}.v = r0.v"))
                .collect();
            View {
                name: format!("w{number}"),
                ..view(&format!("SELECT r0.v, r9.n FROM {below} r0{joins}"))
            }
        })
        .collect();
    let tables = tables_of(Some("test"));
    assert_eq!(told_of("SELECT v, n FROM w7", &chain, &tables), "Nd");
    // One more lies too deep.
    let deeper = View {
        name: "w8".to_owned(),
        ..view("SELECT v, n FROM w7")
    };
    let chain = [chain, vec![deeper]].concat();
    assert_eq!(told_of("SELECT v, n FROM w8", &chain, &tables), "nn");
}
