//! `verify_schema!` on every server: what is as it was passes, whatever has changed is listed at once.

use std::error::Error as _;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ark_mysql::{Connection, ErrorKind, Outcome, Pool, Result, SchemaMismatches};
use tests::{Database, Server, in_time};
use tests_startup::{start, work};

const SCHEMA: &str = include_str!("../schema.sql");

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

fn on_all(test: impl AsyncFn(Database) -> Result<()>) {
    for server in Server::ALL {
        let database = Database::with_schema(server, SCHEMA);
        let done = runtime().block_on(in_time(test(database)));
        done.unwrap_or_else(|error| panic!("{server}: {error}"));
    }
}

/// What the check finds, one line each; the places in front of what differs.
async fn findings(database: &Database) -> Vec<String> {
    let mut conn = Connection::connect(database.url()).await.unwrap();
    let error = start(&mut conn).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SchemaChanged);
    assert_eq!(error.outcome(), Outcome::NotSent);
    let source = error.source().unwrap();
    let found = source.downcast_ref::<SchemaMismatches>().unwrap();
    let statements = found.statements().iter().flat_map(|mismatch| {
        assert!(error.to_string().contains(mismatch.place()), "{error}");
        let place = mismatch.place().split(':').next().unwrap();
        let lines = mismatch.differences().iter();
        lines.map(move |line| format!("{place}: {line}"))
    });
    let mut lines: Vec<String> = found.settings().iter().cloned().chain(statements).collect();
    lines.sort();
    // The connection is as good as it was.
    conn.ping().await.unwrap();
    lines
}

#[test]
fn an_unchanged_schema_passes_on_everything_that_runs_statements() {
    on_all(async |database| {
        let pool = Pool::connect(database.url()).await?;
        start(&pool).await?;
        let mut conn = Connection::connect(database.url()).await?;
        start(&mut conn).await?;
        work(&mut conn, 1, "a").await?;
        let mut tx = pool.begin().await?;
        start(&mut tx).deadline(Duration::from_secs(20)).await?;
        tx.commit().await
    });
}

#[test]
fn what_does_not_concern_the_statements_passes() {
    on_all(async |database| {
        database.run(
            "ALTER TABLE users ADD COLUMN born DATE NULL FIRST, MODIFY name VARCHAR(80) NOT NULL, MODIFY note LONGTEXT NULL; \
             CREATE TABLE other (id INT); DROP TABLE other; ALTER TABLE orders ADD INDEX (user_id); \
             ALTER TABLE users MODIFY age INT NOT NULL DEFAULT 0",
        );
        let mut conn = Connection::connect(database.url()).await?;
        start(&mut conn).await?;
        work(&mut conn, 1, "a").await
    });
}

#[test]
fn everything_that_has_changed_is_listed_at_once() {
    on_all(async |database| {
        database.run(
            "ALTER TABLE users MODIFY id BIGINT NOT NULL AUTO_INCREMENT, MODIFY name VARCHAR(40) NULL, MODIFY note TEXT NOT NULL, \
             DROP COLUMN seen; ALTER TABLE orders MODIFY total DOUBLE NOT NULL; DROP TABLE gone_tomorrow",
        );
        let found = findings(&database).await;
        let name = database.name();
        let list = if database.kind() == Server::MySql {
            "field list"
        } else {
            "SELECT"
        };
        let total = "parameter 2 (orders.total): DECIMAL expected, DOUBLE found";
        assert_eq!(
            found,
            [
                "src/lib.rs: column `id` (users.id): INT expected, BIGINT found".to_owned(),
                "src/lib.rs: column `name` (users.name): CHAR/VARCHAR/TEXT NOT NULL expected, CHAR/VARCHAR/TEXT NULL found".to_owned(),
                "src/lib.rs: column `name` (users.name): CHAR/VARCHAR/TEXT NOT NULL expected, CHAR/VARCHAR/TEXT NULL found".to_owned(),
                "src/lib.rs: parameter 1 (users.id): INT expected, BIGINT found".to_owned(),
                "src/lib.rs: parameter 1 (users.note): CHAR/VARCHAR/TEXT NULL expected, CHAR/VARCHAR/TEXT NOT NULL found".to_owned(),
                format!("src/lib.rs: {total}"),
                "src/lib.rs: parameter 2 (users.id): INT expected, BIGINT found".to_owned(),
                format!("src/lib.rs: the server refuses it: Table '{name}.gone_tomorrow' doesn't exist (1146)"),
                format!("src/lib.rs: the server refuses it: Unknown column 'u.seen' in '{list}' (1054)"),
            ]
        );
        Ok(())
    });
}

#[test]
fn a_new_column_without_a_default_is_missed_by_the_insert() {
    on_all(async |database| {
        database.run(
            "ALTER TABLE orders ADD COLUMN shop INT NOT NULL, ADD COLUMN double_total DECIMAL(11, 2) AS (total * 2) STORED, \
             ADD COLUMN size ENUM('s', 'l') NOT NULL, ADD COLUMN made TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, \
             ADD COLUMN word VARCHAR(9) NULL, ADD COLUMN place POINT NOT NULL",
        );
        let expected = [
            "src/lib.rs: `place` (orders.place) is left out, is NOT NULL and has no default",
            "src/lib.rs: `shop` (orders.shop) is left out, is NOT NULL and has no default",
        ];
        assert_eq!(findings(&database).await, expected);
        // Which is what happens.
        let mut conn = Connection::connect(database.url()).await?;
        let error = work(&mut conn, 1, "a").await.unwrap_err();
        assert_eq!(
            error.server().map(|server| server.code),
            Some(1364),
            "{error}"
        );
        // A trigger may mend the row.
        database.run(
            "CREATE TRIGGER mends BEFORE INSERT ON orders FOR EACH ROW SET NEW.shop = 1, NEW.place = POINT(1, 1)",
        );
        start(&mut conn).await
    });
}

#[test]
fn settings_that_change_what_statements_mean_are_listed() {
    on_all(async |database| {
        let mut conn = Connection::connect(database.url()).await?;
        conn.run_script("SET sql_mode = 'ANSI_QUOTES,ONLY_FULL_GROUP_BY'")
            .await?;
        let error = start(&mut conn).await.unwrap_err().to_string();
        let expected = "the schema is not the one that was checked: 0 of 9 statements do not fit the database, and it has other settings\n  \
                        sql_mode: ANSI_QUOTES is on, and was off\n  sql_mode: STRICT is off, and was on\n";
        assert!(error.starts_with(expected), "{error}");
        Ok(())
    });
}

/// The statement made by `concat!` is named by its file, all others by their lines.
#[test]
fn a_statement_is_named_by_its_place_or_its_file() {
    let database = Database::new(Server::MySql);
    runtime().block_on(async {
        let mut conn = Connection::connect(database.url()).await.unwrap();
        let error = start(&mut conn).await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("8 of 9 statements do not fit"), "{text}");
        assert!(
            text.contains("src/lib.rs:28: SELECT id, name, age FROM users WHERE id = ?"),
            "{text}"
        );
    });
}

#[test]
fn all_statements_are_prepared_with_few_round_trips() {
    let database = Database::with_schema(Server::MySql, SCHEMA);
    let (port, writes) = counting(database.server().port());
    let url = format!("mysql://root@127.0.0.1:{port}/{}", database.name());
    runtime().block_on(async {
        let mut conn = Connection::connect(url).await.unwrap();
        conn.ping().await.unwrap();
        let before = writes.load(Ordering::SeqCst);
        start(&mut conn).await.unwrap();
        let after = writes.load(Ordering::SeqCst);
        // The settings are prepared and asked for, then come tables, then statements.
        assert!((1..=4).contains(&(after - before)), "{before} {after}");
    });
}

/// A port that leads to another one, and how often somebody has written to it.
fn counting(to: u16) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(("127.0.0.1", to)).unwrap();
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
        }
        let (back_from, back_to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || copy(back_from, back_to, &AtomicUsize::new(0)));
        copy(client, server, &counted);
    });
    (port, count)
}

fn copy(mut from: TcpStream, mut to: TcpStream, count: &AtomicUsize) {
    let mut buffer = vec![0; 1 << 20];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        count.fetch_add(1, Ordering::SeqCst);
        if to.write_all(&buffer[..length]).is_err() {
            return;
        }
    }
}
