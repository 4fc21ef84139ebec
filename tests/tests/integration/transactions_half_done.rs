//! A transaction of which a part stays, or that goes on after it ended.

use std::time::Duration;

use ark_mysql::{
    Connection, Error, ErrorKind, Outcome, Pool, Result, Transaction, query, query_scalar,
};
use tests::{Database, on_every_server};

use crate::support::{Middleman, code, connect, fails, open};

/// Ages of the three users, as others see them.
async fn ages(database: &Database) -> Result<[Option<i32>; 3]> {
    let ages = query_scalar!("SELECT age FROM users ORDER BY id")
        .fetch_all(&mut connect(database).await?)
        .await?;
    Ok(ages.try_into().unwrap())
}

const BEFORE: [Option<i32>; 3] = [Some(30), None, Some(50)];

async fn set(tx: &mut Transaction<'_>, id: u32, age: i32) -> Result<()> {
    query!("UPDATE users SET age = ? WHERE id = ?", age, id)
        .execute(tx)
        .await
        .map(drop)
}

#[track_caller]
fn ended(result: Result<()>) -> Error {
    fails(result, ErrorKind::TransactionEnded, Outcome::NotSent)
}

on_every_server! {
    async fn is_kept_by_commit_and_undone_otherwise(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 1).await?;
        assert_eq!(ages(&database).await?, BEFORE, "nobody sees it");
        drop(tx);
        assert_eq!(query_scalar!("SELECT age FROM users ORDER BY id").fetch_all(&mut conn).await?, BEFORE);
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 2).await?;
        tx.rollback().await?;
        assert!(!conn.in_transaction());
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 3).await?;
        tx.commit().await?;
        assert!(!conn.in_transaction());
        assert_eq!(ages(&database).await?, [Some(3), None, Some(50)]);
        // An error of the caller's, by `?`.
        async fn fails_in_the_middle(conn: &mut Connection) -> Result<()> {
            let mut tx = conn.begin().await?;
            set(&mut tx, 2, 4).await?;
            query!("INSERT INTO users (id, name) VALUES (?, ?)", 1, "again").execute(&mut tx).await?;
            tx.commit().await
        }
        assert_eq!(code(&fails_in_the_middle(&mut conn).await.unwrap_err()), Some(1062));
        conn.ping().await?;
        assert_eq!(ages(&database).await?, [Some(3), None, Some(50)]);
        Ok(())
    }

    async fn savepoints_are_undone_alone(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 1).await?;
        {
            let mut inner = tx.savepoint().await?;
            set(&mut inner, 2, 2).await?;
            {
                let mut innermost = inner.savepoint().await?;
                set(&mut innermost, 3, 3).await?;
                innermost.commit().await?;
            }
            {
                let mut innermost = inner.savepoint().await?;
                set(&mut innermost, 1, 99).await?;
                drop(innermost);
            }
            inner.commit().await?;
        }
        {
            let mut inner = tx.savepoint().await?;
            set(&mut inner, 1, 98).await?;
            inner.rollback().await?;
        }
        {
            let mut inner = tx.savepoint().await?;
            set(&mut inner, 1, 97).await?;
            let mut innermost = inner.savepoint().await?;
            set(&mut innermost, 2, 96).await?;
            // Dropped together, the inner one first.
        }
        tx.commit().await?;
        assert_eq!(ages(&database).await?, [Some(1), Some(2), Some(3)]);
        Ok(())
    }

    async fn an_ordinary_error_leaves_it_open(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 1).await?;
        for (sql, expected) in [("INSERT INTO users (id, name) VALUES (1, 'again')", 1062), ("SELECT no_such_column FROM users", 1054), ("SELEC", 1064)] {
            let error = fails(query(sql).execute(&mut tx).await, ErrorKind::Server, Outcome::Rejected);
            assert_eq!(code(&error), Some(expected));
        }
        fails(query!(r#"SELECT age AS "age!" FROM users WHERE id = 2"#).fetch_one(&mut tx).await, ErrorKind::UnexpectedNull, Outcome::Done);
        set(&mut tx, 2, 2).await?;
        tx.commit().await?;
        assert_eq!(ages(&database).await?, [Some(1), Some(2), Some(50)]);
        Ok(())
    }

    async fn what_commits_implicitly_ends_it(database: Database) -> Result<()> {
        open(&database).await?;
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        for sql in ["CREATE TABLE extra (id INT)", "ALTER TABLE extra ADD c INT", "DROP TABLE extra", "COMMIT", "ROLLBACK", "TRUNCATE TABLE blobs", "LOCK TABLES users READ"] {
            let mut tx = pool.begin().await?;
            query(sql).execute(&mut tx).await?;
            ended(set(&mut tx, 1, 99).await);
            ended(query("UPDATE users SET age = 99").execute(&mut tx).await.map(drop));
            ended(tx.savepoint().await.map(drop));
            ended(query!("SELECT id FROM users").fetch(&mut tx).next().await.map(drop));
            let error = ended(tx.commit().await);
            assert!(!error.is_transient(), "{sql}: {error}");
            // Nothing of it came through by itself.
            assert_eq!(ages(&database).await?, BEFORE, "{sql}");
            assert_eq!(query_scalar!("SELECT COUNT(*) FROM users").fetch_one(&pool).await?, 3, "{sql}");
        }
        // DDL that fails commits before it fails.
        let mut tx = pool.begin().await?;
        set(&mut tx, 1, 1).await?;
        query("CREATE TABLE users (id INT)").execute(&mut tx).await.unwrap_err();
        let after = set(&mut tx, 1, 99).await;
        let age = ages(&database).await?[0];
        match after {
            Err(error) => assert_eq!((error.kind(), age), (ErrorKind::TransactionEnded, Some(1))),
            Ok(()) => assert_eq!(age, Some(30), "still open"),
        }
        Ok(())
    }

    async fn ddl_inside_a_savepoint_ends_all_of_it(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut tx = conn.begin().await?;
        {
            let mut inner = tx.savepoint().await?;
            query("CREATE TABLE extra (id INT)").execute(&mut inner).await?;
            ended(set(&mut inner, 1, 99).await);
            ended(inner.commit().await);
        }
        ended(set(&mut tx, 1, 98).await);
        drop(tx);
        assert_eq!(ages(&database).await?, BEFORE);
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 1).await?;
        tx.commit().await?;
        assert_eq!(ages(&database).await?, [Some(1), None, Some(50)]);
        Ok(())
    }

    async fn reads_its_own_writes_by_every_way(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 1).await?;
        assert_eq!(query_scalar!("SELECT age FROM users WHERE id = ?", 1u32).fetch_one(&mut tx).await?, Some(1));
        assert_eq!(query_scalar!("SELECT age FROM users WHERE id = ?", 1u32).text().fetch_one(&mut tx).await?, Some(1));
        let mut rows = query!("SELECT id, age FROM users ORDER BY id").fetch(&mut tx);
        assert_eq!(rows.next().await?.and_then(|row| row.age), Some(1));
        drop(rows);
        set(&mut tx, 2, 2).await?;
        tx.commit().await?;
        assert_eq!(ages(&database).await?, [Some(1), Some(2), Some(50)]);
        Ok(())
    }

    async fn a_commit_without_an_answer_is_unknown(database: Database) -> Result<()> {
        open(&database).await?;
        let middleman = Middleman::new(&database).await;
        for (way, bytes) in [("nothing of COMMIT leaves", 0), ("half of it", 5), ("all of it", 11)] {
            middleman.reform();
            let mut conn = Connection::connect(middleman.url(&database)).await?;
            let mut tx = conn.begin().await?;
            set(&mut tx, 1, 1).await?;
            match bytes {
                11 => middleman.hang_up_after(1),
                _ => middleman.hang_up_after_client(bytes),
            }
            let error = tx.commit().await.unwrap_err();
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::CommitOutcomeUnknown, Outcome::Unknown), "{way}: {error}");
            assert!(!error.is_transient(), "{way}");
            database.run("UPDATE users SET age = 30 WHERE id = 1");
        }
        Ok(())
    }

    async fn a_broken_link_before_commit_is_not(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let id = conn.id();
        let mut tx = conn.begin().await?;
        set(&mut tx, 1, 99).await?;
        database.run(&format!("KILL {id}"));
        let error = set(&mut tx, 2, 99).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed | ErrorKind::Server), "{error}");
        fails(tx.commit().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        assert_eq!(ages(&database).await?, BEFORE);
        Ok(())
    }
}

mod deadlock {
    //! The victim of a deadlock has no transaction any more: its next INSERT would be committed by itself.

    use super::*;

    /// Two transactions that each want what the other has. Gives back what became of the second statement of each.
    async fn crossed(
        one: &mut Transaction<'_>,
        two: &mut Transaction<'_>,
    ) -> Result<[Result<()>; 2]> {
        set(one, 1, 101).await?;
        set(two, 2, 102).await?;
        let (first, second) = tokio::join!(set(one, 2, 103), async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            set(two, 1, 104).await
        });
        Ok([first, second])
    }

    on_every_server! {
        async fn ends_the_transaction(database: Database) -> Result<()> {
            open(&database).await?;
            database.run("CREATE TABLE log (n INT)");
            let pool = Pool::builder().max_connections(2).connect(database.url()).await?;
            for round in 0..5 {
                let (mut one, mut two) = (pool.begin().await?, pool.begin().await?);
                let [first, second] = crossed(&mut one, &mut two).await?;
                let (mut victim, error, mut winner) = match (first, second) {
                    (Err(error), Ok(())) => (one, error, two),
                    (Ok(()), Err(error)) => (two, error, one),
                    both => panic!("{round}: one of them is the victim: {both:?}"),
                };
                assert_eq!((error.kind(), error.outcome(), code(&error)), (ErrorKind::Server, Outcome::Rejected, Some(1213)), "{error}");
                assert!(error.is_transient());
                for _ in 0..2 {
                    ended(query("INSERT INTO log VALUES (1)").execute(&mut victim).await.map(drop));
                    ended(query("INSERT INTO log VALUES (?)").bind(1).execute(&mut victim).await.map(drop));
                }
                ended(victim.savepoint().await.map(drop));
                if round % 2 == 0 { drop(victim) } else { ended(victim.commit().await); }
                set(&mut winner, 3, round).await?;
                winner.commit().await?;
                assert_eq!(ages(&database).await?[2], Some(round), "{round}");
                let mut conn = connect(&database).await?;
                assert_eq!(crate::support::one::<i64>(&mut conn, "SELECT COUNT(*) FROM log").await?, 0, "{round}: committed by itself");
            }
            Ok(())
        }

        async fn inside_a_savepoint_ends_all_of_it(database: Database) -> Result<()> {
            open(&database).await?;
            database.run("INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 200) SELECT i, 'x' FROM d");
            let pool = Pool::builder().max_connections(2).connect(database.url()).await?;
            let (mut one, mut two) = (pool.begin().await?, pool.begin().await?);
            // The one with more rows changed is not the victim.
            query("UPDATE numbers SET pad = 'y'").execute(&mut two).await?;
            let mut inner = one.savepoint().await?;
            let [first, second] = crossed(&mut inner, &mut two).await?;
            second?;
            assert_eq!(code(&first.unwrap_err()), Some(1213));
            ended(set(&mut inner, 3, 1).await);
            drop(inner);
            ended(set(&mut one, 3, 2).await);
            two.commit().await?;
            ended(one.commit().await);
            assert_eq!(ages(&database).await?, [Some(104), Some(102), Some(50)]);
            Ok(())
        }

        async fn a_wait_that_was_too_long_leaves_it_as_the_server_says(database: Database) -> Result<()> {
            let mut conn = open(&database).await?;
            let mut other = connect(&database).await?;
            let mut holder = other.begin().await?;
            set(&mut holder, 1, 1).await?;
            conn.run_script("SET innodb_lock_wait_timeout = 1").await?;
            let mut tx = conn.begin().await?;
            set(&mut tx, 3, 77).await?;
            let error = fails(set(&mut tx, 1, 2).await, ErrorKind::Server, Outcome::Rejected);
            assert_eq!(code(&error), Some(1205));
            assert!(error.is_transient());
            // By default only the statement is undone.
            set(&mut tx, 2, 78).await?;
            holder.commit().await?;
            tx.commit().await?;
            assert_eq!(ages(&database).await?, [Some(1), Some(78), Some(77)]);
            Ok(())
        }
    }
}
