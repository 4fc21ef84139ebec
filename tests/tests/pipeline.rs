//! Pipelines: each item its own result, nothing blocks, nothing is taken for the reply to something else.

mod by_hand;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result};
use by_hand::{run, statement};
use tests::{Database, Transport};

const SCHEMA: &str = "CREATE TABLE numbers (seq INT UNSIGNED PRIMARY KEY);
    INSERT INTO numbers VALUES (0), (1), (2), (3), (4)";

statement!(Read All(): "SELECT seq FROM numbers ORDER BY seq" => Number { seq: u32 = IntUnsigned NotNull });
statement!(Read ByKey(seq): "SELECT seq FROM numbers WHERE seq = ?" => Keyed { seq: u32 = IntUnsigned NotNull });
statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Big(value): "SELECT REPEAT(?, 1) AS big" => Large { big: Option<String> = Text Nullable });
statement!(Read Broken(): "SELECT nothing FROM nowhere" => Never { nothing: i32 = Int NotNull });
statement!(Read Overflow(value): "SELECT CAST(? AS SIGNED) * 9223372036854775807 AS much" => Much { much: Option<i64> = BigInt Nullable });
statement!(Write Insert(seq): "INSERT INTO numbers VALUES (?)" => Inserted {});
statement!(Write Load(value): "SET @loaded = LENGTH(?)" => Loaded {});

async fn echo(conn: &mut Connection, value: i64) -> Result<()> {
    assert_eq!(run!(Echo, value).fetch_one(conn).await?.echo, Some(value));
    Ok(())
}

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

tests::on_every_server_either_way! {
    async fn each_item_has_its_own_result(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        for round in 0..3_u32 {
            let (one, all, none, missing, done, twice, broken, late, last) = conn.pipeline((
                run!(ByKey, 3_u32).one(),
                run!(All).all(),
                run!(ByKey, 77_u32).optional(),
                run!(ByKey, 78_u32).one(),
                run!(Insert, 100 + round).run(),
                run!(Insert, 100 + round).run(),
                run!(Broken).all(),
                run!(Overflow, 4).one(),
                run!(Echo, -5).one(),
            )).await?;
            assert_eq!(one?.seq, 3);
            assert_eq!(all?.len(), 5 + usize::try_from(round).unwrap());
            assert_eq!(none?.map(|row| row.seq), None);
            assert_eq!(missing.unwrap_err().kind(), ErrorKind::RowNotFound);
            assert_eq!(done?.rows_affected(), 1);
            let twice = twice.unwrap_err();
            assert_eq!((twice.server().unwrap().code, twice.outcome()), (1062, Outcome::Rejected));
            assert_eq!(broken.unwrap_err().server().unwrap().code, 1146);
            assert_eq!(late.unwrap_err().server().unwrap().code, 1690);
            assert_eq!(last?.echo, Some(-5));
            echo(&mut conn, 12).await?;
        }
        Ok(())
    }

    async fn megabytes_go_both_ways_at_once(database: Database) -> Result<()> {
        let big = "x".repeat(1 << 20);
        let big = big.as_str();
        for mut conn in [Connection::connect(database.url_by(Transport::Tcp)).await?, Connection::connect(database.tls_url()).await?] {
            let results = conn.pipeline((
                run!(Big, big).one(), run!(Big, big).one(), run!(Big, big).one(), run!(Big, big).one(),
                run!(Big, big).one(), run!(Big, big).one(), run!(Big, big).one(), run!(Big, big).one(),
                run!(Big, big).one(), run!(Big, big).one(), run!(Big, big).one(), run!(Echo, 9).one(),
            )).await?;
            for result in [results.0, results.1, results.2, results.3, results.4, results.5, results.6, results.7, results.8, results.9, results.10] {
                assert_eq!(result?.big.as_deref(), Some(big));
            }
            assert_eq!(results.11?.echo, Some(9));
            let sent = conn.execute_many((0..40).map(|_| run!(Big, big))).await?;
            assert!(sent.len() == 40 && sent.iter().all(Result::is_ok));
            let sent = conn.execute_many((0..40).map(|_| run!(Load, big))).await?;
            assert!(sent.len() == 40 && sent.iter().all(Result::is_ok));
            echo(&mut conn, 12).await?;
        }
        Ok(())
    }

    async fn many_rows_and_one_that_does_not_fit(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        for base in [1000_u32, 2000] {
            let keys: Vec<u32> = (base..base + 500).chain([3]).chain(base + 500..base + 900).collect();
            let results = conn.execute_many(keys.iter().map(|key| run!(Insert, *key))).await?;
            for (key, result) in keys.iter().zip(&results) {
                match result {
                    Ok(done) => assert_eq!(done.rows_affected(), 1, "{key}"),
                    Err(error) => assert_eq!((*key, error.server().unwrap().code), (3, 1062)),
                }
            }
            assert_eq!(results.len(), 901);
            assert_eq!(results.iter().filter(|result| result.is_err()).count(), 1);
        }
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 1805);
        assert!(conn.execute_many(std::iter::empty::<u32>().map(|_| run!(Insert, 0_u32))).await?.is_empty());
        Ok(())
    }

    async fn dropped_anywhere_it_leaves_the_connection_in_step_or_closed(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let big = "y".repeat(300_000);
        let big = big.as_str();
        let (mut cuts, mut closed) = (0, 0);
        for polls in (1..10).chain([12, 16, 24, 40]) {
            for (known, large) in [(false, false), (true, false), (true, true)] {
                let mut conn = Connection::connect(database.url()).await?;
                if known {
                    let (echo, big, all) = conn.pipeline((run!(Echo, 1).one(), run!(Big, "a").one(), run!(All).all())).await?;
                    assert!(echo.is_ok() && big.is_ok() && all.is_ok());
                }
                let text = if large { big } else { "small" };
                let cut = poll_times(conn.pipeline((
                    run!(Big, text).one(), run!(Echo, 1).one(), run!(Broken).all(), run!(Big, text).one(), run!(Echo, 2).one(), run!(All).all(),
                )), polls).await.is_none();
                cuts += usize::from(cut);
                match run!(Echo, 41).fetch_one(&mut conn).await {
                    Ok(row) => {
                        assert_eq!(row.echo, Some(41));
                        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 5);
                        echo(&mut conn, 42).await?;
                    }
                    Err(error) => {
                        assert_eq!((error.kind(), error.outcome(), large), (ErrorKind::ConnectionClosed, Outcome::NotSent, true), "{error}");
                        closed += 1;
                    }
                }
            }
        }
        assert!(cuts >= 13 && closed < cuts, "{cuts} cuts, {closed} closed");
        Ok(())
    }

    async fn any_number_of_one_statement(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let keys: Vec<u32> = (0..300).collect();
        let items: Vec<_> = keys.iter().map(|key| run!(ByKey, *key).optional()).collect();
        for (key, row) in keys.iter().zip(conn.pipeline(items).await?) {
            assert_eq!(row?.map(|row| row.seq), (*key < 5).then_some(*key));
        }
        let [two, ten] = conn.pipeline([2_u32, 10].each_ref().map(|key| run!(ByKey, *key).one())).await?;
        assert_eq!((two?.seq, ten.unwrap_err().kind()), (2, ErrorKind::RowNotFound));
        echo(&mut conn, 3).await
    }

    async fn a_cache_too_small_for_all_of_them(database: Database) -> Result<()> {
        database.run(SCHEMA);
        for address in ["statement-cache-capacity=1", "compat=proxy"] {
            let mut conn = Connection::connect(format!("{}?{address}", database.url())).await?;
            for _ in 0..3 {
                let (a, b, c, d) = conn.pipeline((
                    run!(ByKey, 1_u32).one(), run!(Echo, 2).one(), run!(All).all(), run!(Echo, 3).one(),
                )).await?;
                assert_eq!((a?.seq, b?.echo, c?.len(), d?.echo), (1, Some(2), 5, Some(3)), "{address}");
                assert!(conn.execute_many((0..9_u32).map(|_| run!(Insert, 1_u32))).await?.iter().all(Result::is_err));
            }
        }
        Ok(())
    }

    async fn a_changed_table_is_the_error_of_its_item(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let (all, echoed) = conn.pipeline((run!(All).all(), run!(Echo, 1).one())).await?;
        assert_eq!((all?.len(), echoed?.echo), (5, Some(1)));
        database.run("ALTER TABLE numbers MODIFY seq VARCHAR(20)");
        let (before, all, after) = conn.pipeline((run!(Echo, 1).one(), run!(All).all(), run!(Echo, 2).one())).await?;
        assert_eq!(all.unwrap_err().kind(), ErrorKind::SchemaChanged);
        assert_eq!((before?.echo, after?.echo), (Some(1), Some(2)));
        echo(&mut conn, 3).await
    }
}

tests::on_every_server! {
    async fn a_lease_and_a_killed_connection(database: Database) -> Result<()> {
        let pool = Pool::connect(database.url()).await?;
        let mut lease = pool.acquire().await?;
        let (one, two) = lease.pipeline((run!(Echo, 1).one(), run!(Echo, 2).one())).await?;
        assert_eq!((one?.echo, two?.echo), (Some(1), Some(2)));
        database.run(&format!("KILL {}", lease.id()));
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let error = lease.pipeline((run!(Echo, 1).one(), run!(Echo, 2).one())).await.err().unwrap();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent), "its end was here before: {error}");
        assert!(lease.is_closed());
        let error = lease.pipeline((run!(Echo, 1).one(),)).await.err().unwrap();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent));
        Ok(())
    }
}
