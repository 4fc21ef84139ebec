//! From options to a session: name look-up, socket, greeting, TLS, login, under one deadline.

mod dial;
#[cfg(all(feature = "blocking", unix))]
mod dial_blocking;
mod fail;
#[cfg(test)]
pub(crate) mod names;

#[cfg(test)]
mod tests;

use std::future::Future;
use std::path::Path;
use std::pin::Pin;

use ark_mysql_proto::url::{Compat, Endpoint, TlsMode};
use ark_mysql_proto::{Channel, Handshake, HandshakeOptions, Secret, Session, Step, TlsRequest};

use self::fail::Attempt;
pub(crate) use self::fail::see_runtime;
use super::stream::Stream;
use super::tls;
use crate::config::ConnectOptions;
use crate::error::Error;
use crate::time::timeout;

/// What is being waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Resolve,
    Dial,
    Greeting,
    Tls,
    Login,
    ChangeUser,
}

/// Opens a connection and logs in.
///
/// # Errors
/// Every one names the endpoint and the phase, says what to do, and has the outcome `NotSent`. Cancelling closes the socket.
pub(crate) async fn connect(options: &ConnectOptions) -> Result<(Stream, Session), Error> {
    let (endpoint, mode) = options.check()?;
    if tls_request(mode, &endpoint, options.require_verified) != TlsRequest::Never {
        tls::prepare(options, mode)?; // a CA file that cannot be read is told before anything is sent
    }
    let mut attempt = Attempt {
        endpoint,
        mode,
        phase: Phase::Resolve,
    };
    let outcome = timeout(options.connect_timeout, establish(options, &mut attempt)).await;
    outcome.unwrap_or_else(|_elapsed| Err(attempt.too_late(options.connect_timeout)))
}

type Making<'a> = Pin<Box<dyn Future<Output = Result<(Stream, Session), Error>> + Send + 'a>>;

/// Boxed once: its state is the largest of all futures of a connection, and the callers' ones are many.
fn establish<'a>(options: &'a ConnectOptions, attempt: &'a mut Attempt) -> Making<'a> {
    Box::pin(async move {
        let handshake = Handshake::new(handshake_options(options, attempt)?);
        let stream = dial(options, attempt).await?;
        log_in(options, attempt, stream, handshake).await
    })
}

async fn dial(options: &ConnectOptions, attempt: &mut Attempt) -> Result<Stream, Error> {
    #[cfg(all(feature = "blocking", unix))]
    if crate::blocking::is_running() {
        return dial_blocking::dial(attempt, options.connect_timeout);
    }
    #[cfg(not(all(feature = "blocking", unix)))]
    let _the_timer_minds_the_time = options;
    dial::dial(attempt).await
}

async fn log_in(
    options: &ConnectOptions,
    attempt: &mut Attempt,
    mut stream: Stream,
    mut handshake: Handshake,
) -> Result<(Stream, Session), Error> {
    attempt.phase = Phase::Greeting;
    while converse(attempt, &mut stream, &mut handshake).await? == Step::StartTls {
        attempt.phase = Phase::Tls;
        stream = tls::start(options, attempt.mode, &attempt.endpoint, stream)
            .await
            .map_err(|error| attempt.insecure(error))?;
        if let Some(certificate) = stream.server_certificate() {
            handshake.tls_certificate(certificate);
        }
        handshake.tls_established(attempt.mode.verifies());
        attempt.phase = Phase::Login;
    }
    let session = handshake
        .into_session()
        .map_err(|error| attempt.refused(error))?;
    Ok((stream, session))
}

/// Logs in as the user of `options` on a connection that there is already, within the deadline for connecting.
///
/// # Errors
/// As [`connect`]. The session is gone then, and the stream is to be closed.
pub(super) async fn change_user(
    options: &ConnectOptions,
    stream: &mut Stream,
    session: Session,
) -> Result<Session, Error> {
    let (endpoint, mode) = options.check()?;
    let mut attempt = Attempt {
        endpoint,
        mode,
        phase: Phase::ChangeUser,
    };
    let options_of_login = handshake_options(options, &attempt)?;
    let handshake = Handshake::change_user(session, options_of_login);
    let mut handshake = handshake.map_err(|error| attempt.refused(error))?;
    let conversing = converse(&mut attempt, stream, &mut handshake);
    let Ok(outcome) = timeout(options.connect_timeout, conversing).await else {
        return Err(attempt.too_late(options.connect_timeout));
    };
    outcome?;
    handshake
        .into_session()
        .map_err(|error| attempt.refused(error))
}

/// Moves bytes until the handshake wants something else. Never returns [`Step::Read`].
async fn converse(
    attempt: &mut Attempt,
    stream: &mut Stream,
    handshake: &mut Handshake,
) -> Result<Step, Error> {
    loop {
        let step = handshake.poll().map_err(|error| attempt.refused(error))?;
        if attempt.phase == Phase::Greeting && handshake.flavor().is_some() {
            attempt.phase = Phase::Login;
        }
        while !handshake.outgoing().is_empty() {
            let count = stream
                .write(handshake.outgoing())
                .await
                .map_err(|error| attempt.broken(error))?;
            handshake.sent(count);
        }
        if step != Step::Read {
            let flushed = stream.flush().await;
            return flushed
                .map(|()| step)
                .map_err(|error| attempt.broken(error));
        }
        let count = stream
            .read(handshake.read_buffer())
            .await
            .map_err(|error| attempt.broken(error))?;
        if count == 0 {
            return Err(attempt.hung_up());
        }
        handshake.received(count);
    }
}

fn handshake_options(
    options: &ConnectOptions,
    attempt: &Attempt,
) -> Result<HandshakeOptions, Error> {
    let channel = match &attempt.endpoint {
        Endpoint::Socket(_) => Channel::Socket,
        endpoint if endpoint.is_loopback() => Channel::Loopback,
        Endpoint::Tcp { .. } => Channel::Network,
    };
    Ok(HandshakeOptions {
        user: options.user.clone(),
        password: options
            .password
            .clone()
            .unwrap_or_else(|| Secret::new(Vec::new())),
        database: options.database.clone(),
        tls: tls_request(attempt.mode, &attempt.endpoint, options.require_verified),
        channel,
        attributes: options.sent_attributes(),
        max_receive: options.max_receive,
        max_send: options.max_send,
        mariadb_extended_metadata: false,
        // A proxy hands the statements of one client to several servers; what one of them left out, another never sent.
        mariadb_cache_metadata: options.compat == Compat::Direct,
        random: |bytes| getrandom::fill(bytes).is_ok(),
        server_public_key: options
            .server_public_key
            .as_deref()
            .map(read_key)
            .transpose()?,
        require_verified: options.require_verified,
        clear_text_password: options.clear_text_password,
        local_infile: options.local_infile,
    })
}

/// Whether TLS is asked for. Falling back to plain is for this machine alone: on a network, whoever can listen can also strip the offer.
/// Where a verified server is required, plain is no choice but by the socket.
fn tls_request(mode: TlsMode, endpoint: &Endpoint, strict: bool) -> TlsRequest {
    let lenient = endpoint.is_loopback() && !strict;
    match (mode, endpoint) {
        (TlsMode::Disabled, _) => TlsRequest::Never,
        // Nobody can listen on a socket; `required` gets TLS there, for accounts that demand it.
        (TlsMode::Preferred, Endpoint::Socket(_)) => TlsRequest::Never,
        (TlsMode::Preferred, _) if lenient && !tls::AVAILABLE => TlsRequest::Never,
        (TlsMode::Preferred, _) if lenient => TlsRequest::IfOffered,
        (
            TlsMode::Preferred | TlsMode::Required | TlsMode::VerifyCa | TlsMode::VerifyIdentity,
            _,
        ) => TlsRequest::Require,
    }
}

/// A PEM file with one public key has less than a kilobyte.
const KEY_LIMIT: u64 = 64 << 10;

fn read_key(path: &Path) -> Result<Vec<u8>, Error> {
    let mut pem =
        crate::config::read_file(path, KEY_LIMIT).map_err(|reason| fail::bad_key(path, &reason))?;
    if !pem.starts_with(b"-----BEGIN ") {
        return Err(fail::bad_key(path, "it is no PEM file"));
    }
    // MySQL ends the file that it makes with a zero byte.
    while pem
        .last()
        .is_some_and(|last| *last == 0 || last.is_ascii_whitespace())
    {
        pem.pop();
    }
    Ok(pem)
}
