//! A statement that takes longer than it may: the error comes in time and says what is known, and the connection is right or closed.

use std::time::{Duration, Instant};

use ark_mysql::{Connection, Deadline, Error, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, Flavor, on_every_server};

use crate::by_hand::{run, statement};
use crate::support::{Cut, Proxy, code, fails, figure, one, seen};

/// Longer than any test waits: 10^12 rows to count.
const ENDLESS: &str = "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d WHERE a.n + b.n + c.n + d.n < 0";
const SCHEMA: &str = "CREATE TABLE numbers (n INT PRIMARY KEY);
    INSERT INTO numbers WITH RECURSIVE d AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM d WHERE i < 999) SELECT i FROM d";

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Id(): "SELECT CONNECTION_ID() AS id" => Connected { id: u64 = BigIntUnsigned NotNull });
statement!(Read Endless(): "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d WHERE a.n + b.n + c.n + d.n < 0" => Counted { n: i64 = BigInt NotNull });
statement!(Read Slow(): "SELECT n, SLEEP(0.02) AS s FROM numbers" => Slept { n: i32 = Int NotNull, s: i64 = BigInt NotNull });
statement!(Write Hold(): "UPDATE numbers SET n = n + 100000 WHERE n = 5 AND SLEEP(3) = 0" => Nothing {});

const SHORT: Duration = Duration::from_millis(300);
/// How much later the error may come: 50 ms by promise, the rest for a busy machine.
const LATE: Duration = Duration::from_millis(1200);

/// Fails unless the error is the deadline's and came in time.
#[track_caller]
fn late<T>(began: Instant, result: Result<T>) -> Error {
    let took = began.elapsed();
    let Err(error) = result else {
        panic!("no deadline")
    };
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!(took >= SHORT && took < SHORT + LATE, "{took:?}: {error}");
    assert!(
        !error.is_transient() || matches!(error.outcome(), Outcome::Rejected | Outcome::NotSent),
        "{error}"
    );
    error
}

async fn limit(conn: &mut Connection) -> Result<String> {
    let name = if conn.is_mariadb() {
        "max_statement_time"
    } else {
        "max_execution_time"
    };
    one(conn, &format!("SELECT CAST(@@{name} AS CHAR)")).await
}

on_every_server! {
    async fn ends_a_read_and_keeps_its_connection(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let mut kept = 0;
        let mut latest = Duration::ZERO;
        for round in 0..10 {
            let began = Instant::now();
            let error = match round % 3 {
                0 => late(began, run!(Endless).deadline(SHORT).fetch_one(&pool).await),
                1 => late(began, run!(Endless).text().deadline(SHORT).fetch_all(&pool).await),
                _ => late(began, query(ENDLESS).deadline(SHORT).fetch_one(&pool).await),
            };
            latest = latest.max(began.elapsed() - SHORT);
            assert!(matches!(error.outcome(), Outcome::Rejected | Outcome::Unknown), "{error}");
            kept += u32::from(error.outcome() == Outcome::Rejected);
            assert_eq!(run!(Echo, round).fetch_one(&pool).await?.echo, Some(round));
        }
        figure(format_args!("deadlines {}: 10 of 10 reads ended, {kept} connections kept by the server's own limit, at most {latest:?} late", database.flavor()));
        assert!(kept > 0, "the server ends it by itself, unless the machine is very busy");
        Ok(())
    }

    async fn ends_a_write_by_kill_or_by_closing(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let began = Instant::now();
        let error = late(began, run!(Hold).deadline(Deadline::after(SHORT).and_kill()).execute(&mut conn).await);
        assert_eq!(error.outcome(), Outcome::Rejected, "{error}");
        assert!(!conn.is_closed());
        assert_eq!(run!(Echo, 1).fetch_one(&mut conn).await?.echo, Some(1));
        let began = Instant::now();
        let error = late(began, run!(Hold).deadline(SHORT).execute(&mut conn).await);
        match database.flavor() {
            Flavor::MySql => assert_eq!((error.outcome(), conn.is_closed()), (Outcome::Unknown, true), "{error}"),
            Flavor::MariaDb => assert!(!conn.is_closed() || error.outcome() == Outcome::Unknown, "{error}"),
        }
        let sum: i64 = seen(&database, "SELECT COUNT(*) FROM numbers WHERE n >= 100000").await?;
        assert_eq!(sum, 0);
        Ok(())
    }

    async fn covers_the_wait_for_a_connection(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let held = pool.acquire().await?;
        let began = Instant::now();
        let error = late(began, run!(Echo, 1).deadline(SHORT).fetch_one(&pool).await);
        assert_eq!(error.outcome(), Outcome::NotSent, "{error}");
        let began = Instant::now();
        late(began, run!(Echo, 1).deadline(SHORT).fetch(&pool).next().await);
        drop(held);
        assert_eq!(run!(Echo, 1).deadline(SHORT).fetch_one(&pool).await?.echo, Some(1));
        Ok(())
    }

    async fn covers_a_stream_to_its_last_row(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let began = Instant::now();
        let mut rows = run!(Slow).deadline(Deadline::after(SHORT).and_kill()).fetch(&mut conn);
        let error = loop {
            match rows.next().await {
                Ok(row) => assert!(row.is_some()),
                Err(error) => break error,
            }
        };
        late(began, Err::<(), _>(error));
        assert!(rows.next().await?.is_none(), "nothing comes after an error");
        drop(rows);
        assert_eq!(run!(Echo, 3).fetch_one(&mut conn).await?.echo, Some(3));
        // One that is read in time.
        let mut rows = run!(Id).deadline(SHORT * 20).fetch(&mut conn);
        assert!(rows.next().await?.is_some() && rows.next().await?.is_none());
        Ok(())
    }

    async fn sets_the_servers_limit_only_when_it_changes(database: Database) -> Result<()> {
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let sets = async |conn: &mut Connection| -> Result<u32> {
            let row = query("SHOW SESSION STATUS LIKE 'Com_set_option'").fetch_one(conn).await?;
            Ok(row.get::<String>(1)?.parse().unwrap())
        };
        let mut conn = pool.acquire().await?;
        let (usual, before) = (limit(&mut conn).await?, sets(&mut conn).await?);
        for round in 0..10 {
            assert_eq!(run!(Echo, round).deadline(Duration::from_secs(7)).fetch_one(&mut conn).await?.echo, Some(round));
        }
        let name = if conn.is_mariadb() { "max_statement_time" } else { "max_execution_time" };
        let row = query(format!("SELECT CAST(@@{name} AS CHAR)")).deadline(Duration::from_secs(7)).fetch_one(&mut conn).await?;
        assert!(row.get::<String>(0)?.starts_with('7'));
        assert_eq!(limit(&mut conn).await?, usual, "set back");
        assert_eq!(sets(&mut conn).await? - before, 2, "one there, one back");
        drop(conn);
        // It leaves nothing behind, and is no dirt.
        let first = run!(Id).deadline(SHORT * 20).fetch_one(&pool).await?.id;
        let mut conn = pool.acquire().await?;
        assert!(conn.cached_statements() > 0 && u64::from(conn.id()) == first);
        assert_eq!(limit(&mut conn).await?, usual);
        Ok(())
    }

    async fn leaves_a_limit_that_was_set_by_hand(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let (name, by_hand, other) = match conn.is_mariadb() {
            true => ("max_statement_time", "77.500000", "33.250000"),
            false => ("max_execution_time", "77500", "33250"),
        };
        query(format!("SET SESSION {name} = {by_hand}")).execute(&mut conn).await?;
        for seconds in [7, 9, 9, 5] {
            run!(Echo, 1).deadline(Duration::from_secs(seconds)).fetch_one(&mut conn).await?;
        }
        assert_eq!(limit(&mut conn).await?, by_hand);
        // One that is set while ours stands.
        run!(Echo, 1).deadline(Duration::from_secs(7)).fetch_one(&mut conn).await?;
        query(format!("SET SESSION {name} = {other}")).deadline(Duration::from_secs(7)).execute(&mut conn).await?;
        assert_eq!(limit(&mut conn).await?, other);
        run!(Echo, 1).deadline(Duration::from_secs(7)).fetch_one(&mut conn).await?;
        query(format!("SET SESSION {name} = {by_hand}")).deadline(Duration::from_secs(7)).execute(&mut conn).await?;
        run!(Echo, 1).deadline(Duration::from_secs(8)).fetch_one(&mut conn).await?;
        assert_eq!(limit(&mut conn).await?, by_hand);
        Ok(())
    }

    async fn of_a_silent_server_is_kept(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(tests::Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(1).connect(url).await?;
        for kill in [false, true] {
            run!(Echo, 1).fetch_one(&pool).await?;
            proxy.cut(Cut::Silence);
            let began = Instant::now();
            let deadline = Deadline::after(SHORT);
            let result = run!(Echo, 2).deadline(if kill { deadline.and_kill() } else { deadline }).fetch_one(&pool).await;
            let took = began.elapsed();
            let error = fails(result, ErrorKind::Timeout, Outcome::Unknown);
            assert!(took < SHORT + LATE + if kill { Duration::from_secs(2) } else { Duration::ZERO }, "{took:?}: {error}");
            assert_eq!(run!(Echo, 3).fetch_one(&pool).await?.echo, Some(3), "another connection");
        }
        Ok(())
    }

    async fn in_a_transaction_leaves_it_or_ends_it(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let pool = Pool::builder().max_connections(1).connect(database.url()).await?;
        let mut tx = pool.begin().await?;
        query("DELETE FROM numbers WHERE n = 1").execute(&mut tx).await?;
        let began = Instant::now();
        let error = late(began, run!(Hold).deadline(Deadline::after(SHORT).and_kill()).execute(&mut tx).await);
        assert_eq!(error.outcome(), Outcome::Rejected, "{error}");
        tx.commit().await?;
        assert_eq!(seen::<i64>(&database, "SELECT COUNT(*) FROM numbers").await?, 999);
        // By the runtime's timeout: dropped, and the transaction with it.
        let mut tx = pool.begin().await?;
        query("DELETE FROM numbers WHERE n = 2").execute(&mut tx).await?;
        assert!(tokio::time::timeout(SHORT, run!(Hold).execute(&mut tx)).await.is_err());
        let error = tx.commit().await.unwrap_err();
        assert_eq!((error.kind(), error.outcome(), code(&error)), (ErrorKind::ConnectionClosed, Outcome::NotSent, None), "{error}");
        assert_eq!(run!(Echo, 3).fetch_one(&pool).await?.echo, Some(3));
        Ok(())
    }
}
