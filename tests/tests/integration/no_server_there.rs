//! An address behind which there is no server, or none that speaks: an error soon, that says where and what to do.

use std::time::Duration;

use ark_mysql::{Connection, Error, ErrorKind, Outcome, Pool, Result, query};
use tests::{Database, DevServer, on_every_server};

use crate::support::{Middleman, fails, open};

async fn no_connection(url: &str) -> Error {
    let error = Connection::connect(url)
        .await
        .map(drop)
        .expect_err("there is nobody");
    assert_eq!(error.outcome(), Outcome::NotSent, "{error}");
    error
}

fn closed_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

on_every_server! {
    async fn a_closed_port_or_a_missing_socket(database: Database) -> Result<()> {
        let port = closed_port();
        let url = database.url().replace(&format!(":{}/", database.server().port()), &format!(":{port}/"));
        let error = no_connection(&url).await;
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
        assert!(error.to_string().contains(&port.to_string()), "{error}");
        let error = Pool::connect(&url).await.map(drop).expect_err("there is nobody");
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
        let missing = format!("{}.no-such-socket", database.socket_url());
        let error = no_connection(&missing).await;
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
        assert!(error.to_string().contains(".no-such-socket"), "{error}");
        Ok(())
    }

    async fn a_host_that_does_not_exist(database: Database) -> Result<()> {
        let error = no_connection(&database.url().replace("127.0.0.1", "no-such-host.invalid")).await;
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
        assert!(error.to_string().contains("no-such-host.invalid"), "{error}");
        Ok(())
    }

    async fn a_server_that_never_greets(database: Database) -> Result<()> {
        let middleman = Middleman::new(&database).await;
        for bytes in [0, 3, 4, 40] {
            middleman.be_silent_after(bytes);
            let error = no_connection(&format!("{}&connect-timeout=1", middleman.url(&database))).await;
            assert_eq!(error.kind(), ErrorKind::Timeout, "{bytes}: {error}");
            assert!(error.to_string().contains("greet"), "names the phase: {error}");
        }
        // By TLS it may also fall silent during the handshake.
        middleman.be_silent_after(200);
        let url = format!("mysql://root@127.0.0.1:{}/?ssl-mode=required&connect-timeout=1", middleman.port());
        assert_eq!(no_connection(&url).await.kind(), ErrorKind::Timeout);
        Ok(())
    }

    async fn a_server_that_hangs_up_at_any_byte_of_the_login(database: Database) -> Result<()> {
        let account = database.account("secret");
        let middleman = Middleman::new(&database).await;
        let url = middleman.url(&database).replace("root", &format!("{}:secret", account.name));
        let mut bytes = 0;
        loop {
            middleman.hang_up_after(bytes);
            match Connection::connect(&url).await {
                // The login is over; the link breaks later.
                Ok(_) => break,
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::Connect | ErrorKind::Protocol | ErrorKind::ConnectionLost), "{bytes}: {error}");
                    assert!(!format!("{error} {error:?}").contains("secret"), "{bytes}: {error}");
                }
            }
            bytes += 1;
            assert!(bytes < 2000, "a login takes less");
        }
        assert!(bytes > 80, "a greeting and an OK are longer than {bytes}");
        Ok(())
    }

    async fn a_peer_that_makes_no_sense(database: Database) -> Result<()> {
        let middleman = Middleman::new(&database).await;
        let too_long = {
            let mut version = vec![10];
            version.extend_from_slice(&[b'9'; 60_000]);
            packet(0, &version)
        };
        let lies: [(&str, Vec<u8>); 10] = [
            ("another protocol", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".to_vec()),
            ("an SSH server", b"SSH-2.0-OpenSSH_9.9\r\n".to_vec()),
            ("nothing in a packet", packet(0, &[])),
            ("a wrong sequence number", packet(7, &[10, b'8', 0])),
            ("protocol 9", packet(0, &[9, b'3', 0, 1, 0, 0, 0])),
            ("cut off behind the version", packet(0, b"\x0a9.7.4\0")),
            ("no end of the version", packet(0, b"\x0a9.7.4")),
            ("a version of 60 kB", too_long),
            ("an error of one byte", packet(0, &[0xff])),
            ("16 MiB announced, little sent", vec![0xff, 0xff, 0xff, 0, 10, b'x']),
        ];
        for (what, lie) in lies {
            middleman.lie(lie);
            // The liar waits for an answer that nobody owes, so a deadline of its own.
            let error = no_connection(&format!("{}&connect-timeout=2", middleman.url(&database))).await;
            assert!(!error.to_string().is_empty(), "{what}");
            let expected = [ErrorKind::Protocol, ErrorKind::Connect, ErrorKind::Timeout, ErrorKind::Unsupported, ErrorKind::Authentication];
            assert!(expected.contains(&error.kind()), "{what}: {:?} {error}", error.kind());
            assert!(!middleman.heard(b"root"), "{what}: no name before a greeting that makes sense");
            middleman.reform();
            middleman.forget();
        }
        // A server that says why.
        middleman.lie(packet(0, b"\xff\x10\x04Too many connections"));
        let error = no_connection(&middleman.url(&database)).await;
        assert_eq!(error.server().map(|server| server.code), Some(1040), "{error}");
        assert!(error.is_transient(), "{error}");
        Ok(())
    }

    async fn a_server_that_was_stopped(database: Database) -> Result<()> {
        let flavor = database.flavor();
        let start = tokio::task::spawn_blocking(move || DevServer::builder().flavor(flavor).start());
        let server = start.await.unwrap().unwrap_or_else(|error| panic!("{error}"));
        let urls = [server.url(), server.socket_url()];
        let mut conn = Connection::connect(&urls[0]).await?;
        let mut by_socket = Connection::connect(&urls[1]).await?;
        let pool = Pool::builder().acquire_timeout(Duration::from_secs(60)).connect(&urls[0]).await?;
        for conn in [&mut conn, &mut by_socket, &mut *pool.acquire().await?] {
            conn.ping().await?;
        }
        tokio::task::spawn_blocking(move || server.stop()).await.unwrap();
        for conn in [&mut conn, &mut by_socket] {
            let error = query("SELECT 1").fetch_one(&mut *conn).await.expect_err("the server is gone");
            assert!(matches!(error.kind(), ErrorKind::ConnectionLost | ErrorKind::ConnectionClosed), "{error}");
            fails(conn.ping().await, ErrorKind::ConnectionClosed, Outcome::NotSent);
        }
        let error = query("SELECT 1").fetch_one(&pool).await.expect_err("the server is gone");
        assert!(matches!(error.kind(), ErrorKind::Connect | ErrorKind::ConnectionLost), "{error}");
        for url in &urls {
            assert_eq!(no_connection(url).await.kind(), ErrorKind::Connect);
        }
        Ok(())
    }

    async fn a_link_that_breaks_at_any_byte_of_a_reply(database: Database) -> Result<()> {
        open(&database).await?.close().await?;
        let middleman = Middleman::new(&database).await;
        // By TLS without its own goodbye, which an attacker could leave out as well.
        for url in [middleman.url(&database), middleman.tls_url(&database)] {
            for bytes in (0..).step_by(7) {
                middleman.reform();
                let mut conn = Connection::connect(&url).await?;
                conn.ping().await?;
                middleman.hang_up_after(bytes);
                let fetched = query("SELECT id, name, age FROM users ORDER BY id").fetch_all(&mut conn).await;
                match fetched {
                    Ok(rows) => {
                        assert_eq!(rows.len(), 3, "{bytes}: rows are missing");
                        break;
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{bytes}: {error}");
                        assert!(matches!(error.outcome(), Outcome::NotSent | Outcome::Unknown), "{bytes}: {error}");
                    }
                }
                assert!(bytes < 2000, "the reply is shorter");
            }
        }
        Ok(())
    }
}

fn packet(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_le_bytes();
    [&length[..3], &[sequence], payload].concat()
}
