//! What a pool asks of a connection that it lends.

use std::sync::Arc;
use std::time::Duration;

use super::{Connection, Doom, Verdict};
use crate::error::Error;

impl Connection {
    /// Whether a next borrower could see what this one did.
    pub(crate) fn is_dirty(&mut self) -> bool {
        self.link.is_dirty()
    }

    /// Whether it can be lent as it is.
    #[inline]
    pub(crate) fn is_ready(&mut self) -> bool {
        !self.link.is_dirty() && !self.link.is_busy() && !self.is_new()
    }

    /// Whether nothing was sent on it since a pool has opened it.
    #[inline]
    pub(crate) fn is_new(&self) -> bool {
        self.link.facts.due
    }

    /// Whether replies are still to come that nobody waited for.
    pub(crate) fn is_busy(&self) -> bool {
        self.link.is_busy()
    }

    /// Looks without waiting whether the server hung up or talks out of turn.
    pub(crate) fn looks_alive(&mut self) -> bool {
        self.link.looks_alive()
    }

    /// The same of one that was used a moment ago, as far as the runtime has heard.
    #[inline]
    pub(crate) fn sounds_alive(&mut self) -> bool {
        self.link.sounds_alive()
    }

    /// By which a pool can end the connection while somebody has it.
    pub(crate) fn doom(&mut self) -> Arc<Doom> {
        Arc::clone(self.link.doom.get_or_insert_default())
    }

    /// Whether it has learned something that concerns its pool.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.link.verdict.is_some() || self.link.facts.wait_timeout.is_some()
    }

    pub(crate) fn take_verdict(&mut self) -> Option<Verdict> {
        self.link.verdict.take()
    }

    /// After how long without a statement the server closes it; told once.
    pub(crate) fn take_wait_timeout(&mut self) -> Option<Duration> {
        self.link.facts.wait_timeout.take()
    }

    pub(crate) async fn reset(&mut self) -> Result<(), Error> {
        self.link.reset().await
    }

    /// Sends the reset that is due, if that takes no waiting: what was locked here must not stay so until somebody borrows the connection.
    pub(crate) fn reset_at_once(&mut self) {
        self.link.reset_at_once();
    }

    pub(crate) async fn settle(&mut self) -> Result<(), Error> {
        self.link.settle().await
    }
}
