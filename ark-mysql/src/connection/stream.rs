//! The byte stream below a session: a socket, with TLS around it or not. Static dispatch, no boxing on the way of a query.

use std::future::poll_fn;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::closed::Closed;
pub(crate) use super::raw::Raw;

/// A connected stream. Dropping it closes the socket at once, inside and outside of a runtime.
pub(crate) enum Stream {
    /// In clear.
    Plain(Raw),
    /// By TLS; boxed because the TLS state is a kilobyte and moves with the connection.
    #[cfg(feature = "tls")]
    Tls(Box<tokio_rustls::client::TlsStream<Raw>>),
}

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
            Self::Plain(raw) => none_if_waiting(raw.now().read(buffer)),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (raw, session) = tls.get_mut();
                read_records_now(raw, session, buffer)
            }
        }
    }

    /// Writes what fits without waiting. By TLS some of it may be left for [`flush_now`](Self::flush_now).
    pub(crate) fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(raw) => raw.now().write(bytes),
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
                    session.write_tls(&mut raw.now())?;
                }
                Ok(())
            }
        }
    }

    #[inline]
    fn raw(&self) -> &Raw {
        match self {
            Self::Plain(raw) => raw,
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_ref().0,
        }
    }

    /// See [`Raw::has_news`].
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.raw().has_news()
    }

    /// See [`Raw::listens`].
    #[inline]
    pub(crate) fn listens(&mut self, cx: &mut Context<'_>) -> bool {
        match self {
            Self::Plain(raw) => raw.listens(cx),
            #[cfg(feature = "tls")]
            Self::Tls(tls) => tls.get_mut().0.listens(cx),
        }
    }

    /// See [`Raw::is_driven`].
    #[inline]
    pub(crate) fn is_driven(&self) -> bool {
        self.raw().is_driven()
    }

    /// See [`Raw::undriven`].
    #[cold]
    pub(crate) fn undriven(&self) -> Closed {
        self.raw().undriven()
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
        let _gone_already = self.raw().socket().shutdown(std::net::Shutdown::Both);
    }

    /// Ends TLS without waiting, if there is any.
    pub(crate) fn say_goodbye(&mut self) {
        match self {
            Self::Plain(_) => {}
            #[cfg(feature = "tls")]
            Self::Tls(tls) => {
                let (raw, session) = tls.get_mut();
                session.send_close_notify();
                let _if_there_is_room = session.write_tls(&mut raw.now());
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
    raw: &Raw,
    session: &mut rustls::ClientConnection,
    buffer: &mut [u8],
) -> io::Result<Option<usize>> {
    loop {
        match session.reader().read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            other => return other.map(Some),
        }
        match none_if_waiting(session.read_tls(&mut raw.now()))? {
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
