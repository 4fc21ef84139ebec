//! What is particular to `block_on`: what else runs there is tested in `pipeline` and `driver_queries`, either way.

mod by_hand;

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ark_mysql::{Connection, Deadline, ErrorKind, Outcome, Result, Transaction, block_on};
use by_hand::{run, statement};
use tests::{Database, Transport};

const SCHEMA: &str = "CREATE TABLE numbers (seq INT UNSIGNED PRIMARY KEY);
    INSERT INTO numbers VALUES (0), (1), (2), (3), (4)";

statement!(Read All(): "SELECT seq FROM numbers ORDER BY seq" => Number { seq: u32 = IntUnsigned NotNull });
statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Sleep(seconds): "SELECT SLEEP(?) AS slept" => Slept { slept: i32 = Int NotNull });
statement!(Write Insert(seq): "INSERT INTO numbers VALUES (?)" => Inserted {});

async fn echo(conn: &mut Connection, value: i64) -> Result<()> {
    assert_eq!(run!(Echo, value).fetch_one(conn).await?.echo, Some(value));
    Ok(())
}

tests::without_runtime! {
    async fn by_every_transport_and_in_many_small_pieces(database: Database) -> Result<()> {
        for url in [database.url_by(Transport::Tcp), database.tls_url(), database.socket_url()] {
            let mut conn = block_on(Connection::connect(&url))?;
            for value in 0..50 {
                block_on(echo(&mut conn, value))?;
            }
            // Longer than the time after which it is looked whether the server has gone.
            std::thread::sleep(Duration::from_millis(5));
            block_on(echo(&mut conn, 51))?;
            block_on(conn.close())?;
        }
        Ok(())
    }

    async fn a_transaction_is_one(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        let mut tx: Transaction<'_> = conn.begin().await?;
        run!(Insert, 10).execute(&mut tx).await?;
        tx.commit().await?;
        let mut tx = conn.begin().deadline(Duration::from_secs(20)).await?;
        run!(Insert, 11).execute(&mut tx).await?;
        drop(tx);
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 6);
        Ok(())
    }

    async fn a_deadline_ends_a_statement_and_keeps_the_connection(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        for _ in 0..3 {
            let deadline = Deadline::after(Duration::from_millis(100)).and_kill();
            let slept = run!(Sleep, 30.0).deadline(deadline).fetch_one(&mut conn).await;
            // The server says by itself that it was interrupted (MySQL: SLEEP gives 1), or is killed by us.
            match slept {
                Ok(row) => assert_eq!(row.slept, 1),
                Err(error) => assert_eq!(error.kind(), ErrorKind::Timeout, "{error}"),
            }
            if conn.is_closed() {
                conn = Connection::connect(database.url()).await?;
            }
            echo(&mut conn, 7).await?;
            let far = Duration::from_secs(60);
            for value in 0..5 {
                assert_eq!(run!(Echo, value).deadline(far).fetch_one(&mut conn).await?.echo, Some(value));
            }
        }
        Ok(())
    }

    async fn dropped_in_the_middle_it_goes_on(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        echo(&mut conn, 1).await?;
        for polls in 1..4 {
            {
                let mut cut = pin!(run!(Echo, 5).fetch_one(&mut conn));
                for _ in 0..polls {
                    let polled = poll_fn(|context| Poll::Ready(cut.as_mut().poll(context))).await;
                    if polled.is_ready() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            echo(&mut conn, 6).await?;
        }
        Ok(())
    }

    /// Each has a waker of its own; one `poll(2)` waits for both.
    async fn two_connections_at_once(database: Database) -> Result<()> {
        let mut one = Connection::connect(database.url()).await?;
        let mut two = Connection::connect(database.tls_url()).await?;
        for round in 0..20 {
            let (first, second) = tokio::join!(
                async {
                    run!(Sleep, 0.002).fetch_one(&mut one).await?;
                    echo(&mut one, round).await
                },
                async {
                    echo(&mut two, round).await?;
                    run!(Sleep, 0.001).fetch_one(&mut two).await
                },
            );
            first?;
            second?;
        }
        Ok(())
    }

    async fn another_thread_has_its_say_while_a_statement_runs(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
        let thread = std::thread::spawn(move || {
            for number in 0..20 {
                sender.blocking_send(number).unwrap();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let heard = tokio::join!(run!(Sleep, 0.2).fetch_one(&mut conn), async {
            let mut heard = 0;
            while receiver.recv().await.is_some() {
                heard += 1;
            }
            heard
        });
        thread.join().unwrap();
        assert_eq!((heard.0?.slept, heard.1), (0, 20));
        Ok(())
    }

    async fn what_the_server_has_closed_meanwhile_sends_nothing(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let mut conn = Connection::connect(database.url()).await?;
        run!(Insert, 20).execute(&mut conn).await?;
        database.run(&format!("KILL {}", conn.id()));
        // Until the server has done it: the end is seen without a statement.
        let mut left = 1000;
        while conn.ping().await.is_ok() && left > 0 {
            std::thread::sleep(Duration::from_millis(10));
            left -= 1;
        }
        let error = run!(Insert, 21).execute(&mut conn).await.unwrap_err();
        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent));
        Ok(())
    }

    /// Nobody would wait for its socket there.
    async fn elsewhere_it_says_so(database: Database) -> Result<()> {
        database.run(SCHEMA);
        let url = database.url();
        std::thread::spawn(move || {
            let mut conn = block_on(Connection::connect(&url)).unwrap();
            block_on(run!(Insert, 30).execute(&mut conn)).unwrap();
            let mut outside = pin!(run!(Insert, 31).execute(&mut conn));
            let mut context = Context::from_waker(Waker::noop());
            let Poll::Ready(Err(error)) = outside.as_mut().poll(&mut context) else {
                panic!("it was sent");
            };
            assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent));
            assert!(error.to_string().contains("outside of it"), "{error}");
        })
        .join()
        .unwrap();
        let mut conn = Connection::connect(database.url()).await?;
        assert_eq!(run!(All).fetch_all(&mut conn).await?.len(), 6);
        Ok(())
    }
}

/// It says goodbye, or would if there were room; the thread's own state is gone by then.
#[test]
fn a_thread_may_end_with_a_connection() {
    thread_local! {
        static KEPT: std::cell::RefCell<Option<Connection>> = const { std::cell::RefCell::new(None) };
    }
    let database = Database::new(tests::Server::MySql);
    let url = database.url();
    let thread = std::thread::spawn(move || {
        KEPT.with(|kept| *kept.borrow_mut() = Some(block_on(Connection::connect(url)).unwrap()));
        KEPT.with(|kept| block_on(echo(kept.borrow_mut().as_mut().unwrap(), 1)))
            .unwrap();
    });
    thread.join().unwrap();
}

/// An address that takes connections and never says a word.
#[test]
fn the_time_for_connecting_holds() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let error = tests::in_time_without_runtime(move || {
        Connection::connect(format!("mysql://app@{address}/d?connect-timeout=100ms"))
    })
    .unwrap_err();
    assert_eq!(
        (error.kind(), error.outcome()),
        (ErrorKind::Timeout, Outcome::NotSent),
        "{error}"
    );
    drop(listener);
    let error = block_on(Connection::connect(format!("mysql://app@{address}/d"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
    let error = block_on(Connection::connect("mysql://app@no-such-host.invalid/d")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
}
