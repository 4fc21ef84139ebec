//! Cases from the field about NULL, each with its kind: what is called nullable, beside what each server gives. `N` is never NULL, `-` may be.
//!
//! The letters are not only what is told: no column that is told to be `N` is NULL in any of these rows, and where a case is about a
//! NULL that comes, it comes.

use tests::Server;
use tests::soundness::{self, Shapes};

const SCHEMA: &[&str] = &[
    "CREATE TABLE a (id INT PRIMARY KEY, n VARCHAR(9) NOT NULL)",
    "CREATE TABLE b (id INT PRIMARY KEY, a_id INT NULL, v INT NOT NULL)",
    "CREATE TABLE c (id INT PRIMARY KEY, b_id INT NOT NULL, v INT NOT NULL)",
    "CREATE TABLE nothing (id INT PRIMARY KEY, v INT NOT NULL)",
    "CREATE TABLE g (id INT PRIMARY KEY, v INT NOT NULL, half INT AS (v DIV 2) STORED, part INT AS (v / 0) VIRTUAL, j JSON NOT NULL)",
    "INSERT INTO a VALUES (1, 'one'), (2, 'two'), (3, 'three')",
    "INSERT INTO b VALUES (1, 1, 10), (2, NULL, 0), (3, 9, 30)",
    "INSERT INTO c VALUES (1, 1, 5)",
    "INSERT INTO g (id, v, j) VALUES (1, 4, '{\"a\": null}')",
    "CREATE VIEW joined AS SELECT a.id, a.n, b.v FROM a LEFT JOIN b ON b.a_id = a.id",
    "CREATE VIEW plain AS SELECT id, n FROM a",
];

/// A statement, what is told of its columns, and which of them are NULL in some row: `0` where one is.
type Case = (&'static str, &'static str, &'static str);

fn right(cases: &[Case]) {
    let mut wrong = String::new();
    for server in Server::ALL {
        let mut shapes = Shapes::new(server, SCHEMA);
        for (sql, expected, nulls) in cases {
            let shape = shapes
                .tell(sql, &soundness::described)
                .unwrap_or_else(|| panic!("{server} refuses {sql}"));
            let (told, came) = shape.letters();
            if !shape.breaches.is_empty() || (told.as_str(), came.as_str()) != (*expected, *nulls) {
                wrong += &format!(
                    "{server}: {sql}: {told} was told and {came} came, not {expected} and {nulls}; {:?}\n",
                    shape.breaches
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The next page behind a key of two columns; and rows that are compared in other ways.
#[test]
fn rows_that_are_compared() {
    right(&[
        ("SELECT a_id FROM b WHERE (a_id, id) < (9, 9)", "N", "."),
        ("SELECT a_id FROM b WHERE (9, 9) >= (a_id, id)", "N", "."),
        ("SELECT a_id FROM b WHERE (id, a_id) > (1, 1)", "-", "0"),
        ("SELECT a_id FROM b WHERE (a_id, id) <> (1, 1)", "-", "0"),
        ("SELECT a_id FROM b WHERE NOT (a_id, id) = (1, 1)", "-", "0"),
        (
            "SELECT a_id FROM b WHERE (v, a_id) IN ((10, 1), (0, 5))",
            "N",
            ".",
        ),
        (
            "SELECT a_id FROM b WHERE (a_id, id) NOT IN ((1, 1))",
            "-",
            "0",
        ),
        (
            "SELECT a.id, b.v FROM a LEFT JOIN b ON b.a_id = a.id WHERE (b.v, a.id) > (0, 0)",
            "NN",
            "..",
        ),
    ]);
}

/// Case 29, and its mirror.
#[test]
fn case_29_a_plain_outer_join() {
    right(&[
        (
            "SELECT a.id, b.v FROM a LEFT JOIN b ON b.a_id = a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT a.id, b.v FROM b RIGHT JOIN a ON b.a_id = a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT a.id, b.v FROM a LEFT OUTER JOIN b ON b.a_id = a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT a.id, b.v FROM a JOIN b ON b.a_id = a.id",
            "NN",
            "..",
        ),
        ("SELECT a.id, b.v FROM a, b", "NN", ".."),
        ("SELECT a.id, b.v FROM a CROSS JOIN b", "NN", ".."),
        (
            "SELECT a.id, b.v FROM a STRAIGHT_JOIN b ON b.a_id = a.id",
            "NN",
            "..",
        ),
        (
            "SELECT a.id, b.v FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.v > 0",
            "NN",
            "..",
        ),
        // Every row of `a` has its `b` here, and need not have it.
        (
            "SELECT a.id, b.id AS bid FROM a LEFT JOIN b USING (id)",
            "N-",
            "..",
        ),
        ("SELECT id, b.v FROM a NATURAL LEFT JOIN b", "N-", ".."),
        (
            "SELECT a.id, c.id AS cid FROM a LEFT JOIN c USING (id)",
            "N-",
            ".0",
        ),
        ("SELECT id, n, c.v FROM a NATURAL LEFT JOIN c", "NN-", "..0"),
        ("SELECT a.id, c.v FROM a JOIN c USING (id)", "NN", ".."),
        ("SELECT a.id, c.v FROM a NATURAL LEFT JOIN c", "N-", ".0"),
        ("SELECT c.v FROM a LEFT JOIN c USING (id)", "-", "0"),
        (
            "SELECT * FROM a LEFT JOIN c ON c.id = a.id",
            "NN---",
            "..000",
        ),
        (
            "SELECT a.*, c.* FROM c RIGHT JOIN a ON c.id = a.id",
            "NN---",
            "..000",
        ),
    ]);
}

/// Case 31: one outer join behind the other, and a table joined with itself.
#[test]
fn case_31_chained_joins() {
    right(&[
        (
            "SELECT a.id, b.v, c.v AS w FROM a LEFT JOIN b ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id",
            "N--",
            ".00",
        ),
        (
            "SELECT a.id, b.v, c.v AS w FROM a LEFT JOIN b ON b.a_id = a.id JOIN c ON c.b_id = b.id",
            "NNN",
            "...",
        ),
        (
            "SELECT a.id, b.v, c.v AS w FROM a LEFT JOIN (b JOIN c ON c.b_id = b.id) ON b.a_id = a.id",
            "N--",
            ".00",
        ),
        (
            "SELECT x.id, y.id AS other FROM a x LEFT JOIN a y ON y.id = x.id + 1",
            "N-",
            ".0",
        ),
        (
            "SELECT x.id, y.id AS other, z.id AS more FROM a x LEFT JOIN a y ON y.id = x.id + 1 LEFT JOIN a z ON z.id = y.id",
            "N--",
            ".00",
        ),
        (
            "SELECT c.v, b.v AS w, a.id FROM c RIGHT JOIN b ON c.b_id = b.id RIGHT JOIN a ON b.a_id = a.id",
            "--N",
            "00.",
        ),
        (
            "SELECT a.id, b.v, c.v AS w FROM a JOIN b ON b.id = a.id LEFT JOIN c ON c.b_id = b.id",
            "NN-",
            "..0",
        ),
    ]);
}

/// Case 33: a derived table, a CTE, a view or a LATERAL one that may be missing.
#[test]
fn case_33_a_query_on_the_side_that_may_be_missing() {
    right(&[
        (
            "SELECT a.id, s.a_id, s.v FROM a LEFT JOIN (SELECT a_id, v FROM b WHERE v > 0) s ON s.a_id = a.id",
            "N--",
            ".00",
        ),
        (
            "WITH s AS (SELECT a_id, v FROM b WHERE v > 0) SELECT a.id, s.v FROM a LEFT JOIN s ON s.a_id = a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT a.id, s.one FROM a LEFT JOIN (SELECT a_id, 1 AS one FROM b) s ON s.a_id = a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT s.one, a.id FROM (SELECT a_id, 1 AS one FROM b) s RIGHT JOIN a ON s.a_id = a.id",
            "-N",
            "0.",
        ),
        (
            "SELECT c.id, p.n FROM c LEFT JOIN plain p ON p.id = c.v",
            "N-",
            ".0",
        ),
        ("SELECT id, n, v FROM joined", "NN-", "..0"),
        // Cautious: MySQL leaves out tests of what it takes for NOT NULL in a view, and is not always right about that.
        (
            "SELECT j.id, j.v FROM joined j JOIN b ON b.id = j.id WHERE j.v IS NOT NULL",
            "N-",
            "..",
        ),
        (
            "SELECT x.v FROM (SELECT a.id, b.v FROM a LEFT JOIN b ON b.a_id = a.id) x",
            "-",
            "0",
        ),
        (
            "SELECT x.id FROM (SELECT a.id, b.v FROM a JOIN b ON b.a_id = a.id) x",
            "N",
            ".",
        ),
    ]);
}

/// Case 35: aggregates over no rows, by groups, and with ROLLUP.
#[test]
fn case_35_aggregates() {
    right(&[
        (
            "SELECT COUNT(*), COUNT(v), SUM(v), MAX(v), GROUP_CONCAT(v) FROM b WHERE 1 = 0",
            "NN---",
            "..000",
        ),
        (
            "SELECT COUNT(*), COUNT(v), SUM(v), MAX(v), GROUP_CONCAT(v) FROM b GROUP BY a_id",
            "NNNNN",
            ".....",
        ),
        (
            "SELECT v, MAX(v), COUNT(*) FROM b GROUP BY v WITH ROLLUP",
            "--N",
            "0..",
        ),
        (
            "SELECT AVG(v), MIN(v), BIT_OR(v) FROM nothing",
            "--N",
            "00.",
        ),
        ("SELECT MAX(a_id), SUM(a_id) FROM b GROUP BY v", "--", "00"),
        (
            "SELECT COALESCE(SUM(v), 0), IFNULL(MAX(v), -1) FROM nothing",
            "NN",
            "..",
        ),
        ("SELECT JSON_ARRAYAGG(v) FROM nothing", "-", "0"),
        (
            "SELECT COUNT(DISTINCT v) FROM nothing HAVING COUNT(*) = 0",
            "N",
            ".",
        ),
    ]);
}

/// Case 37: NULL from either arm.
#[test]
fn case_37_union() {
    right(&[
        ("SELECT v FROM b UNION ALL SELECT NULL", "-", "0"),
        ("SELECT NULL UNION ALL SELECT v FROM b", "-", "0"),
        ("SELECT v FROM b UNION SELECT a_id FROM b", "-", "0"),
        ("SELECT v FROM b UNION ALL SELECT id FROM a", "N", "."),
        (
            "(SELECT v FROM b LIMIT 1) UNION (SELECT MAX(v) FROM nothing)",
            "-",
            "0",
        ),
        (
            "SELECT v, 'x' AS x FROM b UNION ALL SELECT id, n FROM a",
            "NN",
            "..",
        ),
        ("SELECT v FROM b EXCEPT SELECT v FROM c", "N", "."),
        (
            "SELECT x.v FROM (SELECT v FROM b UNION ALL SELECT NULL) x",
            "-",
            "0",
        ),
    ]);
}

/// Case 39: grouping by the key of a table that may be missing.
#[test]
fn case_39_the_key_of_a_table_that_is_missing() {
    right(&[
        (
            "SELECT COUNT(*), a.id FROM b LEFT JOIN a ON a.id = b.a_id GROUP BY a.id",
            "N-",
            ".0",
        ),
        (
            "SELECT DISTINCT a.id FROM b LEFT JOIN a ON a.id = b.a_id",
            "-",
            "0",
        ),
        (
            "SELECT a.id, COUNT(b.id), MAX(b.v) FROM a LEFT JOIN b ON b.a_id = a.id GROUP BY a.id",
            "NN-",
            "..0",
        ),
        (
            "SELECT COUNT(*), a.id FROM b LEFT JOIN a ON a.id = b.a_id WHERE a.id > 0 GROUP BY a.id",
            "NN",
            "..",
        ),
    ]);
}

/// Functions and expressions that give NULL of what is none, and those that take it away.
#[test]
fn expressions_that_give_null_and_take_it_away() {
    right(&[
        ("SELECT NULLIF(v, 0), NULLIF(v, NULL) FROM b", "--", "0."),
        (
            "SELECT IFNULL(a_id, v), COALESCE(a_id, NULL), COALESCE(NULL, v) FROM b",
            "N-N",
            ".0.",
        ),
        (
            "SELECT CASE WHEN v > 5 THEN v END, CASE v WHEN 0 THEN 1 ELSE 2 END, IF(v = 0, a_id, v) FROM b",
            "-N-",
            "0.0",
        ),
        (
            "SELECT (SELECT v FROM b WHERE id = 99), (SELECT MAX(v) FROM nothing), (SELECT 1), EXISTS (SELECT 1 FROM nothing) FROM a",
            "--NN",
            "00..",
        ),
        (
            "SELECT v / 0, v DIV 0, v % 0, 1 / v, v / 2 FROM b",
            "----N",
            "0000.",
        ),
        (
            "SELECT a_id = 1, a_id <=> 1, a_id IS NULL, a_id IN (1, 2), v IN (1, NULL) FROM b",
            "-NN--",
            "0..00",
        ),
        (
            "SELECT LAG(v) OVER (ORDER BY id), LEAD(v) OVER (ORDER BY id), ROW_NUMBER() OVER (ORDER BY id), FIRST_VALUE(v) OVER (ORDER BY id) FROM b",
            "--NN",
            "00..",
        ),
        (
            "SELECT NTH_VALUE(v, 9) OVER (ORDER BY id), SUM(v) OVER () FROM b",
            "-N",
            "0.",
        ),
        (
            "SELECT JSON_EXTRACT(j, '$.b'), JSON_VALUE(j, '$.b') FROM g",
            "--",
            "00",
        ),
        ("SELECT half, part, v FROM g", "--N", ".0."),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
            "N",
            ".",
        ),
        (
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT NULLIF(n + 1, 3) FROM r WHERE n < 3) SELECT n FROM r",
            "-",
            "0",
        ),
        (
            "SELECT CONCAT(n, NULL), CONCAT_WS(',', n, NULL), CONCAT(n, 'x'), UPPER(n) FROM a",
            "-NNN",
            "0...",
        ),
        (
            "SELECT STR_TO_DATE(n, '%Y'), CAST(n AS CHAR), LENGTH(n) FROM a",
            "-NN",
            "0..",
        ),
        (
            "SELECT GREATEST(v, NULL), LEAST(v, a_id), GREATEST(v, 1) FROM b",
            "--N",
            "00.",
        ),
        (
            "SELECT NOT a_id, -a_id, a_id AND 0, v AND 1 FROM b",
            "---N",
            "00..",
        ),
        (
            "SELECT ?, ? + 1, COALESCE(?, 1), v = ? FROM b",
            "--N-",
            ".0.0",
        ),
        (
            "SELECT SQRT(-v), LOG(v), ASCII(n), ELT(v, 'x') FROM b JOIN a ON a.id = b.id",
            "--N-",
            "00.0",
        ),
    ]);
}

/// A sequence of MariaDB gives a value or an error; that of before there need not be.
#[test]
fn values_of_a_sequence() {
    for server in [Server::MariaDb, Server::MariaDb10] {
        let mut shapes = Shapes::new(server, &["CREATE SEQUENCE numbers MAXVALUE 2"]);
        let mut nullable = |sql: &str| {
            let shape = shapes.tell(sql, &soundness::described).expect(sql);
            assert!(shape.breaches.is_empty(), "{server}: {sql}: {shape:?}");
            shape
                .columns
                .iter()
                .map(|told| told.nullable)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            nullable("SELECT PREVIOUS VALUE FOR numbers AS n"),
            [true],
            "{server}"
        );
        assert_eq!(
            nullable("SELECT NEXT VALUE FOR numbers AS n, 1 + NEXT VALUE FOR numbers"),
            [false, false],
            "{server}"
        );
    }
}
