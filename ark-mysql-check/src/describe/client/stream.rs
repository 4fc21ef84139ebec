//! A blocking byte stream with a time limit: TCP or a unix socket.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ark_mysql_proto::url::Endpoint;

/// Even when the time is up a system call must get some: zero would mean for ever.
const LEAST_WAIT: Duration = Duration::from_millis(1);

pub(super) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Stream {
    /// Connects before `deadline`; tries every address of a name in turn.
    pub(super) fn connect(endpoint: &Endpoint, deadline: Instant) -> io::Result<Self> {
        match endpoint {
            Endpoint::Tcp { host, port } => connect_tcp(endpoint, host, *port, deadline),
            Endpoint::Socket(path) => connect_unix(path, deadline),
        }
    }

    /// Limits every following read and write to the time left.
    pub(super) fn set_deadline(&self, deadline: Instant) -> io::Result<()> {
        self.set_timeout(left(deadline)?)
    }

    /// Limits every following read and write.
    pub(super) fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        let timeout = Some(timeout.max(LEAST_WAIT));
        match self {
            Self::Tcp(stream) => stream
                .set_read_timeout(timeout)
                .and_then(|()| stream.set_write_timeout(timeout)),
            #[cfg(unix)]
            Self::Unix(stream) => stream
                .set_read_timeout(timeout)
                .and_then(|()| stream.set_write_timeout(timeout)),
        }
    }

    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retry(|| match self {
            Self::Tcp(stream) => stream.read(buffer),
            #[cfg(unix)]
            Self::Unix(stream) => stream.read(buffer),
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = retry(|| match self {
            Self::Tcp(stream) => stream.write(bytes),
            #[cfg(unix)]
            Self::Unix(stream) => stream.write(bytes),
        })?;
        if count == 0 {
            Err(io::ErrorKind::WriteZero.into())
        } else {
            Ok(count)
        }
    }
}

fn retry(mut call: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        Err(io::ErrorKind::TimedOut.into())
    } else {
        Ok(left)
    }
}

fn connect_tcp(
    endpoint: &Endpoint,
    host: &str,
    port: u16,
    deadline: Instant,
) -> io::Result<Stream> {
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host name has no address");
    for address in addresses(endpoint, host, deadline)? {
        match TcpStream::connect_timeout(&SocketAddr::new(address, port), left(deadline)?) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(Stream::Tcp(stream));
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn addresses(endpoint: &Endpoint, host: &str, deadline: Instant) -> io::Result<Vec<IpAddr>> {
    let literal = endpoint.literal_addresses();
    if !literal.is_empty() {
        return Ok(literal);
    }
    let host = host.to_owned();
    within(deadline, move || {
        (host.as_str(), 0)
            .to_socket_addrs()
            .map(|found| found.map(|address| address.ip()).collect())
    })
}

#[cfg(unix)]
fn connect_unix(path: &Path, deadline: Instant) -> io::Result<Stream> {
    let path = path.to_owned();
    within(deadline, move || UnixStream::connect(path)).map(Stream::Unix)
}

#[cfg(not(unix))]
fn connect_unix(_: &Path, _: Instant) -> io::Result<Stream> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "there are no unix sockets on this system",
    ))
}

/// Runs a call that has no time limit of its own (a name look-up, a socket whose server does not accept) on a thread that is left
/// behind when the time is up.
fn within<T: Send + 'static>(
    deadline: Instant,
    call: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::Builder::new()
        .name("ark-mysql connect".to_owned())
        .spawn(move || {
            // Nobody waits any more: the time is up.
            let _ = sender.send(call());
        })?;
    receiver
        .recv_timeout(left(deadline)?)
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_without_limit_gets_one() {
        let start = Instant::now();
        let outcome = within(start + Duration::from_millis(50), || {
            thread::sleep(Duration::from_secs(3));
            Ok(())
        });
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(2));
    }

    #[test]
    fn a_closed_port_is_refused_at_once() {
        let closed = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let endpoint = Endpoint::Tcp {
            host: "127.0.0.1".to_owned(),
            port: closed.port(),
        };
        let error = Stream::connect(&endpoint, Instant::now() + Duration::from_secs(2))
            .err()
            .unwrap();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    }
}
