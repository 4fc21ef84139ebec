//! A password that the server has not seen since it started: the login that works for everybody but the newcomer.

use ark_mysql::{ConnectOptions, Connection, Pool, Result};
use tests::{Account, Database, Flavor, Transport, on_every_server};

use crate::support::{Middleman, one};

const PASSWORD: &str = "pä ss:w/0?rd#%";
const ESCAPED: &str = "p%C3%A4%20ss%3Aw%2F0%3Frd%23%25";

async fn user(conn: &mut Connection) -> Result<String> {
    let user: String = one(conn, "SELECT CURRENT_USER()").await?;
    Ok(user.trim_end_matches("@%").to_owned())
}

on_every_server! {
    async fn is_no_hindrance_by_any_way(database: Database) -> Result<()> {
        let account = database.account(PASSWORD);
        for (transport, url) in account.urls() {
            database.forget_passwords();
            for state in ["cold", "warm"] {
                let connected = Connection::connect(url).await;
                let mut conn = connected.unwrap_or_else(|error| panic!("{transport:?}, {state}: {error}"));
                assert_eq!(user(&mut conn).await?, account.name, "{transport:?}, {state}");
            }
        }
        Ok(())
    }

    async fn is_no_hindrance_to_a_newcomer(database: Database) -> Result<()> {
        let account = database.account(PASSWORD);
        let (port, name) = (database.server().port(), database.name());
        for host in ["127.0.0.1", "localhost"] {
            database.forget_passwords();
            let url = format!("mysql://{}:{ESCAPED}@{host}:{port}/{name}", account.name);
            assert_eq!(user(&mut Connection::connect(&url).await?).await?, account.name, "{host}");
            database.forget_passwords();
            let pool = Pool::connect(&url).await?;
            assert_eq!(user(&mut *pool.acquire().await?).await?, account.name, "{host}");
            let options = ConnectOptions::new(&account.name).password(PASSWORD).host(host).port(port).database(name);
            assert_eq!(user(&mut Connection::connect(options).await?).await?, account.name, "{host}");
        }
        Ok(())
    }

    async fn a_long_password_is_sent_whole(database: Database) -> Result<()> {
        // The longest that fits one RSA block of 256 bytes with OAEP, and one that is longer than the server's nonce several times.
        for length in [1, 20, 150, 213] {
            let password = "x".repeat(length);
            let account = database.account(&password);
            for (transport, url) in account.urls() {
                database.forget_passwords();
                let connected = Connection::connect(url).await;
                let mut conn = connected.unwrap_or_else(|error| panic!("{transport:?}, {length}: {error}"));
                assert_eq!(user(&mut conn).await?, account.name);
            }
        }
        Ok(())
    }

    async fn an_empty_password_is_one_too(database: Database) -> Result<()> {
        let account = database.account("");
        for (transport, url) in account.urls() {
            let bare = url.replace(":@", "@");
            assert_ne!(bare, url);
            for url in [url, bare.as_str()] {
                let connected = Connection::connect(url).await;
                let mut conn = connected.unwrap_or_else(|error| panic!("{transport:?}: {error}"));
                assert_eq!(user(&mut conn).await?, account.name, "{transport:?}");
            }
        }
        Ok(())
    }

    async fn another_plugin_than_the_one_announced(database: Database) -> Result<()> {
        // The greeting announces what is not the account's, so that the server asks for a switch. Both names have 21 letters.
        const NAMES: [&str; 2] = ["caching_sha2_password", "mysql_native_password"];
        let [from, to] = match database.flavor() {
            Flavor::MySql => NAMES,
            Flavor::MariaDb => [NAMES[1], NAMES[0]],
        };
        let middleman = Middleman::new(&database).await;
        for password in ["secret", ""] {
            let account = database.account(password);
            database.forget_passwords();
            let url = middleman.url(&database).replace("root", &format!("{}:{password}", account.name));
            middleman.rename(from, to);
            let mut conn = Connection::connect(&url).await?;
            assert!(middleman.heard(to.as_bytes()), "we believed the greeting first");
            assert_eq!(user(&mut conn).await?, account.name, "{password:?}");
            middleman.forget();
        }
        Ok(())
    }
}

/// MariaDB tries the first method silently and asks for a switch to the second one.
#[tokio::test]
async fn the_second_of_two_methods() -> Result<()> {
    let database = Database::new(Flavor::MariaDb);
    let how = "VIA unix_socket OR mysql_native_password USING PASSWORD('secret')";
    let account = database.account_identified("secret", how);
    tests::in_time(async {
        for transport in Transport::ALL {
            let mut conn = Connection::connect(account.url_by(transport)).await?;
            assert_eq!(user(&mut conn).await?, account.name, "{transport:?}");
        }
        Ok(())
    })
    .await
}

/// An account that logs in by a plugin which the server has to load first.
fn account(database: &Database, library: &str, how: &str) -> Account {
    // Where another test of this process has loaded it, the server says so by an error.
    let _ = tests::admin(&database.url(), &format!("INSTALL SONAME '{library}'"));
    database.account_identified("secret", how)
}

#[tokio::test]
async fn methods_that_mariadb_loads() -> Result<()> {
    let database = Database::new(Flavor::MariaDb);
    let accounts = [
        account(
            &database,
            "auth_ed25519",
            "VIA ed25519 USING PASSWORD('secret')",
        ),
        account(
            &database,
            "auth_parsec",
            "VIA parsec USING PASSWORD('secret')",
        ),
        account(
            &database,
            "auth_ed25519",
            "VIA ed25519 USING PASSWORD('another') OR mysql_native_password USING PASSWORD('secret')",
        ),
    ];
    tests::in_time(async {
        for account in accounts {
            for transport in Transport::ALL {
                let mut conn = Connection::connect(account.url_by(transport)).await?;
                assert_eq!(user(&mut conn).await?, account.name, "{transport:?}");
            }
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_method_before_caching_sha2() -> Result<()> {
    let database = Database::new(Flavor::MySql);
    tests::in_time(async {
        for password in ["secret", ""] {
            let account = database
                .account_identified(password, &format!("WITH sha256_password BY '{password}'"));
            for transport in Transport::ALL {
                let mut conn = Connection::connect(account.url_by(transport)).await?;
                assert_eq!(user(&mut conn).await?, account.name, "{transport:?}");
            }
        }
        Ok(())
    })
    .await
}

/// A login method that nobody has says so, and nothing of the password is sent.
#[tokio::test]
async fn a_method_that_is_not_there_is_named() {
    let database = Database::new(Flavor::MySql);
    let account =
        database.account_identified("Wagtail5zq8", "WITH sha256_password BY 'Wagtail5zq8'");
    let middleman = Middleman::new(&database).await;
    middleman.rename("sha256_password", "sha257_password");
    let url = middleman
        .url(&database)
        .replace("root", &format!("{}:Wagtail5zq8", account.name));
    let connected = tests::in_time(Connection::connect(url)).await;
    let error = connected.map(drop).expect_err("there is no such plugin");
    assert_eq!(
        error.kind(),
        ark_mysql::ErrorKind::Authentication,
        "{error}"
    );
    assert!(error.to_string().contains("sha257_password"), "{error}");
    assert!(!format!("{error} {error:?}").contains("Wagtail"), "{error}");
    assert!(!middleman.heard(b"Wagtail"));
}
