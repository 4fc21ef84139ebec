//! From an address to a session, against the clock.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use ark_mysql_proto::url::{Endpoint, TlsMode, Url};
use ark_mysql_proto::{
    Channel, Handshake, HandshakeError, HandshakeOptions, Secret, Session, Step, TlsRequest,
};

use super::ClientError;
use super::stream::Stream;

/// From the look-up of the name to the end of the login: longer, and a build without its server would feel stuck.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A list of views with their bodies is the longest packet that is asked for.
const MAX_RECEIVE: usize = 64 << 20;
const MAX_SEND: usize = 64 << 20;

pub(super) fn log_in(url: &Url) -> Result<(Stream, Session), ClientError> {
    let options = options(url)?;
    let deadline = Instant::now() + CONNECT_TIMEOUT;
    let mut stream = Stream::connect(&url.endpoint, deadline)
        .map_err(|error| unreachable(&error, "connecting"))?;
    let mut handshake = Handshake::new(options);
    loop {
        let step = handshake.poll().map_err(ClientError::Refused)?;
        flush(&mut stream, &mut handshake, deadline)?;
        match step {
            Step::Read => read(&mut stream, &mut handshake, deadline)?,
            Step::Ready => break,
            Step::StartTls => return Err(ClientError::Refused(HandshakeError::TlsUnavailable)),
        }
    }
    let session = handshake.into_session().map_err(ClientError::Refused)?;
    Ok((stream, session))
}

fn options(url: &Url) -> Result<HandshakeOptions, ClientError> {
    let channel = match &url.endpoint {
        Endpoint::Socket(_) => Channel::Socket,
        Endpoint::Tcp { .. } if url.endpoint.is_loopback() => Channel::Loopback,
        Endpoint::Tcp { .. } => Channel::Network,
    };
    match url.tls_mode() {
        TlsMode::Disabled => {}
        // On a network it is the same as required, as in the driver.
        TlsMode::Preferred if channel != Channel::Network => {}
        mode @ (TlsMode::Preferred
        | TlsMode::Required
        | TlsMode::VerifyCa
        | TlsMode::VerifyIdentity) => {
            return Err(ClientError::NoTls(mode));
        }
    }
    Ok(HandshakeOptions {
        user: url.user.clone(),
        password: url
            .password
            .clone()
            .unwrap_or_else(|| Secret::new(Vec::new())),
        database: url.database.clone(),
        tls: TlsRequest::Never,
        channel,
        attributes: vec![("program_name".to_owned(), "ark-mysql build".to_owned())],
        max_receive: MAX_RECEIVE,
        max_send: MAX_SEND,
        mariadb_extended_metadata: true,
        mariadb_cache_metadata: false,
        random: |bytes| getrandom::fill(bytes).is_ok(),
        server_public_key: server_public_key(url)?,
        require_verified: url.options.require_verified == Some(true),
        clear_text_password: url.options.clear_text_password == Some(true),
        local_infile: false,
    })
}

fn server_public_key(url: &Url) -> Result<Option<Vec<u8>>, ClientError> {
    let Some(file) = &url.options.server_public_key else {
        return Ok(None);
    };
    let key = fs::read(file);
    key.map(Some).map_err(|error| {
        ClientError::Unreachable(format!("cannot read {}: {error}", file.display()))
    })
}

fn flush(
    stream: &mut Stream,
    handshake: &mut Handshake,
    deadline: Instant,
) -> Result<(), ClientError> {
    while !handshake.outgoing().is_empty() {
        stream
            .set_deadline(deadline)
            .map_err(|error| unreachable(&error, handshake.phase()))?;
        let count = stream
            .write(handshake.outgoing())
            .map_err(|error| unreachable(&error, handshake.phase()))?;
        handshake.sent(count);
    }
    Ok(())
}

fn read(
    stream: &mut Stream,
    handshake: &mut Handshake,
    deadline: Instant,
) -> Result<(), ClientError> {
    let phase = handshake.phase();
    stream
        .set_deadline(deadline)
        .map_err(|error| unreachable(&error, phase))?;
    match stream
        .read(handshake.read_buffer())
        .map_err(|error| unreachable(&error, phase))?
    {
        0 => Err(ClientError::Unreachable(format!(
            "it closed the connection ({phase})"
        ))),
        count => {
            handshake.received(count);
            Ok(())
        }
    }
}

fn unreachable(error: &io::Error, phase: &str) -> ClientError {
    ClientError::Unreachable(match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("no answer within 2 s ({phase})")
        }
        _ => format!("{error} ({phase})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macros speak no TLS, so what asks for it is refused and never goes in plain.
    #[test]
    fn preferred_is_required_on_a_network() {
        let plain = |address: &str| options(&address.parse().unwrap()).is_ok();
        assert!(plain("mysql://u@localhost"));
        assert!(plain("mysql://u@127.0.0.1?ssl-mode=preferred"));
        assert!(plain("mysql://u@localhost?socket=/run/mysqld.sock"));
        assert!(plain("mysql://u@db?ssl-mode=disabled"));
        for mode in ["preferred", "required", "verify-identity"] {
            assert!(!plain(&format!("mysql://u@db?ssl-mode={mode}")), "{mode}");
        }
        assert!(!plain("mysql://u@db"));
    }
}
