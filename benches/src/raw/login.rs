//! The login, by the library's own handshake.

use std::io::{Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, bail};
use ark_mysql_proto::url::{TlsMode, Url};
use ark_mysql_proto::{
    Capabilities, Channel, Flavor, Handshake, HandshakeOptions, Secret, Step, TlsRequest,
};

use super::stream::Stream;

/// What is left of the login.
pub(super) struct LoggedIn {
    pub(super) connection_id: u32,
    pub(super) cached_metadata: bool,
    pub(super) mariadb: bool,
}

/// Logs in; with TLS where the address wants its server verified.
pub(super) fn login(stream: TcpStream, host: &str, url: &Url) -> Result<(Stream, LoggedIn)> {
    let mut stream = Stream::Plain(stream);
    let mut handshake = Handshake::new(options(url));
    loop {
        let step = handshake.poll()?;
        let sent = handshake.outgoing().len();
        stream.write_all(handshake.outgoing())?;
        handshake.sent(sent);
        match step {
            Step::Read => {
                let count = stream.read(handshake.read_buffer())?;
                if count == 0 {
                    bail!("the server closed the connection during the login");
                }
                handshake.received(count);
            }
            Step::StartTls => {
                let authority = url.options.ssl_ca.as_deref();
                let authority = authority.context("the raw client needs ssl-ca for TLS")?;
                stream = match stream {
                    Stream::Plain(stream) => Stream::encrypt(stream, host, authority)?,
                    Stream::Tls(_) => bail!("the server wants TLS twice"),
                };
                handshake.tls_established(true);
            }
            Step::Ready => break,
        }
    }
    Ok((stream, LoggedIn::of(handshake)?))
}

impl LoggedIn {
    pub(super) fn of(handshake: Handshake) -> Result<Self> {
        let session = handshake.into_session()?;
        Ok(Self {
            connection_id: session.connection_id(),
            cached_metadata: session
                .capabilities()
                .contains(Capabilities::MARIADB_CACHE_METADATA),
            mariadb: session.flavor() == Flavor::MariaDb,
        })
    }
}

pub(super) fn options(url: &Url) -> HandshakeOptions {
    HandshakeOptions {
        user: url.user.clone(),
        password: url
            .password
            .clone()
            .unwrap_or_else(|| Secret::new(Vec::new())),
        database: url.database.clone(),
        tls: match url.tls_mode {
            Some(TlsMode::VerifyCa | TlsMode::VerifyIdentity) => TlsRequest::Require,
            _ => TlsRequest::Never,
        },
        channel: Channel::Loopback,
        attributes: Vec::new(),
        max_receive: 1 << 30,
        max_send: 1 << 30,
        mariadb_extended_metadata: false,
        mariadb_cache_metadata: true,
        random: |bytes| getrandom::fill(bytes).is_ok(),
        server_public_key: None,
        require_verified: false,
        clear_text_password: false,
        local_infile: false,
    }
}
