//! Every shape of SQL for which NOT NULL was looked at by hand, on all servers: those known to make servers wrong, and those for which
//! they say nullable needlessly.

use tests::Server;
use tests::soundness::{self, Shapes};

/// One statement a line. Some are for one of the two servers only.
const SHAPES: &str = include_str!("shapes.sql");

const SCHEMA: &[&str] = &[
    "CREATE TABLE a (id INT PRIMARY KEY, k INT NOT NULL, n INT NULL, s VARCHAR(20) NOT NULL, d DATE NOT NULL, j JSON NOT NULL, u INT UNSIGNED NOT NULL)",
    "CREATE TABLE b (id INT PRIMARY KEY, aid INT NOT NULL, v INT NOT NULL, d DATE NOT NULL)",
    "CREATE TABLE c (id INT PRIMARY KEY, v INT NOT NULL)",
    "CREATE TABLE e (id INT PRIMARY KEY, v INT NOT NULL, s VARCHAR(20) NOT NULL)",
    "CREATE TABLE z (id INT PRIMARY KEY, dt DATETIME NOT NULL, ts TIMESTAMP NOT NULL DEFAULT '2020-01-01', dd DATE NOT NULL, g INT AS (id + 1) VIRTUAL, g2 INT AS (id DIV 0) VIRTUAL)",
    "INSERT INTO a VALUES (1, 1, 1, 'x', '2024-01-02', '{\"q\":1}', 1), (2, 2, NULL, 'y', '2024-02-03', '{}', 2)",
    "INSERT INTO b VALUES (1, 1, 5, '2024-01-01')",
    "INSERT INTO c VALUES (7, 7)",
    "INSERT INTO z (id, dt, ts, dd) VALUES (1, '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00')",
    "CREATE VIEW v1 AS SELECT id, k, s, n FROM a",
    "CREATE VIEW v2 AS SELECT a.id, b.v, b.d FROM a LEFT JOIN b ON b.aid = a.id",
    "CREATE ALGORITHM=TEMPTABLE VIEW v3 AS SELECT a.id, b.v FROM a LEFT JOIN b ON b.aid = a.id",
    "CREATE VIEW v4 AS SELECT b.v, b.d, COALESCE(b.v, 0) AS cv FROM a LEFT JOIN b ON b.aid = a.id",
    "CREATE VIEW vl AS SELECT id, 1 AS one FROM e",
    "CREATE VIEW vr AS SELECT k, COUNT(*) AS c FROM a GROUP BY k WITH ROLLUP",
    "CREATE FUNCTION fnn(x INT) RETURNS INT DETERMINISTIC NO SQL RETURN NULL",
];

#[test]
fn no_shape_is_unsound() {
    for flavor in Server::ALL {
        let mut shapes = Shapes::new(flavor, SCHEMA);
        let mut known = 0;
        for sql in SHAPES.lines() {
            let Some(shape) = shapes.tell(sql, &soundness::described) else {
                continue;
            };
            known += 1;
            assert!(
                shape.breaches.is_empty(),
                "{flavor}: {sql}: {:?}",
                shape.breaches
            );
        }
        assert!(
            known * 10 > SHAPES.lines().count() * 8,
            "{flavor} knows only {known}"
        );
    }
}

/// What servers call nullable and the SQL proves not to be: `N` for never NULL, `-` for nullable.
const PROVEN: &[(&str, &str)] = &[
    (
        "SELECT (SELECT COUNT(*) FROM e), (SELECT COALESCE(MAX(v), 0) FROM e)",
        "NN",
    ),
    (
        "SELECT (SELECT COUNT(*) FROM e LIMIT 0), (SELECT COUNT(*) FROM e GROUP BY v), (SELECT COUNT(*) FROM e HAVING COUNT(*) > 0)",
        "---",
    ),
    (
        "SELECT a.id, (SELECT COUNT(a.id) FROM e) FROM a GROUP BY a.id",
        "N-",
    ),
    (
        "SELECT MIN(v), MAX(v), SUM(v), AVG(v), GROUP_CONCAT(v) FROM b GROUP BY aid",
        "NNNNN",
    ),
    ("SELECT MIN(v), SUM(v) FROM b", "--"),
    ("SELECT MAX(n), SUM(n) FROM a GROUP BY k", "--"),
    (
        "SELECT MAX(b.v) FROM a LEFT JOIN b ON b.aid = a.id GROUP BY a.id",
        "-",
    ),
    (
        "SELECT MAX(v), COUNT(*) FROM b GROUP BY aid WITH ROLLUP",
        "-N",
    ),
    (
        "SELECT ROW_NUMBER() OVER (ORDER BY id), RANK() OVER (ORDER BY id), CUME_DIST() OVER (ORDER BY id), SUM(k) OVER () FROM a",
        "NNNN",
    ),
    (
        "SELECT SUM(k) OVER (ORDER BY id ROWS BETWEEN 5 PRECEDING AND 3 PRECEDING), LAG(k) OVER (ORDER BY id) FROM a",
        "--",
    ),
    ("SELECT n FROM a WHERE n IS NOT NULL", "N"),
    ("SELECT n FROM a WHERE n > 0 AND k = 1", "N"),
    ("SELECT n FROM a WHERE n > 0 OR k = 1", "-"),
    ("SELECT n FROM a WHERE n = ?", "N"),
    ("SELECT n FROM a WHERE n <=> ?", "-"),
    ("SELECT n FROM a WHERE NOT (n = 2)", "N"),
    ("SELECT n FROM a WHERE n NOT IN (SELECT v FROM e)", "-"),
    (
        "SELECT a.id, b.v, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.v = ?",
        "NNN",
    ),
    (
        "SELECT a.id, b.v FROM a LEFT JOIN b ON b.aid = a.id AND b.v = 5",
        "N-",
    ),
    (
        "SELECT b.v, e.v FROM a LEFT JOIN b ON b.aid = a.id LEFT JOIN e ON e.id = b.id WHERE e.v > 0",
        "NN",
    ),
    (
        "SELECT b.v, e.v FROM a LEFT JOIN b ON b.aid = a.id LEFT JOIN e ON e.id = b.id WHERE b.v > 0",
        "N-",
    ),
    (
        "SELECT b.v FROM a LEFT JOIN b ON b.aid = a.id JOIN c ON c.id = b.v",
        "N",
    ),
    (
        "SELECT k / 2, k DIV 2, k % 2, MOD(k, 3), k / 0.5 FROM a",
        "NNNNN",
    ),
    ("SELECT k / 0, k / 0.0, k DIV id, k / 1e-400 FROM a", "----"),
    (
        "SELECT YEAR(d), MONTH(d), DATE_FORMAT(d, '%Y-%m-%d'), YEAR(NOW()), DAYNAME(CURDATE()) FROM a",
        "NNNNN",
    ),
    (
        "SELECT DAYNAME(d), TO_DAYS(d), LAST_DAY(d), DATE_FORMAT(d, '%W'), DATE_ADD(d, INTERVAL 1 DAY), YEAR(s) FROM a",
        "------",
    ),
    (
        "SELECT x.v, x.one FROM a LEFT JOIN (SELECT aid, v, 1 AS one FROM b) x ON x.aid = a.id",
        "--",
    ),
    (
        "SELECT x.v, x.one FROM a LEFT JOIN (SELECT aid, v, 1 AS one FROM b) x ON x.aid = a.id WHERE x.one = 1",
        "--",
    ),
    (
        "SELECT a.k, x.m FROM a JOIN (SELECT aid, MAX(v) AS m FROM b GROUP BY aid) x ON x.aid = a.id LEFT JOIN e ON e.id = a.id",
        "NN",
    ),
    (
        "WITH RECURSIVE r AS (SELECT 1 AS n, id, n AS m FROM a UNION ALL SELECT r.n + 1, b.id, r.n FROM r JOIN b ON b.aid = r.id WHERE r.n < 3) SELECT n, id, m FROM r",
        "NN-",
    ),
    (
        "WITH RECURSIVE r AS (SELECT 1 AS n, id FROM a UNION ALL SELECT NULLIF(r.n, 1), r.n + 1 FROM r WHERE r.id < 3) SELECT n, id FROM r",
        "--",
    ),
    (
        "WITH RECURSIVE r AS (SELECT 1 AS n, d FROM a UNION ALL SELECT n + 1, 'x' FROM r WHERE n < 2) SELECT n, d FROM r",
        "N-",
    ),
    (
        "WITH x AS (SELECT aid, SUM(v) AS m FROM b GROUP BY aid) SELECT m FROM x",
        "N",
    ),
    ("SELECT id, k, n FROM v1 WHERE n IS NOT NULL", "NNN"),
    (
        "SELECT k IN (SELECT v FROM b), k > ALL (SELECT v FROM e), n IN (SELECT v FROM b) FROM a",
        "NN-",
    ),
    (
        "SELECT id FROM a UNION ALL SELECT MAX(v) FROM b GROUP BY aid",
        "N",
    ),
    (
        "SELECT CASE WHEN n = 1 THEN 1 ELSE 2 END, IF(n, 1, 2), COALESCE(n, k) FROM a",
        "NNN",
    ),
];

#[test]
fn what_the_sql_proves_is_not_nullable() {
    for flavor in Server::ALL {
        let mut shapes = Shapes::new(flavor, SCHEMA);
        for (sql, expected) in PROVEN {
            let shape = shapes.tell(sql, &soundness::described);
            let shape = shape.unwrap_or_else(|| panic!("{flavor} refuses {sql}"));
            let told: String = shape
                .columns
                .iter()
                .map(|told| if told.nullable { '-' } else { 'N' })
                .collect();
            assert_eq!(told, *expected, "{flavor}: {sql}");
            assert!(
                shape.breaches.is_empty(),
                "{flavor}: {sql}: {:?}",
                shape.breaches
            );
        }
    }
}
