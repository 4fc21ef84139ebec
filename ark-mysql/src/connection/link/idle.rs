//! A connection of which nothing is asked: whether it is still one, and what the server said meanwhile.

use std::task::Context;

use super::Link;
use crate::connection::closed::Closed;
use crate::error::{Error, Outcome};

impl Link {
    /// Fails, and closes, when [`looks_alive`](Self::looks_alive) says no.
    pub(crate) fn see_alive(&mut self) -> Result<(), Error> {
        self.check_open()?;
        if self.looks_alive() {
            return Ok(());
        }
        let closed = match self.stream.is_driven() {
            true => Closed::EndOfStream,
            false => self.stream.undriven(),
        };
        self.close_because(closed);
        self.check_open()
    }

    /// Fails, and closes, where the runtime of the stream has ended: nothing is sent whose answer would never be heard.
    pub(crate) fn see_driven(&mut self) -> Result<(), Error> {
        if self.stream.is_driven() {
            return Ok(());
        }
        let undriven = self.stream.undriven();
        self.close_because(undriven);
        self.tx.note_lost(Outcome::NotSent); // the server undoes it
        self.check_open()
    }

    /// Whether nothing came that nobody asked for, as far as the runtime knows.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        self.session.buffered() == 0 && !self.stream.has_news()
    }

    /// The same, and the task is woken by what comes from now on.
    #[inline]
    pub(crate) fn listens(&mut self, context: &mut Context<'_>) -> bool {
        self.session.buffered() == 0 && self.stream.listens(context)
    }

    /// Reads, without waiting, what came while nothing was asked. It would be taken for the answer to what is asked next; it is the server's
    /// good-bye or nonsense, so the connection closes, and nothing was sent.
    #[cold]
    pub(crate) fn hear_out(&mut self) -> Result<(), Error> {
        let closed = match self.stream.try_read(self.session.read_buffer()) {
            Ok(None) if self.session.buffered() == 0 => return Ok(()),
            Ok(None) => self.unasked(),
            Ok(Some(0)) => Closed::EndOfStream,
            Ok(Some(count)) => {
                self.take(count);
                self.unasked()
            }
            Err(error) => Closed::because_of(error),
        };
        let error = closed.error();
        self.close_because(closed);
        self.tx.note_lost(Outcome::NotSent); // the server undoes it
        Err(error)
    }

    fn unasked(&mut self) -> Closed {
        match self.session.poll() {
            Err(error) => Closed::Protocol(error),
            Ok(_) => Closed::Unasked,
        }
    }

    /// Whether nothing that the runtime has heard of speaks against using it: no system call, unless it has heard something.
    #[inline]
    pub(crate) fn sounds_alive(&mut self) -> bool {
        let calm = self.closed.is_none() && !self.is_busy() && self.is_quiet();
        match calm {
            true => self.stream.is_driven(),
            false => self.looks_alive(),
        }
    }

    /// Looks at an idle connection without waiting: bytes that nobody asked for, or the end of the stream, make it unfit.
    pub(crate) fn looks_alive(&mut self) -> bool {
        if self.closed.is_some() {
            return false;
        }
        if self.is_busy() {
            return true;
        }
        self.stream.is_driven() && self.hear_out().is_ok()
    }
}
