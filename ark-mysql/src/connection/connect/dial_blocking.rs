//! From an endpoint to a socket without a runtime: one address after the other, each with its share of the time that is left.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use ark_mysql_proto::url::Endpoint;
use socket2::{Domain, SockAddr, Socket, Type};

use super::Phase;
use super::dial::{first_ones, without_asking};
use super::fail::Attempt;
use crate::connection::stream::{Raw, Stream};
use crate::error::Error;
use crate::time::end_of;

/// Opens the socket; `time`: for connecting, of which all is left.
pub(super) fn dial(attempt: &mut Attempt, time: Duration) -> Result<Stream, Error> {
    let end = end_of(time).into_std();
    let raw = match attempt.endpoint.clone() {
        Endpoint::Socket(path) => {
            attempt.phase = Phase::Dial;
            unix(&path, time).map(Raw::blocking)
        }
        Endpoint::Tcp { host, port } => {
            let addresses = match without_asking(attempt, port) {
                Some(addresses) => addresses,
                None => first_ones(attempt, (&*host, port).to_socket_addrs())?,
            };
            attempt.phase = Phase::Dial;
            one_by_one(&addresses, end).map(Raw::blocking_tcp)
        }
    };
    raw.map(Stream::Plain).map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => attempt.too_late(time),
        _ => attempt.unreachable(&error),
    })
}

fn one_by_one(addresses: &[SocketAddr], end: Instant) -> io::Result<TcpStream> {
    let mut first_error = None;
    for (address, left) in addresses.iter().zip((1..=addresses.len()).rev()) {
        let rest = end.saturating_duration_since(Instant::now());
        let share = rest / u32::try_from(left).unwrap_or(u32::MAX);
        match TcpStream::connect_timeout(address, share.max(SHORTEST)) {
            Ok(socket) => return Ok(socket),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
}

/// A server that takes no connections lets those wait who connect by its socket; the time for writing is theirs, too.
fn unix(path: &Path, time: Duration) -> io::Result<Socket> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_write_timeout(Some(time.max(SHORTEST)))?;
    match socket.connect(&SockAddr::unix(path)?) {
        Ok(()) => Ok(socket),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(io::ErrorKind::TimedOut.into())
        }
        Err(error) => Err(error),
    }
}

/// Zero is refused, or would be for ever.
const SHORTEST: Duration = Duration::from_millis(1);

#[cfg(test)]
mod tests {
    use super::*;

    /// Its queue holds one, and nobody takes it out of there.
    #[test]
    fn a_full_queue_keeps_nobody_for_ever() {
        let folder = std::env::temp_dir().join(format!("ark-mysql-full-{}", std::process::id()));
        let _of_before = std::fs::remove_file(&folder);
        let listener = Socket::new(Domain::UNIX, Type::STREAM, None).unwrap();
        listener.bind(&SockAddr::unix(&folder).unwrap()).unwrap();
        listener.listen(0).unwrap();
        let time = Duration::from_millis(50);
        let tries: Vec<_> = (0..4).map(|_| unix(&folder, time)).collect();
        std::fs::remove_file(&folder).unwrap();
        let failed = tries.iter().filter_map(|one| one.as_ref().err());
        let kinds: Vec<_> = failed.map(io::Error::kind).collect();
        assert!(!kinds.is_empty(), "all were let in");
        // Others than Linux refuse at once.
        let told = [io::ErrorKind::TimedOut, io::ErrorKind::ConnectionRefused];
        assert!(kinds.iter().all(|kind| told.contains(kind)), "{kinds:?}");
    }
}
