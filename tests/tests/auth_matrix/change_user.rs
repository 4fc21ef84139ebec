//! Another login on the same connection, by the protocol crate and a blocking socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use ark_mysql_proto::{
    Channel, Event, Handshake, HandshakeError, HandshakeOptions, Secret, Session, Step, TlsRequest,
};
use tests::bars::reached;
use tests::{Database, Flavor};

use crate::impostor::client_config;
use crate::{PASSWORD, account, mariadb};

trait Duplex: Read + Write {}
impl<T: Read + Write> Duplex for T {}
type Link = Box<dyn Duplex>;

fn options(user: &str, password: &str) -> HandshakeOptions {
    HandshakeOptions {
        user: user.to_owned(),
        password: Secret::new(password),
        database: None,
        tls: TlsRequest::Never,
        channel: Channel::Socket,
        attributes: vec![("_client_name".to_owned(), "test".to_owned())],
        max_receive: 1 << 20,
        max_send: 1 << 20,
        mariadb_extended_metadata: false,
        mariadb_cache_metadata: false,
        random: |bytes| {
            bytes.fill(7); // nobody listens to a test
            true
        },
        server_public_key: None,
        require_verified: false,
        clear_text_password: false,
        local_infile: false,
    }
}

fn log_in(stream: &mut Link, mut handshake: Handshake) -> Result<Session, HandshakeError> {
    loop {
        let step = handshake.poll()?;
        let count = handshake.outgoing().len();
        stream.write_all(handshake.outgoing()).unwrap();
        handshake.sent(count);
        match step {
            Step::Ready => return handshake.into_session(),
            Step::StartTls => unreachable!("there is none here"),
            Step::Read => {
                let count = stream.read(handshake.read_buffer()).unwrap();
                assert!(count > 0, "the server hung up");
                handshake.received(count);
            }
        }
    }
}

fn who(stream: &mut Link, session: &mut Session) -> String {
    session.query("SELECT CURRENT_USER()").unwrap();
    let count = session.outgoing().len();
    stream.write_all(session.outgoing()).unwrap();
    session.sent(count);
    let mut user = String::new();
    loop {
        match session.poll().unwrap() {
            Some(Event::Row) => user = String::from_utf8(session.payload()[1..].to_vec()).unwrap(),
            Some(Event::ResultSetEnd(_)) => return user.trim_end_matches("@%").to_owned(),
            Some(Event::Failed) => panic!("{}", session.server_error()),
            Some(_) => {}
            None => {
                let count = stream.read(session.read_buffer()).unwrap();
                session.received(count);
            }
        }
    }
}

#[test]
fn through_all_methods_and_back() {
    let mut changes = 0;
    for database in [Database::new(Flavor::MySql), mariadb()] {
        let plugins: &[&str] = match database.flavor() {
            Flavor::MySql => &["caching_sha2_password", "sha256_password"],
            Flavor::MariaDb => &["mysql_native_password", "ed25519", "parsec"],
        };
        let mut stream: Link = Box::new(UnixStream::connect(database.server().socket()).unwrap());
        let mut session = log_in(&mut stream, Handshake::new(options("root", ""))).unwrap();
        let id = session.connection_id();
        for password in [PASSWORD, "", PASSWORD] {
            for plugin in plugins {
                let account = account(&database, plugin, password);
                let handshake =
                    Handshake::change_user(session, options(&account.name, password)).unwrap();
                session = log_in(&mut stream, handshake).unwrap();
                assert_eq!(who(&mut stream, &mut session), account.name, "{plugin}");
                assert_eq!(session.connection_id(), id);
                changes += 1;
            }
        }
        let handshake = Handshake::change_user(session, options("root", "wrong")).unwrap();
        let error = log_in(&mut stream, handshake).expect_err("the password is wrong");
        assert!(
            matches!(&error, HandshakeError::Server(error) if error.code == 1045),
            "{error}"
        );
        // Not while something is under way.
        let mut stream: Link = Box::new(UnixStream::connect(database.server().socket()).unwrap());
        let mut session = log_in(&mut stream, Handshake::new(options("root", ""))).unwrap();
        session.ping();
        assert!(matches!(
            Handshake::change_user(session, options("root", "")),
            Err(HandshakeError::NotReady)
        ));
    }
    reached(
        "B22",
        format_args!(
            "change of user: {changes} of {changes} by every method, 2 of 2 wrong passwords refused"
        ),
    );
}

/// By TLS whose certificate is not verified here: MariaDB proves with every login that it is its own.
#[test]
fn by_proof() {
    let database = mariadb();
    let options = |user: &str, password: &str| HandshakeOptions {
        tls: TlsRequest::Require,
        channel: Channel::Network,
        require_verified: true,
        ..options(user, password)
    };
    for first in ["mysql_native_password", "ed25519", "parsec"] {
        let start = account(&database, first, PASSWORD);
        let mut plain = TcpStream::connect(("127.0.0.1", database.server().port())).unwrap();
        let mut handshake = Handshake::new(options(&start.name, PASSWORD));
        while handshake.poll().unwrap() == Step::Read {
            let count = plain.read(handshake.read_buffer()).unwrap();
            handshake.received(count);
        }
        let count = handshake.outgoing().len();
        plain.write_all(handshake.outgoing()).unwrap();
        handshake.sent(count);
        let config = client_config(&std::fs::read(database.server().ca_certificate()).unwrap());
        let mut tls =
            rustls::ClientConnection::new(Arc::new(config), "127.0.0.1".try_into().unwrap())
                .unwrap();
        tls.complete_io(&mut plain).unwrap();
        handshake.tls_certificate(&tls.peer_certificates().unwrap()[0]);
        handshake.tls_established(false);
        let mut stream: Link = Box::new(rustls::StreamOwned::new(tls, plain));
        let mut session = log_in(&mut stream, handshake).unwrap();
        for plugin in [
            "parsec",
            "mysql_native_password",
            "ed25519",
            "mysql_native_password",
        ] {
            let account = account(&database, plugin, PASSWORD);
            let handshake =
                Handshake::change_user(session, options(&account.name, PASSWORD)).unwrap();
            session = log_in(&mut stream, handshake)
                .unwrap_or_else(|error| panic!("{first}, {plugin}: {error}"));
            assert_eq!(who(&mut stream, &mut session), account.name, "{plugin}");
        }
    }
    reached(
        "B22",
        "mariadb: change of user with the certificate proved, 12 of 12",
    );
}
