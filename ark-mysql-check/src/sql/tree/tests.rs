use super::super::Sql;
use super::{Body, Expression, From, Item, JoinKind, Query, Select};

fn tree(sql: &str) -> Option<Query> {
    Sql::parse(sql).unwrap().tree().cloned()
}

fn select(sql: &str) -> Select {
    match tree(sql).unwrap_or_else(|| panic!("{sql}")).body {
        Body::Select(select) => *select,
        other => panic!("{other:?}"),
    }
}

fn item(expression: &str) -> Expression {
    match select(&format!("SELECT {expression} FROM t")).items.pop() {
        Some(Item::Column(expression, _)) => expression,
        other => panic!("{other:?}"),
    }
}

fn column(name: &str) -> Expression {
    Expression::Column(None, name.to_owned())
}

#[test]
fn statements_of_all_kinds_are_read() {
    for sql in [
        "SELECT 1",
        "SELECT DISTINCT a.*, b.x AS `y!: Z`, 'text' 'more' z FROM db.a a, b AS b WHERE a.id = b.id AND b.x IN (1, ?) ORDER BY 1 DESC LIMIT 3, 4",
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3), s AS (SELECT 1) SELECT n FROM r",
        "(SELECT a FROM t) UNION (SELECT b FROM u LIMIT 1) ORDER BY a LIMIT 2",
        "SELECT a FROM t LEFT JOIN (u JOIN v USING (id)) ON u.id = t.id NATURAL LEFT JOIN w CROSS JOIN x STRAIGHT_JOIN y ON y.a = x.a",
        "SELECT a FROM (SELECT 1 AS a) x LEFT JOIN LATERAL (SELECT 2) AS y (b) ON TRUE",
        "SELECT a FROM JSON_TABLE('[]', '$[*]' COLUMNS (a INT PATH '$')) AS j",
        "SELECT CAST(a AS CHAR(10) CHARACTER SET utf8mb4), CONVERT(a USING utf8mb4), EXTRACT(YEAR FROM d), TRIM(BOTH 'x' FROM a), POSITION('a' IN b) FROM t",
        "SELECT GROUP_CONCAT(DISTINCT a, b ORDER BY c DESC SEPARATOR '; '), COUNT(*), COUNT(DISTINCT a, b) FROM t GROUP BY d HAVING COUNT(*) > 1",
        "SELECT SUM(a) OVER w, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t WINDOW w AS (ORDER BY a)",
        "SELECT CASE a WHEN 1 THEN b ELSE c END, CASE WHEN a THEN b END, a IS NOT TRUE, NOT a <=> b, a BETWEEN 1 AND 2 AND c, -a DIV ~b << 2 | 3 FROM t",
        "SELECT DATE'2024-01-01', X'41', _utf8mb4'x', @a, @@sql_mode, @b := 3, j -> '$.a', j ->> '$.b', d + INTERVAL 1 DAY, DATE_ADD(d, INTERVAL ? HOUR) FROM t",
        "SELECT a FROM t PARTITION (p0) AS x USE INDEX (i) IGNORE INDEX FOR JOIN (k) WHERE a > ALL (SELECT 1) FOR UPDATE SKIP LOCKED",
        "SELECT a, ROW_NUMBER() OVER () FROM t GROUP BY a WITH ROLLUP;",
        "SELECT MATCH (a, t.b) AGAINST ('x' IN BOOLEAN MODE) > 1, t.match FROM t WHERE MATCH a AGAINST (? WITH QUERY EXPANSION) AND b = ? COLLATE utf8mb4_bin",
        "select `a`.`id` AS `id`,coalesce(`b`.`v`,0) AS `cv` from (`db`.`a` left join `db`.`b` on((`db`.`b`.`aid` = `db`.`a`.`id`)))",
    ] {
        assert!(tree(sql).is_some(), "{sql}");
    }
}

/// Found by the fuzzer: each level was read twice, so forty of them would have outlasted the reader.
#[test]
fn nested_parentheses_are_read_once() {
    let nested = |levels: usize, close: &str| {
        let (open, close) = ("((SELECT a FROM ".repeat(levels), close.repeat(levels));
        tree(&format!("SELECT a FROM {open} t {close}"))
    };
    assert!(nested(10, ") x)").is_some());
    for close in ["", "))", ") x)"] {
        assert!(nested(40, close).is_none(), "{close}"); // too deep, or no query
    }
}

#[test]
fn a_query_and_joins_in_parentheses_are_told_apart() {
    let from = |sql: &str| select(sql).from.unwrap();
    assert!(matches!(
        from("SELECT 1 FROM ((SELECT 1) UNION (SELECT 2)) AS x"),
        From::Derived { .. }
    ));
    assert!(matches!(
        from("SELECT 1 FROM ((SELECT 1) x JOIN t)"),
        From::Join(_)
    ));
    assert!(matches!(
        from("SELECT 1 FROM ((SELECT 1) x JOIN t) JOIN u"),
        From::Join(_)
    ));
    assert!(matches!(
        from("SELECT 1 FROM (((SELECT 1) `x y`))"),
        From::Derived { .. }
    ));
}

#[test]
fn what_mariadb_alone_has_is_read() {
    for sql in [
        "SELECT NEXT VALUE FOR numbers, PREVIOUS VALUE FOR s.numbers + 1, next, value FROM t",
        "SELECT a FROM t FOR SYSTEM_TIME AS OF TIMESTAMP ? x WHERE b = ?",
        "SELECT a FROM t FOR SYSTEM_TIME AS OF NOW() - INTERVAL 1 DAY AS x",
        "SELECT a FROM t FOR SYSTEM_TIME BETWEEN ? AND TIMESTAMP'2020-01-01' JOIN u FOR SYSTEM_TIME ALL USING (b) FOR UPDATE",
        "SELECT a FROM t FOR SYSTEM_TIME FROM TRANSACTION 1 TO ?",
        "SELECT a FROM t ORDER BY a OFFSET ? ROWS FETCH NEXT ? ROWS ONLY",
        "SELECT a FROM t FETCH FIRST ROW WITH TIES",
        "SELECT a FROM t OFFSET 1 ROW FOR UPDATE",
    ] {
        assert!(tree(sql).is_some(), "{sql}");
    }
    for sql in [
        "UPDATE t FOR PORTION OF valid FROM '2020-01-01' TO DATE'2021-01-01' SET a = ?",
        "DELETE FROM t FOR PORTION OF valid FROM '2020-01-01' TO '2021-01-01' WHERE a = ?",
        "INSERT INTO t (a, b) VALUES (NEXT VALUE FOR numbers, ?)",
    ] {
        assert!(Sql::parse(sql).unwrap().change().is_some(), "{sql}");
    }
    assert_eq!(
        select_limit("SELECT a FROM t OFFSET ? ROWS FETCH NEXT ? ROWS ONLY"),
        2
    );
}

fn select_limit(sql: &str) -> usize {
    tree(sql).unwrap().limit.len()
}

#[test]
fn what_is_not_read_is_no_error() {
    for sql in [
        "INSERT INTO t VALUES (1)",
        "SELECT a FROM t WHERE",
        "SELECT a FROM t FULL OUTER JOIN u ON 1",
        "SELECT a FROM t JOIN u JOIN v ON v.a = u.a ON u.a = t.a",
        "SELECT ((((a FROM t",
        "SELECT a FROM t UNION VALUES ROW(1)",
        "SELECT a, RANK() OVER (ORDER BY SUM(b) words here) FROM t",
        "SELECT a, ODD(MAX(b) words here) FROM t",
        "SELECT 'a' FROM",
    ] {
        assert!(tree(sql).is_none(), "{sql}");
    }
    let deep = format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000));
    assert!(tree(&deep).is_none());
    let signs = format!("SELECT {}1", "- ".repeat(5000));
    assert!(tree(&signs).is_none());
}

#[test]
fn an_interval_is_told_from_the_function() {
    let unit = |expression: &Expression| match expression {
        Expression::Call(call) if call.name == "DATE_ADD" => match call.arguments.get(1) {
            Some(Expression::Interval(_, unit)) => unit.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    for sql in [
        "a + INTERVAL 1 day",
        "a - INTERVAL (b + 1) DAY",
        "DATE_ADD(a, INTERVAL (?) DAY)",
    ] {
        assert_eq!(unit(&item(sql)), "DAY", "{sql}");
    }
    let function = item("INTERVAL(a, 1, 2)");
    assert!(
        matches!(&function, Expression::Call(call) if call.arguments.len() == 3),
        "{function:?}"
    );
}

#[test]
fn operators_bind_as_in_the_manual() {
    assert_eq!(
        item("NOT a = b"),
        Expression::Strict(vec![Expression::Comparison(vec![column("a"), column("b")])])
    );
    let or = |left, right| Expression::Or(Box::new([left, right]));
    let and = |left, right| Expression::And(Box::new([left, right]));
    assert_eq!(
        item("a OR b AND c"),
        or(column("a"), and(column("b"), column("c")))
    );
    assert_eq!(
        item("a || b && c"),
        or(column("a"), and(column("b"), column("c")))
    );
    assert_eq!(
        item("a + b = c"),
        Expression::Comparison(vec![
            Expression::Strict(vec![column("a"), column("b")]),
            column("c")
        ])
    );
    assert_eq!(
        item("a IS NOT NULL"),
        Expression::IsSomething(Box::new(column("a")))
    );
    assert_eq!(item("a IS NULL"), Expression::Test(vec![column("a")]));
    assert_eq!(
        item("a IS TRUE"),
        Expression::IsSomething(Box::new(column("a")))
    );
    assert_eq!(item("a IS NOT FALSE"), Expression::Test(vec![column("a")]));
    assert_eq!(
        item("a <=> b"),
        Expression::Test(vec![column("a"), column("b")])
    );
    let row = |left, right| Expression::Row(vec![column(left), column(right)]);
    let equal = Expression::Comparison(vec![row("a", "b"), row("c", "d")]);
    assert_eq!(item("(a, b) = (c, d)"), equal);
    assert_eq!(item("(a, b) <> (c, d)"), Expression::Strict(vec![equal]));
    assert_eq!(
        item("a != b"),
        Expression::Comparison(vec![column("a"), column("b")])
    );
    assert_eq!(
        item("a << b"),
        Expression::Strict(vec![column("a"), column("b")])
    );
    assert_eq!(
        item("a MOD b"),
        Expression::Division(Box::new([column("a"), column("b")]))
    );
}

#[test]
fn joins_know_their_sides() {
    let Some(From::Join(outer)) =
        select("SELECT 1 FROM a RIGHT JOIN b ON b.x = a.x JOIN c USING (y)").from
    else {
        panic!("a join")
    };
    assert_eq!((outer.kind, outer.merges), (JoinKind::Inner, true));
    let From::Join(inner) = outer.left else {
        panic!("a join")
    };
    assert_eq!(
        (inner.kind, inner.merges, inner.on.is_some()),
        (JoinKind::Right, false, true)
    );
}

#[test]
fn tables_are_found_wherever_they_stand() {
    let query = tree(
        "WITH c AS (SELECT 1 FROM t1) SELECT (SELECT 1 FROM t2), COALESCE((SELECT 1 FROM t3), 1) FROM c, (SELECT 1 FROM `T 4`) x \
         WHERE EXISTS (SELECT 1 FROM db.t5) AND a IN (SELECT 1 FROM t6) HAVING 1 > (SELECT 1 FROM t7) ORDER BY (SELECT 1 FROM t8)",
    );
    let mut found = Vec::new();
    query
        .unwrap()
        .tables(&mut |table| found.push(table.name.clone()));
    found.sort();
    assert_eq!(
        found,
        ["T 4", "c", "t1", "t2", "t3", "t5", "t6", "t7", "t8"]
    );
}

/// What `*` gives is named by tables; so is nothing that stands in the first SELECT.
#[test]
fn a_star_in_the_first_select_leaves_the_names_to_tables() {
    for (sql, named) in [
        ("SELECT a, b + 1, COUNT(*) AS n FROM t", true),
        (
            "SELECT a FROM (SELECT * FROM t) d WHERE EXISTS (SELECT * FROM u)",
            true,
        ),
        ("SELECT a FROM t UNION SELECT * FROM u", true),
        ("(SELECT a FROM t) ORDER BY a", true),
        ("WITH c AS (SELECT * FROM t) SELECT c.a FROM c", true),
        ("SELECT * FROM t", false),
        ("SELECT a, t.* FROM t", false),
        ("SELECT * FROM u UNION SELECT a FROM t", false),
        ("(SELECT *, 1 FROM t) LIMIT 1", false),
        ("TABLE t", false),
        ("SHOW TABLES", false),
    ] {
        assert_eq!(Sql::parse(sql).unwrap().names_columns(), named, "{sql}");
    }
}
