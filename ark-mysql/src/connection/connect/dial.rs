//! From an endpoint to a socket.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use ark_mysql_proto::url::Endpoint;
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinSet;

use super::Phase;
use super::fail::{Attempt, see_runtime};
use crate::connection::stream::{Raw, Stream};
use crate::error::Error;
use crate::time::timeout;

/// How long one address may stay silent before the next one is tried beside it (RFC 8305 recommends 250 ms).
const HEAD_START: Duration = Duration::from_millis(250);
/// A name with more addresses than this is a mistake; the first ones do.
const ADDRESS_LIMIT: usize = 16;

/// Opens the socket by the runtime.
pub(super) async fn dial(attempt: &mut Attempt) -> Result<Stream, Error> {
    see_runtime("a connection")?;
    let raw = match attempt.endpoint.clone() {
        Endpoint::Socket(path) => {
            attempt.phase = Phase::Dial;
            unix(&path).await
        }
        Endpoint::Tcp { host, port } => {
            let addresses = resolve(attempt, &host, port).await?;
            attempt.phase = Phase::Dial;
            race(addresses).await.map(Raw::tcp)
        }
    };
    raw.map(Stream::Plain)
        .map_err(|error| attempt.unreachable(&error))
}

async fn resolve(attempt: &Attempt, host: &str, port: u16) -> Result<Vec<SocketAddr>, Error> {
    if let Some(addresses) = without_asking(attempt, port) {
        return Ok(addresses);
    }
    let found = lookup_host((host, port)).await;
    first_ones(attempt, found)
}

/// The addresses of a host that need no look-up.
pub(super) fn without_asking(attempt: &Attempt, port: u16) -> Option<Vec<SocketAddr>> {
    #[cfg(test)]
    if let Endpoint::Tcp { host, .. } = &attempt.endpoint
        && let Some(addresses) = super::names::addresses(host)
    {
        return Some(addresses);
    }
    let literal = attempt.endpoint.literal_addresses().into_iter();
    let addresses: Vec<_> = literal.map(|ip| SocketAddr::new(ip, port)).collect();
    (!addresses.is_empty()).then_some(addresses)
}

pub(super) fn first_ones(
    attempt: &Attempt,
    found: io::Result<impl Iterator<Item = SocketAddr>>,
) -> Result<Vec<SocketAddr>, Error> {
    let found = found.map_err(|error| attempt.unresolved(Some(&error)))?;
    let addresses: Vec<_> = found.take(ADDRESS_LIMIT).collect();
    if addresses.is_empty() {
        return Err(attempt.unresolved(None));
    }
    Ok(addresses)
}

/// Tries the addresses in their order, each with a head start before the next; the first to answer wins. Dropping it ends all attempts.
async fn race(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    if let [only] = *addresses {
        return TcpStream::connect(only).await; // neither a task nor a timer
    }
    let mut waiting = addresses.into_iter();
    let mut running = JoinSet::new();
    let mut first_error = None;
    loop {
        let next = waiting.next();
        let more = next.is_some();
        if let Some(address) = next {
            running.spawn(TcpStream::connect(address));
        }
        let finished = match more {
            true => timeout(HEAD_START, running.join_next())
                .await
                .ok()
                .flatten(),
            false => running.join_next().await,
        };
        match finished {
            Some(Ok(Ok(socket))) => return Ok(socket),
            Some(Ok(Err(error))) => {
                first_error.get_or_insert(error);
            }
            Some(Err(join)) => {
                first_error.get_or_insert_with(|| io::Error::other(join));
            }
            None if more => {} // silent so far: the next one starts beside it
            None => {
                return Err(first_error.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()));
            }
        }
    }
}

#[cfg(unix)]
async fn unix(path: &Path) -> io::Result<Raw> {
    tokio::net::UnixStream::connect(path).await.map(Raw::Unix)
}

#[cfg(not(unix))]
async fn unix(_: &Path) -> io::Result<Raw> {
    Err(io::ErrorKind::Unsupported.into())
}
