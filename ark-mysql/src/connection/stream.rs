//! The byte stream below a session: TCP or a unix socket, with TLS around it or not. Static dispatch, no boxing on the way of a query.

use std::future::poll_fn;
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

/// A connected stream. Dropping it closes the socket at once, inside and outside of a runtime.
pub(crate) enum Stream {
    /// In clear.
    Plain(Raw),
    /// By TLS; boxed because the TLS state is a kilobyte and moves with the connection.
    #[cfg(feature = "tls")]
    Tls(Box<tokio_rustls::client::TlsStream<Raw>>),
}

/// A socket.
pub(crate) enum Raw {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// Idle time after which the peer is probed, time between probes, probes: a dead peer is noticed after a minute.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_RETRIES: u32 = 3;
/// How long sent bytes may stay unacknowledged.
#[cfg(target_os = "linux")]
const USER_TIMEOUT: Duration = Duration::from_secs(30);

/// What a connection does. Each future does one thing, so dropping it loses nothing.
impl Stream {
    /// Reads what there is, at least one byte; 0 means that the peer closed.
    pub(crate) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        poll_fn(|cx| self.poll_read(cx, buffer)).await
    }

    /// Writes what fits, at least one byte, and returns how many. By TLS they may still be on the way: [`flush`](Self::flush), or
    /// [`read`](Self::read), which flushes first.
    pub(crate) async fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        poll_fn(|cx| self.poll_write(cx, bytes)).await
    }

    /// Hands everything written to the operating system.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        poll_fn(|cx| self.poll_flush(cx)).await
    }

    /// Looks whether something came, without waiting: `None` if nothing, `Some(0)` if the peer closed.
    ///
    /// It asks the operating system, not the runtime's memory of it: a connection that lay idle while the runtime was busy is seen as it is.
    pub(crate) fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self {
            Self::Plain(raw) => none_if_waiting(raw.read_now(buffer)),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (raw, session) = tls.get_mut();
                read_records_now(&raw.socket(), session, buffer)
            }
        }
    }

    /// Writes what fits without waiting. By TLS some of it may be left for [`flush_now`](Self::flush_now).
    pub(crate) fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(raw) => (&*raw.socket()).write(bytes),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_mut().1.writer().write(bytes),
        }
    }

    /// Hands what TLS has made of it to the operating system, as far as that takes no waiting.
    pub(crate) fn flush_now(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (raw, session) = tls.get_mut();
                while session.wants_write() {
                    session.write_tls(&mut &*raw.socket())?;
                }
                Ok(())
            }
        }
    }

    /// Whether the runtime has heard of anything to read since all was read. It costs no system call, and may be true for nothing.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        let raw = match self {
            Self::Plain(raw) => raw,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_ref().0,
        };
        let heard = match raw {
            Raw::Tcp(tcp) => tcp.try_io(Interest::READABLE, || Ok(())),
            #[cfg(unix)]
            Raw::Unix(unix) => unix.try_io(Interest::READABLE, || Ok(())),
        };
        heard.is_ok()
    }

    /// Whether the runtime has heard of nothing to read, still runs, and wakes the task when it hears of something. It costs no system call.
    #[inline]
    pub(crate) fn listens(&self, cx: &mut Context<'_>) -> bool {
        let raw = match self {
            Self::Plain(raw) => raw,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_ref().0,
        };
        // A task that has had its share is told to wait without a look at the socket.
        has_budget_remaining()
            && match raw {
                Raw::Tcp(tcp) => tcp.poll_read_ready(cx).is_pending(),
                #[cfg(unix)]
                Raw::Unix(unix) => unix.poll_read_ready(cx).is_pending(),
            }
    }

    /// Whether the runtime that the stream belongs to still runs: a pool may outlive it, as in tests that have one each.
    pub(crate) fn is_driven(&self) -> bool {
        let raw = match self {
            Self::Plain(raw) => raw,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_ref().0,
        };
        let mut context = Context::from_waker(Waker::noop());
        let ready = match raw {
            Raw::Tcp(tcp) => tcp.poll_write_ready(&mut context),
            #[cfg(unix)]
            Raw::Unix(unix) => unix.poll_write_ready(&mut context),
        };
        !matches!(ready, Poll::Ready(Err(_)))
    }

    /// The certificate that the server showed, in DER form.
    pub(crate) fn server_certificate(&self) -> Option<&[u8]> {
        match self {
            Self::Plain(_) => None,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (_, session) = tls.get_ref();
                session
                    .peer_certificates()?
                    .first()
                    .map(|certificate| &**certificate)
            }
        }
    }

    /// Ends the socket at once, in both directions and without waiting; the descriptor goes with the value.
    pub(crate) fn shutdown(&mut self) {
        self.say_goodbye();
        let raw = match self {
            Self::Plain(raw) => &*raw,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_ref().0,
        };
        let _gone_already = raw.socket().shutdown(std::net::Shutdown::Both);
    }

    /// Ends TLS without waiting, if there is any.
    pub(crate) fn say_goodbye(&mut self) {
        match self {
            Self::Plain(_) => {}
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (raw, session) = tls.get_mut();
                session.send_close_notify();
                let _if_there_is_room = session.write_tls(&mut &*raw.socket());
            }
        }
    }
}

/// For those who read and write at once.
impl Stream {
    /// See [`read`](Self::read).
    #[inline]
    pub(crate) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut into = ReadBuf::new(buffer);
        let result = match self {
            Self::Plain(raw) => Pin::new(raw).poll_read(cx, &mut into),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                // Waiting for an answer to bytes that never left would wait for ever. If they cannot leave any more, the
                // server's last words may still be there to be read.
                let flushed = Pin::new(&mut *tls).poll_flush(cx);
                match (Pin::new(tls).poll_read(cx, &mut into), flushed) {
                    (Poll::Pending, Poll::Ready(Err(error))) => Poll::Ready(Err(error)),
                    (read, _) => read,
                }
            }
        };
        result.map_ok(|()| into.filled().len())
    }

    /// See [`write`](Self::write).
    #[inline]
    pub(crate) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self {
            Self::Plain(raw) => raw.poll_write_at_once(cx, bytes),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => Pin::new(tls).poll_write(cx, bytes),
        }
    }

    /// See [`flush`](Self::flush).
    #[inline]
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Plain(raw) => Pin::new(raw).poll_flush(cx),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }
}

/// Reads what is decrypted, else what the socket has. Session tickets are nobody's business; data, alerts and the end are.
#[cfg(feature = "tls")]
fn read_records_now(
    socket: &socket2::Socket,
    session: &mut rustls::ClientConnection,
    buffer: &mut [u8],
) -> io::Result<Option<usize>> {
    loop {
        match session.reader().read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            other => return other.map(Some),
        }
        match none_if_waiting(session.read_tls(&mut &*socket))? {
            None => return Ok(None),
            Some(0) => return Ok(Some(0)),
            Some(_) => {
                session.process_new_packets().map_err(io::Error::other)?;
            }
        }
    }
}

fn none_if_waiting(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(count) => Ok(Some(count)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

impl Raw {
    /// Takes a TCP socket over: small commands leave at once, and a peer that vanished is noticed.
    pub(crate) fn tcp(socket: TcpStream) -> Self {
        let keepalive = TcpKeepalive::new()
            .with_time(KEEPALIVE_IDLE)
            .with_interval(KEEPALIVE_INTERVAL)
            .with_retries(KEEPALIVE_RETRIES);
        let options = SockRef::from(&socket);
        // A socket that refuses options is broken already; the first read says so better.
        let _unimportant = options.set_tcp_nodelay(true);
        let _unimportant = options.set_tcp_keepalive(&keepalive);
        #[cfg(target_os = "linux")]
        let _unimportant = options.set_tcp_user_timeout(Some(USER_TIMEOUT));
        Self::Tcp(socket)
    }

    fn socket(&self) -> SockRef<'_> {
        match self {
            Self::Tcp(socket) => SockRef::from(socket),
            #[cfg(unix)]
            Self::Unix(socket) => SockRef::from(socket),
        }
    }

    /// Writes, and asks the runtime only where there is no room. Whoever writes reads the answer, too: that is where tasks take turns.
    #[inline]
    fn poll_write_at_once(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match self {
            Self::Tcp(socket) => socket.try_write(bytes),
            #[cfg(unix)]
            Self::Unix(socket) => socket.try_write(bytes),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                Pin::new(self).poll_write(cx, bytes)
            }
            written => Poll::Ready(written),
        }
    }

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.socket()).read(buffer)
    }
}

impl AsyncRead for Raw {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(socket) => Pin::new(socket).poll_read(cx, buffer),
            #[cfg(unix)]
            Self::Unix(socket) => Pin::new(socket).poll_read(cx, buffer),
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
        let stream = Raw::tcp(TcpStream::connect(address).await.unwrap());
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
