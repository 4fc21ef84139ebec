//! What the other tests stand on: databases and accounts of one's own, by every way to every server.

use ark_mysql::{Connection, Result};
use tests::{Database, Transport, on_every_server};

async fn one(conn: &mut Connection, sql: &str) -> Result<String> {
    ark_mysql::query(sql).fetch_one(conn).await?.get(0)
}

on_every_server! {
    async fn every_way_leads_to_the_same_database(database: Database) -> Result<()> {
        for transport in Transport::ALL {
            let mut conn = Connection::connect(database.url_by(transport)).await?;
            assert_eq!(one(&mut conn, "SELECT DATABASE()").await?, database.name(), "{transport:?}");
            let cipher = ark_mysql::query("SHOW STATUS LIKE 'Ssl_cipher'").fetch_one(&mut conn).await?;
            assert_eq!(cipher.get::<String>(1)?.is_empty(), transport != Transport::Tls, "{transport:?}");
        }
        Ok(())
    }

    async fn an_account_with_a_password_nobody_would_choose_logs_in(database: Database) -> Result<()> {
        let account = database.account("pä ss:@/?#%'\\\"");
        for (transport, url) in account.urls() {
            database.forget_passwords();
            let mut conn = Connection::connect(url).await?;
            let user = one(&mut conn, "SELECT CURRENT_USER()").await?;
            assert_eq!(user, format!("{}@%", account.name), "{transport:?}");
        }
        Ok(())
    }

    async fn a_wrong_password_is_refused_and_not_shown(database: Database) -> Result<()> {
        let account = database.account("right");
        for (transport, url) in account.urls() {
            let error = Connection::connect(url.replace(":right@", ":wr0ngpw@")).await.expect_err("the password is wrong");
            let shown = format!("{error} {error:?}");
            assert!(error.server().is_some_and(|server| server.code == 1045), "{transport:?}: {shown}");
            assert!(!shown.contains("wr0ngpw"), "{transport:?}: {shown}");
        }
        Ok(())
    }
}

#[test]
fn a_database_goes_with_its_value_and_its_accounts_too() {
    for kind in tests::Server::ALL {
        let database = Database::new(kind);
        let account = database.account("secret");
        let server = database.server();
        drop(database);
        for transport in Transport::ALL {
            let gone = tests::admin(account.url_by(transport), "SELECT 1");
            assert!(gone.is_err(), "{kind} {transport:?}");
        }
        tests::admin(&server.url(), "SELECT 1").unwrap();
    }
}
