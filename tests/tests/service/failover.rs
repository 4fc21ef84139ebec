//! A server that becomes read-only, kills connections, or ends: what the pool does with the others.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result, TransactionOptions, query};
use tests::{DevServer, FLAVORS, Flavor};

use crate::by_hand::{run, statement};
use crate::support::{code, fails};

statement!(Read Id(): "SELECT CONNECTION_ID() AS id" => Connected { id: u64 = BigIntUnsigned NotNull });
statement!(Write Add(n): "INSERT INTO t VALUES (?)" => Logged {});

/// A server of its own, because all of it changes; and an account that is no administrator.
async fn started(flavor: Flavor) -> Result<(DevServer, Connection, String)> {
    let start = move || DevServer::builder().flavor(flavor).start().unwrap();
    let server = tokio::task::spawn_blocking(start).await.unwrap();
    let mut admin = Connection::connect(server.url()).await?;
    admin
        .run_script(
            "CREATE DATABASE f; CREATE TABLE f.t (n INT); CREATE USER app; GRANT ALL ON f.* TO app",
        )
        .await?;
    let url = format!("{}?ssl-mode=disabled", server.url_for("f")).replace("root@", "app@");
    Ok((server, admin, url))
}

async fn read_only(flavor: Flavor) -> Result<()> {
    let (_server, mut admin, url) = started(flavor).await?;
    let pool = Pool::builder().max_connections(3).connect(url).await?;
    let mut ids = Vec::new();
    {
        let mut all = [
            pool.acquire().await?,
            pool.acquire().await?,
            pool.acquire().await?,
        ];
        for conn in &mut all {
            run!(Id).fetch_one(&mut *conn).await?;
            ids.push(conn.id());
        }
    }
    assert_eq!(pool.size(), 3);
    // A write in a read-only transaction is the caller's mistake, and says nothing about the server.
    let mut tx = pool
        .begin_with(TransactionOptions::new().read_only())
        .await?;
    assert_eq!(
        code(&fails(
            run!(Add, 1).execute(&mut tx).await,
            ErrorKind::Server,
            Outcome::Rejected
        )),
        Some(1792)
    );
    drop(tx);
    run!(Id).fetch_one(&pool).await?;
    assert_eq!((pool.size(), pool.metrics().opened), (3, 3));
    // The server becomes a replica.
    let held = pool.acquire().await?;
    admin.run_script("SET GLOBAL read_only = 1").await?;
    let error = fails(
        run!(Add, 1).execute(&pool).await,
        ErrorKind::ReadOnly,
        Outcome::Rejected,
    );
    assert!(error.is_transient(), "{error}");
    assert_eq!(
        pool.size(),
        1,
        "all that nobody has are gone: {:?}",
        pool.metrics()
    );
    drop(held);
    assert_eq!(pool.size(), 0, "and the lent one, once it is back");
    let id = run!(Id).fetch_one(&pool).await?.id;
    assert!(!ids.iter().any(|old| u64::from(*old) == id));
    // As long as it stays so, the pool does not start over each time.
    let other = pool.acquire().await?;
    for _ in 0..3 {
        fails(
            run!(Add, 1).execute(&pool).await,
            ErrorKind::ReadOnly,
            Outcome::Rejected,
        );
    }
    drop(other);
    assert_eq!(pool.size(), 1, "{:?}", pool.metrics());
    // A transaction runs again, and so finds the writer.
    let runs = AtomicU32::new(0);
    let admin = tokio::sync::Mutex::new(admin);
    pool.transaction(async |tx| {
        if runs.fetch_add(1, Ordering::SeqCst) == 2 {
            admin
                .lock()
                .await
                .run_script("SET GLOBAL read_only = 0")
                .await?;
        }
        run!(Add, 2).execute(tx).await.map(drop)
    })
    .await?;
    assert_eq!(runs.load(Ordering::SeqCst), 3);
    let count = query("SELECT COUNT(*) FROM t").fetch_one(&pool).await?;
    assert_eq!(count.get::<i64>(0)?, 1);
    Ok(())
}

async fn killed(flavor: Flavor) -> Result<()> {
    let (_server, mut admin, url) = started(flavor).await?;
    let pool = Pool::builder().max_connections(2).connect(url).await?;
    let mut one = pool.acquire().await?;
    let other = pool.acquire().await?;
    run!(Id).fetch_one(&mut one).await?;
    let (id, kept) = (one.id(), other.id());
    drop(other);
    let (slept, killed) = tokio::join!(query("DO SLEEP(20)").execute(&mut one), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        query(format!("KILL {id}")).execute(&mut admin).await
    });
    killed?;
    let error = slept.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error}");
    drop(one);
    assert_eq!(pool.size(), 1);
    assert_eq!(
        pool.acquire().await?.id(),
        kept,
        "the other one lives, and was asked"
    );
    Ok(())
}

async fn ended(flavor: Flavor) -> Result<()> {
    let (server, mut admin, url) = started(flavor).await?;
    let pool = Pool::builder().max_connections(3).connect(url).await?;
    let mut all = [
        pool.acquire().await?,
        pool.acquire().await?,
        pool.acquire().await?,
    ];
    for conn in &mut all {
        run!(Id).fetch_one(conn).await?;
    }
    let [mut one, two, three] = all;
    drop((two, three));
    let (slept, ending) = tokio::join!(query("DO SLEEP(20)").execute(&mut one), async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        query("SHUTDOWN").execute(&mut admin).await
    });
    if let Err(error) = ending {
        assert_eq!(
            error.kind(),
            ErrorKind::ConnectionLost,
            "its answer may be cut off, too: {error}"
        );
    }
    // Killed with words or without: the statement was not done, or nobody knows.
    if let Err(error) = slept {
        assert!(
            matches!(
                error.kind(),
                ErrorKind::ConnectionLost | ErrorKind::Interrupted
            ),
            "{error}"
        );
        assert!(
            matches!(error.outcome(), Outcome::Rejected | Outcome::Unknown),
            "{error}"
        );
    }
    drop(one);
    let error = loop {
        match run!(Id).fetch_one(&pool).await {
            Ok(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            Err(error) => break error,
        }
    };
    assert!(
        matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::Connect),
        "{error}"
    );
    let error = loop {
        match run!(Id).fetch_one(&pool).await {
            Err(error) if error.kind() == ErrorKind::Connect => break error,
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    assert_eq!(
        (error.outcome(), pool.size()),
        (Outcome::NotSent, 0),
        "{error}"
    );
    drop(server);
    Ok(())
}

macro_rules! on_both {
    ($($name:ident $mysql:ident $mariadb:ident)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $mysql() -> Result<()> {
            tests::in_time($name(FLAVORS[0])).await
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $mariadb() -> Result<()> {
            tests::in_time($name(FLAVORS[1])).await
        }
    )*};
}

on_both! {
    read_only read_only_on_mysql read_only_on_mariadb
    killed killed_on_mysql killed_on_mariadb
    ended ended_on_mysql ended_on_mariadb
}
