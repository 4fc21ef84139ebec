use ark_mysql::{Connection, ErrorKind};
use tests::bars::reached;
use tests::{Database, Flavor, in_time};

use crate::between::Between;
use crate::ways::Way;
use crate::{Method, PASSWORD, account, mariadb, who};

/// Which ways may carry a method, in the order of `Way::ALL`.
const EVERYWHERE: [bool; 9] = [true; 9];
const NATIVE: [bool; 9] = [false, true, true, true, true, true, true, true, true];
/// MySQL cannot prove that a certificate is its own.
const SCRAMBLED: [bool; 9] = [true, true, true, true, true, true, true, true, false];
const WHOLE: [bool; 9] = [false, true, false, true, true, true, true, true, false];
const ENCRYPTED: [bool; 9] = [true, true, false, true, true, true, true, true, false];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mysql() {
    let database = Database::new(Flavor::MySql);
    let how = |plugin| format!("WITH {plugin} BY '{PASSWORD}'");
    let method = |name, plugin| Method::new(name, &database, PASSWORD, &how(plugin));
    let key = data_folder(&database).await + "public_key.pem";
    let fast = Method {
        cold: false,
        ..method("caching_sha2 fast", "caching_sha2_password")
    };
    let full = || method("caching_sha2 full", "caching_sha2_password");
    let sha256 = || method("sha256", "sha256_password");
    let pinned = |method: Method, name| Method {
        key: Some(key.clone()),
        name,
        ..method
    };
    let (full_pinned, sha256_pinned) = (
        pinned(full(), "caching_sha2 full, key"),
        pinned(sha256(), "sha256, key"),
    );
    let rows = [
        (fast, "caching_sha2_password", SCRAMBLED),
        (full(), "caching_sha2_password", WHOLE),
        (full_pinned, "caching_sha2_password", ENCRYPTED),
        (sha256(), "sha256_password", WHOLE),
        (sha256_pinned, "sha256_password", ENCRYPTED),
    ];
    in_time(table(&database, rows)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mariadb_11() {
    let database = mariadb();
    let method = |name, plugin| Method {
        name,
        account: account(&database, plugin, PASSWORD),
        cold: false,
        key: None,
    };
    let rows = [
        (
            method("native", "mysql_native_password"),
            "mysql_native_password",
            NATIVE,
        ),
        (method("ed25519", "ed25519"), "client_ed25519", EVERYWHERE),
        (method("parsec", "parsec"), "parsec", EVERYWHERE),
    ];
    in_time(table(&database, rows)).await;
}

/// Tries every cell twice: the greeting names the account's own plugin, and another one.
async fn table<const N: usize>(database: &Database, rows: [(Method, &str, [bool; 9]); N]) {
    let between = Between::new(database).await;
    println!(
        "{}\n{:24} {:6} {}",
        database.server().version(),
        "",
        "",
        Way::ALL.map(|way| format!("{:10}", way.name())).join(" ")
    );
    let mut wrong = Vec::new();
    let (mut entered_cells, mut refused_cells) = (0, 0);
    for (method, plugin, expected) in &rows {
        let another = if *plugin == "mysql_native_password" {
            "caching_sha2_password"
        } else {
            "mysql_native_password"
        };
        for (hello, greeting) in [
            ("hello", *plugin),
            ("switch", another),
            ("unknown", "auth_gssapi_client"),
        ] {
            let mut cells = Vec::new();
            for (way, expected) in Way::ALL.into_iter().zip(expected) {
                between.greet_with(greeting);
                let entered = enter(method, way, &between, database).await;
                let shown = if entered.is_ok() { "in" } else { "-" };
                entered_cells += usize::from(entered.is_ok());
                refused_cells += usize::from(entered.is_err());
                cells.push(format!("{shown:10}"));
                if entered.is_ok() != *expected {
                    wrong.push(format!("{} {hello} {way:?}: {entered:?}", method.name));
                }
            }
            println!("{:24} {hello:7} {}", method.name, cells.join(" "));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    reached(
        "B22",
        format_args!(
            "{}: {} cells as they should be: {entered_cells} lead in, {refused_cells} refused here with 0 bytes of the password sent",
            database.flavor(),
            entered_cells + refused_cells
        ),
    );
}

/// Logs in and asks who it is; if it does not come to that, checks that the error is the right one and that the password was not sent.
async fn enter(
    method: &Method,
    way: Way,
    between: &Between,
    database: &Database,
) -> Result<(), String> {
    if method.cold {
        database.forget_passwords();
    } else {
        warm(method, database).await;
    }
    let mut url = way.url(&method.account, between, database.server());
    if let Some(key) = &method.key {
        url.push_str(&format!("&server-public-key={key}"));
    }
    match Connection::connect(&url).await {
        Ok(mut conn) => {
            assert_eq!(who(&mut conn).await.unwrap(), method.account.name);
            Ok(())
        }
        Err(error) => {
            let refused = matches!(error.kind(), ErrorKind::Authentication | ErrorKind::Tls)
                && error.server().is_none();
            assert!(
                refused,
                "{} {way:?}: not refused here, but: {error}",
                method.name
            );
            let heard = between.heard();
            let seen = heard
                .windows(PASSWORD.len())
                .any(|window| window == PASSWORD.as_bytes());
            assert!(
                !seen,
                "{} {way:?}: the password went over the wire",
                method.name
            );
            // The login, the scramble that may go anywhere, and nothing after what was refused.
            let most = if method.name.starts_with("caching") {
                2
            } else {
                1
            };
            assert!(
                !way.is_plain() || packets(&heard) <= most,
                "{} {way:?}: {heard:02x?}",
                method.name
            );
            Err(error.to_string())
        }
    }
}

/// The server has seen the password since it forgot all.
async fn warm(method: &Method, database: &Database) {
    if database.flavor() == Flavor::MySql {
        Connection::connect(method.account.url_by(tests::Transport::Socket))
            .await
            .unwrap();
    }
}

fn packets(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while let [a, b, c, _, rest @ ..] = bytes {
        let length = usize::from(*a) | usize::from(*b) << 8 | usize::from(*c) << 16;
        bytes = rest.get(length..).unwrap_or_default();
        count += 1;
    }
    count
}

async fn data_folder(database: &Database) -> String {
    let mut conn = Connection::connect(database.url()).await.unwrap();
    ark_mysql::query("SELECT @@datadir")
        .fetch_one(&mut conn)
        .await
        .unwrap()
        .get(0)
        .unwrap()
}

/// An empty password is one too, and MariaDB tries one method of an account after the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn empty_passwords_and_two_methods() {
    let mut cells = 0;
    for database in [Database::new(Flavor::MySql), mariadb()] {
        let between = Between::new(&database).await;
        let plugins: &[&str] = match database.flavor() {
            Flavor::MySql => &["caching_sha2_password", "sha256_password"],
            Flavor::MariaDb => &["mysql_native_password", "ed25519", "parsec"],
        };
        let mut accounts: Vec<_> = plugins
            .iter()
            .map(|plugin| (account(&database, plugin, ""), *plugin))
            .collect();
        if database.flavor() == Flavor::MariaDb {
            let how = format!(
                "VIA ed25519 USING PASSWORD('other') OR mysql_native_password USING PASSWORD('{PASSWORD}')"
            );
            accounts.push((
                database.account_identified(PASSWORD, &how),
                "the second of two",
            ));
            // Not the other way round: by TLS, MariaDB 11.8 hangs up after a wrong answer to parsec.
            let how = format!(
                "VIA ed25519 USING PASSWORD('other') OR parsec USING PASSWORD('{PASSWORD}')"
            );
            accounts.push((
                database.account_identified(PASSWORD, &how),
                "parsec after ed25519",
            ));
        }
        for (account, name) in &accounts {
            for greeting in [
                "mysql_native_password",
                "caching_sha2_password",
                "client_ed25519",
            ] {
                for way in Way::ALL {
                    between.greet_with(greeting);
                    let url = way.url(account, &between, database.server());
                    let entered = Connection::connect(&url).await;
                    cells += 1;
                    // Nothing is proved to somebody without a password; native goes nowhere plain.
                    let expected = match (way, *name) {
                        (Way::ByProof, _) => !account.password.is_empty(),
                        (Way::PlainNetwork, "the second of two") => false,
                        _ => true,
                    };
                    assert_eq!(
                        entered.is_ok(),
                        expected,
                        "{name}, {way:?}, {greeting}: {:?}",
                        entered.err()
                    );
                }
            }
        }
    }
    reached(
        "B22",
        format_args!(
            "empty passwords and accounts with two methods: {cells} cells as they should be"
        ),
    );
}

/// A wrong password is the server's to refuse; it is never shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_passwords() {
    let mut refused = 0;
    for database in [Database::new(Flavor::MySql), mariadb()] {
        let between = Between::new(&database).await;
        let plugins: &[&str] = match database.flavor() {
            Flavor::MySql => &["caching_sha2_password", "sha256_password"],
            Flavor::MariaDb => &["mysql_native_password", "ed25519", "parsec"],
        };
        for plugin in plugins {
            let account = account(&database, plugin, PASSWORD);
            for way in [
                Way::PlainLoopback,
                Way::UnverifiedLoopback,
                Way::VerifiedLoopback,
                Way::VerifiedNetwork,
                Way::Socket,
            ] {
                between.greet_with("mysql_native_password");
                let url = way
                    .url(&account, &between, database.server())
                    .replace(PASSWORD, "Wr0ngWord");
                let error = Connection::connect(&url)
                    .await
                    .map(drop)
                    .expect_err("the password is wrong");
                let shown = format!("{error} {error:?}");
                println!("{plugin} {way:?}: {error}");
                assert!(!shown.contains("Wr0ngWord"), "{shown}");
                assert_eq!(
                    error.kind(),
                    ErrorKind::Authentication,
                    "{plugin} {way:?}: {error}"
                );
                refused += 1;
            }
        }
    }
    reached(
        "B22",
        format_args!("wrong passwords: {refused} refused by the server and never shown"),
    );
}
