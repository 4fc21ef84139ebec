//! Another login on the same connection: by the same rules as the first one, and with a session as new as after the first one.

use std::time::Duration;

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result, query};
use tests::{Account, Database, Flavor, Transport, on_both_servers};

use crate::middleman::Middleman;
use crate::{fails, one};

async fn user(conn: &mut Connection) -> Result<String> {
    let user: String = one(conn, "SELECT CURRENT_USER()").await?;
    Ok(user.split('@').next().unwrap_or_default().to_owned())
}

async fn become_(conn: &mut Connection, account: &Account, database: &Database) -> Result<()> {
    let (name, password) = (&account.name, &account.password);
    conn.change_user(name, password, Some(database.name()))
        .await
}

on_both_servers! {
    async fn gives_a_new_session(database: Database) -> Result<()> {
        database.run("CREATE TABLE t (a INT)");
        let account = database.account("secret");
        let options = database.url().parse::<ConnectOptions>()?.init_statement("SET @hello = 'ß'");
        let mut conn = Connection::connect(options).await?;
        let id = conn.id();
        conn.run_script("CREATE TEMPORARY TABLE temporary (a INT); SET NAMES latin1, time_zone = '+03:00'; SET @v = 1; BEGIN; INSERT INTO t VALUES (1)").await?;
        assert_eq!(one::<i64>(&mut conn, "SELECT @v").await?, 1);
        assert!(conn.in_transaction() && conn.cached_statements() > 0);
        become_(&mut conn, &account, &database).await?;
        assert_eq!((conn.id(), conn.cached_statements(), conn.in_transaction()), (id, 0, false));
        assert_eq!(user(&mut conn).await?, account.name);
        assert_eq!(one::<Option<i64>>(&mut conn, "SELECT @v").await?, None);
        assert_eq!(one::<String>(&mut conn, "SELECT @@time_zone").await?, "+00:00");
        assert_eq!(one::<String>(&mut conn, "SELECT CONCAT(@hello, 'é€')").await?, "ßé€");
        assert_eq!(one::<String>(&mut conn, "SELECT DATABASE()").await?, database.name());
        assert_eq!(one::<i64>(&mut conn, "SELECT COUNT(*) FROM t").await?, 0, "the transaction was rolled back");
        query("SELECT * FROM temporary").fetch_all(&mut conn).await.expect_err("it is gone");
        // Into no database, as the first user again, many times.
        for _ in 0..3 {
            conn.change_user("root", "", None).await?;
            assert_eq!(one::<Option<String>>(&mut conn, "SELECT DATABASE()").await?, None);
            become_(&mut conn, &account, &database).await?;
            assert_eq!(user(&mut conn).await?, account.name);
        }
        Ok(())
    }

    async fn by_every_way_with_a_cold_cache(database: Database) -> Result<()> {
        let password = "pä ss:w/0?rd#%";
        let account = database.account(password);
        for transport in Transport::ALL {
            let mut conn = Connection::connect(database.url_by(transport)).await?;
            for state in ["cold", "warm"] {
                if state == "cold" {
                    database.forget_passwords();
                }
                let changed = become_(&mut conn, &account, &database).await;
                changed.unwrap_or_else(|error| panic!("{transport:?} {state}: {error}"));
                assert_eq!(user(&mut conn).await?, account.name, "{transport:?} {state}");
                conn.change_user("root", "", Some(database.name())).await?;
                assert_eq!(user(&mut conn).await?, "root");
            }
        }
        Ok(())
    }

    async fn by_every_plugin(database: Database) -> Result<()> {
        let hows: &[&str] = match database.flavor() {
            Flavor::MySql => &["WITH caching_sha2_password BY 'secret'", "WITH sha256_password BY 'secret'"],
            Flavor::MariaDb => {
                let _ = tests::admin(&database.url(), "INSTALL SONAME 'auth_ed25519'");
                &["VIA ed25519 USING PASSWORD('secret')", "VIA mysql_native_password USING PASSWORD('secret')",
                  "VIA ed25519 USING PASSWORD('other') OR mysql_native_password USING PASSWORD('secret')"]
            }
        };
        let mut conn = Connection::connect(database.url()).await?;
        for how in hows.iter().chain(hows.iter().rev()) {
            let account = database.account_identified("secret", how);
            become_(&mut conn, &account, &database).await?;
            assert_eq!(user(&mut conn).await?, account.name, "{how}");
        }
        Ok(())
    }

    async fn a_wrong_password_closes_the_connection(database: Database) -> Result<()> {
        let account = database.account("secret");
        let mut conn = Connection::connect(database.url()).await?;
        let changed = conn.change_user(&account.name, "Wagtail5zq8", None).await;
        let error = fails(changed, ErrorKind::Authentication, Outcome::NotSent);
        assert_eq!(error.server().map(|server| server.code), Some(1045));
        let told = format!("{error} {error:?}");
        assert!(told.contains("changing the user") && !told.contains("Wagtail"), "{told}");
        assert!(conn.is_closed());
        let after = fails(one::<i64>(&mut conn, "SELECT 1").await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        assert!(after.to_string().contains("change of its user"), "{after}");
        Ok(())
    }

    async fn a_database_that_is_not_there_closes_it_too(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        let changed = conn.change_user("root", "", Some("no_such_database")).await;
        let error = fails(changed, ErrorKind::Connect, Outcome::NotSent);
        assert_eq!(error.server().map(|server| server.code), Some(1049));
        assert!(conn.is_closed());
        Ok(())
    }

    async fn what_cannot_be_sent_leaves_it_as_it_was(database: Database) -> Result<()> {
        let mut conn = Connection::connect(database.url()).await?;
        for (user, database) in [("", None), ("a\0b", None), ("root", Some("a\0b")), ("root", Some(""))] {
            let changed = conn.change_user(user, "", database).await;
            fails(changed, ErrorKind::Configuration, Outcome::NotSent);
        }
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }

    async fn a_server_that_is_silent_costs_the_connect_timeout(database: Database) -> Result<()> {
        let middleman = Middleman::new(&database).await;
        let options = middleman.url(&database).parse::<ConnectOptions>()?.connect_timeout(Duration::from_millis(700));
        let mut conn = Connection::connect(options).await?;
        conn.ping().await?;
        middleman.be_silent_after(0);
        let changed = conn.change_user("root", "", None).await;
        let error = fails(changed, ErrorKind::Timeout, Outcome::NotSent);
        assert!(error.to_string().contains("changing the user: not done within 700ms"), "{error}");
        assert!(conn.is_closed());
        Ok(())
    }

    async fn dropped_before_it_is_done_closes_it(database: Database) -> Result<()> {
        let middleman = Middleman::new(&database).await;
        let mut conn = Connection::connect(middleman.url(&database)).await?;
        conn.ping().await?;
        middleman.be_silent_after(0);
        let changing = tokio::time::timeout(Duration::from_millis(50), conn.change_user("root", "", None)).await;
        assert!(changing.is_err());
        fails(one::<i64>(&mut conn, "SELECT 1").await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        Ok(())
    }

    async fn the_password_does_not_go_where_it_must_not(database: Database) -> Result<()> {
        // The server switches to the clear text plugin in the middle of a change of user.
        let account = database.account("Wagtail5zq8");
        let middleman = Middleman::new(&database).await;
        let mut conn = Connection::connect(middleman.url(&database)).await?;
        conn.ping().await?;
        middleman.lie(*b"\x16\0\0\x01\xfemysql_clear_password\0");
        let changed = become_(&mut conn, &account, &database).await;
        let error = fails(changed, ErrorKind::Authentication, Outcome::NotSent);
        assert!(error.to_string().contains("mysql_clear_password"), "{error}");
        assert!(!middleman.heard(b"Wagtail"), "{error}");
        assert!(conn.is_closed());
        Ok(())
    }

    async fn the_next_borrower_is_the_pools_own_user(database: Database) -> Result<()> {
        let account = database.account("secret");
        let pool = Pool::connect(database.url().parse::<ConnectOptions>()?.max_connections(1)).await?;
        let mut conn = pool.acquire().await?;
        become_(&mut conn, &account, &database).await?;
        assert_eq!(user(&mut conn).await?, account.name);
        let id = conn.id();
        drop(conn);
        let mut conn = pool.acquire().await?;
        assert_eq!(user(&mut conn).await?, "root");
        assert_ne!(conn.id(), id);
        Ok(())
    }

    async fn a_kill_is_sent_as_the_new_user(database: Database) -> Result<()> {
        let account = database.account("secret");
        // For a proxy the server's own limit is not set, which would end the statement before we do.
        let mut conn = Connection::connect(format!("{}?compat=proxy", database.url())).await?;
        become_(&mut conn, &account, &database).await?;
        // No privilege but on its own database: it may kill its own statements, and only those.
        let slow = query("DO SLEEP(600)").deadline(ark_mysql::Deadline::after(Duration::from_millis(100)).and_kill());
        let error = slow.execute(&mut conn).await.expect_err("too slow");
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
        assert_eq!(one::<i64>(&mut conn, "SELECT 42").await?, 42);
        Ok(())
    }
}
