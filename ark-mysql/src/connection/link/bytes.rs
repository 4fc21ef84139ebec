//! Moves bytes: events come out of those that come in, and what is said when no more do.

use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll, ready};

use ark_mysql_proto::{Event, ProtocolError};

use super::{Expected, Link};
use crate::connection::closed::Closed;
use crate::error::{Error, ErrorKind, Outcome};

impl Link {
    /// The next event of the replies that are expected.
    ///
    /// Cancelling loses nothing: the bytes are in the session.
    pub(crate) async fn event(&mut self) -> Result<Event, Error> {
        poll_fn(|context| self.poll_event(context)).await
    }

    #[inline]
    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Result<Event, Error>> {
        self.check_not_closed()?;
        loop {
            let polled = self.session.poll();
            if let Some(event) = ready!(self.poll_on(context, polled))? {
                return Poll::Ready(Ok(event));
            }
        }
    }

    /// The same where a statement's reply may begin: definitions that are known already are passed over.
    #[inline]
    pub(in crate::connection) fn poll_first(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<Event, Error>> {
        self.check_not_closed()?;
        loop {
            let polled = match self.expected.front() {
                Some(Expected::Execute(slot)) => match self.statements.entry(*slot) {
                    Some(entry) => {
                        let (known, count) = (entry.definitions.raw(), entry.definitions.count());
                        self.session.poll_knowing(known, count)
                    }
                    None => self.session.poll(),
                },
                _ => self.session.poll(),
            };
            if let Some(event) = ready!(self.poll_on(context, polled))? {
                return Poll::Ready(Ok(event));
            }
        }
    }

    /// Takes note of an event. If there is none, waits for bytes, and returns none.
    #[inline(always)] // its result would go through memory three times for each event
    fn poll_on(
        &mut self,
        context: &mut Context<'_>,
        polled: Result<Option<Event>, ProtocolError>,
    ) -> Poll<Result<Option<Event>, Error>> {
        match polled {
            Ok(Some(event @ (Event::Row | Event::ResultSet { .. }))) => {
                Poll::Ready(Ok(Some(event)))
            }
            Ok(Some(event)) => {
                self.note(&event)?;
                Poll::Ready(Ok(Some(event)))
            }
            Ok(None) => {
                if self.session.is_long() {
                    self.refuse_giant()?;
                }
                ready!(self.poll_bytes(context))?;
                Poll::Ready(Ok(None))
            }
            Err(error) => Poll::Ready(Err(self.broken(error))),
        }
    }

    #[cold]
    pub(super) fn broken(&mut self, error: ProtocolError) -> Error {
        self.close_because(Closed::Protocol(error.clone()));
        error.into()
    }

    /// Writes what can be written, and reads once. It reads also while it cannot write: a server whose replies nobody takes stops
    /// reading.
    pub(in crate::connection) fn poll_bytes(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        if let Poll::Ready(Err(error)) = self.poll_flush(context) {
            return Poll::Ready(self.read_last_words(error));
        }
        let read = self.stream.poll_read(context, self.session.read_buffer());
        if read.is_pending() && self.is_doomed_by(context) {
            return Poll::Ready(Err(self.lost(Closed::ByPool)));
        }
        match ready!(read) {
            Ok(0) => Poll::Ready(Err(self.lost(Closed::EndOfStream))),
            Ok(count) => {
                self.take(count);
                Poll::Ready(Ok(()))
            }
            Err(error) => Poll::Ready(Err(self.lost(Closed::because_of(error)))),
        }
    }

    /// Writes what can be written of the first command after [`listens`](Self::listens), in the same poll: nothing can have come for it, and what
    /// comes wakes the task.
    #[inline]
    pub(in crate::connection) fn poll_first_bytes(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<(), Error>> {
        match self.poll_flush(context) {
            Poll::Ready(Err(error)) => Poll::Ready(self.read_last_words(error)),
            _ if self.is_doomed_by(context) => Poll::Ready(Err(self.lost(Closed::ByPool))),
            _ => Poll::Pending,
        }
    }

    /// Whether its pool ends it; if not now, the task is woken when it does.
    #[inline]
    fn is_doomed_by(&self, context: &Context<'_>) -> bool {
        let doom = self.doom.as_ref();
        doom.is_some_and(|doom| doom.watch(context.waker()))
    }

    #[inline]
    pub(in crate::connection) fn poll_flush(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while !self.session.outgoing().is_empty() {
            let count = ready!(self.stream.poll_write(context, self.session.outgoing()))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.note_sent(count);
        }
        self.stream.poll_flush(context)
    }

    #[inline]
    pub(in crate::connection) fn note_sent(&mut self, count: usize) {
        self.session.sent(count);
        self.written += u64::try_from(count).unwrap_or(u64::MAX);
    }

    #[inline]
    pub(super) fn take(&mut self, count: usize) {
        self.session.received(count);
        self.received += u64::try_from(count).unwrap_or(u64::MAX);
    }

    /// A server that closes on purpose (packet too large, idle for too long) says why before it does; our write fails, but its
    /// words are in the receive buffer.
    fn read_last_words(&mut self, error: io::Error) -> Result<(), Error> {
        match self.stream.try_read(self.session.read_buffer()) {
            Ok(Some(count)) if count > 0 => {
                self.take(count);
                Ok(())
            }
            _ => Err(self.lost(Closed::because_of(error))),
        }
    }

    /// A command could not be sent because the stream broke.
    #[cold]
    pub(in crate::connection) fn unsent(&mut self, error: io::Error) -> Error {
        self.lost(Closed::because_of(error))
            .with_outcome(Outcome::NotSent)
    }

    #[cold]
    fn lost(&mut self, closed: Closed) -> Error {
        let error = Error::new(
            ErrorKind::ConnectionLost,
            Outcome::Unknown,
            closed.to_string(),
        )
        .with_advice("open another one; `outcome` tells whether the statement may have run");
        self.close_because(closed);
        error
    }
}
