//! A login that cannot work: the message says which part is wrong, and shows no secret.

use ark_mysql::{Connection, Error, ErrorKind, Pool, Result};
use tests::{Database, on_every_server};

use crate::support::code;

const WRONG: &str = "wr0ngpw";

async fn refused(url: &str) -> Error {
    let error = Connection::connect(url)
        .await
        .map(drop)
        .expect_err("the login is wrong");
    let shown = format!("{error} {error:?} {error:#?}");
    assert!(!shown.contains(WRONG), "{shown}");
    assert!(!error.is_transient(), "{error}");
    error
}

on_every_server! {
    async fn a_wrong_password(database: Database) -> Result<()> {
        let account = database.account("r1ght");
        for (transport, url) in account.urls() {
            for state in ["cold", "warm"] {
                let error = refused(&url.replace(":r1ght@", &format!(":{WRONG}@"))).await;
                assert_eq!((error.kind(), code(&error)), (ErrorKind::Authentication, Some(1045)), "{transport:?}, {state}: {error}");
                assert!(error.to_string().contains(&account.name), "{error}");
                // Also where it should be empty, or is.
                let error = refused(&url.replace(":r1ght@", "@")).await;
                assert_eq!(code(&error), Some(1045), "{transport:?}, {state}: {error}");
                Connection::connect(url).await?.close().await?;
            }
            let error = refused(&database.url_by(transport).replace("root@", &format!("root:{WRONG}@"))).await;
            assert_eq!(code(&error), Some(1045), "{transport:?}: {error}");
        }
        Ok(())
    }

    async fn an_account_that_does_not_exist(database: Database) -> Result<()> {
        for url in [database.url(), database.tls_url(), database.socket_url()] {
            for login in ["nobody@".to_owned(), format!("nobody:{WRONG}@")] {
                let error = refused(&url.replace("root@", &login)).await;
                // MySQL makes up a login method for names that it does not know, so that nobody learns which exist; it may be one that is not built in.
                assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
                assert!(matches!(code(&error), None | Some(1045)), "{error}");
            }
        }
        Ok(())
    }

    async fn a_database_that_does_not_exist(database: Database) -> Result<()> {
        for url in [database.url(), database.tls_url(), database.socket_url()] {
            let error = refused(&url.replace(database.name(), "no_such_database")).await;
            assert_eq!(code(&error), Some(1049), "{error}");
            assert!(error.to_string().contains("no_such_database"), "{error}");
        }
        // And one that the account may not enter: the server does not say whether it exists.
        let account = database.account("pw");
        for (_, url) in account.urls() {
            let error = refused(&url.replace(database.name(), "mysql")).await;
            assert_eq!(code(&error), Some(1044), "{error}");
        }
        let error = Pool::connect(database.url().replace(database.name(), "no_such_database")).await.expect_err("as above");
        assert_eq!(code(&error), Some(1049), "{error}");
        Ok(())
    }

    async fn an_account_that_is_locked(database: Database) -> Result<()> {
        let account = database.account("pw");
        database.run(&format!("ALTER USER '{}'@'%' ACCOUNT LOCK", account.name));
        for (_, url) in account.urls() {
            let error = refused(url).await;
            assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
            assert!(error.server().is_some() && error.to_string().contains("lock"), "{error}");
        }
        Ok(())
    }

    async fn an_account_with_too_many_connections(database: Database) -> Result<()> {
        let account = database.account("pw");
        database.run(&format!("ALTER USER '{}'@'%' WITH MAX_USER_CONNECTIONS 1", account.name));
        let (_, url) = account.urls().next().unwrap();
        let first = Connection::connect(url).await?;
        let error = Connection::connect(url).await.map(drop).expect_err("one is allowed");
        assert!(matches!(code(&error), Some(1203 | 1226)), "{error}");
        first.close().await
    }
}
