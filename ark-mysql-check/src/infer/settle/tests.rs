use super::*;
use crate::description::Family;

fn column(name: &str, kind: Kind, table: &str, org_table: &str) -> RawColumn {
    let org_name = if org_table.is_empty() { "" } else { name };
    RawColumn {
        name: name.to_owned(),
        kind,
        not_null: true,
        auto_increment: false,
        table: table.to_owned(),
        org_table: org_table.to_owned(),
        org_name: org_name.to_owned(),
        schema: String::new(),
        labels: Vec::new(),
    }
}

fn described(sql: &str, columns: Vec<RawColumn>, views: &[View]) -> Description {
    let raw = RawDescription {
        family: Family::MariaDb,
        columns,
        params: 0,
        doubts: Default::default(),
    };
    settle(&raw, &Sql::parse(sql).unwrap(), views, &Tables::new()).description
}

/// Nullability of the columns, all of which the server called NOT NULL.
fn nullable(sql: &str, columns: Vec<RawColumn>, views: &[View]) -> Vec<bool> {
    described(sql, columns, views)
        .columns
        .iter()
        .map(|column| column.nullable)
        .collect()
}

fn view(name: &str, definition: &str) -> View {
    View {
        name: name.to_owned(),
        schema: "test".to_owned(),
        is_current: true,
        definition: Some(definition.to_owned()),
    }
}

fn a_id() -> RawColumn {
    column("id", Kind::Int, "a", "a")
}

fn expression(name: &str) -> RawColumn {
    column(name, Kind::Int, "", "")
}

#[test]
fn plain_columns_and_expressions_are_believed() {
    let sql = "SELECT a.id, a.id + 1 AS n FROM a LEFT JOIN b ON b.id = a.id";
    assert_eq!(
        nullable(sql, vec![a_id(), expression("n")], &[]),
        [false, false]
    );
}

#[test]
fn class_a_an_expression_of_a_derived_table_in_an_outer_join() {
    let sql = "SELECT a.id, x.one FROM a LEFT JOIN (SELECT id, 1 AS one FROM b) x ON x.id = a.id";
    assert_eq!(
        nullable(sql, vec![a_id(), expression("one")], &[]),
        [false, true]
    );
    let mariadb = column("one", Kind::Int, "x", "x");
    assert_eq!(nullable(sql, vec![a_id(), mariadb], &[]), [false, true]);
}

#[test]
fn class_a_through_ctes_and_views() {
    let cte = "WITH c AS (SELECT id, 1 AS one FROM b) SELECT a.id, x.one FROM a LEFT JOIN c x ON x.id = a.id";
    assert_eq!(
        nullable(cte, vec![a_id(), column("one", Kind::Int, "x", "b")], &[]),
        [false, true]
    );
    let views = [
        view("v", "select `b`.`id` AS `id`,1 AS `one` from `b`"),
        view("w", "select 1 from a left join b on 1"),
    ];
    let sql = "SELECT a.id, v.one FROM a LEFT JOIN v ON v.id = a.id";
    assert_eq!(
        nullable(
            sql,
            vec![a_id(), column("one", Kind::Int, "v", "v")],
            &views
        ),
        [false, true]
    );
    assert_eq!(
        nullable("SELECT one FROM V", vec![expression("one")], &views),
        [false]
    );
}

#[test]
fn a_view_counts_with_all_that_it_mentions() {
    let views = [
        view("outer_view", "select * from inner_view"),
        view("inner_view", "select b.x as x from a left join b on 1"),
    ];
    assert_eq!(
        nullable("SELECT x FROM outer_view", vec![expression("x")], &views),
        [true]
    );
    let hidden = [View {
        name: "v".to_owned(),
        schema: "test".to_owned(),
        is_current: true,
        definition: None,
    }];
    assert_eq!(
        nullable("SELECT x FROM v", vec![expression("x")], &hidden),
        [true]
    );
}

#[test]
fn class_c_a_view_under_an_alias() {
    let views = [view("v1", "select * from a")];
    let sql = "SELECT t1.s FROM v1 t1 JOIN b t2 ON t1.id = t2.id RIGHT JOIN a AS t3 ON t2.id = -99";
    assert_eq!(
        nullable(sql, vec![column("s", Kind::Text, "t1", "t1")], &views),
        [true]
    );
    assert_eq!(
        nullable(sql, vec![column("s", Kind::Text, "t3", "a")], &views),
        [false]
    );
}

#[test]
fn class_b_rollup() {
    let sql = "SELECT k, COUNT(*) AS n FROM a GROUP BY k WITH ROLLUP";
    assert_eq!(
        nullable(
            sql,
            vec![column("k", Kind::Int, "a", "a"), expression("n")],
            &[]
        ),
        [true, false]
    );
}

#[test]
fn class_d_bare_columns_beside_an_aggregate() {
    let sql = "SELECT MAX(1), a.id FROM a WHERE a.k > 50";
    assert_eq!(
        nullable(sql, vec![expression("MAX(1)"), a_id()], &[]),
        [false, true]
    );
}

#[test]
fn a_function_that_mariadb_is_wrong_about() {
    for sql in [
        "SELECT JSON_DEPTH(a.id) AS n FROM a",
        "SELECT JSON_DEPTH(a.id) AS n FROM a FULL OUTER JOIN b ON 1",
        "SELECT 1 + JSON_QUOTE(a.id) AS n FROM a",
    ] {
        assert_eq!(nullable(sql, vec![expression("n")], &[]), [true], "{sql}");
    }
}

#[test]
fn counts_are_never_null() {
    let mut count = expression("n");
    count.not_null = false;
    assert_eq!(
        nullable(
            "SELECT (SELECT COUNT(*) FROM b) AS n FROM a",
            vec![count],
            &[]
        ),
        [false]
    );
}

#[test]
fn computed_integers_are_eight_bytes_wide_and_plain_ones_keep_theirs() {
    let columns = vec![
        a_id(),
        expression("n"),
        column("y", Kind::Year, "", ""),
        column("m", Kind::Int, "x", "x"),
    ];
    let description = described(
        "SELECT a.id, a.id + 1 AS n, YEAR(d) AS y, m FROM a JOIN (SELECT 1 AS m) x ON 1",
        columns,
        &[],
    );
    let kinds: Vec<Kind> = description
        .columns
        .iter()
        .map(|column| column.kind)
        .collect();
    assert_eq!(
        kinds,
        [Kind::Int, Kind::BigInt, Kind::BigIntUnsigned, Kind::BigInt]
    );
    assert_eq!(description.family, None);
}

#[test]
fn other_expressions_name_the_family() {
    let description = described(
        "SELECT NOW() AS t",
        vec![column("t", Kind::DateTime, "", "")],
        &[],
    );
    assert_eq!(description.family, Some(Family::MariaDb));
}
