//! Handles of prepared statements: none is left at the server when whoever prepares is dropped.

use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query};
use tests::Server;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::by_hand::{run, statement};
use crate::dropped::polled_at_most;
use crate::support::{Proxy, figure};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });

const CAPACITY: usize = 8;

/// How many statements the server keeps, for all connections: it has only this one. Not by its counts of PREPARE and CLOSE: MySQL counts a PREPARE, too, when it
/// prepares a statement again by itself, as it does for `SELECT ?` when a value comes that is no string (Com_stmt_reprepare).
async fn kept(conn: &mut Connection) -> Result<usize> {
    let status = query("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
    let row = status.fetch_one(conn).await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

/// By how much MySQL's count of PREPAREs is too high.
async fn prepared_again(conn: &mut Connection) -> Result<u64> {
    let status = query("SHOW SESSION STATUS LIKE 'Com_stmt_reprepare'");
    let row = status.fetch_one(conn).await?;
    Ok(row.get::<String>(1)?.parse().unwrap())
}

async fn are_recorded_or_closed(which: Server) -> Result<()> {
    let server = spawn_blocking(move || which.builder().start().unwrap());
    let server = server.await.unwrap();
    let proxy = Proxy::before(&server).await;
    let url = proxy.url(&server.url(), &server);
    let connect = || Connection::connect(format!("{url}?statement-cache-capacity={CAPACITY}"));
    let mut conn = connect().await?;
    let (mut number, mut dropped, mut closed) = (0, 0, 0);
    for piece in [1, 7, 0] {
        for polls in (1..30).chain((30..150).step_by(9)) {
            number += 1;
            let what = format!("{which}, pieces of {piece}, {polls} polls");
            let sql = format!("SELECT {number} AS a, ? AS b, 'a column with a long name' AS c");
            proxy.in_pieces_of(piece);
            let asking = query(sql).bind(number).fetch_one(&mut conn);
            dropped += usize::from(polled_at_most(&proxy, polls, asking).await.is_none());
            proxy.in_pieces_of(0);
            let next = timeout(
                Duration::from_secs(20),
                run!(Echo, number).fetch_one(&mut conn),
            );
            match next.await.expect(&what) {
                Ok(row) => assert_eq!(row.echo, Some(number), "{what}"),
                Err(error) => {
                    let told = (error.kind(), error.outcome());
                    assert_eq!(
                        told,
                        (ErrorKind::ConnectionClosed, Outcome::NotSent),
                        "{what}: {error}"
                    );
                    closed += 1;
                    conn = connect().await?;
                    continue;
                }
            }
            kept(&mut conn).await?; // what had to make room for it is closed in front of the next
            let (kept, cached) = (kept(&mut conn).await?, conn.cached_statements());
            assert_eq!(kept, cached, "{what}");
            assert!(cached <= CAPACITY, "{what}: {cached}");
        }
    }
    let again = prepared_again(&mut conn).await?;
    figure(format!(
        "{which}: {dropped} of {number} dropped, {closed} connections closed, no handle lost, {again} prepared again by the server itself"
    ));
    assert!(which != Server::MySql || again > 60, "{again}");
    assert!(
        dropped > 60 && closed * 3 < dropped,
        "{dropped} dropped, {closed} closed"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_mysql() -> Result<()> {
    tests::in_time(are_recorded_or_closed(Server::MySql)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_mariadb() -> Result<()> {
    tests::in_time(are_recorded_or_closed(Server::MariaDb)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_mariadb_10() -> Result<()> {
    tests::in_time(are_recorded_or_closed(Server::MariaDb10)).await
}
