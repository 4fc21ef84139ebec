//! What still runs when nobody waits for it any more: ended from another connection where that was asked for, and the connection is kept.

use std::time::{Duration, Instant};

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, on_both_servers};
use tokio::time::timeout;

use crate::by_hand::{run, statement};
use crate::support::{fails, one, seen};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Endless(): "SELECT a.n AS n FROM numbers a, numbers b, numbers c" => Number { n: i32 = Int NotNull });
statement!(Read Silent(): "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d WHERE a.n + b.n + c.n + d.n < 0" => Counted { n: i64 = BigInt NotNull });

const SCHEMA: &str = "CREATE TABLE numbers (n INT PRIMARY KEY);
    INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 999) SELECT i FROM d";
const SHORT: Duration = Duration::from_millis(100);

fn options(database: &Database) -> ConnectOptions {
    let options: ConnectOptions = database.url().parse().unwrap();
    options.kill_abandoned(true)
}

/// The same as an address.
fn address(database: &Database) -> String {
    format!("{}?kill-abandoned=true", database.url())
}

/// How many statements of this database run.
async fn running(database: &Database) -> Result<i64> {
    let sql = format!(
        "SELECT COUNT(*) FROM information_schema.processlist WHERE db = '{}' AND info LIKE '%numbers c%' AND id <> CONNECTION_ID()",
        database.name()
    );
    seen(database, &sql).await
}

on_both_servers! {
    async fn a_stream_is_killed_and_its_connection_kept(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(options(&database)).await?;
        for round in 0..5 {
            let mut rows = run!(Endless).fetch(&mut conn);
            for _ in 0..10 {
                assert!(rows.next().await?.is_some());
            }
            drop(rows);
            assert_eq!(run!(Echo, round).fetch_one(&mut conn).await?.echo, Some(round), "somebody else's answer");
            assert!(!conn.is_closed());
            assert_eq!(running(&database).await?, 0);
        }
        Ok(())
    }

    async fn a_dropped_future_is_killed_and_its_connection_kept(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(options(&database)).await?;
        for round in 0..5 {
            assert!(timeout(SHORT, run!(Silent).fetch_one(&mut conn)).await.is_err());
            assert_eq!(run!(Echo, round).fetch_one(&mut conn).await?.echo, Some(round));
            assert_eq!(running(&database).await?, 0);
        }
        // In a transaction: it goes on.
        database.run("CREATE TABLE log (n INT)");
        let mut tx = conn.begin().await?;
        query("INSERT INTO log VALUES (1)").execute(&mut tx).await?;
        assert!(timeout(SHORT, run!(Silent).fetch_one(&mut tx)).await.is_err());
        query("INSERT INTO log VALUES (2)").execute(&mut tx).await?;
        tx.commit().await?;
        assert_eq!(seen::<i64>(&database, "SELECT COUNT(*) FROM log").await?, 2);
        Ok(())
    }

    async fn without_it_the_connection_is_closed(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let mut rows = run!(Endless).fetch(&mut conn);
        assert!(rows.next().await?.is_some());
        drop(rows);
        fails(run!(Echo, 1).fetch_one(&mut conn).await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        Ok(())
    }

    async fn in_a_lease_is_killed_without_a_next_borrower(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(2).connect(address(&database)).await?;
        let id = pool.acquire().await?.id();
        for _ in 0..3 {
            let mut rows = run!(Endless).fetch(&pool);
            assert!(rows.next().await?.is_some());
            drop(rows);
            assert!(timeout(SHORT, run!(Silent).fetch_one(&pool)).await.is_err());
            let began = Instant::now();
            while pool.idle() < pool.size() || running(&database).await? > 0 {
                assert!(began.elapsed() < Duration::from_secs(20), "{:?}", pool.metrics());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        let metrics = pool.metrics();
        assert_eq!((metrics.closed, metrics.lent), (0, 0), "{metrics:?}");
        let mut both = [pool.acquire().await?, pool.acquire().await?];
        assert!(both.iter().any(|conn| conn.id() == id));
        for conn in &mut both {
            assert_eq!(one::<i64>(conn, "SELECT 42").await?, 42);
        }
        Ok(())
    }

    /// The KILL that comes too late must not hit what is sent next.
    async fn what_is_over_already_harms_nobody(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let mut admin = Connection::connect(database.url()).await?;
        for round in 0..100 {
            admin.run_script(&format!("KILL QUERY {}", conn.id())).await?;
            assert_eq!(run!(Echo, round).fetch_one(&mut conn).await?.echo, Some(round));
        }
        Ok(())
    }
}
