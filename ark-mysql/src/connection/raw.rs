//! A socket, and who waits for it: a tokio runtime, or the thread itself.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio::task::coop::has_budget_remaining;

use super::closed::Closed;
#[cfg(all(feature = "blocking", unix))]
use crate::blocking::{self, Blocking};

/// A connected socket.
pub(crate) enum Raw {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
    /// Opened under `block_on`.
    #[cfg(all(feature = "blocking", unix))]
    Blocking(Box<Blocking>),
}

/// Idle time after which the peer is probed, time between probes, probes: a dead peer is noticed after a minute.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_RETRIES: u32 = 3;
/// How long sent bytes may stay unacknowledged.
#[cfg(target_os = "linux")]
const USER_TIMEOUT: Duration = Duration::from_secs(30);

impl Raw {
    /// Takes a TCP socket over.
    pub(crate) fn tcp(socket: TcpStream) -> Self {
        tune(&SockRef::from(&socket));
        Self::Tcp(socket)
    }

    /// One that this thread waits for by itself.
    #[cfg(all(feature = "blocking", unix))]
    pub(crate) fn blocking(socket: impl Into<std::os::fd::OwnedFd>) -> Self {
        Self::Blocking(Box::new(Blocking::new(socket)))
    }

    /// The same by TCP.
    #[cfg(all(feature = "blocking", unix))]
    pub(crate) fn blocking_tcp(socket: std::net::TcpStream) -> Self {
        tune(&SockRef::from(&socket));
        Self::blocking(socket)
    }

    pub(super) fn socket(&self) -> SockRef<'_> {
        match self {
            Self::Tcp(socket) => SockRef::from(socket),
            #[cfg(unix)]
            Self::Unix(socket) => SockRef::from(socket),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => SockRef::from(socket.fd()),
        }
    }

    /// Reads and writes that never wait.
    pub(super) fn now(&self) -> Now<'_> {
        Now(self)
    }

    /// Whether there may be anything to read that nobody has asked for. On a runtime it costs no system call, and may be true for nothing.
    #[inline]
    pub(super) fn has_news(&self) -> bool {
        match self {
            Self::Tcp(tcp) => tcp.try_io(Interest::READABLE, || Ok(())).is_ok(),
            #[cfg(unix)]
            Self::Unix(unix) => unix.try_io(Interest::READABLE, || Ok(())).is_ok(),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => socket.has_news(),
        }
    }

    /// Whether nothing is known to be there to read, somebody waits for what comes, and the task is woken then. It costs no system call, but for the
    /// first use after a while under `block_on`.
    #[inline]
    pub(super) fn listens(&mut self, cx: &mut Context<'_>) -> bool {
        match self {
            // A task that has had its share is told to wait without a look at the socket.
            Self::Tcp(tcp) => has_budget_remaining() && tcp.poll_read_ready(cx).is_pending(),
            #[cfg(unix)]
            Self::Unix(unix) => has_budget_remaining() && unix.poll_read_ready(cx).is_pending(),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => socket.listens(cx),
        }
    }

    /// Whether anybody would hear what comes: its runtime still runs (a pool may outlive it, as in tests that have one each).
    #[inline]
    pub(super) fn is_driven(&self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let ready = match self {
            Self::Tcp(tcp) => tcp.poll_write_ready(&mut context),
            #[cfg(unix)]
            Self::Unix(unix) => unix.poll_write_ready(&mut context),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(_) => return blocking::is_running(),
        };
        !matches!(ready, Poll::Ready(Err(_)))
    }

    /// Why nobody would.
    #[cold]
    pub(super) fn undriven(&self) -> Closed {
        match self {
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(_) => Closed::Outside,
            _ => Closed::Undriven,
        }
    }

    /// Writes, and asks the runtime only where there is no room. Whoever writes reads the answer, too: that is where tasks take turns.
    #[inline]
    pub(super) fn poll_write_at_once(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match self {
            Self::Tcp(socket) => socket.try_write(bytes),
            #[cfg(unix)]
            Self::Unix(socket) => socket.try_write(bytes),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => return socket.poll_write(cx, bytes),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Pin::new(self).poll_write(cx, bytes)
            }
            written => Poll::Ready(written),
        }
    }
}

/// Small commands leave at once, and a peer that vanished is noticed.
fn tune(socket: &SockRef<'_>) {
    let keepalive = TcpKeepalive::new()
        .with_time(KEEPALIVE_IDLE)
        .with_interval(KEEPALIVE_INTERVAL)
        .with_retries(KEEPALIVE_RETRIES);
    // A socket that refuses options is broken already; the first read says so better.
    let _unimportant = socket.set_tcp_nodelay(true);
    let _unimportant = socket.set_tcp_keepalive(&keepalive);
    #[cfg(target_os = "linux")]
    let _unimportant = socket.set_tcp_user_timeout(Some(USER_TIMEOUT));
}

/// See [`Raw::now`].
pub(super) struct Now<'a>(&'a Raw);

impl Read for Now<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0 {
            #[cfg(all(feature = "blocking", unix))]
            Raw::Blocking(socket) => socket.read_now(buffer),
            raw => (&*raw.socket()).read(buffer),
        }
    }
}

impl Write for Now<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0 {
            #[cfg(all(feature = "blocking", unix))]
            Raw::Blocking(socket) => socket.write_now(bytes),
            raw => (&*raw.socket()).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsyncRead for Raw {
    #[inline]
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(socket) => Pin::new(socket).poll_read(cx, buffer),
            #[cfg(unix)]
            Self::Unix(socket) => Pin::new(socket).poll_read(cx, buffer),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => {
                let read = socket.poll_read(cx, buffer.initialize_unfilled());
                read.map_ok(|count| buffer.advance(count))
            }
        }
    }
}

impl AsyncWrite for Raw {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(socket) => Pin::new(socket).poll_write(cx, bytes),
            #[cfg(unix)]
            Self::Unix(socket) => Pin::new(socket).poll_write(cx, bytes),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => socket.poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(socket) => Pin::new(socket).poll_shutdown(cx),
            #[cfg(unix)]
            Self::Unix(socket) => Pin::new(socket).poll_shutdown(cx),
            #[cfg(all(feature = "blocking", unix))]
            Self::Blocking(socket) => {
                Poll::Ready(SockRef::from(socket.fd()).shutdown(std::net::Shutdown::Write))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    /// A peer that is gone without a word is noticed, though no statement has a deadline: read back from the operating system.
    #[tokio::test]
    async fn a_vanished_peer_is_noticed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        assert_tuned(&Raw::tcp(TcpStream::connect(address).await.unwrap()));
        #[cfg(all(feature = "blocking", unix))]
        assert_tuned(&Raw::blocking_tcp(
            std::net::TcpStream::connect(address).unwrap(),
        ));
    }

    fn assert_tuned(stream: &Raw) {
        let socket = stream.socket();
        assert!(socket.keepalive().unwrap() && socket.tcp_nodelay().unwrap());
        let seconds = Duration::from_secs;
        assert_eq!(socket.tcp_keepalive_time().unwrap(), seconds(30));
        assert_eq!(socket.tcp_keepalive_interval().unwrap(), seconds(10));
        assert_eq!(socket.tcp_keepalive_retries().unwrap(), 3);
        #[cfg(target_os = "linux")]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(seconds(30)));
    }
}
