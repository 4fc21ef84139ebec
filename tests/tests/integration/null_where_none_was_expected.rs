//! A NULL in a column that was taken for NOT NULL: an error that names it, never a wrong value.

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Result, query, query_as, query_scalar};
use tests::{Database, on_every_server};

use crate::support::{fails, open};

#[track_caller]
fn names(error: &Error, parts: &[&str]) {
    let shown = error.to_string();
    assert!(parts.iter().all(|part| shown.contains(part)), "{shown}");
}

async fn still_works(conn: &mut Connection) -> Result<()> {
    assert_eq!(
        query_scalar!("SELECT COUNT(*) FROM users")
            .fetch_one(conn)
            .await?,
        3
    );
    Ok(())
}

on_every_server! {
    async fn is_an_error_that_names_row_and_column(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for text in [false, true] {
            let users = query!(r#"SELECT id, age AS "age!" FROM users ORDER BY id"#);
            let users = if text { users.text().fetch_all(&mut conn).await } else { users.fetch_all(&mut conn).await };
            let error = fails(users, ErrorKind::UnexpectedNull, Outcome::Done);
            names(&error, &["age", "row 2"]);
            still_works(&mut conn).await?;
            // The one before it can be had.
            let first = query!(r#"SELECT id, age AS "age!" FROM users ORDER BY id"#).fetch_one(&mut conn).await?;
            assert_eq!(first.age, 30);
            let mut rows = query!(r#"SELECT id, age AS "age!" FROM users ORDER BY id"#).fetch(&mut conn);
            assert_eq!(rows.next().await?.map(|row| row.age), Some(30));
            fails(rows.next().await, ErrorKind::UnexpectedNull, Outcome::Done);
            assert!(rows.next().await?.is_none(), "nothing comes behind an error");
            drop(rows);
            still_works(&mut conn).await?;
        }
        Ok(())
    }

    async fn after_not_null_was_taken_away(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let names_of_all = query_scalar!("SELECT name FROM users ORDER BY id DESC").fetch_all(&mut conn).await?;
        assert_eq!(names_of_all.len(), 3);
        database.run("ALTER TABLE users MODIFY name VARCHAR(50) NULL");
        // No NULL has come so far.
        assert_eq!(query_scalar!("SELECT name FROM users ORDER BY id DESC").fetch_all(&mut conn).await?, names_of_all);
        database.run("UPDATE users SET name = NULL WHERE id = 3");
        for text in [false, true] {
            let all = query_scalar!("SELECT name FROM users ORDER BY id DESC");
            let all = if text { all.text().fetch_all(&mut conn).await } else { all.fetch_all(&mut conn).await };
            let error = all.expect_err("there is a NULL");
            assert!(matches!(error.kind(), ErrorKind::UnexpectedNull | ErrorKind::SchemaChanged), "{error}");
            names(&error, &["name"]);
        }
        still_works(&mut conn).await
    }

    // What the servers themselves are wrong about, and say NOT NULL of.
    async fn where_the_server_promised_too_much(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let row = query!("SELECT a.id, x.one FROM a LEFT JOIN (SELECT id, 1 AS one FROM b) x ON x.id = a.id ORDER BY a.id DESC").fetch_one(&mut conn).await?;
        assert_eq!((row.id, row.one), (2, None));
        let row = query!("SELECT a.id, v.one FROM a LEFT JOIN a_view v ON v.id = a.id ORDER BY a.id DESC").fetch_one(&mut conn).await?;
        assert_eq!((row.id, row.one), (2, None));
        let row = query!(r#"WITH x AS (SELECT id, COALESCE(v, 0) AS c FROM b) SELECT x.c, a.id AS "id!: i64" FROM x RIGHT JOIN a ON a.id = x.id ORDER BY a.id DESC"#).fetch_one(&mut conn).await?;
        assert_eq!((row.id, row.c), (2, None));
        let rows = query!("SELECT k, COUNT(*) AS n FROM a GROUP BY k WITH ROLLUP").fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| (row.k.is_none(), row.n)).filter(|(null, _)| *null).collect::<Vec<_>>(), [(true, 2)]);
        let row = query!("SELECT MAX(b.v) AS most, COUNT(*) AS n FROM b WHERE b.id > 99").fetch_one(&mut conn).await?;
        assert_eq!((row.most, row.n), (None, 0));
        Ok(())
    }

    async fn where_joins_leave_one_side_empty(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let rows = query!("SELECT a.id, b.v, o.amount FROM a LEFT JOIN b ON b.a_id = a.id LEFT JOIN orders o ON o.id = b.id ORDER BY a.id").fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| (row.id, row.v, row.amount)).collect::<Vec<_>>(), [(1, Some(10), Some(5)), (2, None, None)]);
        let rows = query!("SELECT b.v, a.id FROM b RIGHT JOIN a ON b.a_id = a.id ORDER BY a.id").fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| (row.v, row.id)).collect::<Vec<_>>(), [(Some(10), 1), (None, 2)]);
        let rows = query!("SELECT v FROM b UNION ALL SELECT NULL").fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| row.v).collect::<Vec<_>>(), [Some(10), None]);
        let rows = query!("SELECT COUNT(*) AS n, a.id FROM b LEFT JOIN a ON a.id = b.a_id + 50 GROUP BY a.id").fetch_all(&mut conn).await?;
        assert_eq!(rows.iter().map(|row| (row.n, row.id)).collect::<Vec<_>>(), [(1, None)]);
        Ok(())
    }

    // 17 columns: the NULL bitmap is three bytes long, and begins at bit 2.
    async fn in_every_place_of_a_long_row(database: Database) -> Result<()> {
        #[derive(Debug, PartialEq)]
        struct Long { a: Option<i64>, b: Option<i64>, c: Option<i64>, d: Option<i64>, e: Option<i64>, f: Option<i64>, g: Option<i64>, h: Option<i64>, i: Option<i64>,
            j: Option<i64>, k: Option<i64>, l: Option<i64>, m: Option<i64>, n: Option<i64>, o: Option<i64>, p: Option<i64>, q: Option<i64> }
        let mut conn = open(&database).await?;
        for null in 0..18i32 {
            let row = query_as!(Long, "SELECT NULLIF(x.i, 0) AS a, NULLIF(x.i, 1) AS b, NULLIF(x.i, 2) AS c, NULLIF(x.i, 3) AS d, NULLIF(x.i, 4) AS e, NULLIF(x.i, 5) AS f,
                NULLIF(x.i, 6) AS g, NULLIF(x.i, 7) AS h, NULLIF(x.i, 8) AS i, NULLIF(x.i, 9) AS j, NULLIF(x.i, 10) AS k, NULLIF(x.i, 11) AS l, NULLIF(x.i, 12) AS m,
                NULLIF(x.i, 13) AS n, NULLIF(x.i, 14) AS o, NULLIF(x.i, 15) AS p, NULLIF(x.i, 16) AS q FROM (SELECT CAST(n AS SIGNED) AS i FROM numbers WHERE n = ?) x", null);
            database.run(&format!("REPLACE INTO numbers VALUES ({null}, '')"));
            let row = row.fetch_one(&mut conn).await?;
            let fields = [row.a, row.b, row.c, row.d, row.e, row.f, row.g, row.h, row.i, row.j, row.k, row.l, row.m, row.n, row.o, row.p, row.q];
            for (at, field) in (0..).zip(fields) {
                assert_eq!(field, (at != null).then_some(i64::from(null)), "column {at}");
            }
        }
        Ok(())
    }
}
