//! What the soundness fuzzer found, each as small as it could be made, on all servers.

use tests::Server;
use tests::soundness::{self, Shapes};

const SCHEMA: &[&str] = &[
    "CREATE TABLE t (id INT PRIMARY KEY, c INT NOT NULL, n INT NULL)",
    "CREATE TABLE e (id INT PRIMARY KEY, c INT NOT NULL)",
    "INSERT INTO t VALUES (1, 0, NULL), (2, 5, 2)",
    "CREATE TABLE z (id INT PRIMARY KEY, at TIMESTAMP NOT NULL DEFAULT '2020-01-01', day DATE NOT NULL, s CHAR(4) NOT NULL)",
    "INSERT INTO z VALUES (1, '0000-00-00 00:00:00', '0000-00-00', 'ab')",
    "CREATE TABLE f (id INT PRIMARY KEY, f FLOAT NOT NULL)",
    "INSERT INTO f VALUES (1, 0.5), (2, 0.1)",
    "CREATE VIEW v AS SELECT id, c FROM e",
    "CREATE VIEW g AS SELECT DISTINCT EXISTS (SELECT 1 FROM t WHERE t.id = BIT_OR(CASE WHEN 3 = NULL THEN 3 END)) AS x FROM t r",
    "CREATE VIEW w AS SELECT id, c + 1 AS x, UPPER(n) AS s FROM t",
    "CREATE VIEW k AS SELECT id, EXISTS (SELECT 1 FROM e WHERE e.id = t.id) AS x FROM t",
    "CREATE VIEW l AS SELECT id, x AS y FROM k",
    "CREATE VIEW b AS SELECT id, UNHEX(SHA2('1', 256)) AS x FROM t",
];

/// Every promise made about these statements is kept.
fn kept(statements: &[&str]) {
    for flavor in Server::ALL {
        let mut shapes = Shapes::new(flavor, SCHEMA);
        shapes.run("SET SESSION sql_mode = DEFAULT");
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

/// MySQL: an aggregate of constants where none may stand groups even the query that reads its view.
#[test]
fn an_aggregate_of_constants_that_belongs_further_out() {
    kept(&[
        "SELECT (SELECT COUNT(*) FROM g) AS n, f.id + 1 AS x FROM f WHERE f.id > 5",
        "SELECT (SELECT COUNT(*) FROM g) AS n, v.id AS x FROM v",
        "SELECT EXISTS (SELECT 1 FROM t WHERE t.id = BIT_OR(3)) AS n, e.id AS x FROM e",
        "SELECT v.id AS x, (SELECT EXISTS (SELECT 1 FROM t WHERE t.id = COUNT(*))) AS n FROM v",
    ]);
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

/// MySQL: a FLOAT through a temporary table becomes a DOUBLE.
#[test]
fn a_float_that_becomes_a_double() {
    kept(&[
        "SELECT DISTINCT MIN(f) AS f FROM f GROUP BY id",
        "SELECT MAX(IFNULL(f, NULL)) AS m FROM f GROUP BY f",
        "SELECT f, MIN(f) AS m FROM f GROUP BY f",
    ]);
}

/// MariaDB: text that meets a UUID becomes one, or NULL.
#[test]
fn text_that_becomes_a_uuid() {
    kept(&[
        "SELECT s FROM z UNION SELECT UUID()",
        "SELECT UUID() AS u UNION ALL SELECT s FROM z",
        "SELECT x.u FROM (SELECT s AS u FROM z UNION SELECT COALESCE(MAX(UUID()), '1') FROM z GROUP BY id) x",
        "SELECT COALESCE(s, UUID()) AS a, IF(id, s, UUID()) AS b, UUID() AS c, CASE WHEN id THEN 'ab' ELSE UUID() END AS d FROM z",
        "SELECT MAX(UUID()) AS u FROM z GROUP BY id",
    ]);
}

/// MariaDB: text that is compared with a UUID becomes one, or NULL, and so does the comparison.
#[test]
fn text_that_is_compared_with_a_uuid() {
    kept(&[
        "SELECT '1' = UUID() AS a, s <> UUID() AS b, UUID() IN ('x', 'y') AS c, UUID() BETWEEN '1' AND '2' AS d FROM z",
        "SELECT x.a AS a FROM (SELECT '1' = UUID() AS a FROM z) x",
        "SELECT 1 + (s = UUID()) AS a, LENGTH(COALESCE('1', UUID())) AS b, LEAST('1', UUID()) AS c, MAX('1' = UUID()) AS d FROM z GROUP BY id",
        "SELECT UUID() = UUID() AS a, UUID() IS NOT NULL AS b, CASE UUID() WHEN '1' THEN 1 ELSE 0 END AS c FROM z",
    ]);
}

/// MySQL: parts of zero dates are numbers when the date is a column, and NULL when it is an expression.
#[test]
fn parts_of_zero_dates_that_are_no_columns() {
    kept(&[
        "SELECT EXTRACT(HOUR FROM MAX(at)) AS h, YEAR(MAX(day)) AS y, MONTH(MIN(day)) AS m FROM z GROUP BY id",
        "SELECT HOUR(COALESCE(at, at)) AS h, YEAR(IF(id, day, day)) AS y, DATE_FORMAT(MAX(at), '%Y') AS f FROM z GROUP BY id, at, day",
        "SELECT YEAR(day) AS y, HOUR(at) AS h, DATE_FORMAT(day, '%Y-%m-%d') AS f, EXTRACT(MONTH FROM at) AS m FROM z",
        "SELECT YEAR(x.day) AS y, HOUR(x.at) AS h FROM (SELECT DISTINCT day, at FROM z LIMIT 3) x",
        "SELECT YEAR(x.day) AS y FROM (SELECT MAX(day) AS day FROM z GROUP BY id) x",
    ]);
}

/// MariaDB: JSON made of numbers alone is VARBINARY to a client without extended metadata.
#[test]
fn json_made_of_numbers() {
    kept(&["SELECT JSON_ARRAY(NULL) AS j, JSON_ARRAY(1, 2) AS k, JSON_OBJECT('a', 1) AS l"]);
}

/// One expression under two aliases, by every way through a temporary table: the schema has not changed.
#[test]
fn twins_under_two_names() {
    let statements = [
        "SELECT c + 1 AS x, c + 1 AS y FROM t",
        "SELECT c + 1 AS x, c + 1 AS y FROM t ORDER BY y",
        "SELECT DISTINCT c + 1 AS x, c + 1 AS y FROM t",
        "SELECT c + 1 AS x, c + 1 AS y FROM t GROUP BY c + 1",
        "SELECT c + 1 AS x, c + 1 AS y, COUNT(*) AS n FROM t GROUP BY x, y",
        "SELECT MAX(c) AS x, MAX(c) AS y FROM t GROUP BY id",
        "SELECT MAX(c) AS x, MAX(c) AS y, MAX(c) AS z FROM t GROUP BY n ORDER BY MAX(c)",
        "SELECT MAX(c) AS x, MAX(c) AS y FROM t",
        "SELECT COUNT(*) AS x, COUNT(*) AS y FROM t GROUP BY c ORDER BY COUNT(*)",
        "SELECT DISTINCT UPPER('a') AS x, UPPER('a') AS y, c FROM t",
        "SELECT c + 1 AS x, c + 1 AS y FROM t UNION SELECT c, c FROM e",
        "SELECT x, y FROM (SELECT c + 1 AS x, c + 1 AS y FROM t) d",
        "SELECT DISTINCT d.x AS x, d.x AS y FROM (SELECT c + 1 AS x FROM t) d",
        "SELECT DISTINCT d.x + 1 AS x, d.x + 1 AS y FROM (SELECT c + 1 AS x FROM t LIMIT 5) d ORDER BY x",
        "SELECT c AS x, c AS y FROM t GROUP BY c",
        "SELECT DISTINCT c AS x, c AS y FROM t ORDER BY y",
        "SELECT DISTINCT v.c + 1 AS x, v.c + 1 AS y FROM v",
        "SELECT c, SUM(n) OVER () AS x, SUM(n) OVER () AS y FROM t",
        "SELECT c + 1 AS x, c + 1 AS y, COUNT(*) OVER () AS n FROM t ORDER BY n, x",
        "SELECT c + 1 AS x, c + 1 AS y FROM t GROUP BY c + 1 WITH ROLLUP",
        "SELECT GROUP_CONCAT(c) AS x, GROUP_CONCAT(c) AS y, c FROM t GROUP BY c ORDER BY x",
        "SELECT IFNULL(MAX(n), 0) AS x, IFNULL(MAX(n), 0) AS y FROM t GROUP BY c ORDER BY IFNULL(MAX(n), 0)",
        "SELECT DISTINCT c + 1 AS x, c + 1 AS y, COUNT(*) AS n FROM t GROUP BY x, y ORDER BY n",
        "SELECT SQL_BUFFER_RESULT c + 1 AS x, c + 1 AS y FROM t",
        "SELECT SQL_BUFFER_RESULT DISTINCT MAX(c) AS x, MAX(c) AS y FROM t GROUP BY id ORDER BY y",
        "SELECT x, y FROM (SELECT c + 1 AS x, c + 1 AS y FROM t GROUP BY x, y) d ORDER BY y",
        "SELECT (SELECT MAX(id) FROM e) AS x, (SELECT MAX(id) FROM e) AS y FROM t ORDER BY x",
        "SELECT (SELECT MAX(e.id) FROM e WHERE e.id > t.id) AS x, (SELECT MAX(e.id) FROM e WHERE e.id > t.id) AS y FROM t GROUP BY t.id ORDER BY x",
        "SELECT d.x AS a, d.y AS b FROM (SELECT DISTINCT c + 1 AS x, c + 1 AS y FROM t) d",
        "SELECT ROW_NUMBER() OVER (ORDER BY c) AS x, ROW_NUMBER() OVER (ORDER BY c) AS y FROM t ORDER BY y",
        "SELECT c + 1 AS x, c + 1 AS y, SUM(c) OVER (ORDER BY c + 1) AS s FROM t GROUP BY c + 1, c ORDER BY c + 1",
        "SELECT 1 AS x, 1 AS y FROM t GROUP BY x, y",
        "SELECT 1 AS x, 1 AS y, id FROM t GROUP BY id WITH ROLLUP",
        "SELECT COALESCE(c, NULL) AS x, COALESCE(c, NULL) AS y, MAX(c) AS m FROM t GROUP BY COALESCE(c, NULL) ORDER BY m",
        "SELECT v.c AS x, v.c AS y FROM v GROUP BY v.c",
        "SELECT DISTINCT MAX(c) AS x, MAX(c) AS y FROM t GROUP BY n, id ORDER BY x",
        "SELECT COUNT(DISTINCT c) AS x, COUNT(DISTINCT c) AS y FROM t GROUP BY n ORDER BY y",
        "SELECT c + 1 AS x, c + 1 AS y FROM t GROUP BY x HAVING y > 0 ORDER BY SUM(id)",
        "SELECT DISTINCT MAX(c + 1) OVER () AS x, MAX(c + 1) OVER () AS y FROM t",
        "SELECT CONCAT(c, 'x') AS x, CONCAT(c, 'x') AS y, COUNT(*) AS n FROM t GROUP BY CONCAT(c, 'x') WITH ROLLUP",
        "SELECT UPPER(s) AS x, UPPER(s) AS y FROM z GROUP BY UPPER(s) ORDER BY UPPER(s)",
        "SELECT YEAR(day) AS x, YEAR(day) AS y, SUM(id) AS n FROM z GROUP BY YEAR(day) ORDER BY n",
        "WITH w AS (SELECT c + 1 AS x FROM t) SELECT a.x AS x, a.x AS y FROM w a JOIN w b ON a.x = b.x GROUP BY a.x",
        "SELECT n <=> 1 AS x, n <=> 1 AS y FROM t GROUP BY n <=> 1",
        "SELECT -c AS x, -c AS y, SUM(SUM(c)) OVER (ORDER BY -c) AS s FROM t GROUP BY -c",
        "SELECT e.c AS x, e.c AS y, t.id AS z FROM t LEFT JOIN e ON e.id = t.id GROUP BY e.c, t.id ORDER BY COUNT(*)",
    ];
    kept(&statements);
}

/// An expression of a view or of another query, under several aliases and grouped by, comes under one of them: MariaDB does it to any, MySQL to those that read no
/// column. A subquery with a reference to the row comes under its name inside, on MariaDB, even if it has one alias only.
#[test]
fn expressions_under_another_name_than_their_alias() {
    let of_both = [
        "SELECT d.x AS a, d.x AS b, COUNT(DISTINCT u.n) AS g FROM (SELECT id, CURTIME() AS x FROM t) d CROSS JOIN t u GROUP BY u.c, d.x",
        "SELECT d.x AS a, d.x AS b, GROUP_CONCAT(u.id) AS g FROM (SELECT id, CURTIME() AS x FROM t) d CROSS JOIN t u GROUP BY u.c, d.x HAVING COUNT(*) >= 0",
    ];
    let of_mariadb = [
        "SELECT w.x AS a, w.x AS b, GROUP_CONCAT('1') AS g FROM w GROUP BY w.x",
        "SELECT w.s AS a, w.s AS b, GROUP_CONCAT('1') AS g FROM w GROUP BY w.s",
        "SELECT w.x AS a, w.x AS b, w.x AS c, COUNT(DISTINCT id) AS n FROM w GROUP BY w.x",
        "SELECT d.x AS a, d.x AS b, COUNT(DISTINCT c) AS n FROM (SELECT c, c + 1 AS x FROM t) d GROUP BY d.x",
        "WITH d AS (SELECT c, c + 1 AS x FROM t) SELECT d.x AS a, d.x AS b, GROUP_CONCAT(c) AS g FROM d GROUP BY d.x",
        "SELECT w.x AS a, w.x AS b, e.c AS z FROM e LEFT JOIN w ON w.id = e.c HAVING COUNT(*) >= 0",
        "SELECT w.x AS a, w.x AS b FROM w GROUP BY w.x WITH ROLLUP",
        "SELECT k.x AS a, GROUP_CONCAT('1') AS b FROM k GROUP BY k.x",
        "SELECT k.x AS a, GROUP_CONCAT('1') AS b, k.x AS c FROM k GROUP BY k.x",
        "SELECT k.x AS a, JSON_ARRAYAGG(CURTIME()) AS b, MIN('a') AS c, k.x AS d, k.x AS e FROM k GROUP BY k.x",
        "SELECT k.x AS a, k.x AS d FROM k GROUP BY k.x WITH ROLLUP",
        "SELECT k.x AS a, COUNT(DISTINCT k.id) AS b FROM k GROUP BY k.x",
        "SELECT l.y AS a, GROUP_CONCAT('1') AS b FROM l GROUP BY l.y",
        "SELECT d.x AS a, GROUP_CONCAT('1') AS b FROM (SELECT id, (SELECT MAX(c) FROM e WHERE e.id = t.id) AS x FROM t) d GROUP BY d.x",
        "WITH d AS (SELECT id, EXISTS (SELECT 1 FROM e WHERE e.id = t.id) AS x FROM t) SELECT d.x AS a, COUNT(DISTINCT d.id) AS b FROM d GROUP BY d.x",
    ];
    kept(&of_both);
    kept(&of_mariadb);
    let shown = |server, statements: &[&str]| {
        let mut shapes = Shapes::new(server, SCHEMA);
        shapes.run("SET SESSION sql_mode = DEFAULT");
        for sql in statements {
            let shape = shapes.tell(sql, &soundness::described);
            let renamed = shape.map_or(0, |shape| shape.renamed);
            assert!(
                renamed > 0,
                "{server}: {sql}: what is forgiven is not shown by this any more"
            );
        }
    };
    shown(Server::MySql, &of_both);
    for server in [Server::MariaDb, Server::MariaDb10] {
        shown(server, &of_both);
        shown(server, &of_mariadb);
    }
}

/// MariaDB: what is no constant is NULL in the one row that an aggregate makes of no rows, beside a window.
#[test]
fn a_window_beside_an_aggregate_over_no_rows() {
    kept(&[
        "SELECT UUID() AS u, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*)) AS r FROM e",
        "SELECT UUID() AS u, CONCAT('a', RAND()) AS c, COUNT(*) + 1 AS n, NOW() AS t, ROW_NUMBER() OVER (ORDER BY id) AS r FROM e HAVING COUNT(*) >= 0",
        "SELECT COALESCE(SUM(c), UUID()) AS u, SUM(COUNT(*)) OVER () AS n, 1 AS one FROM e",
        "SELECT UUID() AS u, RANK() OVER (ORDER BY SUM(c)) AS r, COALESCE(SUM(c), 0) AS s FROM e GROUP BY id",
    ]);
}

/// MariaDB: of columns, too, whose types are asked for only where a flag says nullable.
#[test]
fn text_that_meets_a_column_of_uuids() {
    for server in [Server::MariaDb, Server::MariaDb10] {
        let mut shapes = Shapes::new(
            server,
            &[
                "CREATE TABLE u (id INT PRIMARY KEY, a UUID NOT NULL, i INET6 NOT NULL, s VARCHAR(40) NOT NULL)",
                "INSERT INTO u VALUES (1, UUID(), '::1', 'x')",
            ],
        );
        for sql in [
            "SELECT s = a AS x FROM u",
            "SELECT COALESCE(s, a) AS x FROM u",
            "SELECT a IN (s, 'y') AS x FROM u",
            "SELECT s < i AS x, GREATEST(s, i) AS y, i = '::x' AS z FROM u",
            "SELECT CASE WHEN id THEN s ELSE a END AS x FROM u",
            "SELECT IF(id, s, i) AS x FROM u",
            "SELECT x.y FROM (SELECT s = a AS y FROM u) x",
            "SELECT s FROM u UNION SELECT a FROM u",
        ] {
            let shape = shapes.tell(sql, &soundness::described).expect(sql);
            assert!(
                shape.breaches.is_empty(),
                "{server}: {sql}: {:?}",
                shape.breaches
            );
        }
    }
}

/// MariaDB 10.11: what may be either text or bytes is text, and QUOTE makes NULL of bytes that are none.
#[test]
fn bytes_that_are_called_text_are_quoted() {
    kept(&[
        "SELECT QUOTE(CASE WHEN 0e0 IN (0e0, 2.5e0) THEN b.x ELSE z.s END) AS x FROM b JOIN z",
        "SELECT QUOTE(IF(b.id, b.x, z.s)) AS x, QUOTE(b.x) AS y, QUOTE(z.s) AS z FROM b JOIN z",
        "SELECT JSON_ARRAY(1, IF(b.id, b.x, z.s)) AS x, JSON_OBJECT('a', IF(b.id, b.x, z.s)) AS y FROM b JOIN z",
        "SELECT JSON_ARRAYAGG(IF(b.id, b.x, z.s)) AS x, JSON_ARRAYAGG(z.s) AS y FROM b JOIN z GROUP BY b.id",
    ]);
}
