//! What could go wrong when futures are dropped: replies taken for those of another statement, connections that hang.

mod by_hand;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result};
use by_hand::{run, statement};
use tests::Database;

const SCHEMA: &str = "CREATE TABLE numbers (seq INT UNSIGNED PRIMARY KEY);
    INSERT INTO numbers WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT i FROM n;
    INSERT INTO numbers SELECT a.seq + 1000 * (b.seq + 1) FROM numbers a, (SELECT seq FROM numbers WHERE seq < 100) b";

statement!(Read All(): "SELECT seq FROM numbers ORDER BY seq" => Number { seq: u32 = IntUnsigned NotNull });
statement!(Read First(limit): "SELECT seq FROM numbers ORDER BY seq LIMIT ?" => Few { seq: u32 = IntUnsigned NotNull });
statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Sleep(seconds): "SELECT SLEEP(?) AS slept" => Slept { slept: i64 = BigInt NotNull });
statement!(Read Broken(): "SELECT nothing FROM nowhere" => Never { nothing: i32 = Int NotNull });
statement!(Read Length(value): "SELECT LENGTH(?) AS bytes" => Bytes { bytes: Option<i64> = BigInt Nullable });

/// Polls a future at most `polls` times, one turn of the scheduler apart, then drops it.
async fn poll_times<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..polls {
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        tokio::task::yield_now().await;
    }
    None
}

async fn echo(conn: &mut Connection, value: i64) -> Result<()> {
    let row = run!(Echo, value).fetch_one(&mut *conn).await?;
    assert_eq!(row.echo, Some(value));
    let row = run!(Echo, value + 1).text().fetch_one(conn).await?;
    assert_eq!(row.echo, Some(value + 1));
    Ok(())
}

tests::on_every_server! {
    async fn the_next_statement_gets_its_own_reply(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut cuts = 0;
        for operation in 0..7 {
            for polls in (1..8).chain([12, 20, 40, 80]) {
                let mut conn = Connection::connect(database.url()).await?;
                if polls % 2 == 0 {
                    echo(&mut conn, -7).await?;
                }
                let cut = match operation {
                    0 => poll_times(run!(First, 300u32).fetch_all(&mut conn), polls).await.is_none(),
                    1 => poll_times(run!(First, 300u32).text().fetch_all(&mut conn), 1).await.is_none(),
                    2 => poll_times(run!(Broken).fetch_all(&mut conn), polls).await.is_none(),
                    3 => poll_times(async {
                        let mut rows = run!(First, 1000u32).fetch(&mut conn);
                        while let Ok(Some(_)) = rows.next().await {}
                    }, polls).await.is_none(),
                    4 => poll_times(conn.ping(), polls).await.is_none(),
                    5 => poll_times(async { drop(conn.begin().await) }, polls).await.is_none(),
                    _ => poll_times(ark_mysql::query("SELECT ?, ?").bind(1).bind("x").fetch_all(&mut conn), polls).await.is_none(),
                };
                cuts += usize::from(cut);
                for probe in 0..3 {
                    echo(&mut conn, probe * 1000).await?;
                }
                assert_eq!(run!(First, 5u32).fetch_all(&mut conn).await?.len(), 5);
                assert!(!conn.in_transaction());
            }
        }
        assert!(cuts >= 14, "{cuts}");
        Ok(())
    }

    async fn a_stream_dropped_early_closes_only_if_too_much_is_left(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let mut rows = run!(First, 1000u32).fetch(&mut conn);
        assert_eq!(rows.next().await?.unwrap().seq, 0);
        drop(rows);
        echo(&mut conn, 1).await?;
        let mut rows = run!(All).fetch(&mut conn);
        assert_eq!(rows.next().await?.unwrap().seq, 0);
        drop(rows);
        let began = Instant::now();
        let error = run!(Echo, 1).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent), "{error}");
        assert!(began.elapsed() < Duration::from_secs(1));
        let pool = Pool::connect(database.url()).await?;
        for _ in 0..3 {
            let mut rows = run!(All).fetch(&pool);
            assert_eq!(rows.next().await?.unwrap().seq, 0);
            drop(rows);
            assert_eq!(run!(Echo, 5).fetch_one(&pool).await?.echo, Some(5));
        }
        Ok(())
    }

    async fn a_statement_that_still_runs_is_not_waited_for(database: Database) -> Result<()> {
        let pool = Pool::connect(database.url()).await?;
        let mut conn = pool.acquire().await?;
        assert!(tokio::time::timeout(Duration::from_millis(20), run!(Sleep, 2).fetch_one(&mut conn)).await.is_err());
        let began = Instant::now();
        let error = run!(Echo, 1).fetch_one(&mut conn).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionClosed, "{error}");
        assert!(began.elapsed() < Duration::from_millis(500));
        drop(conn);
        assert!(tokio::time::timeout(Duration::from_millis(20), run!(Sleep, 2).fetch_one(&pool)).await.is_err());
        let began = Instant::now();
        assert_eq!(run!(Echo, 1).fetch_one(&pool).await?.echo, Some(1));
        assert!(began.elapsed() < Duration::from_millis(800));
        Ok(())
    }

    async fn a_command_half_written_is_finished_by_the_next_user(database: Database) -> Result<()> {
        database.run("SET GLOBAL max_allowed_packet = 64 * 1024 * 1024");
        let value = "x".repeat(12 << 20);
        for polls in [1, 1, 2, 3, 4, 5, 8] {
            let mut conn = Connection::connect(database.url()).await?;
            assert_eq!(run!(Length, value).fetch_one(&mut conn).await?.bytes, Some(12 << 20));
            let cut = poll_times(run!(Length, value).fetch_one(&mut conn), polls).await.is_none();
            match run!(Echo, 8).fetch_one(&mut conn).await {
                Ok(row) => assert_eq!(row.echo, Some(8)),
                Err(error) => assert!(cut && error.outcome() == Outcome::NotSent, "{error}"),
            }
        }
        Ok(())
    }
}
