//! A socket that can wait in its own `read`.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{RecvFlags, SendFlags, recv, send};

use super::turn::{is_running, may_wait_alone, wait_to_read, wait_to_write};

/// A connected socket whose calls wait unless they are told not to.
pub(crate) struct Blocking {
    socket: Arc<OwnedFd>,
    /// The last read left nothing behind, so the next one need not look before it waits.
    drained: bool,
    /// How long the operating system waits in a `read`; None: for ever.
    patience: Option<Duration>,
    /// When the last statement began.
    began: Option<Instant>,
}

/// A statement that follows this soon needs no look whether the server has gone meanwhile.
const SOON: Duration = Duration::from_millis(1);

impl Blocking {
    pub(crate) fn new(socket: impl Into<OwnedFd>) -> Self {
        Self {
            socket: Arc::new(socket.into()),
            drained: false,
            patience: None,
            began: None,
        }
    }

    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.socket
    }

    #[inline]
    pub(crate) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let read = match may_wait_alone(&self.socket) {
            Some(until) => self.read_until(until, buffer),
            None if self.drained => Err(io::ErrorKind::WouldBlock.into()),
            None => self.read_now(buffer),
        };
        match read {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.drained = false; // whatever wakes us, it is looked then
                wait_to_read(context, &self.socket);
                Poll::Pending
            }
            Ok(count) => {
                self.drained = count < buffer.len();
                Poll::Ready(Ok(count))
            }
            read => Poll::Ready(read),
        }
    }

    #[inline]
    pub(crate) fn poll_write(
        &mut self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.write_now(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                wait_to_write(context, &self.socket);
                Poll::Pending
            }
            written => Poll::Ready(written),
        }
    }

    /// Reads what there is, without waiting.
    pub(crate) fn read_now(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read(buffer, RecvFlags::DONTWAIT)
    }

    /// Writes what fits, without waiting.
    #[inline]
    pub(crate) fn write_now(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match send(&*self.socket, bytes, SendFlags::DONTWAIT | NO_SIGNAL) {
                Err(rustix::io::Errno::INTR) => {}
                sent => return Ok(sent?),
            }
        }
    }

    /// Whether a statement may be written at once: somebody will wait for its answer here, and the server was there just now.
    #[inline]
    pub(crate) fn listens(&mut self, context: &Context<'_>) -> bool {
        let now = Instant::now();
        let before = self.began.replace(now);
        let soon = before.is_some_and(|before| now.duration_since(before) < SOON);
        let listens = is_running() && (soon || !self.has_news());
        if listens {
            wait_to_read(context, &self.socket);
        }
        listens
    }

    /// Whether there is anything to read, the end and an error too.
    pub(crate) fn has_news(&self) -> bool {
        let looked = self.read(&mut [0], RecvFlags::DONTWAIT | RecvFlags::PEEK);
        !matches!(looked, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }

    /// Waits for something to read. A time may be missed by a 64th of what is left to it, and by a tick of the operating system.
    #[inline]
    fn read_until(&mut self, until: Option<Instant>, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(until) = until {
            self.be_patient(until.saturating_duration_since(Instant::now()))?;
        }
        self.read(buffer, RecvFlags::empty())
    }

    #[inline]
    fn read(&self, buffer: &mut [u8], flags: RecvFlags) -> io::Result<usize> {
        loop {
            match recv(&*self.socket, &mut *buffer, flags) {
                Err(rustix::io::Errno::INTR) => {}
                received => return Ok(received?.0),
            }
        }
    }

    /// Sets how long a `read` waits, unless what is set does: statements with the same deadline need that once.
    fn be_patient(&mut self, rest: Duration) -> io::Result<()> {
        let fits = |set: Duration| set <= rest + rest / 64 && set >= rest / 4;
        if !self.patience.is_some_and(fits) {
            let rest = rest.max(SHORTEST);
            set_socket_timeout(&*self.socket, Timeout::Recv, Some(rest))?;
            self.patience = Some(rest);
        }
        Ok(())
    }
}

/// Zero would be for ever.
const SHORTEST: Duration = Duration::from_micros(1);

/// A peer that has gone is an error, and no signal.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_SIGNAL: SendFlags = SendFlags::NOSIGNAL;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const NO_SIGNAL: SendFlags = SendFlags::empty(); // the standard library ignores the signal
