//! Connections that are being made when nobody waits for them any more: a pool finishes them, or they end at their deadline.

use std::time::{Duration, Instant};

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result};
use tests::{Database, Transport, on_every_server};
use tokio::time::{sleep, timeout};

use crate::by_hand::{run, statement};
use crate::dropped::polled_at_most;
use crate::support::{Proxy, fails, one};

statement!(Read Echo(value): "SELECT CAST(? AS SIGNED) AS echo" => Echoed { echo: Option<i64> = BigInt Nullable });

/// Far more than it takes.
const LONG: Duration = Duration::from_secs(20);

async fn until(what: &str, pool: &Pool, is_so: impl Fn(&Pool) -> bool) {
    let began = Instant::now();
    while !is_so(pool) {
        assert!(began.elapsed() < LONG, "{what}: {:?}", pool.metrics());
        sleep(Duration::from_millis(5)).await;
    }
}

/// How many connections of this account the server has.
async fn at_the_server(admin: &mut Connection, user: &str) -> Result<i64> {
    let sql = format!("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '{user}'");
    one(admin, &sql).await
}

on_every_server! {
    async fn are_finished_for_the_next(database: Database) -> Result<()> {
        let account = database.account("secret");
        let user = account.name.clone();
        let mut admin = Connection::connect(database.url()).await?;
        let proxy = Proxy::new(&database).await;
        for transport in [Transport::Tcp, Transport::Tls] {
            let url = proxy.url(account.url_by(transport), database.server());
            for polls in [1, 2, 3, 5, 9, 17, 33, 65] {
                let what = format!("{transport:?}, {polls} polls");
                let pool = Pool::builder().max_connections(1).connect_lazy(&*url)?;
                proxy.in_pieces_of(40);
                let lease = polled_at_most(&proxy, polls, pool.acquire()).await;
                proxy.in_pieces_of(0);
                drop(lease);
assert_eq!(pool.metrics().waiting, 0, "{what}");
                until(&what, &pool, |pool| pool.idle() == 1).await;
                assert_eq!(run!(Echo, 5).fetch_one(&pool).await?.echo, Some(5), "{what}");
                let metrics = pool.metrics();
                assert_eq!((metrics.opened, metrics.open_failures, pool.size()), (1, 0, 1), "{what}: {metrics:?}");
                assert_eq!(at_the_server(&mut admin, &user).await?, 1, "{what}");
                pool.close().await;
                drop(pool);
                let began = Instant::now();
                while at_the_server(&mut admin, &user).await? > 0 {
                    assert!(began.elapsed() < LONG, "{what}: it is still there");
                    sleep(Duration::from_millis(5)).await;
                }
            }
        }
        Ok(())
    }

    async fn end_at_their_deadline(database: Database) -> Result<()> {
        let proxy = Proxy::new(&database).await;
        let url = proxy.url(&database.url_by(Transport::Tcp), database.server());
        let pool = Pool::builder().max_connections(1).connect_lazy(format!("{url}&connect-timeout=300ms"))?;
        proxy.mute_new_ones();
        assert!(timeout(Duration::from_millis(50), pool.acquire()).await.is_err());
        until("muted", &pool, |pool| pool.metrics().open_failures > 0).await;
        assert_eq!((pool.size(), pool.metrics().waiting), (0, 0));
        // The place is free again: the next one tries, and is told what went wrong.
        let error = fails(pool.acquire().await, ErrorKind::Timeout, Outcome::NotSent);
        assert!(error.to_string().contains("greeting"), "{error}");
        // A pool that is closed meanwhile keeps nothing of it.
        assert!(timeout(Duration::from_millis(50), pool.acquire()).await.is_err());
        pool.close().await;
        until("closed", &pool, |pool| pool.metrics().open_failures > 2).await;
        assert_eq!(pool.size(), 0);
        Ok(())
    }
}
