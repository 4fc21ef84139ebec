//! B3: every future is dropped at every poll, by pieces of every size, in clear and by TLS. The next five answers on the same
//! connection are right, or it says that it is closed.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use ark_mysql::{
    Connection, Error, ErrorKind, Isolation, Outcome, Pool, Result, TransactionOptions, query,
};
use tests::{Database, Transport, on_every_server};
use tokio::time::timeout;

use crate::by_hand::{run, statement};
use crate::support::{Proxy, reached, times};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });
statement!(Read Three(): "SELECT id, name FROM small ORDER BY id" => Small { id: i32 = Int NotNull, name: String = Text NotNull });
statement!(Read Nobody(): "SELECT id FROM small WHERE id < 0" => Never { id: i32 = Int NotNull });
statement!(Write Rename(name): "UPDATE small SET name = ? WHERE id = 1" => Nothing {});
statement!(Write Log(): "INSERT INTO log (n) VALUES (77)" => Logged {});
statement!(Read Large(): "SELECT REPEAT('x', 100000) AS data" => Data { data: Option<String> = Text Nullable });
statement!(Read Many(): "SELECT a.id AS id FROM small a, small b, small c, small d, small e, small f" => Few { id: i32 = Int NotNull });

const SCHEMA: &str = "CREATE TABLE small (id INT PRIMARY KEY, name VARCHAR(20) NOT NULL); INSERT INTO small VALUES (1, 'a'), (2, 'b'), (3, 'c');
    CREATE TABLE log (n INT NOT NULL); CREATE TABLE blobs (id INT PRIMARY KEY, data LONGBLOB);
    CREATE PROCEDURE results() BEGIN SELECT 1; SELECT 2, 3; SELECT name FROM small; END";
const OPERATIONS: usize = 24;
/// The first ones are small queries: of those that are dropped, 95 of 100 must keep their connection.
const SMALL: usize = 12;
/// Leaves something unread by itself.
const STREAM: usize = 20;
/// Bytes handed on at a time; 0: all.
const PIECES: [usize; 7] = [1, 7, 1460, 0, 2, 3, 31];

/// Four of them, and all before a release.
fn pieces() -> &'static [usize] {
    &PIECES[..times(4, PIECES.len())]
}

async fn operation(number: usize, conn: &mut Connection) -> Result<()> {
    match number {
        0 => run!(Echo, 5).fetch_one(conn).await.map(drop),
        1 => run!(Three).fetch_all(conn).await.map(drop),
        2 => run!(Three).text().fetch_all(conn).await.map(drop),
        3 => run!(Nobody).fetch_optional(conn).await.map(drop),
        4 => run!(Rename, "a").execute(conn).await.map(drop),
        5 => query("SELECT id FROM small WHERE id = ?")
            .bind(2)
            .fetch_one(conn)
            .await
            .map(drop),
        6 => conn.ping().await,
        7 => run!(Three).for_each(conn, |_| Ok(())).await,
        8 => run!(Echo, 5)
            .deadline(Duration::from_secs(9))
            .fetch_one(conn)
            .await
            .map(drop),
        9 => match query("SELECT no_such_column FROM small")
            .fetch_all(conn)
            .await
        {
            Err(error) if error.kind() == ErrorKind::Server => Ok(()),
            result => result.map(drop),
        },
        10 => {
            let mut rows = run!(Three).fetch(conn);
            while rows.next().await?.is_some() {}
            Ok(())
        }
        11 => query("DO 1").execute(conn).await.map(drop),
        12 => {
            let mut tx = conn.begin().await?;
            run!(Log).execute(&mut tx).await?;
            tx.rollback().await
        }
        13 => {
            let mut tx = conn
                .begin_with(TransactionOptions::new().isolation(Isolation::ReadCommitted))
                .await?;
            run!(Rename, "a").execute(&mut tx).await?;
            tx.commit().await
        }
        14 => {
            let mut tx = conn.begin().await?;
            let mut inner = tx.savepoint().await?;
            run!(Log).execute(&mut inner).await?;
            inner.commit().await?;
            drop(tx);
            Ok(())
        }
        15 => {
            let mut tx = conn.begin().await?;
            let _undone = tx
                .nested(async |inner| {
                    run!(Log).execute(inner).await?;
                    Err::<(), _>(Error::other("back"))
                })
                .await;
            tx.rollback().await
        }
        16 => conn.run_script("SELECT 1; SELECT 2, 3; SET @x = 4").await,
        17 => query("CALL results()").execute(conn).await.map(drop),
        18 => run!(Large).fetch_one(conn).await.map(drop),
        19 => run!(Many).fetch_all(conn).await.map(drop),
        20 => {
            let mut rows = run!(Many).fetch(conn);
            for _ in 0..5 {
                rows.next().await?;
            }
            Ok(())
        }
        21 => query("REPLACE INTO blobs VALUES (1, ?)")
            .bind(vec![7u8; 100_000])
            .execute(conn)
            .await
            .map(drop),
        22 => {
            run!(Rename, "a").execute(&mut *conn).await?;
            run!(Three).fetch_all(&mut *conn).await?;
            run!(Nobody).fetch_optional(conn).await.map(drop)
        }
        _ => {
            // What was never prepared here.
            let unique = format!(
                "SELECT {} AS n",
                std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos()
            );
            query(unique).fetch_one(conn).await.map(drop)
        }
    }
}

/// Five right answers, or an error that says that the connection is closed, soon. True: it is open.
async fn probe(conn: &mut Connection, what: &str) -> bool {
    for value in [901, 902, 903, 904, 905] {
        let began = Instant::now();
        let answer = match value % 2 {
            0 => run!(Echo, value).text().fetch_one(&mut *conn).await,
            _ => run!(Echo, value).fetch_one(&mut *conn).await,
        };
        match answer {
            Ok(row) => assert_eq!(row.echo, Some(value), "{what}: somebody else's answer"),
            Err(error) => {
                assert_eq!(
                    (error.kind(), error.outcome()),
                    (ErrorKind::ConnectionClosed, Outcome::NotSent),
                    "{what}: {error}"
                );
                // 50 ms by promise, the rest for a busy machine.
                assert!(
                    began.elapsed() < Duration::from_millis(1000),
                    "{what}: {:?}",
                    began.elapsed()
                );
                return false;
            }
        }
    }
    assert!(!conn.in_transaction(), "{what}");
    true
}

#[derive(Default)]
struct Count {
    drops: usize,
    closed: usize,
    small: usize,
    small_closed: usize,
}

/// The next number of polls to drop after: each one before a release, fewer of the late ones otherwise.
fn step(polls: usize) -> usize {
    match polls {
        0..16 => polls + 1,
        _ => polls + 1 + polls / times(6, usize::MAX),
    }
}

/// Polls a future at most so often, and drops it then; the proxy hands the next piece on after each. `None`: it was not ready.
pub(crate) async fn polled_at_most<F: Future>(
    proxy: &Proxy,
    times: usize,
    future: F,
) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = times;
    poll_fn(|context| {
        if left > 0 {
            left -= 1;
            if let Poll::Ready(done) = future.as_mut().poll(context) {
                return Poll::Ready(Some(done));
            }
            proxy.turn();
        }
        if left == 0 {
            Poll::Ready(None)
        } else {
            Poll::Pending
        }
    })
    .await
}

/// All operations on connections of one kind.
async fn at_every_poll(database: Database, transport: Transport) -> Result<()> {
    Connection::connect(database.url())
        .await?
        .run_script(&SCHEMA[..SCHEMA.find("CREATE PROCEDURE").unwrap()])
        .await?;
    let procedure = &SCHEMA[SCHEMA.find("CREATE PROCEDURE").unwrap()..];
    query(procedure)
        .execute(&mut Connection::connect(database.url()).await?)
        .await?;
    let proxy = Proxy::new(&database).await;
    let began = Instant::now();
    let url = proxy.url(&database.url_by(transport), database.server());
    let mut count = Count::default();
    for number in 0..OPERATIONS {
        for &piece in pieces() {
            let mut conn = Connection::connect(&*url).await?;
            let mut polls = 1;
            loop {
                let what = format!(
                    "{transport:?}: operation {number} dropped after {polls} polls, by pieces of {piece}"
                );
                proxy.in_pieces_of(piece);
                let done = timeout(
                    Duration::from_secs(20),
                    polled_at_most(&proxy, polls, operation(number, &mut conn)),
                )
                .await
                .expect(&what);
                proxy.in_pieces_of(0);
                let open = timeout(Duration::from_secs(20), probe(&mut conn, &what))
                    .await
                    .expect(&what);
                if let Some(done) = done {
                    done?;
                    assert!(open || number == STREAM, "{what}");
                    break;
                }
                count.drops += 1;
                count.closed += usize::from(!open);
                count.small += usize::from(number < SMALL);
                count.small_closed += usize::from(number < SMALL && !open);
                if !open {
                    conn = Connection::connect(&*url).await?;
                }
                polls = step(polls);
            }
        }
    }
    let Count {
        drops,
        closed,
        small,
        small_closed,
    } = count;
    reached(
        "B3",
        format_args!(
            "{} {transport:?}: {drops} drops, 0 wrong, 0 hang, {closed} closed; of {small} small queries {:.1} % kept their connection, in {:.1?}",
            database.flavor(),
            100.0 - small_closed as f64 * 100.0 / small as f64,
            began.elapsed(),
        ),
    );
    assert!(drops > 500, "{drops}");
    assert!(small_closed * 20 <= small, "{small_closed} of {small}");
    let logged: i64 = crate::support::seen(&database, "SELECT COUNT(*) FROM log").await?;
    assert_eq!(logged, 0, "rolled back whatever was dropped");
    Ok(())
}

on_every_server! {
    async fn at_every_poll_in_clear(database: Database) -> Result<()> {
        at_every_poll(database, Transport::Tcp).await
    }

    async fn at_every_poll_by_tls(database: Database) -> Result<()> {
        at_every_poll(database, Transport::Tls).await
    }

    async fn of_a_pool_at_every_poll(database: Database) -> Result<()> {
        database.run("CREATE TABLE log (n INT NOT NULL)");
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(1).connect(url).await?;
        let mut drops = 0;
        for number in 0..5 {
            for &piece in pieces() {
                let mut polls = 1;
                loop {
                    proxy.in_pieces_of(piece);
                    let running = async {
                        match number {
                            0 => run!(Echo, 1).fetch_one(&pool).await.map(drop),
                            1 => query("SET @x = 1").execute(&pool).await.map(drop),
                            2 => pool.transaction(async |tx| run!(Log).execute(tx).await.and(Err::<(), _>(Error::other("back")))).await.or(Ok(())),
                            3 => {
                                let mut conn = pool.acquire().await?;
                                query("SET @x = 1").execute(&mut conn).await?;
                                conn.ping().await
                            }
                            _ => run!(Echo, 1).deadline(Duration::from_secs(9)).fetch_one(&pool).await.map(drop),
                        }
                    };
                    let done = polled_at_most(&proxy, polls, running).await;
                    proxy.in_pieces_of(0);
                    for value in 0..5 {
                        assert_eq!(run!(Echo, value).fetch_one(&pool).await?.echo, Some(value), "operation {number}, {polls} polls");
                    }
                    let row = query("SELECT CAST(@x AS SIGNED)").fetch_one(&pool).await?;
                    assert_eq!(row.get::<Option<i64>>(0)?, None, "somebody's dirt: operation {number}, {polls} polls");
                    if let Some(done) = done {
                        done?;
                        break;
                    }
                    drops += 1;
                    polls = step(polls);
                }
            }
        }
        let metrics = pool.metrics();
        assert_eq!((metrics.lent, metrics.waiting, metrics.idle), (0, 0, 1), "{metrics:?}");
        assert_eq!(crate::support::seen::<i64>(&database, "SELECT COUNT(*) FROM log").await?, 0);
        reached("B3", format_args!("{} pool of 1: {drops} drops, every next answer right, {} connections opened", database.flavor(), metrics.opened));
        Ok(())
    }
}
