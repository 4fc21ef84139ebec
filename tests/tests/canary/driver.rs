//! The driver: logins of every kind, right and wrong, everything that has a `Debug`, and panics.

use std::fmt::Debug;
use std::time::Duration;

use ark_mysql::migrate::Migrator;
use ark_mysql::{Connection, Pool, TlsMode, query};
use tests::{Account, Database, Flavor, Server, Transport};
use tokio::io::AsyncWriteExt;

use crate::encoding::url_coded;
use crate::{Canary, show, show_error};

/// How many there are on purpose: two a server.
pub(crate) const PANICS: usize = 6;

fn shown<T: Debug>(value: &T) {
    show("shown", format_args!("{value:?} {value:#?}"));
}

fn outcome<T: Debug>(outcome: ark_mysql::Result<T>) {
    match outcome {
        Ok(value) => shown(&value),
        Err(error) => show_error(&error),
    }
}

pub(crate) async fn all(canary: &Canary, server: Server) {
    let database = Database::new(server);
    database.run("CREATE TABLE t (id INT NOT NULL PRIMARY KEY)");
    let password = canary.whole();
    for account in accounts(&database, server, &password) {
        for transport in Transport::ALL {
            let url = account.url_by(transport);
            database.forget_passwords();
            logins(url, &password, &database).await;
            other_addresses(url, &database).await;
        }
        used(&account, &password).await;
    }
    impostors(&password).await;
    panics(&password).await;
}

fn accounts(database: &Database, server: Server, password: &str) -> Vec<Account> {
    let escaped = password.replace('\\', "\\\\").replace('\'', "\\'");
    let plugins: &[&str] = match server {
        Server::MySql => &["caching_sha2_password", "sha256_password"],
        Server::MariaDb => &["mysql_native_password", "ed25519", "parsec"],
        Server::MariaDb10 => &["mysql_native_password", "ed25519"],
    };
    plugins
        .iter()
        .map(|plugin| match server.flavor() {
            Flavor::MySql => {
                database.account_identified(password, &format!("WITH {plugin} BY '{escaped}'"))
            }
            Flavor::MariaDb => {
                if *plugin != "mysql_native_password" {
                    database.run(&format!(
                        "INSTALL PLUGIN IF NOT EXISTS {plugin} SONAME 'auth_{plugin}'"
                    ));
                }
                database.account_identified(
                    password,
                    &format!("VIA {plugin} USING PASSWORD('{escaped}')"),
                )
            }
        })
        .collect()
}

/// Right, wrong in every part, and where nothing secret may go.
async fn logins(url: &str, password: &str, database: &Database) {
    let coded = url_coded(password);
    outcome(Connection::connect(url).await);
    for wrong in [
        url.replace(&coded, &format!("{coded}x")),
        url.replace(&format!(":{coded}"), ""),
        url.replace("mysql://u", "mysql://nobody_u"),
        url.replace(&format!("/{}", database.name()), "/nowhere"),
        url.replace("127.0.0.1", "0.0.0.0"),
        url.replace("127.0.0.1", "0.0.0.0")
            .replace("ssl-mode=disabled", "ssl-mode=required"),
        url.replace("ssl-mode=disabled", "ssl-mode=verify-identity"),
        url.replace("ssl-mode=disabled", "require-verified=true"),
        url.replace("ssl-mode=disabled", "ssl-ca=/nowhere"),
        url.replace(
            "ssl-mode=disabled",
            "server-public-key=/nowhere&ssl-mode=disabled",
        ),
        url.replace(
            "ssl-mode=disabled",
            "ssl-mode=disabled&require-verified=true",
        ),
    ] {
        outcome(Connection::connect(&wrong).await);
    }
}

/// Nobody there.
async fn other_addresses(url: &str, database: &Database) {
    let port = format!(":{}", database.server().port());
    for wrong in [
        url.replace(&port, ":1"),
        url.replace("127.0.0.1", "no-such-host.invalid"),
        url.replace("socket=", "socket=/nowhere"),
    ] {
        if wrong != url {
            outcome(Connection::connect(&wrong).await);
        }
    }
    let lazy = Pool::builder()
        .max_connections(1)
        .acquire_timeout(Duration::from_millis(100))
        .connect_lazy(url.replace(&port, ":1"))
        .unwrap();
    shown(&lazy);
    outcome(lazy.acquire().await);
    shown(&lazy.metrics());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("20260101000000_first.sql"), "SELECT 1").unwrap();
    let migrator = Migrator::from_folder(folder.path()).unwrap();
    if let Err(error) = migrator.run(url.replace(&port, ":1")).await {
        show_error(&error);
    }
}

/// All that a connection and a pool can be asked to show, the password among the values that are sent.
async fn used(account: &Account, password: &str) {
    let url = account.url_by(Transport::Tls);
    let mut conn = Connection::connect(url).await.unwrap();
    outcome(conn.change_user(&account.name, password, None).await);
    shown(&conn);
    outcome(
        query("SELECT ? AS x")
            .bind(password)
            .execute(&mut conn)
            .await,
    );
    shown(&query("SELECT ? AS x").bind(password));
    let row = query("SELECT ? AS x")
        .bind(password)
        .fetch_one(&mut conn)
        .await
        .unwrap();
    outcome(row.get::<i64>("x")); // it does not fit, and is not shown
    outcome(row.get::<i64>("y"));
    outcome(
        query("SELECT id FROM t WHERE id = ?")
            .bind(password)
            .fetch_one(&mut conn)
            .await
            .map(drop),
    );
    outcome(
        query("SELECT ? AS x, nothing")
            .bind(password)
            .fetch_one(&mut conn)
            .await
            .map(drop),
    );
    outcome(
        query("SELECT ?, SLEEP(9) FROM t")
            .bind(password)
            .deadline(Duration::from_millis(1))
            .fetch_all(&mut conn)
            .await
            .map(drop),
    );
    shown(&conn.begin().await.ok());
    outcome(
        conn.change_user(&account.name, format!("{password}x"), None)
            .await,
    );
    outcome(conn.ping().await);
    let pool = Pool::connect(url).await.unwrap();
    shown(&pool);
    let lease = pool.acquire().await.unwrap();
    shown(&lease);
    query(format!("KILL {}", lease.id()))
        .execute(&pool)
        .await
        .map(drop)
        .unwrap_or_else(|error| show_error(&error));
    drop(lease);
    outcome(
        pool.transaction(async |tx| {
            query("SELECT ?")
                .bind(password)
                .fetch_one(tx)
                .await
                .map(drop)
        })
        .await,
    );
    shown(&pool.metrics());
    pool.close().await;
    outcome(pool.acquire().await);
}

/// Who is no server, or wants the password, and repeats in an error what it heard.
async fn impostors(password: &str) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let says: [&'static [u8]; 4] = [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\x05\x00\x00\x00\xff\x10\x04no",
        b"\x4a\x00\x00\x00\x0a9.7.4\x00\x07\x00\x00\x00abcdefgh\x00\xff\xf7\xff\x02\x00\xff\xdf\x15\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00ijklmnopqrst\x00mysql_clear_password\x00x",
        b"",
    ];
    let serving = tokio::spawn(async move {
        for say in says.iter().cycle() {
            let (mut socket, _) = listener.accept().await.unwrap();
            let _gone = socket.write_all(say).await;
        }
    });
    for mode in [TlsMode::Disabled, TlsMode::Required] {
        for _ in says {
            let options = ark_mysql::ConnectOptions::new("app")
                .password(password)
                .host("127.0.0.1")
                .port(port)
                .tls_mode(mode);
            outcome(Connection::connect(options.clear_text_password(true)).await);
        }
    }
    serving.abort();
}

/// `unwrap` on what failed, in a task and in a thread, with everything at hand.
async fn panics(password: &str) {
    let address = format!("mysql://app:{}@127.0.0.1:1/shop", url_coded(password));
    let task = tokio::spawn({
        let address = address.clone();
        async move {
            Connection::connect(&address).await.unwrap();
        }
    });
    show("shown", format_args!("{:?}", task.await.err()));
    let thread = std::thread::spawn(move || {
        let options: ark_mysql::ConnectOptions = address.parse().unwrap();
        assert_eq!(options.user_name(), "somebody else", "with {options:?}");
    });
    assert!(thread.join().is_err());
}
