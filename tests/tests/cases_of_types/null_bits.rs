//! NULLs between values of every width.

use ark_mysql::dynamic::Value;
use ark_mysql::{Connection, Result};
use tests::{Database, on_every_server};

use crate::{rows, same, types};

/// Every type that all servers have, with a value of it.
const COLUMNS: [(&str, &str); 24] = [
    ("TINYINT", "-1"),
    ("TIME(6)", "'-1:02:03.000004'"),
    ("SMALLINT UNSIGNED", "65535"),
    ("VARCHAR(9) CHARACTER SET utf8mb4", "'é'"),
    ("MEDIUMINT", "-8388608"),
    ("DATETIME(6)", "'2024-01-02 03:04:05.000006'"),
    ("INT UNSIGNED", "4294967295"),
    ("DECIMAL(20,5)", "-1.50000"),
    ("BIGINT UNSIGNED", "18446744073709551615"),
    ("TIME", "'00:00:00'"),
    ("FLOAT", "0.5"),
    ("BLOB", "X'FB00FF'"),
    ("DOUBLE", "-0.1"),
    ("DATE", "'2024-02-29'"),
    ("YEAR", "2155"),
    ("BIT(17)", "b'10000000000000001'"),
    ("JSON", "'[1]'"),
    ("ENUM('a','b')", "'b'"),
    ("SET('x','y')", "''"),
    ("TIMESTAMP NULL", "'2024-01-02 00:00:00'"),
    ("BOOL", "TRUE"),
    ("GEOMETRY", "ST_GeomFromText('POINT(1 2)')"),
    ("BINARY(3)", "X'010203'"),
    ("TEXT CHARACTER SET latin1", "REPEAT('x', 300)"),
];

/// Which columns are NULL.
type Mask = fn(usize, usize) -> bool;

on_every_server! {
    /// Case 27: rows of 1 to 24 columns, so that the bitmap is 1 to 4 bytes long, with NULL at each place alone, everywhere else, and everywhere.
    async fn null_at_every_place(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let columns: Vec<String> = COLUMNS.iter().enumerate().map(|(at, (sql, _))| match *sql {
            "TIMESTAMP NULL" => format!("c{at} TIMESTAMP NULL"),
            sql => format!("c{at} {sql} NULL"),
        }).collect();
        conn.run_script(&format!("CREATE TABLE t(id INT NOT NULL PRIMARY KEY, {})", columns.join(", "))).await?;
        let masks: [Mask; 3] = [|at, place| at == place, |at, place| at != place, |_, _| true];
        let nulls: Vec<Vec<bool>> = masks.iter().flat_map(|mask| (0..COLUMNS.len()).map(|place| (0..COLUMNS.len()).map(|at| mask(at, place)).collect())).chain([vec![false; COLUMNS.len()]]).collect();
        for (id, nulls) in nulls.iter().enumerate() {
            let values: Vec<&str> = COLUMNS.iter().zip(nulls).map(|((_, value), null)| if *null { "NULL" } else { *value }).collect();
            conn.run_script(&format!("INSERT INTO t VALUES ({id}, {})", values.join(", "))).await?;
        }
        let full = ark_mysql::query("SELECT * FROM t ORDER BY id DESC LIMIT 1").fetch_one(&mut conn).await?;
        let full = &full.values()[1..];
        assert!(!full.contains(&Value::Null));
        for width in 1..=COLUMNS.len() {
            let list: Vec<String> = (0..width).map(|at| format!("c{at}")).collect();
            let rows = ark_mysql::query(format!("SELECT {} FROM t ORDER BY id", list.join(", "))).fetch_all(&mut conn).await?;
            for (row, nulls) in rows.iter().zip(&nulls) {
                for (at, (value, null)) in row.values().iter().zip(nulls).enumerate() {
                    assert_eq!(*value, if *null { Value::Null } else { full[at].clone() }, "column {at} of {width}");
                }
            }
        }
        Ok(())
    }

    /// The same by generated code: 17 columns, a third byte of bitmap for the last of them.
    async fn null_at_the_edges_of_the_bitmap(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(id INT NOT NULL PRIMARY KEY, a TINYINT, b VARCHAR(9), c BIGINT, d TIME(6), e DATETIME, f DOUBLE, g BLOB, h DECIMAL(5,2), i INT, j SMALLINT, k FLOAT, l DATE, m YEAR, n BIT(9), o MEDIUMINT, p TEXT);
            INSERT INTO t VALUES (1, NULL, 'b', 3, '4:0:0', '2024-01-05', NULL, 'g', 8, 9, 10, 11, '2024-01-12', 2013, 14, NULL, NULL),
                (2, 1, NULL, NULL, NULL, NULL, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 15, 'p')");
        let mut conn = Connection::connect(database.url()).await?;
        let numbers = same(rows!(conn, "SELECT a, c, f, i, j, k, m, n, o, id FROM t ORDER BY id", [], [
            a: Option<i8> = Nullable TinyInt, c: Option<i64> = Nullable BigInt, f: Option<f64> = Nullable Double, i: Option<i32> = Nullable Int, j: Option<i16> = Nullable SmallInt,
            k: Option<f32> = Nullable Float, m: Option<u16> = Nullable Year, n: Option<u64> = Nullable Bit, o: Option<i32> = Nullable MediumInt, id: i32 = NotNull Int,
        ]));
        assert_eq!(numbers, [
            (None, Some(3), None, Some(9), Some(10), Some(11.0), Some(2013), Some(14), None, 1),
            (Some(1), None, Some(6.0), None, None, None, None, None, Some(15), 2),
        ]);
        let (rows, as_text) = rows!(conn, "SELECT id, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p FROM t ORDER BY id", [], [
            id: i32 = NotNull Int, a: Option<i8> = Nullable TinyInt, b: Option<String> = Nullable Text, c: Option<i64> = Nullable BigInt, d: Option<ark_mysql::types::Time> = Nullable Time,
            e: Option<ark_mysql::types::DateTime> = Nullable DateTime, f: Option<f64> = Nullable Double, g: Option<Vec<u8>> = Nullable Bytes, h: Option<ark_mysql::types::Decimal> = Nullable Decimal,
            i: Option<i32> = Nullable Int, j: Option<i16> = Nullable SmallInt, k: Option<f32> = Nullable Float, l: Option<ark_mysql::types::Date> = Nullable Date, m: Option<u16> = Nullable Year,
            n: Option<u64> = Nullable Bit, o: Option<i32> = Nullable MediumInt, p: Option<String> = Nullable Text,
        ]);
        // A tuple of 17 has no traits: its two ends and what stands at the sixth place, where the second byte begins.
        for rows in [rows?, as_text?] {
            assert_eq!((rows[0].0, rows[0].1, rows[0].6, rows[0].7.clone(), rows[0].15, rows[0].16.clone()), (1, None, None, Some(b"g".to_vec()), None, None));
            assert_eq!((rows[1].0, rows[1].1, rows[1].6, rows[1].7.clone(), rows[1].15, rows[1].16.clone()), (2, Some(1), Some(6.0), None, Some(15), Some("p".to_owned())));
        }
        Ok(())
    }

    /// A column that is NULL and nothing else reads as `None` of any type.
    async fn null_of_no_type(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let nothing = rows!(conn, "SELECT NULL AS a, NULL AS b, NULL AS c", [], [a: Option<i64> = Nullable Null, b: Option<ark_mysql::types::uuid::Uuid> = Nullable Null, c: Option<String> = Nullable Null]);
        assert_eq!(same(nothing), [(None, None, None)]);
        assert_eq!(types(&database, "SELECT NULL UNION ALL SELECT 1"), "Option<i64>");
        Ok(())
    }
}
