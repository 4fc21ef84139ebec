//! Peers that misbehave before there is a session. Each gets one clear error, soon.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::error::{ErrorKind, Outcome};

/// What a peer does.
#[derive(Clone, Copy)]
enum Act<'a> {
    Send(&'a [u8]),
    /// Waits for something to come.
    Hear,
    /// Says nothing any more, but stays.
    Stay,
}

const TLS: u32 = 1 << 11;

/// A greeting of MySQL 8 and later, as one packet.
fn greeting(without: u32) -> Vec<u8> {
    let capabilities: u32 = 0xdfff_ffff & !without;
    let [a, b, c, d] = capabilities.to_le_bytes();
    let mut body = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0".to_vec();
    body.extend([a, b, 255, 2, 0, c, d, 21]);
    body.extend([0; 10]);
    body.extend(b"ijklmnopqrst\0caching_sha2_password\0");
    packet(0, &body)
}

fn packet(sequence: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![u8::try_from(body.len()).unwrap(), 0, 0, sequence];
    out.extend(body);
    out
}

async fn act(mut socket: TcpStream, script: &[Act<'_>]) {
    for step in script {
        match step {
            Act::Send(bytes) => drop(socket.write_all(bytes).await),
            Act::Hear => drop(socket.read(&mut [0; 4096]).await),
            Act::Stay => std::future::pending().await,
        }
    }
}

/// Connects to a peer that follows the script, with half a second for all of it.
async fn meet(script: &[Act<'_>], query: &str) -> Error {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("mysql://app:hunter2@127.0.0.1:{port}/d{query}");
    let options = url
        .parse::<ConnectOptions>()
        .unwrap()
        .connect_timeout(Duration::from_millis(500));
    let began = Instant::now();
    let peer = async {
        let (socket, _) = listener.accept().await.unwrap();
        act(socket, script).await;
        std::future::pending::<()>().await;
    };
    let error = tokio::select! {
        made = connect(&options) => made.err().expect("no login took place"),
        () = peer => unreachable!("it never ends"),
    };
    assert!(began.elapsed() < Duration::from_secs(2), "{error}");
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
    assert!(shown.contains(&format!("127.0.0.1:{port}")), "{shown}");
    assert_eq!(error.outcome(), Outcome::NotSent);
    error
}

fn expect(error: &Error, kind: ErrorKind, words: &[&str]) {
    assert_eq!(error.kind(), kind, "{error}");
    for words in words {
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
}

#[tokio::test]
async fn never_greets() {
    let error = meet(&[Act::Stay], "").await;
    expect(
        &error,
        ErrorKind::Timeout,
        &[
            "500ms",
            "waiting for the server's greeting",
            "is a MySQL or MariaDB server listening",
        ],
    );
}

#[tokio::test]
async fn greets_one_half_and_stops() {
    let greeting = greeting(0);
    let error = meet(&[Act::Send(&greeting[..20]), Act::Stay], "").await;
    expect(
        &error,
        ErrorKind::Timeout,
        &["waiting for the server's greeting"],
    );
}

#[tokio::test]
async fn speaks_something_else() {
    for other in [
        &b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"[..],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x01\0\0\0\x05",
        b"\0\0\0\0",
        &[0xff; 64],
    ] {
        let error = meet(&[Act::Send(other), Act::Stay], "").await;
        assert!(
            matches!(error.kind(), ErrorKind::Protocol | ErrorKind::Unsupported),
            "{error}"
        );
        expect(
            &error,
            error.kind(),
            &["is a MySQL or MariaDB server listening on port"],
        );
    }
}

#[tokio::test]
async fn closes_anywhere_in_the_greeting() {
    let greeting = greeting(0);
    for cut in 0..greeting.len() {
        let error = meet(&[Act::Send(&greeting[..cut])], "").await;
        expect(
            &error,
            ErrorKind::Connect,
            &["waiting for the server's greeting", "closed the connection"],
        );
    }
}

/// What follows the greeting came in plain: TLS must not vouch for it.
#[tokio::test]
async fn bytes_behind_the_greeting() {
    for behind in [
        &b"\0"[..],
        &packet(2, b"\0\0\0\x02\0\0\0"),
        &packet(1, b"\xff\x15\x04#28000no"),
    ] {
        let bytes = [greeting(0), behind.to_vec()].concat();
        let error = meet(&[Act::Send(&bytes), Act::Stay], "?ssl-mode=preferred").await;
        expect(&error, ErrorKind::Protocol, &["nobody asked for"]);
    }
}

#[tokio::test]
async fn offers_no_tls() {
    let plain = greeting(TLS);
    if tls::AVAILABLE {
        let error = meet(&[Act::Send(&plain), Act::Stay], "?ssl-mode=required").await;
        expect(&error, ErrorKind::Tls, &["TLS is required", "ssl-mode"]);
    }
    let error = meet(&[Act::Send(&plain), Act::Stay], "?ssl-mode=preferred").await;
    expect(&error, ErrorKind::Timeout, &["logging in"]);
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn promises_tls_and_speaks_plain() {
    let greeting = greeting(0);
    let ok = packet(2, b"\0\0\0\x02\0\0\0");
    let error = meet(
        &[Act::Send(&greeting), Act::Hear, Act::Send(&ok), Act::Stay],
        "",
    )
    .await;
    expect(
        &error,
        ErrorKind::Tls,
        &["making the TLS handshake", "does not speak TLS"],
    );
    let error = meet(&[Act::Send(&greeting), Act::Stay], "").await;
    expect(&error, ErrorKind::Timeout, &["making the TLS handshake"]);
    let error = meet(&[Act::Send(&greeting), Act::Hear], "").await;
    expect(&error, ErrorKind::Tls, &["making the TLS handshake"]);
}

#[tokio::test]
async fn turns_us_away_instead_of_greeting() {
    for (bytes, code) in [
        (packet(0, b"\xff\x10\x04Too many connections"), 1040),
        (packet(0, b"\xff\x6a\x04Host 'x' is not allowed"), 1130),
    ] {
        let error = meet(&[Act::Send(&bytes)], "").await;
        expect(&error, ErrorKind::Connect, &[&code.to_string(), "; "]);
        assert_eq!(error.server().unwrap().code, code);
        assert_eq!(error.is_transient(), code == 1040);
    }
}

#[tokio::test]
async fn stops_in_the_login() {
    let greeting = greeting(TLS);
    let error = meet(&[Act::Send(&greeting), Act::Hear], "").await;
    expect(&error, ErrorKind::Connect, &["logging in"]);
    let refused = packet(2, b"\xff\x15\x04#28000Access denied");
    let error = meet(&[Act::Send(&greeting), Act::Hear, Act::Send(&refused)], "").await;
    expect(
        &error,
        ErrorKind::Authentication,
        &["1045", "check the user name"],
    );
    let unknown = packet(2, b"\xff\x19\x04#42000Unknown database 'd'");
    let error = meet(&[Act::Send(&greeting), Act::Hear, Act::Send(&unknown)], "").await;
    expect(&error, ErrorKind::Connect, &["1049", "create the database"]);
}

#[tokio::test]
async fn a_dropped_attempt_closes_its_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let options: ConnectOptions = format!("mysql://app@127.0.0.1:{port}").parse().unwrap();
    let mut attempt = Box::pin(connect(&options));
    let (mut socket, _) = tokio::select! {
        accepted = listener.accept() => accepted.unwrap(),
        _ = &mut attempt => unreachable!("nobody greets"),
    };
    drop(attempt);
    assert_eq!(socket.read(&mut [0; 8]).await.unwrap_or(0), 0);
}

#[tokio::test]
async fn nobody_listens() {
    let free = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        let options: ConnectOptions = format!("mysql://app@{host}:{free}").parse().unwrap();
        let error = connect(&options).await.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
        assert!(error.is_transient());
    }
    let options: ConnectOptions = "mysql://app@?socket=/no/such/folder/s.sock"
        .parse()
        .unwrap();
    let error = connect(&options).await.err().unwrap();
    expect(&error, ErrorKind::Connect, &["/no/such/folder/s.sock"]);
}

/// Names under `.invalid` never exist (RFC 6761); how long a machine takes to say so is its own business.
#[tokio::test]
async fn no_such_host() {
    let options: ConnectOptions =
        "mysql://app@no-such-host.invalid?connect-timeout=2&ssl-mode=disabled"
            .parse()
            .unwrap();
    let error = connect(&options).await.err().unwrap();
    assert!(
        matches!(error.kind(), ErrorKind::Connect | ErrorKind::Timeout),
        "{error}"
    );
    expect(
        &error,
        error.kind(),
        &["no-such-host.invalid:3306, while looking up the host name"],
    );
}

#[test]
fn falling_back_to_plain_is_for_this_machine_alone() {
    let request = |mode, host| tls_request(mode, &Endpoint::tcp(host, 3306).unwrap(), false);
    let near = if tls::AVAILABLE {
        TlsRequest::IfOffered
    } else {
        TlsRequest::Never
    };
    assert_eq!(request(TlsMode::Preferred, "localhost"), near);
    assert_eq!(request(TlsMode::Preferred, "::1"), near);
    assert_eq!(request(TlsMode::Preferred, "db"), TlsRequest::Require);
    assert_eq!(request(TlsMode::Required, "localhost"), TlsRequest::Require);
    assert_eq!(request(TlsMode::Disabled, "db"), TlsRequest::Never);
    let socket = Endpoint::unix("/s").unwrap();
    assert_eq!(
        tls_request(TlsMode::Preferred, &socket, true),
        TlsRequest::Never
    );
    assert_eq!(
        tls_request(TlsMode::VerifyIdentity, &socket, false),
        TlsRequest::Require
    );
}

#[test]
fn keys_as_mysql_writes_them() {
    let folder = std::env::temp_dir().join(format!("ark-mysql-key-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("public_key.pem");
    std::fs::write(
        &file,
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n\0",
    )
    .unwrap();
    assert!(
        read_key(&file)
            .unwrap()
            .ends_with(b"-----END PUBLIC KEY-----")
    );
    std::fs::write(&file, "AAAA").unwrap();
    assert!(
        read_key(&file)
            .unwrap_err()
            .to_string()
            .contains("no PEM file")
    );
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(
        read_key(&file)
            .unwrap_err()
            .to_string()
            .contains("public_key.pem from the server")
    );
}

#[cfg(not(feature = "tls"))]
#[tokio::test]
async fn modes_that_this_build_has_not() {
    for text in [
        "mysql://app@db",
        "mysql://app@db?ssl-mode=preferred",
        "mysql://app@localhost?ssl-mode=required",
    ] {
        let error = connect(&text.parse().unwrap()).await.err().unwrap();
        expect(
            &error,
            ErrorKind::Unsupported,
            &["switch on the feature `tls`"],
        );
    }
}
