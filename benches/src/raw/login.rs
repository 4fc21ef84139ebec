//! The login, by the library's own handshake.

use std::io::{Read, Write};
use std::net::TcpStream;

use anyhow::{Result, bail};
use ark_mysql_proto::url::Url;
use ark_mysql_proto::{
    Capabilities, Channel, Flavor, Handshake, HandshakeOptions, Secret, Step, TlsRequest,
};

/// What is left of the login.
pub(super) struct LoggedIn {
    pub(super) connection_id: u32,
    pub(super) cached_metadata: bool,
    pub(super) mariadb: bool,
}

pub(super) fn login(stream: &mut TcpStream, url: &Url) -> Result<LoggedIn> {
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
            Step::StartTls => bail!("the raw client speaks no TLS"),
            Step::Ready => break,
        }
    }
    let session = handshake.into_session()?;
    Ok(LoggedIn {
        connection_id: session.connection_id(),
        cached_metadata: session
            .capabilities()
            .contains(Capabilities::MARIADB_CACHE_METADATA),
        mariadb: session.flavor() == Flavor::MariaDb,
    })
}

fn options(url: &Url) -> HandshakeOptions {
    HandshakeOptions {
        user: url.user.clone(),
        password: url
            .password
            .clone()
            .unwrap_or_else(|| Secret::new(Vec::new())),
        database: url.database.clone(),
        tls: TlsRequest::Never,
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
