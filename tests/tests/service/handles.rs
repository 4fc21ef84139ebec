//! Handles of prepared statements: none is lost at the server when whoever prepares is dropped.

use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Result, query};
use tests::{Database, Transport, on_every_server};
use tokio::time::timeout;

use crate::by_hand::{run, statement};
use crate::dropped::polled_at_most;
use crate::support::Proxy;

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });

/// How many statements this session has prepared and not closed, as its server counts.
async fn kept(conn: &mut Connection) -> Result<usize> {
    let sql = "SHOW SESSION STATUS WHERE Variable_name IN ('Com_stmt_close', 'Com_stmt_prepare')";
    let rows = query(sql).fetch_all(conn).await?;
    let counts: Vec<usize> = rows
        .iter()
        .map(|row| Ok(row.get::<String>(1)?.parse().unwrap()))
        .collect::<Result<_>>()?;
    let [closed, prepared] = counts[..] else {
        panic!("{counts:?}")
    };
    Ok(prepared - closed)
}

on_every_server! {
    async fn are_recorded_or_closed(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let connect = || Connection::connect(format!("{url}&statement-cache-capacity=8"));
        let mut conn = connect().await?;
        let (mut dropped, mut closed, mut number) = (0, 0, 0);
        for piece in [1, 7, 0] {
            for polls in (1..30).chain((30..150).step_by(9)) {
                number += 1;
                let what = format!("piece {piece}, {polls} polls");
                let sql = format!("SELECT {number} AS a, ? AS b, 'a column with a long name' AS c");
                proxy.in_pieces_of(piece);
                let asking = query(sql).bind(number).fetch_one(&mut conn);
                dropped += usize::from(polled_at_most(&proxy, polls, asking).await.is_none());
                proxy.in_pieces_of(0);
                match timeout(Duration::from_secs(20), run!(Echo, number).fetch_one(&mut conn)).await.expect(&what) {
                    Ok(row) => assert_eq!(row.echo, Some(number), "{what}"),
                    Err(error) => {
                        assert_eq!((error.kind(), error.outcome()), (ErrorKind::ConnectionClosed, Outcome::NotSent), "{what}: {error}");
                        closed += 1;
                        conn = connect().await?;
                        continue;
                    }
                }
                assert_eq!(kept(&mut conn).await?, conn.cached_statements(), "{what}");
                assert!(conn.cached_statements() <= 8, "{what}");
            }
        }
        assert!(dropped > 60 && closed * 3 < dropped, "{dropped} dropped, {closed} closed");
        Ok(())
    }
}
