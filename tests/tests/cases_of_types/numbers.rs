//! Numbers, bits, and what is made of bytes.

use ark_mysql::types::{Decimal, Geometry, bigdecimal, rust_decimal};
use ark_mysql::{Connection, ErrorKind, Outcome, Result};
use tests::{Database, Flavor, Server, on_every_server};

use crate::{fails, refused, rows, same, types};

fn decimal(digits: &str) -> Decimal {
    digits.parse().unwrap()
}

on_every_server! {
    /// Case 15: BIT of every width, its length told by the value alone.
    async fn bits_of_every_width(database: Database) -> Result<()> {
        let columns: Vec<String> = (1..=64).map(|width| format!("b{width} BIT({width}) NOT NULL")).collect();
        database.run(&format!("CREATE TABLE t(id INT NOT NULL, {})", columns.join(", ")));
        let ones: Vec<String> = (1..=64).map(|width| format!("b'{}'", "1".repeat(width))).collect();
        let one = vec!["b'1'"; 64];
        let zeros = vec!["b'0'"; 64];
        database.run(&format!("INSERT INTO t VALUES (1, {}), (2, {}), (3, {})", ones.join(", "), one.join(", "), zeros.join(", ")));
        assert_eq!(types(&database, "SELECT b1, b2, b8, b17, b64 FROM t"), "bool, u64, u64, u64, u64");
        let mut conn = Connection::connect(database.url()).await?;
        let read = rows!(conn, "SELECT b1, b8, b9, b17, b64 FROM t ORDER BY id", [], [b1: bool = NotNull Bit1, b8: u64 = NotNull Bit, b9: u64 = NotNull Bit, b17: u64 = NotNull Bit, b64: u64 = NotNull Bit]);
        assert_eq!(same(read), [(true, 0xff, 0x1ff, 0x1_ffff, u64::MAX), (true, 1, 1, 1, 1), (false, 0, 0, 0, 0)]);
        assert_eq!(same(rows!(conn, "SELECT b1 FROM t ORDER BY id", [], [b1: u64 = NotNull Bit1])), [(1,), (1,), (0,)]);
        for row in ark_mysql::query("SELECT * FROM t WHERE id = 1").fetch_all(&mut conn).await? {
            for width in 1..=64 {
                assert_eq!(row.get::<u64>(format!("b{width}").as_str())?, u64::MAX >> (64 - width), "{width}");
            }
        }
        let found = rows!(conn, "SELECT b64 FROM t WHERE b64 = ? AND b17 = ? AND b1 = ?", [u64::MAX => kind::Bit, 0x1_ffff_u32 => kind::Bit, true => kind::Bit1], [b64: u64 = NotNull Bit]);
        assert_eq!(same(found), [(u64::MAX,)]);
        Ok(())
    }

    /// Case 17: what is above the signed half of a type is sent as what it is.
    async fn unsigned_values_keep_their_sign(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(a BIGINT UNSIGNED NOT NULL, b INT UNSIGNED NOT NULL, c TINYINT UNSIGNED NOT NULL, d MEDIUMINT UNSIGNED NOT NULL, e SMALLINT UNSIGNED NOT NULL, f BIGINT NOT NULL)");
        let mut conn = Connection::connect(database.url()).await?;
        ark_mysql::query("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)").bind(u64::MAX).bind(u32::MAX).bind(u8::MAX).bind(16_777_215_u32).bind(u16::MAX).bind(i64::MIN).execute(&mut conn).await?;
        let read = rows!(conn, "SELECT a, b, c, d, e, f FROM t WHERE a = ? AND b = ? AND c = ? AND d = ? AND e = ?",
            [u64::MAX => kind::BigIntUnsigned, u32::MAX => kind::IntUnsigned, u8::MAX => kind::TinyIntUnsigned, 16_777_215_u64 => kind::MediumIntUnsigned, u16::MAX => kind::SmallIntUnsigned],
            [a: u64 = NotNull BigIntUnsigned, b: u32 = NotNull IntUnsigned, c: u8 = NotNull TinyIntUnsigned, d: u32 = NotNull MediumIntUnsigned, e: u16 = NotNull SmallIntUnsigned, f: i64 = NotNull BigInt]);
        assert_eq!(same(read), [(u64::MAX, u32::MAX, u8::MAX, 16_777_215, u16::MAX, i64::MIN)]);
        for text in ["18446744073709551615", "18446744073709551615.0"] {
            let stored: i64 = ark_mysql::query(format!("SELECT COUNT(*) FROM t WHERE a = {text}")).fetch_one(&mut conn).await?.get(0)?;
            assert_eq!(stored, 1);
        }
        let sum: u64 = ark_mysql::query("SELECT ? + 0").bind(u64::MAX).fetch_one(&mut conn).await?.get(0)?;
        assert_eq!(sum, u64::MAX);
        let (low, high): (u64, u64) = {
            let row = ark_mysql::query("SELECT ? + 0, ? + 0").bind(u8::MAX).bind(u32::MAX).fetch_one(&mut conn).await?;
            (row.get::<i128>(0)?.try_into().unwrap(), row.get::<i128>(1)?.try_into().unwrap())
        };
        assert_eq!((low, high), (255, u32::MAX.into()));
        Ok(())
    }

    /// The neighbour of case 17: unsigned arithmetic below zero is the server's error, not a number near 2^64.
    async fn unsigned_arithmetic_below_zero(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(a INT UNSIGNED NOT NULL, b INT UNSIGNED NOT NULL); INSERT INTO t VALUES (1, 2)");
        let mut conn = Connection::connect(database.url()).await?;
        let error = ark_mysql::query("SELECT a - b FROM t").fetch_all(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.server().map(|server| server.code)), (ErrorKind::Server, Some(1690)), "{error}");
        assert_eq!(types(&database, "SELECT a - b AS d, CAST(a AS SIGNED) - CAST(b AS SIGNED) AS e FROM t"), "u64, i64");
        let signed = rows!(conn, "SELECT CAST(a AS SIGNED) - CAST(b AS SIGNED) AS e FROM t", [], [e: i64 = NotNull BigInt]);
        assert_eq!(same(signed), [(-1,)]);
        Ok(())
    }

    /// Case 19: sums and averages are DECIMALs or DOUBLEs, whatever they are of.
    async fn a_sum_is_no_integer(database: Database) -> Result<()> {
        database.run("CREATE TABLE o(qty INT UNSIGNED NOT NULL, f FLOAT NOT NULL, d DOUBLE, x DECIMAL(10,2) NOT NULL); INSERT INTO o VALUES (4294967295, 0.5, 1, 1.10), (4294967295, 0.25, NULL, 2.20)");
        let sums = "SELECT SUM(qty), AVG(qty), SUM(f), SUM(d), AVG(f), SUM(qty > 1), SUM(x), AVG(x) FROM o";
        assert_eq!(types(&database, sums), "Option<Decimal>, Option<Decimal>, Option<f64>, Option<f64>, Option<f64>, Option<Decimal>, Option<Decimal>, Option<Decimal>");
        assert_eq!(types(&database, "SELECT SUM(qty) FROM o GROUP BY f"), "Decimal");
        let mut conn = Connection::connect(database.url()).await?;
        let read = rows!(conn, "SELECT SUM(qty) AS a, AVG(qty) AS b, SUM(f) AS c, SUM(qty > 1) AS d, SUM(x) AS e FROM o", [],
            [a: Option<Decimal> = Nullable Decimal, b: Option<Decimal> = Nullable Decimal, c: Option<f64> = Nullable Double, d: Option<Decimal> = Nullable Decimal, e: Option<Decimal> = Nullable Decimal]);
        assert_eq!(same(read), [(Some(decimal("8589934590")), Some(decimal("4294967295")), Some(0.75), Some(decimal("2")), Some(decimal("3.3")))]);
        let other = rows!(conn, "SELECT SUM(qty) AS a, SUM(x) AS e FROM o", [], [a: Option<rust_decimal::Decimal> = Nullable Decimal, e: Option<bigdecimal::BigDecimal> = Nullable Decimal]);
        assert_eq!(same(other), [(Some(8_589_934_590_u64.into()), Some("3.30".parse().unwrap()))]);
        // The hint of the compiler's message works.
        let cast = rows!(conn, "SELECT CAST(SUM(qty) AS UNSIGNED) AS a FROM o", [], [a: Option<u64> = Nullable BigIntUnsigned]);
        assert_eq!(same(cast), [(Some(8_589_934_590),)]);
        let empty = rows!(conn, "SELECT SUM(qty) AS a, AVG(f) AS b FROM o WHERE qty = 0", [], [a: Option<Decimal> = Nullable Decimal, b: Option<f64> = Nullable Double]);
        assert_eq!(same(empty), [(None, None)]);
        Ok(())
    }

    /// The neighbours of case 19: 65 digits, and exponents, which are no DECIMAL.
    async fn decimals_at_their_limits(database: Database) -> Result<()> {
        let digits = "9".repeat(65);
        database.run(&format!("CREATE TABLE t(a DECIMAL(65,0) NOT NULL, b DOUBLE NOT NULL); INSERT INTO t VALUES ({digits}, 1e300)"));
        let mut conn = Connection::connect(database.url()).await?;
        assert_eq!(same(rows!(conn, "SELECT a FROM t WHERE a = ?", [decimal(&digits) => kind::Decimal], [a: Decimal = NotNull Decimal])), [(decimal(&digits),)]);
        assert_eq!(same(rows!(conn, "SELECT a FROM t", [], [a: bigdecimal::BigDecimal = NotNull Decimal])), [(digits.parse().unwrap(),)]);
        fails(rows!(conn, "SELECT a FROM t", [], [a: rust_decimal::Decimal = NotNull Decimal]), &["`a`", "does not fit"]);
        let far: bigdecimal::BigDecimal = "1e400".parse().unwrap();
        fails(rows!(conn, "SELECT a FROM t WHERE a = ?", [far => kind::Decimal], [a: Decimal = NotNull Decimal]), &["parameter 1", "65 digits"]);
        let error = ark_mysql::query("SELECT ?").bind(far).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Encode, Outcome::NotSent));
        assert_eq!(types(&database, "SELECT 1e3, 1.5, 1e3 + 1.5 FROM t"), "f64, Decimal, f64");
        Ok(())
    }

    /// Case 21: a VALUES of parameters has a type at its execution only. MariaDB gives a column of nothing but parameters no room at all, so that they are lost
    /// without a word: that does not compile. With a CAST they are there, on every server.
    async fn values_of_parameters(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let row = if database.flavor() == Flavor::MySql { "ROW" } else { "" };
        for (sql, place) in [(format!("VALUES {row}(?, 'a')"), 0), (format!("SELECT * FROM (VALUES {row}(1, ?)) v"), 1), (format!("WITH v AS (VALUES {row}(?)) SELECT * FROM v"), 0)] {
            for text in ["5", "6"] {
                let bound = ark_mysql::query(sql.as_str()).bind(text).fetch_one(&mut conn).await?;
                match database.flavor() {
                    Flavor::MySql => assert_eq!(bound.get::<String>(place)?, text, "{sql}"),
                    Flavor::MariaDb => assert_eq!(bound.get::<Vec<u8>>(place)?, b"", "{sql}: MariaDB has learnt it: tell the users"),
                }
                let told = refused(&database, &sql).unwrap_or_default();
                assert_eq!(told.contains("MariaDB loses what is bound here") && told.contains("CAST(? AS SIGNED)"), database.flavor() == Flavor::MariaDb, "{told}");
                let cast = sql.replace('?', "CAST(? AS SIGNED)");
                assert_eq!(ark_mysql::query(cast).bind(text).fetch_one(&mut conn).await?.get::<i64>(place)?.to_string(), text);
            }
            let number = ark_mysql::query(sql.replace('?', "CAST(? AS SIGNED)")).bind(7_i64).fetch_one(&mut conn).await?;
            assert_eq!(number.get::<i64>(place)?, 7);
            assert!(types(&database, &sql.replace('?', "CAST(? AS SIGNED)")).contains("Option<i64>"));
        }
        // Beside a value with a type, and in a comparison, a parameter is what it is everywhere.
        let beside = ark_mysql::query(format!("VALUES {row}(1, 'a'), {row}(?, 'b')")).bind(5_i64).fetch_all(&mut conn).await?;
        assert_eq!(beside[1].get::<i64>(0)?, 5);
        let inside = ark_mysql::query(format!("SELECT 1 FROM DUAL WHERE ? IN (VALUES {row}(5), {row}(6))")).bind(5_i64).fetch_all(&mut conn).await?;
        assert_eq!(inside.len(), 1);
        Ok(())
    }

    /// Case 25: shapes with their reference system, and vectors with their length.
    async fn shapes_and_vectors(database: Database) -> Result<()> {
        database.run("CREATE TABLE g(a GEOMETRY NOT NULL, p POINT); INSERT INTO g VALUES (ST_GeomFromText('POINT(1 2)', 4326), ST_GeomFromText('POINT(3 4)')), (ST_GeomFromText('LINESTRING(0 0, 1 1)'), NULL)");
        assert_eq!(types(&database, "SELECT a, p FROM g"), "Geometry, Option<Geometry>");
        let mut conn = Connection::connect(database.url()).await?;
        let shapes = same(rows!(conn, "SELECT a, p FROM g ORDER BY ST_SRID(a) DESC", [], [a: Geometry = NotNull Geometry, p: Option<Geometry> = Nullable Geometry]));
        let point = |srid: u32, x: f64, y: f64| {
            let wkb = [&[1, 1, 0, 0, 0][..], &x.to_le_bytes(), &y.to_le_bytes()].concat();
            Geometry { srid, wkb }
        };
        // MySQL has the latitude, which its text gives first, in y.
        let first = if database.flavor() == Flavor::MySql { point(4326, 2.0, 1.0) } else { point(4326, 1.0, 2.0) };
        assert_eq!(shapes[0], (first.clone(), Some(point(0, 3.0, 4.0))));
        assert_eq!((shapes[1].0.srid, shapes[1].0.wkb.len(), &shapes[1].1), (0, 41, &None));
        ark_mysql::query("INSERT INTO g VALUES (?, ?)").bind(&first).bind(point(0, 5.0, 6.0)).execute(&mut conn).await?;
        let same_place: i64 = ark_mysql::query("SELECT COUNT(*) FROM g WHERE ST_SRID(a) = 4326 AND ST_X(p) IN (3, 5)").fetch_one(&mut conn).await?.get(0)?;
        assert_eq!(same_place, 2);
        if database.kind() == Server::MariaDb10 {
            return Ok(());
        }
        let from_text = if database.flavor() == Flavor::MySql { "STRING_TO_VECTOR" } else { "VEC_FromText" };
        database.run(&format!("CREATE TABLE v(a VECTOR(3) NOT NULL, b BLOB NOT NULL); INSERT INTO v VALUES ({from_text}('[1,-0.5,2]'), 'abcde')"));
        let vectors = rows!(conn, "SELECT a FROM v", [], [a: Vec<f32> = NotNull Vector]);
        assert_eq!(same(vectors), [(vec![1.0, -0.5, 2.0],)]);
        fails(rows!(conn, "SELECT b FROM v", [], [b: Vec<f32> = NotNull Bytes]), &["`b`", "length"]);
        let error = ark_mysql::query("INSERT INTO v VALUES (?, '')").bind(vec![0.0_f32; 4]).execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Server, Outcome::Rejected), "{error}");
        Ok(())
    }

    /// Text that is numbers: FLOAT has six digits in the text protocol, and only there.
    async fn a_float_as_text_has_six_digits(database: Database) -> Result<()> {
        database.run("CREATE TABLE t(a FLOAT NOT NULL, b FLOAT(7,2) NOT NULL, c DOUBLE NOT NULL); INSERT INTO t VALUES (16777217, 12345.678, 0.1)");
        let mut conn = Connection::connect(database.url()).await?;
        let (prepared, text) = rows!(conn, "SELECT a, b, c FROM t", [], [a: f32 = NotNull Float, b: f32 = NotNull Float, c: f64 = NotNull Double]);
        assert_eq!(prepared?, [(16_777_216.0, 12_345.68, 0.1)]);
        assert_eq!(text?, [(16_777_200.0, 12_345.68, 0.1)]);
        Ok(())
    }
}
