//! What the soundness fuzzer found, each as small as it could be made, on both servers.

use tests::FLAVORS;
use tests::soundness::{self, Shapes};

const SCHEMA: &[&str] = &[
    "CREATE TABLE t (id INT PRIMARY KEY, c INT NOT NULL, n INT NULL)",
    "CREATE TABLE e (id INT PRIMARY KEY, c INT NOT NULL)",
    "INSERT INTO t VALUES (1, 0, NULL), (2, 5, 2)",
    "CREATE VIEW v AS SELECT id, c FROM e",
];

/// Every promise made about these statements is kept.
fn kept(statements: &[&str]) {
    for flavor in FLAVORS {
        let mut shapes = Shapes::new(flavor, SCHEMA);
        for sql in statements {
            if let Some(shape) = shapes.tell(sql, &soundness::described) {
                assert!(
                    shape.breaches.is_empty(),
                    "{flavor}: {sql}: {:?}",
                    shape.breaches
                );
            }
        }
    }
}

/// MariaDB: COUNT in a subquery beside an aggregate over no rows is NULL.
#[test]
fn a_count_in_a_subquery_beside_an_aggregate_over_no_rows() {
    kept(&[
        "SELECT MAX(e.id), (SELECT COUNT(*) FROM t WHERE e.id IN (0, 1)) AS n FROM e",
        "SELECT COUNT(*), (SELECT COUNT(*) FROM t WHERE t.id = e.id) AS n FROM e CROSS JOIN t WHERE CURDATE() IS NULL",
    ]);
}

/// COUNT of an outer column belongs to the outer SELECT, and then the subquery may find no row.
#[test]
fn a_count_that_belongs_further_out() {
    kept(&["SELECT t.id, (SELECT COUNT(t.id) FROM e) AS n FROM t GROUP BY t.id"]);
}

/// MariaDB: an aggregate IN (SELECT …) is NULL although both sides never are.
#[test]
fn an_aggregate_in_a_subquery_s_rows() {
    kept(&[
        "SELECT (MAX(INSTR('', '')) IN (SELECT id FROM t)) AS x FROM t GROUP BY c",
        "SELECT (MAX(c) IN (SELECT id FROM t)) AS x, c > ALL (SELECT id FROM e) AS y FROM t GROUP BY c",
    ]);
}

/// What is known of a column inside of a view says nothing about it outside, beside an aggregate over no rows.
#[test]
fn columns_of_views_beside_an_aggregate_in_having() {
    kept(&[
        "SELECT r.id FROM v r HAVING COUNT(*) >= 0",
        "SELECT r2.c FROM v r1 RIGHT JOIN v r2 ON r1.c <=> r2.c HAVING COUNT(*) >= 0",
    ]);
}

/// MySQL takes `x = x` for true where it believes x to be NOT NULL, and for expressions of views in outer joins it is wrong about that.
#[test]
fn a_comparison_with_itself_that_mysql_leaves_out() {
    kept(&[
        "SELECT x.y FROM t LEFT JOIN (SELECT id, CURTIME() AS y FROM e) x ON x.id = t.id WHERE x.y = x.y",
        "SELECT x.y FROM t LEFT JOIN (SELECT id, CURTIME() AS y FROM e) x ON x.id = t.id LEFT JOIN t u ON x.y = x.y WHERE u.id > 0",
        "SELECT x.y FROM t LEFT JOIN (SELECT id, 1 AS y FROM e) x ON x.id = t.id WHERE x.y IS NOT NULL",
    ]);
}

/// MariaDB: JSON made of numbers alone is VARBINARY to a client without extended metadata.
#[test]
fn json_made_of_numbers() {
    kept(&["SELECT JSON_ARRAY(NULL) AS j, JSON_ARRAY(1, 2) AS k, JSON_OBJECT('a', 1) AS l"]);
}
