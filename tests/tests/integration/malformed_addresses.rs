//! An address with a mistake: told before anything is sent, which part it is and what would be right; never the password.

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Pool, Result};
use tests::{Database, on_every_server};

use crate::support::fails;

on_every_server! {
    async fn say_what_is_wrong(database: Database) -> Result<()> {
        let good = database.url().replace("root@", "root:hunter2@");
        let port = format!(":{}/", database.server().port());
        let plus = |options: &str| format!("{good}{}{options}", if good.contains('?') { '&' } else { '?' });
        let cases = [
            (plus("ssl-mod=required"), "ssl-mode"),
            (plus("ssl-mode=maybe"), "ssl-mode"),
            (plus("sslmode=required"), "ssl-mode"),
            (plus("connect-timeout=soon"), "connect-timeout"),
            (plus("connect-timeout=5&connect-timeout=6"), "connect-timeout"),
            (plus("statement-cache-capacity=-1"), "statement-cache-capacity"),
            (plus("compat=prxy"), "proxy"),
            (plus("colour=red"), "colour"),
            (good.replace("mysql://", "postgres://"), "postgres"),
            (good.replace("mysql://", ""), "mysql://"),
            (good.replace("mysql://", "mysql:/"), "mysql://"),
            (good.replace(&port, ":99999/"), "99999"),
            (good.replace(&port, ":port/"), "port"),
            (good.replace("127.0.0.1", ""), "host"),
            (good.replace("127.0.0.1", "[::1"), "]"),
            (good.replace("127.0.0.1", "a b"), "white space"),
            (good.replace("root:", ":"), "user"),
            (good.replace("hunter2", "hunter2%"), "%"),
            (good.replace("hunter2", "hunter2%zz"), "%"),
            (good.replace("hunter2", "hun#ter2"), "#"),
            (good.replace("hunter2", "hun/ter2"), "/"),
            (good.replace("hunter2", "hun?ter2"), "?"),
            (good.replace(&port, &format!("{port}a/b/")), "database"),
            (String::new(), "mysql://"),
        ];
        for (url, expected) in cases {
            let errors = [
                fails(Connection::connect(&url).await.map(drop), ErrorKind::Configuration, Outcome::NotSent),
                fails(Pool::connect(&url).await.map(drop), ErrorKind::Configuration, Outcome::NotSent),
                fails(url.parse::<ConnectOptions>(), ErrorKind::Configuration, Outcome::NotSent),
            ];
            for error in errors {
                let shown = format!("{error} {error:?}");
                assert!(shown.contains(expected), "{url}: {shown}");
                assert!(!shown.contains("hunter2") && !shown.contains("ter2"), "{shown}");
            }
        }
        Ok(())
    }

    async fn options_that_contradict_each_other(database: Database) -> Result<()> {
        let options: ConnectOptions = database.url().parse()?;
        let ca = database.server().ca_certificate();
        let contradictions = [
            options.clone().tls_mode(ark_mysql::TlsMode::Required).ssl_ca(ca),
            options.clone().tls_mode(ark_mysql::TlsMode::VerifyCa),
            options.clone().user(""),
            options.clone().database("a\0b"),
            options.clone().host(""),
            options.clone().ssl_ca("/no/such/file.pem"),
            options.clone().ssl_ca_pem("no PEM at all"),
        ];
        for options in contradictions {
            let error = Connection::connect(&options).await.map(drop).expect_err("a contradiction");
            assert!(matches!(error.kind(), ErrorKind::Configuration | ErrorKind::Tls), "{options:?}: {error}");
            assert_eq!(error.outcome(), Outcome::NotSent);
        }
        Connection::connect(&options).await?.close().await
    }
}
