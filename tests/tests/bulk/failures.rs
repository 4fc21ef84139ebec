//! What fails in the middle: all of it is undone, and the error says where it was.

use std::time::Duration;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Pool, Result, insert_many};
use tests::{Database, on_every_server};

use crate::support::{all, connected, numbers, polled, rows};

/// Rows of 0 to 3000, of which number 2000 is there already.
fn with_a_duplicate() -> impl Iterator<Item = (u32, String)> {
    rows(3000).map(|(n, pad)| (if n == 2000 { 7 } else { n }, pad))
}

/// Rows that take several commands on every server; the text of number 2000 is too long.
fn with_a_long_text() -> impl Iterator<Item = (u32, String)> {
    (0..20_000).map(|n| (n, "x".repeat(if n == 12_000 { 201 } else { 150 })))
}

on_every_server! {
    async fn a_duplicate_key_undoes_all(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", with_a_duplicate());
        let error = insert.execute(&mut conn).await.unwrap_err();
        assert_eq!(error.server().map(|server| server.code), Some(1062), "{error}");
        assert_eq!(error.outcome(), Outcome::Rejected, "{error}");
        assert_eq!(numbers(&mut conn).await?, (0, 0));
        assert!(!conn.in_transaction());
        Ok(())
    }

    async fn a_value_that_does_not_fit_is_named(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", with_a_long_text());
        let error = insert.execute(&mut conn).await.unwrap_err();
        assert_eq!(error.server().map(|server| server.code), Some(1406), "{error}");
        assert_eq!((error.row(), error.outcome()), (Some(12_000), Outcome::Rejected), "{error}");
        assert_eq!(numbers(&mut conn).await?, (0, 0));
        Ok(())
    }

    async fn not_atomic_keeps_what_went_before(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", with_a_long_text()).not_atomic();
        let error = insert.execute(&mut conn).await.unwrap_err();
        assert_eq!((error.row(), error.outcome()), (Some(12_000), Outcome::Partial), "{error}");
        let (count, sum) = numbers(&mut conn).await?;
        assert!((5000..12_000).contains(&count), "{count}");
        assert_eq!((count, sum), all(u32::try_from(count).unwrap()), "the first ones");
        assert!(error.to_string().contains(&format!("rows 0 to {} are inserted", count - 1)), "{error}");
        assert!(!error.is_transient());
        Ok(())
    }

    async fn in_a_transaction_the_caller_decides(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let mut tx = conn.begin().await?;
        insert_many!("INSERT INTO users (name, age) VALUES (?, ?)", [("Dee", Some(1)), ("Eve", None)]).execute(&mut tx).await?;
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", with_a_long_text());
        let error = insert.execute(&mut tx).await.unwrap_err();
        assert_eq!((error.row(), error.outcome()), (Some(12_000), Outcome::Partial), "{error}");
        let nested: Result<()> = tx.nested(async |inner| {
            insert_many!("REPLACE INTO numbers (n, pad) VALUES (?, ?)", with_a_long_text()).execute(inner).await.map(drop)
        }).await;
        assert_eq!(nested.unwrap_err().row(), Some(12_000));
        ark_mysql::query("DELETE FROM numbers").execute(&mut tx).await?;
        tx.commit().await?;
        let users: i64 = ark_mysql::query("SELECT COUNT(*) AS count FROM users").fetch_one(&mut conn).await?.get("count")?;
        assert_eq!(users, 5);
        Ok(())
    }

    async fn a_value_that_cannot_be_sent_is_named(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        for (bad, count, outcome) in [(1, 3, Outcome::NotSent), (11_000, 12_000, Outcome::Rejected)] {
            let rows = (0..count).map(|id| (id, if id == bad { f64::NAN } else { f64::from(id) }, "x".repeat(100)));
            let insert = insert_many!("INSERT INTO every_type (id, twice, line) VALUES (?, ?, ?)", rows);
            let error = insert.execute(&mut conn).await.unwrap_err();
            assert_eq!((error.kind(), error.row(), error.outcome()), (ErrorKind::Encode, usize::try_from(bad).ok(), outcome), "{error}");
            let left: i64 = ark_mysql::query("SELECT COUNT(*) AS count FROM every_type").fetch_one(&mut conn).await?.get("count")?;
            assert_eq!(left, 0);
        }
        Ok(())
    }

    async fn dropped_at_any_time_it_is_rolled_back(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let mut done = 0;
        // Each wait is one for the socket, so that it is dropped at every place where it can be.
        for waits in 0.. {
            let texts = (0..20_000_u32).map(|n| (n, "x".repeat(150)));
            let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", texts);
            let finished = polled(insert.execute(&mut conn), waits).await;
            let left = match numbers(&mut conn).await {
                Err(error) if error.outcome() == Outcome::NotSent => {
                    conn = Connection::connect(database.url()).await?;
                    wait_for_locks(&mut conn).await?
                }
                left => left?,
            };
            match finished {
                Some(result) => {
                    assert_eq!((result?.rows_affected(), left), (20_000, all(20_000)));
                    done += 1;
                }
                // COMMIT may have been on its way.
                None => assert!(left == (0, 0) || left == all(20_000), "{left:?}"),
            }
            ark_mysql::query("DELETE FROM numbers").execute(&mut conn).await?;
            if done == 2 || waits == 200 {
                assert!(waits - done >= 3, "dropped at {} places only", waits - done);
                break;
            }
        }
        Ok(())
    }

    async fn a_deadline_rolls_it_back(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let pool = Pool::connect(database.url()).await?;
        let mut other = pool.begin().await?;
        ark_mysql::query("INSERT INTO numbers (n, pad) VALUES (11000, '')").execute(&mut other).await?;
        let rows = || (0..12_000_u32).map(|n| (n, "x".repeat(150)));
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows()).deadline(Duration::from_secs(2));
        let error = insert.execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::Timeout, Outcome::Rejected), "{error:?}");
        other.rollback().await?;
        let mut conn = Connection::connect(database.url()).await?;
        assert_eq!(wait_for_locks(&mut conn).await?, (0, 0));
        let insert = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows()).deadline(Duration::from_secs(60));
        assert_eq!(insert.execute(&mut conn).await?.rows_affected(), 12_000);
        Ok(())
    }

    async fn a_killed_connection_leaves_nothing(database: Database) -> Result<()> {
        let mut conn = connected(&database).await?;
        let mut victim = Connection::connect(database.url()).await?;
        let id = victim.id();
        let killer = database.url();
        let rows = (0..20_000_u32).map(move |n| {
            if n == 15_000 {
                let killer = killer.clone();
                // Another thread with a runtime of its own: an iterator cannot wait.
                std::thread::spawn(move || kill(&killer, id)).join().unwrap().unwrap();
            }
            (n, "x".repeat(150))
        });
        let error = insert_many!("INSERT INTO numbers (n, pad) VALUES (?, ?)", rows).execute(&mut victim).await.unwrap_err();
        assert_eq!(error.outcome(), Outcome::Rejected, "{error:?}");
        assert!(error.is_transient(), "{error:?}");
        assert_eq!(wait_for_locks(&mut conn).await?, (0, 0));
        Ok(())
    }
}

fn kill(url: &str, id: u32) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut conn = Connection::connect(url).await?;
        conn.run_script(&format!("KILL {id}")).await
    })
}

/// What is there once every transaction of others is over.
async fn wait_for_locks(conn: &mut Connection) -> Result<(i64, u64)> {
    let row = ark_mysql::query("SELECT COUNT(*) AS count, CAST(COALESCE(SUM(n), 0) AS UNSIGNED) AS sum FROM numbers LOCK IN SHARE MODE")
        .fetch_one(conn)
        .await?;
    Ok((row.get("count")?, row.get("sum")?))
}
