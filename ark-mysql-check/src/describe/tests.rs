//! What happens when there is no server, or something that is none. Real servers are asked in the package `tests`.

use std::ffi::OsString;
use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use super::*;
use crate::description::Description;
use crate::description::{DescribedColumn, Kind};
use crate::settings::scratch::Scratch;

const SQL: &str = "SELECT id FROM users";

fn sql() -> Sql {
    Sql::parse(SQL).unwrap()
}

fn settings(crate_dir: &Scratch, url: Option<&str>, offline: bool) -> Settings {
    let environment = |name: &str| match name {
        "DATABASE_URL" => url.map(OsString::from),
        "ARK_MYSQL_OFFLINE" => offline.then(|| "1".into()),
        _ => None,
    };
    Settings::load(crate_dir.path(), &environment).unwrap()
}

fn users() -> Description {
    let column = DescribedColumn {
        why: None,
        name: "id".to_owned(),
        kind: Kind::BigInt,
        nullable: false,
        table: Some("users".to_owned()),
        column: Some("id".to_owned()),
        labels: Vec::new(),
    };
    Description {
        family: None,
        columns: vec![column],
        params: vec![],
    }
}

fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn url(port: u16) -> String {
    format!("mysql://app:hunter2@127.0.0.1:{port}/shop")
}

#[test]
fn without_url_and_entry_the_message_names_both_ways() {
    let dir = Scratch::new("describe-none");
    let error = describe_with(&sql(), &settings(&dir, None, false)).unwrap_err();
    assert!(matches!(error, DescribeError::NoDatabase(_)));
    let text = error.to_string();
    assert!(
        text.contains("DATABASE_URL")
            && text.contains("cargo ark-mysql prepare")
            && text.contains(".ark-mysql/"),
        "{text}"
    );
}

#[test]
fn offline_takes_the_cache_and_follows_its_file() {
    let dir = Scratch::new("describe-offline");
    let settings = settings(&dir, Some(&url(1)), true);
    assert!(
        matches!(describe_with(&sql(), &settings), Err(DescribeError::Cache(words)) if words.whole.contains("ARK_MYSQL_OFFLINE=1"))
    );
    let cache = Cache::of(dir.path());
    cache.write(SQL, &users()).unwrap();
    let described = describe_with(&sql(), &settings).unwrap();
    assert_eq!(
        described,
        Described {
            description: users(),
            reasons: Vec::new(),
            types: crate::description::Types::default(),
            rebuild_on: vec![cache.path(SQL)]
        }
    );
}

#[test]
fn a_closed_port_is_an_error_unless_the_settings_say_cache() {
    let dir = Scratch::new("describe-closed");
    let address = url(closed_port());
    Cache::of(dir.path()).write(SQL, &users()).unwrap();
    let text = describe_with(&sql(), &settings(&dir, Some(&address), false))
        .unwrap_err()
        .to_string();
    for part in [
        "127.0.0.1:",
        "ARK_MYSQL_OFFLINE=1",
        "when-unreachable = \"cache\"",
        "ark-mysql.toml",
        "refused",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("hunter2"), "{text}");
    dir.write("ark-mysql.toml", "when-unreachable = \"cache\"\n");
    let described = describe_with(&sql(), &settings(&dir, Some(&address), false)).unwrap();
    assert_eq!(described.description, users());
    assert_eq!(described.rebuild_on.len(), 2);
}

#[test]
fn a_silent_server_is_waited_for_once_and_not_longer_than_two_seconds() {
    let dir = Scratch::new("describe-silent");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = settings(
        &dir,
        Some(&url(listener.local_addr().unwrap().port())),
        false,
    );
    let start = Instant::now();
    for _ in 0..200 {
        let text = describe_with(&sql(), &settings).unwrap_err().to_string();
        assert!(text.contains("no answer within 2 s"), "{text}");
    }
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn something_that_is_no_server_is_named_as_such() {
    let dir = Scratch::new("describe-http");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = settings(
        &dir,
        Some(&url(listener.local_addr().unwrap().port())),
        false,
    );
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            .unwrap();
    });
    let text = describe_with(&sql(), &settings).unwrap_err().to_string();
    server.join().unwrap();
    assert!(
        text.contains("127.0.0.1:") && text.contains("ARK_MYSQL_OFFLINE=1"),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn an_address_that_asks_for_tls_is_refused_before_anything_is_sent() {
    let dir = Scratch::new("describe-tls");
    let address = url(closed_port()) + "?ssl-mode=required";
    let text = describe_with(&sql(), &settings(&dir, Some(&address), false))
        .unwrap_err()
        .to_string();
    assert!(
        text.contains("ssl-mode=required") && text.contains("TLS"),
        "{text}"
    );
}

#[test]
fn a_host_in_a_network_is_told_about_ssl_mode_and_tools_nothing_about_builds() {
    let url = DatabaseUrl::parse(
        "mysql://app:hunter2@db/shop".to_owned(),
        settings::Origin::Environment,
    );
    let text = greet(&url.unwrap()).unwrap_err().to_string();
    assert!(
        text.contains("add ?ssl-mode=disabled to the address"),
        "{text}"
    );
    assert!(
        !text.contains("ARK_MYSQL_OFFLINE") && !text.contains("hunter2"),
        "{text}"
    );
}
