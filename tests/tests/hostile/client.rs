//! What the client does with such a server.

use std::time::Duration;

use ark_mysql::types::{DateTime, Decimal, Time};
use ark_mysql::{ConnectOptions, Connection, Result, query};

use crate::by_hand::{run, statement};
use crate::case::{Case, Doing};
use crate::server::Server;

statement!(Read Pair(): "SELECT id, name FROM t" => PairRow { id: i32 = Int NotNull, name: Option<String> = Text Nullable });
statement!(Read Another(): "SELECT id, name FROM t WHERE id = 1" => AnotherRow { id: i32 = Int NotNull, name: Option<String> = Text Nullable });
statement!(Read Days(): "SELECT day FROM t" => DayRow { day: DateTime = DateTime NotNull });
statement!(Read Spans(): "SELECT span FROM t" => SpanRow { span: Time = Time NotNull });
statement!(Read Sums(): "SELECT sum FROM t" => SumRow { sum: Decimal = Decimal NotNull });

/// What was sent is here after this time.
const ON_ITS_WAY: Duration = Duration::from_millis(50);

/// The connection, if there was one, and what came of the case.
pub(crate) async fn behave(
    case: &Case,
    server: &Server,
    options: ConnectOptions,
) -> (Option<Connection>, Result<()>) {
    match Connection::connect(options).await {
        Err(error) => (None, Err(error)),
        Ok(mut conn) => {
            let outcome = talk(case, server, &mut conn).await;
            (Some(conn), outcome)
        }
    }
}

async fn talk(case: &Case, server: &Server, conn: &mut Connection) -> Result<()> {
    let within = case.patience;
    match case.doing {
        Doing::Connecting => conn.ping().await,
        Doing::Text => run!(Pair)
            .text()
            .deadline(within)
            .fetch_all(conn)
            .await
            .map(drop),
        Doing::Prepared => run!(Pair).deadline(within).fetch_all(conn).await.map(drop),
        Doing::Dynamic => {
            for row in query("SELECT id, name FROM t")
                .deadline(within)
                .fetch_all(conn)
                .await?
            {
                for column in 0..row.len() {
                    row.get::<Option<String>>(column)?;
                }
            }
            Ok(())
        }
        Doing::Day => run!(Days).deadline(within).fetch_all(conn).await.map(drop),
        Doing::Span => run!(Spans).deadline(within).fetch_all(conn).await.map(drop),
        Doing::Sum => run!(Sums).deadline(within).fetch_all(conn).await.map(drop),
        Doing::Twice | Doing::Again => {
            let rows = run!(Pair)
                .fetch_all(&mut *conn)
                .await
                .expect("the first time it is a server");
            assert_eq!(rows.len(), 1);
            if case.at == crate::case::At::Idle {
                server.done().await;
                tokio::time::sleep(ON_ITS_WAY).await;
            }
            match case.doing {
                Doing::Again => run!(Pair).fetch_all(conn).await.map(drop),
                _ => run!(Pair).deadline(within).fetch_all(conn).await.map(drop),
            }
        }
        Doing::Two => {
            run!(Pair)
                .fetch_all(&mut *conn)
                .await
                .expect("the first time it is a server");
            run!(Another)
                .deadline(within)
                .fetch_all(conn)
                .await
                .map(drop)
        }
        Doing::Pipeline => {
            let both = conn.pipeline((run!(Pair).one(), run!(Another).one()));
            let (one, two) = tokio::time::timeout(within, both)
                .await
                .map_err(ark_mysql::Error::other)??;
            one?;
            two?;
            tokio::time::sleep(ON_ITS_WAY).await;
            conn.ping().await
        }
        Doing::SlowStream => {
            let mut rows = run!(Pair).deadline(within).fetch(conn);
            while rows.next().await?.is_some() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            Ok(())
        }
    }
}
