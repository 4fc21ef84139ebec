//! A future that is dropped in the middle, by a timeout or a select: the next one on the same connection must get its own answer.

use std::time::{Duration, Instant};

use ark_mysql::{Connection, Outcome, Result, query, query_as, query_scalar};
use chrono::NaiveDate;
use tests::{Database, on_every_server};
use tokio::time::timeout;

use crate::support::{Middleman, Random, one, open, polled_at_most, right_or_closed};

type User = (u32, String);

fn new_year() -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 1, 1).expect("a day")
}

async fn users(conn: &mut Connection, text: bool) -> Result<Vec<User>> {
    let users = query!("SELECT id, name FROM users ORDER BY id");
    let users = if text {
        users.text().fetch_all(conn).await?
    } else {
        users.fetch_all(conn).await?
    };
    Ok(users.into_iter().map(|user| (user.id, user.name)).collect())
}

/// What is dropped, by number; the last one fails at the server.
async fn operation(number: usize, conn: &mut Connection) -> Result<()> {
    match number {
        0 => users(conn, false).await.map(drop),
        1 => users(conn, true).await.map(drop),
        2 => query!(
            "INSERT INTO numbers (n, pad) VALUES (?, ?) ON DUPLICATE KEY UPDATE pad = ''",
            1,
            "x"
        )
        .execute(conn)
        .await
        .map(drop),
        3 => {
            let mut rows = query!("SELECT n, pad FROM numbers ORDER BY n").fetch(conn);
            while rows.next().await?.is_some() {}
            Ok(())
        }
        4 => {
            query_as!(&str, "SELECT name FROM users")
                .for_each(conn, |_| Ok(()))
                .await
        }
        5 => {
            let mut tx = conn.begin().await?;
            query!(
                "INSERT INTO orders (amount, at) VALUES (?, ?)",
                77,
                new_year()
            )
            .execute(&mut tx)
            .await?;
            tx.rollback().await
        }
        6 => {
            let mut tx = conn.begin().await?;
            let mut inner = tx.savepoint().await?;
            query!(
                "INSERT INTO orders (amount, at) VALUES (?, ?)",
                77,
                new_year()
            )
            .execute(&mut inner)
            .await?;
            inner.commit().await?;
            drop(tx);
            Ok(())
        }
        7 => conn.ping().await,
        8 => conn.run_script("SELECT 1; SELECT 2, 3; SET @x = 4").await,
        _ => query("SELECT no_such_column FROM users")
            .fetch_all(conn)
            .await
            .map(drop),
    }
}

const OPERATIONS: usize = 10;

/// How long an answer that nobody wants is waited for.
const WAITED_FOR: Duration = Duration::from_millis(50);

async fn is_as_before(database: &Database, conn: &mut Connection, what: &str) -> Result<bool> {
    if !right_or_closed(conn, what).await {
        return Ok(false);
    }
    assert_eq!(users(conn, false).await?.len(), 3, "{what}");
    assert!(!conn.in_transaction(), "{what}");
    assert_eq!(
        query_scalar!("SELECT COUNT(*) FROM orders WHERE amount = 77")
            .fetch_one(conn)
            .await?,
        0,
        "{what}"
    );
    let _ = database;
    Ok(true)
}

on_every_server! {
    async fn after_every_number_of_polls(database: Database) -> Result<()> {
        open(&database).await?.run_script("INSERT INTO numbers VALUES (1, REPEAT('a', 200)), (2, REPEAT('b', 200))").await?;
        let middleman = Middleman::new(&database).await;
        let mut drops = 0;
        let mut closed = 0;
        for number in 0..OPERATIONS {
            for (url, piece) in [(middleman.url(&database), 7), (middleman.url(&database), 4096), (middleman.tls_url(&database), 50)] {
                for polls in (0..).map(|step| step + step * step / 12) {
                    middleman.in_pieces_of(4096);
                    let mut conn = Connection::connect(&url).await?;
                    middleman.in_pieces_of(piece);
                    let what = format!("operation {number} dropped after {polls} polls, by pieces of {piece}, {url}");
                    let done = polled_at_most(polls, operation(number, &mut conn)).await;
                    drops += 1;
                    let asked = Instant::now();
                    let is_closed = !is_as_before(&database, &mut conn, &what).await?;
                    // On a busy machine the little that is left may take longer than it is waited for.
                    closed += u32::from(is_closed && asked.elapsed() < WAITED_FOR);
                    if let Some(done) = done {
                        assert_eq!(done.is_ok(), number + 1 < OPERATIONS, "{what}: {done:?}");
                        break;
                    }
                    assert!(polls < 5000, "{what}");
                }
            }
        }
        assert!(drops > 100, "{drops}");
        assert_eq!(closed, 0, "of {drops} connections: the little that was left is worth reading");
        Ok(())
    }

    async fn after_a_random_time_again_and_again(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut random = Random::new();
        for _ in 0..200 {
            let number = random.below(OPERATIONS);
            let micros = u64::try_from(random.below(2000)).unwrap();
            let _ = timeout(Duration::from_micros(micros), operation(number, &mut conn)).await;
            // Several in a row, sometimes.
            if random.below(3) > 0 && !is_as_before(&database, &mut conn, "random").await? {
                conn = Connection::connect(database.url()).await?;
            }
        }
        Ok(())
    }

    async fn by_a_timeout_while_the_server_thinks(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let slow = query("SELECT SLEEP(30)").fetch_one(&mut conn);
        assert!(timeout(Duration::from_millis(50), slow).await.is_err());
        // The answer is not waited for: the connection closes, and says so.
        assert!(!right_or_closed(&mut conn, "an answer in 30 s").await);
        let mut conn = Connection::connect(database.url()).await?;
        let short = query("SELECT SLEEP(0.02)").fetch_one(&mut conn);
        assert!(timeout(Duration::from_millis(5), short).await.is_err());
        right_or_closed(&mut conn, "an answer in 20 ms").await;
        Ok(())
    }

    async fn by_a_select_that_another_branch_wins(database: Database) -> Result<()> {
        let mut conn = open(&database).await?;
        let mut closed = 0;
        for _ in 0..20 {
            tokio::select! {
                biased;
                row = query!("SELECT id, name FROM users WHERE id = ?", 2u32).fetch_one(&mut conn) => assert_eq!(row?.name, "Bob"),
                () = std::future::ready(()) => {}
            }
            if !right_or_closed(&mut conn, "select").await {
                closed += 1;
                conn = Connection::connect(database.url()).await?;
            }
        }
        assert!(closed < 10, "{closed} of 20");
        Ok(())
    }

    async fn a_write_dropped_while_the_server_does_not_read(database: Database) -> Result<()> {
        database.run("SET GLOBAL max_allowed_packet = 67108864");
        open(&database).await?;
        let middleman = Middleman::new(&database).await;
        let mut conn = Connection::connect(middleman.url(&database)).await?;
        conn.ping().await?;
        query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", [0u8; 10].as_slice()).execute(&mut conn).await?;
        let large = vec![1u8; 16 << 20];
        for polls in 0..12 {
            let done = polled_at_most(polls, query!("REPLACE INTO blobs (id, data) VALUES (1, ?)", large).execute(&mut conn)).await;
            if let Some(done) = done {
                done?;
            }
            if !right_or_closed(&mut conn, &format!("a write dropped after {polls} polls")).await {
                conn = Connection::connect(middleman.url(&database)).await?;
            }
            let length: i64 = one(&mut conn, "SELECT LENGTH(data) FROM blobs").await?;
            assert!(length == 10 || length == 16 << 20, "all of it or nothing: {length}");
        }
        Ok(())
    }

    async fn a_connection_attempt(database: Database) -> Result<()> {
        let middleman = Middleman::new(&database).await;
        middleman.in_pieces_of(3);
        for polls in 0..60 {
            if let Some(conn) = polled_at_most(polls, Connection::connect(middleman.url(&database))).await {
                assert!(right_or_closed(&mut conn?, "after the login").await);
            }
        }
        Ok(())
    }

    async fn an_error_says_what_it_knows_of_a_statement_cut_off(database: Database) -> Result<()> {
        open(&database).await?;
        let middleman = Middleman::new(&database).await;
        for bytes in 0..60 {
            middleman.reform();
            let mut conn = Connection::connect(middleman.url(&database)).await?;
            let insert = async |conn: &mut Connection| query!("INSERT INTO orders (amount, at) VALUES (?, ?)", 1, new_year()).execute(conn).await;
            insert(&mut conn).await?;
            let before: i64 = one(&mut Connection::connect(database.url()).await?, "SELECT COUNT(*) FROM orders").await?;
            middleman.hang_up_after_client(bytes);
            let done = insert(&mut conn).await;
            // The server may still be at it: whatever it does with half a packet, it does before the next count.
            drop(conn);
            let mut admin = Connection::connect(database.url()).await?;
            let after: i64 = one(&mut admin, "SELECT COUNT(*) FROM orders").await?;
            match done {
                Ok(_) => assert_eq!(after, before + 1, "{bytes}"),
                Err(error) if error.outcome() == Outcome::Unknown => assert!(!error.is_transient(), "{bytes}: {error}"),
                Err(error) => {
                    assert_eq!(error.outcome(), Outcome::NotSent, "{bytes}: {error}");
                    assert_eq!(after, before, "{bytes}: said not to be sent");
                }
            }
        }
        Ok(())
    }
}
