//! Sending statements ahead of the replies to earlier ones.

use std::future::poll_fn;

use ark_mysql_proto::params::{EncodeError, ParamWriter};

use super::execute::{Call, Unsent};
use super::link::{Expected, Link};
use super::reply::{Head, Reply};
use crate::error::{Error, Outcome};

/// Whether a statement could be queued behind others.
pub(crate) enum Sent {
    Yes(Reply),
    /// Only when no reply is due: it has to be prepared, the server's limit for large ones to be asked for, or the character set to be set back.
    NotYet,
}

impl Link {
    /// Whether commands must not depend on earlier ones whose replies have not come.
    pub(crate) fn is_proxied(&self) -> bool {
        self.proxy
    }

    /// Queues the PREPARE of a statement that is not prepared; false if it is, or if that has to wait for its turn.
    pub(crate) fn prepare_ahead(&mut self, call: &Call<'_>) -> bool {
        if self.statements.find(&call.key, call.text()).is_some() {
            return false;
        }
        let slot = self.new_statement(call.key, call.kept_text());
        self.close_evicted();
        let queued = self.session.prepare(&call.sql.text()).is_ok();
        if queued {
            self.expect(Expected::Prepare(slot));
        } else {
            self.statements.forget(slot);
        }
        queued
    }

    /// Reads the replies to PREPAREs. Those that failed are prepared once more when they are sent, and fail then.
    ///
    /// # Errors
    /// The link broke. None of the statements was sent.
    pub(crate) async fn read_prepared(&mut self) -> Result<(), Error> {
        match self.finish().await {
            Err(error) if !error.is_refusal() => Err(error.with_outcome(Outcome::NotSent)),
            _ => Ok(()),
        }
    }

    /// Queues a statement, whatever replies are due.
    pub(crate) fn send_ahead<F>(&mut self, call: &Call<'_>, encode: &F) -> Result<Sent, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        self.check_open()
            .map_err(|error| error.in_statement(call.digest))?;
        if !self.is_set_up() {
            return Ok(Sent::NotYet); // text would be read in another character set
        }
        let alone = !self.is_busy();
        let Some(slot) = self.statements.find(&call.key, call.text()) else {
            return Ok(Sent::NotYet);
        };
        // Should one in front fail before the server takes its types, this one still has them.
        if let Some(entry) = self.statements.entry(slot) {
            entry.types_sent &= alone;
        }
        self.dirty |= call.dirties;
        self.tx.goes_on();
        match self.queue_execute(slot, call, encode) {
            Ok(reply) => Ok(Sent::Yes(reply)),
            Err(Unsent::TooLarge(_)) if !self.limit.asked => Ok(Sent::NotYet),
            Err(unsent) => Err(unsent.into_error().in_statement(call.digest)),
        }
    }

    /// Queues a statement when nothing is due but the driver's own replies; prepares it, if need be.
    pub(crate) async fn send_alone<F>(
        &mut self,
        call: &Call<'_>,
        encode: &F,
    ) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let read = self.read_prepared().await; // and not `settle`, which waits only for what others left, and not for long
        read.map_err(|error| error.in_statement(call.digest))?;
        let ready = self.ready_within(call.limit).await;
        ready.map_err(|error| error.in_statement(call.digest))?;
        self.dirty |= call.dirties;
        self.tx.goes_on();
        let slot = match self.statements.find(&call.key, call.text()) {
            Some(slot) => slot,
            None => self.prepare(call).await?,
        };
        self.send_execute(slot, call, encode).await
    }

    /// Reads to where the rows of a statement begin; `due`: see [`poll_head`](Self::poll_head).
    pub(crate) async fn head(&mut self, reply: &mut Reply, due: usize) -> Result<Head, Error> {
        poll_fn(|context| self.poll_head(context, reply, due)).await
    }
}
