//! Several results to one statement: `CALL`. However many of them are read, the connection stays in step.

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, on_both_servers};

use crate::{fails, one};

const PROCEDURE: &str = "CREATE PROCEDURE p(IN a INT, OUT b INT, INOUT c VARCHAR(20)) BEGIN
    SELECT a AS one UNION SELECT a + 1;
    SELECT a + 1 AS two, 'zwölf' AS three;
    UPDATE t SET n = n + a;
    SET b = 7, c = CONCAT(c, '€');
    SELECT n FROM t WHERE n < 0;
END";

async fn open(database: &Database) -> Result<Connection> {
    database.run("CREATE TABLE t (n INT); INSERT INTO t VALUES (1), (2), (3)");
    let mut conn = Connection::connect(database.url()).await?;
    query(PROCEDURE).execute(&mut conn).await?;
    Ok(conn)
}

on_both_servers! {
    async fn come_one_after_the_other(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        for round in 0..3 {
            let call = query("CALL p(?, ?, ?)").bind(5).bind(None::<i64>).bind("x");
            let mut sets = call.fetch_sets(&mut conn).await?;
            let mut set = sets.next().await?.expect("the first");
            assert_eq!(set.columns().len(), 1);
            assert_eq!(set.done(), None, "round {round}");
            let ones: Vec<i64> = set.fetch_all().await?.iter().map(|row| row.get("one")).collect::<Result<_>>()?;
            assert_eq!(ones, [5, 6]);
            assert!(set.done().is_some() && !set.is_out_parameters());
            assert!(set.next().await?.is_none(), "and so it stays");
            let mut set = sets.next().await?.expect("the second");
            let row = set.next().await?.expect("a row");
            assert_eq!((row.get::<i64>("two")?, row.get::<String>("three")?), (6, "zwölf".to_owned()));
            let mut set = sets.next().await?.expect("the third");
            assert_eq!(set.columns()[0].name(), "n");
            assert_eq!(set.fetch_all().await?.len(), 0);
            let mut set = sets.next().await?.expect("the parameters");
            let row = set.next().await?.expect("a row");
            // MySQL does not say that it is text.
            assert_eq!((row.get::<i64>("b")?, row.get::<Vec<u8>>("c")?), (7, "x€".into()));
            assert!(set.next().await?.is_none() && set.is_out_parameters());
            let mut set = sets.next().await?.expect("the end of the CALL");
            assert!(set.columns().is_empty() && set.next().await?.is_none());
            assert!(set.done().is_some() && !set.is_out_parameters());
            assert!(sets.next().await?.is_none());
            assert!(sets.next().await?.is_none());
        }
        assert_eq!(one::<i64>(&mut conn, "SELECT MIN(n) FROM t").await?, 16);
        Ok(())
    }

    /// Case 47: the same three times, with only the first row read.
    async fn stay_in_step_when_only_the_first_row_is_read(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let call = || query("CALL p(?, ?, ?)").bind(1).bind(None::<i64>).bind("x");
        let in_text = || query("CALL p(1, @b, @c)");
        for round in 0..3 {
            assert_eq!(call().fetch_one(&mut conn).await?.get::<i64>("one")?, 1);
            assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42, "fetch_one, {round}");
            assert_eq!(in_text().fetch_optional(&mut conn).await?.unwrap().get::<i64>(0)?, 1);
            assert_eq!(one::<i64>(&mut conn, "SELECT 43").await?, 43, "fetch_optional, {round}");
            for sets_read in 0..6 {
                let mut sets = call().fetch_sets(&mut conn).await?;
                for _ in 0..sets_read {
                    if let Some(mut set) = sets.next().await? {
                        set.next().await?;
                    }
                }
                drop(sets);
                assert_eq!(one::<i64>(&mut conn, "SELECT 44").await?, 44, "{sets_read} results, {round}");
            }
            assert_eq!(call().fetch_all(&mut conn).await?.len(), 2, "rows of the first result");
            call().fetch_sets(&mut conn).await?.finish().await?;
            call().execute(&mut conn).await?;
            in_text().execute(&mut conn).await?;
            assert_eq!(one::<i64>(&mut conn, "SELECT 45").await?, 45, "{round}");
        }
        Ok(())
    }

    async fn tell_affected_rows(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query("CREATE PROCEDURE writes() BEGIN SELECT 1; UPDATE t SET n = n + 1; END").execute(&mut conn).await?;
        let done = query("CALL writes()").execute(&mut conn).await?;
        assert_eq!(done.rows_affected(), 3);
        let done = query("CALL writes()").fetch_sets(&mut conn).await?.finish().await?;
        assert_eq!(done.rows_affected(), 3);
        let mut sets = query("UPDATE t SET n = n + 1").fetch_sets(&mut conn).await?;
        let set = sets.next().await?.expect("one without columns");
        assert_eq!(set.done().expect("at once").rows_affected(), 3);
        assert!(sets.next().await?.is_none());
        Ok(())
    }

    async fn an_error_in_a_later_one_ends_them(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query("CREATE PROCEDURE fails() BEGIN SELECT 1 AS n; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'enough'; END").execute(&mut conn).await?;
        for round in 0..3 {
            let mut sets = query("CALL fails()").fetch_sets(&mut conn).await?;
            assert_eq!(sets.next().await?.expect("the first").fetch_all().await?.len(), 1);
            let error = fails(sets.next().await.map(drop), ErrorKind::Server, Outcome::Partial);
            assert!(error.to_string().contains("enough") && error.to_string().contains("CALL fails()"), "{error}");
            assert!(sets.next().await?.is_none());
            drop(sets);
            assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42, "{round}");
        }
        Ok(())
    }

    async fn text_that_a_routine_sends_in_another_character_set_is_an_error(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query("CREATE PROCEDURE leaves() BEGIN SELECT 'é' AS a; SET NAMES gbk; SELECT 'é' AS b; END").execute(&mut conn).await?;
        for _ in 0..2 {
            let mut sets = query("CALL leaves()").fetch_sets(&mut conn).await?;
            assert_eq!(sets.next().await?.expect("the first").fetch_all().await?[0].get::<String>("a")?, "é");
            let error = fails(sets.next().await.map(drop), ErrorKind::Decode, Outcome::Done);
            assert!(error.to_string().contains("column `b`"), "{error}");
            drop(sets);
            assert_eq!(one::<String>(&mut conn, "SELECT 'é'").await?, "é");
        }
        Ok(())
    }

    async fn hold_a_pools_connection_until_they_are_dropped(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::connect(database.url().parse::<ConnectOptions>()?.max_connections(1)).await?;
        for _ in 0..3 {
            let mut sets = query("CALL p(1, @b, @c)").fetch_sets(&pool).await?;
            sets.next().await?.expect("the first").next().await?.expect("a row");
            assert_eq!(pool.metrics().lent, 1);
            drop(sets);
            let mut conn = pool.acquire().await?;
            assert_eq!(one::<Option<i64>>(&mut conn, "SELECT @b").await?, None, "the session was reset");
        }
        Ok(())
    }

    async fn have_a_deadline_for_all_of_them(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        query("CREATE PROCEDURE slow() BEGIN SELECT 1; SELECT SLEEP(600); END").execute(&mut conn).await?;
        let call = query("CALL slow()").deadline(std::time::Duration::from_millis(700));
        let mut sets = call.fetch_sets(&mut conn).await?;
        assert_eq!(sets.next().await?.expect("the first").fetch_all().await?.len(), 1);
        let late = match sets.next().await {
            Ok(set) => set.expect("the second").fetch_all().await.map(drop),
            Err(error) => Err(error),
        };
        let error = late.expect_err("too slow");
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
        Ok(())
    }
}
