//! Expressions that are one type when they are prepared and another when they run (and one more on the next server).

use ark_mysql::types::chrono::NaiveDate;
use ark_mysql::{Connection, Result, query, query_scalar};
use tests::{Database, on_every_server};

use crate::support::open;

/// Prepared, then by its remembered layout, then as text: always the same.
macro_rules! always {
    ($conn:expr, $query:expr, |$row:ident| $value:expr, $expected:expr) => {
        for text in [false, false, true, false] {
            let values: Vec<_> = if text {
                $query
                    .text()
                    .fetch_all(&mut *$conn)
                    .await?
                    .iter()
                    .map(|$row| $value)
                    .collect()
            } else {
                $query
                    .fetch_all(&mut *$conn)
                    .await?
                    .iter()
                    .map(|$row| $value)
                    .collect()
            };
            assert_eq!(values, $expected, "text: {text}");
        }
    };
}

on_every_server! {
    async fn computed_integers(database: Database) -> Result<()> {
        let conn = &mut open(&database).await?;
        always!(conn, query!("SELECT MAX(id) OVER () AS `x?`, k FROM a ORDER BY k"), |row| (row.x, row.k), [(Some(2), 1), (Some(2), 2)]);
        always!(conn, query!("SELECT DISTINCT k = 1 AS x FROM a ORDER BY 1"), |row| row.x, [0, 1]);
        always!(conn, query!("SELECT EXISTS (SELECT 1 FROM b WHERE b.a_id = a.id) AS x FROM a GROUP BY a.id ORDER BY 1"), |row| row.x, [0, 1]);
        always!(conn, query!("SELECT DISTINCT MIN(k) AS `x?` FROM a"), |row| row.x, [Some(1)]);
        always!(conn, query!("SELECT COUNT(*) AS x, SUM(k = 1) AS `y?` FROM a WHERE k < 0"), |row| (row.x, row.y.is_none()), [(0, true)]);
        always!(conn, query!("SELECT a.k AS k, COUNT(*) AS n FROM a LEFT JOIN b ON b.a_id = a.id GROUP BY a.k WITH ROLLUP"), |row| (row.k, row.n), [(Some(1), 1), (Some(2), 1), (None, 2)]);
        always!(conn, query!("SELECT 1 AS one, TRUE AS yes, 3 > 2 AS more, 1 IS NULL AS no"), |row| (row.one, row.yes, row.more, row.no), [(1, 1, 1, 0)]);
        always!(conn, query!("SELECT ROW_NUMBER() OVER (ORDER BY id) AS n, LENGTH(s) AS l FROM a ORDER BY id"), |row| (i128::from(row.n), row.l), [(1, 1), (2, 1)]);
        always!(conn, query!("SELECT 9223372036854775807 AS big, -1 AS less"), |row| (row.big, row.less), [(i64::MAX, -1)]);
        Ok(())
    }

    async fn years_and_dates(database: Database) -> Result<()> {
        let conn = &mut open(&database).await?;
        always!(conn, query!("SELECT DISTINCT YEAR(d) AS `y?` FROM a ORDER BY 1"), |row| row.y.map(i128::from), [Some(1999), Some(2024)]);
        always!(conn, query!("SELECT STR_TO_DATE('2024-05-06', '%Y-%m-%d') AS `d?`"), |row| row.d.map(|d| format!("{d}").contains("2024-05-06")), [Some(true)]);
        always!(conn, query!("SELECT MAX(d) AS `d?` FROM a"), |row| row.d, [NaiveDate::from_ymd_opt(2024, 5, 6)]);
        Ok(())
    }

    async fn texts_by_way_of_a_temporary_table(database: Database) -> Result<()> {
        let conn = &mut open(&database).await?;
        always!(conn, query!("SELECT DISTINCT CONCAT(s, '!', REPEAT('z', 300)) AS `c?` FROM a ORDER BY 1"), |row| row.c.as_deref().map_or(0, str::len), [302, 302]);
        always!(conn, query!("SELECT GROUP_CONCAT(s ORDER BY s) AS `c?` FROM a GROUP BY n IS NULL WITH ROLLUP"), |row| row.c.as_deref().map(str::len), [Some(1), Some(1), Some(3)]);
        always!(conn, query!("SELECT NULL AS n, s FROM a ORDER BY s"), |row| row.n.is_none(), [true, true]);
        Ok(())
    }

    async fn what_a_parameter_makes_of_it(database: Database) -> Result<()> {
        let conn = &mut open(&database).await?;
        always!(conn, query!("SELECT CAST(? AS SIGNED) AS `v?`", 5i8), |row| row.v, [Some(5)]);
        always!(conn, query!("SELECT CAST(? AS SIGNED) AS `v?`", "123456789012"), |row| row.v, [Some(123_456_789_012)]);
        always!(conn, query!("SELECT CAST(? AS SIGNED) AS `v?`", i64::MIN), |row| row.v, [Some(i64::MIN)]);
        always!(conn, query!("SELECT k + ? AS `v?` FROM a ORDER BY k", 1i8), |row| row.v, [Some(2), Some(3)]);
        always!(conn, query!("SELECT COALESCE(?, k) AS `v!` FROM a ORDER BY k", None::<i64>), |row| row.v, [1, 2]);
        Ok(())
    }

    async fn what_a_parameter_alone_is(database: Database) -> Result<()> {
        let conn = &mut open(&database).await?;
        for _ in 0..2 {
            assert_eq!(dynamic::<i64>(conn, "SELECT ?", 5i64).await?, 5);
            assert_eq!(dynamic::<String>(conn, "SELECT ?", "abc").await?, "abc");
            assert_eq!(dynamic::<f64>(conn, "SELECT ?", 1.5f64).await?, 1.5);
            assert_eq!(dynamic::<u64>(conn, "SELECT ? + 0", u64::MAX).await?, u64::MAX);
            // Bytes alone come back as text from MySQL, which thinks that `?` is a string.
            assert_eq!(dynamic::<Vec<u8>>(conn, "SELECT CAST(? AS BINARY)", b"\xff\x00".as_slice()).await?, [0xff, 0]);
            assert_eq!(dynamic::<Option<String>>(conn, "SELECT ?", None::<&str>).await?, None);
            let date = NaiveDate::from_ymd_opt(2024, 2, 29).unwrap();
            assert_eq!(dynamic::<NaiveDate>(conn, "SELECT ?", date).await?, date);
        }
        Ok(())
    }
}

async fn dynamic<T: ark_mysql::dynamic::FromValue>(
    conn: &mut Connection,
    sql: &str,
    value: impl ark_mysql::value::Encode<ark_mysql::kind::Any>,
) -> Result<T> {
    query(sql).bind(value).fetch_one(conn).await?.get(0)
}

mod remembered {
    //! MySQL reads a statement by the types of its first execution: one handle used with two types finds wrong rows.

    use ark_mysql::kind::{Any, Text};
    use ark_mysql::value::{Encode, EncodeError, ParamSink, ParamType};

    use super::*;

    /// Goes wherever it likes: what checks would refuse, servers still have to answer as if it were the first.
    #[derive(Clone, Copy)]
    struct Unchecked<T>(T);

    impl<K, T: Encode<Any>> Encode<K> for Unchecked<T> {
        const TYPE: ParamType = T::TYPE;

        fn encode<S: ParamSink>(&self, out: &mut S) -> std::result::Result<(), EncodeError> {
            self.0.encode(out)
        }
    }

    async fn with<V: Encode<Text> + Sync>(conn: &mut Connection, value: V) -> Result<Vec<i32>> {
        query_scalar!("SELECT id FROM a WHERE s = ? ORDER BY id", value)
            .fetch_all(conn)
            .await
    }

    async fn in_list<V: Encode<Text> + Sync>(
        conn: &mut Connection,
        one: V,
        two: V,
    ) -> Result<Vec<i32>> {
        query_scalar!("SELECT id FROM a WHERE s IN (?, ?) ORDER BY id", one, two)
            .fetch_all(conn)
            .await
    }

    on_every_server! {
        async fn a_number_first_and_a_string_then(database: Database) -> Result<()> {
            let conn = &mut open(&database).await?;
            for _ in 0..3 {
                assert_eq!(with(conn, Unchecked(5i64)).await?, [0; 0]);
                assert_eq!(with(conn, "abc").await?, [0; 0], "the number is forgotten");
                assert_eq!(with(conn, "x").await?, [1]);
                assert_eq!(with(conn, Some("y")).await?, [2]);
                assert_eq!(with(conn, None::<&str>).await?, [0; 0]);
                assert_eq!(in_list(conn, Unchecked(5), Unchecked(6)).await?, [0; 0]);
                assert_eq!(in_list(conn, "abc", "def").await?, [0; 0]);
                assert_eq!(in_list(conn, "y", "x").await?, [1, 2]);
            }
            assert_eq!(conn.cached_statements(), 4, "one for each list of types");
            Ok(())
        }

        async fn an_update_hits_no_row_too_many(database: Database) -> Result<()> {
            let conn = &mut open(&database).await?;
            conn.run_script("SET sql_mode = ''").await?;
            async fn update<V: Encode<Text> + Sync>(conn: &mut Connection, value: V) -> Result<u64> {
                Ok(query!("UPDATE a SET n = COALESCE(n, 0) + 1 WHERE s = ?", value).execute(conn).await?.rows_affected())
            }
            assert_eq!(update(conn, Unchecked(5)).await?, 0);
            assert_eq!(update(conn, "abc").await?, 0);
            assert_eq!(update(conn, "x").await?, 1);
            for sql in ["SELECT COALESCE(?, 'x')", "SELECT ?"] {
                query(sql).bind(5).fetch_one(&mut *conn).await?;
                assert_eq!(dynamic::<String>(conn, sql, "abc").await?, "abc", "{sql}");
            }
            Ok(())
        }

        async fn nulls_keep_the_type(database: Database) -> Result<()> {
            let conn = &mut open(&database).await?;
            for (one, two, expected) in [(Some(1), None, vec![]), (None, Some(2), vec![]), (None, None, vec![1]), (Some(7), Some(2), vec![2]), (None, Some(1), vec![1])] {
                let rows = query_scalar!("SELECT id FROM a WHERE n <=> ? AND k = COALESCE(?, 1)", one, two);
                assert_eq!(rows.fetch_all(&mut *conn).await?, expected, "{one:?}, {two:?}");
            }
            assert_eq!(conn.cached_statements(), 1);
            Ok(())
        }
    }
}

mod sequences {
    //! One statement with values of one type after another: each gets the answer that it would have got as the first.

    use ark_mysql::types::Decimal;
    use ark_mysql::{ErrorKind, query};
    use chrono::NaiveDate;

    use super::*;

    /// A value of some type.
    #[derive(Clone, Copy, Debug)]
    enum Bound {
        Integer(i64),
        Unsigned(u64),
        Float(f64),
        Exact(&'static str),
        Text(&'static str),
        Day(i32),
        Null,
    }

    use Bound::{Day, Exact, Float, Integer, Null, Text, Unsigned};

    const SEQUENCE: &[Bound] = &[
        Integer(5),
        Text("abc"),
        Float(1.5),
        Text("x"),
        Exact("2.50"),
        Text("abc"),
        Day(2024),
        Text("y"),
        Integer(5),
        Null,
        Text("7"),
        Unsigned(u64::MAX),
        Text("abc"),
    ];

    const STATEMENTS: &[&str] = &[
        "SELECT k FROM a WHERE s = ? ORDER BY k",
        "SELECT k FROM a WHERE s IN (?, ?) ORDER BY k",
        "SELECT k FROM a WHERE k = ?",
        "SELECT k FROM a WHERE s LIKE ? ORDER BY k",
        "SELECT ?",
        "SELECT COALESCE(?, ?)",
        "SELECT CONCAT(?, '!')",
        "SELECT IFNULL(?, s) FROM a ORDER BY k",
        "SELECT CASE WHEN k = 1 THEN ? ELSE s END FROM a ORDER BY k",
    ];

    /// What comes, or the number of the server's error.
    async fn answer(conn: &mut Connection, sql: &str, value: Bound) -> Result<String> {
        let mut statement = query(sql);
        for _ in 0..sql.matches('?').count() {
            statement = match value {
                Integer(value) => statement.bind(value),
                Unsigned(value) => statement.bind(value),
                Float(value) => statement.bind(value),
                Exact(text) => statement.bind(text.parse::<Decimal>().unwrap()),
                Text(text) => statement.bind(text),
                Day(year) => statement.bind(NaiveDate::from_ymd_opt(year, 1, 2).unwrap()),
                Null => statement.bind(None::<&str>),
            };
        }
        match statement.fetch_all(conn).await {
            Ok(rows) => Ok(rows
                .iter()
                .map(|row| format!("{:?} ", row.values()))
                .collect()),
            Err(error) if error.kind() == ErrorKind::Server => {
                Ok(format!("{:?}", error.server().map(|server| server.code)))
            }
            Err(error) => Err(error),
        }
    }

    on_every_server! {
        async fn each_as_if_it_were_the_first(database: Database) -> Result<()> {
            let conn = &mut open(&database).await?;
            for sql in STATEMENTS {
                for value in SEQUENCE {
                    let used = answer(conn, sql, *value).await?;
                    let fresh = answer(&mut Connection::connect(database.url()).await?, sql, *value).await?;
                    assert_eq!(used, fresh, "{sql}: {value:?}");
                }
            }
            Ok(())
        }

        // The columns are those of a statement that was checked, and the values make other ones: the right value or an error, never another value.
        async fn values_that_make_another_column(database: Database) -> Result<()> {
            let conn = &mut open(&database).await?;
            for (value, sum) in [("4", "5.00"), ("5.7", "6.70")] {
                let found = query_scalar!("SELECT CAST(? AS DECIMAL(10, 2)) + 1 AS `v!: Decimal`", value).fetch_one(&mut *conn).await?;
                assert_eq!(found.to_string(), sum);
            }
            for (value, expected) in [(7_u64, Some(7)), (u64::MAX, None)] {
                match query_scalar!("SELECT COALESCE(?, k) AS `v!` FROM a LIMIT 1", value).fetch_one(&mut *conn).await {
                    Ok(found) => assert_eq!(Some(found), expected, "{value}"),
                    Err(error) => assert!(expected.is_none() && error.kind() == ErrorKind::Decode, "{value}: {error}"),
                }
            }
            Ok(())
        }
    }
}
