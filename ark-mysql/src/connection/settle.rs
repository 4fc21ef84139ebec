//! What must be over before a command may be sent: replies that nobody waited for, a transaction that was dropped, a doubt.
//!
//! Every step is bounded in time, and may be cancelled: the next user goes on where it stopped.

use std::future::poll_fn;
use std::time::Duration;

use ark_mysql_proto::{Event, Summary};

use super::closed::Closed;
use super::expire::{KILL_TIME, KILLED_BYTES};
use super::link::{Expected, Link};
use super::setup::Due;
use super::tx::Rollback;
use crate::error::{Error, ErrorKind, Outcome};
use crate::time::timeout;

/// What is read of a reply that nobody waits for any more: about as much as a new connection costs.
pub(super) const DRAIN_BYTES: u64 = 64 * 1024;
/// How long is waited for it.
pub(super) const DRAIN_TIME: Duration = Duration::from_millis(50);
/// How many statements a reset prepares again: each costs the server some ten microseconds, and a round trip less later.
const HOT: usize = 16;
/// How long the driver's own commands may take: a server that does not answer them is gone.
pub(crate) const INTERNAL_TIME: Duration = Duration::from_secs(5);

pub(super) const NO_SUCH_SAVEPOINT: u16 = 1305;

impl Link {
    /// Brings the session to where a new command may be queued, and queues what goes in front of it.
    pub(crate) async fn ready(&mut self) -> Result<(), Error> {
        self.ready_within(None).await
    }

    /// The same for a statement that the server is to end by itself after some time.
    pub(crate) async fn ready_within(&mut self, limit: Option<Duration>) -> Result<(), Error> {
        self.settle().await?;
        self.see_driven()?;
        self.close_evicted();
        self.note_changes();
        if self.setup_due != Due::Nothing {
            self.set_up().await?;
        }
        if self.facts.due {
            self.ask_facts().await?;
        }
        self.limit_server(limit)
    }

    /// Ends whatever earlier users left unfinished.
    ///
    /// # Errors
    /// The connection is closed, or has just been closed because of what they left.
    #[inline]
    pub(crate) async fn settle(&mut self) -> Result<(), Error> {
        self.check_open()?;
        if !self.is_busy() && !self.is_quiet() {
            self.hear_out()?;
        }
        if !self.is_busy() && self.tx.is_settled() {
            return Ok(());
        }
        self.settle_slowly()
            .await
            .map_err(|error| error.with_outcome(Outcome::NotSent))
    }

    #[cold]
    async fn settle_slowly(&mut self) -> Result<(), Error> {
        if self.is_busy() {
            self.drain().await?;
        }
        if self.is_busy() {
            self.confirm_tidying("ROLLBACK").await?; // sent by whoever dropped the transaction
        }
        if self.tx.is_doubtful() {
            self.ping().await?;
        }
        match self.tx.take_rollback() {
            Some(rollback) => self.roll_back(rollback).await,
            None => Ok(()),
        }
    }

    /// Reads the replies that nobody waits for, as far as that is worth the while. Those to a ROLLBACK or a reset that were sent behind them are left to be
    /// confirmed: they have the time of the driver's own commands.
    async fn drain(&mut self) -> Result<(), Error> {
        let limit = self.received + DRAIN_BYTES;
        match timeout(DRAIN_TIME, self.drain_to(limit)).await {
            Ok(Ok(true)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Ok(Ok(false)) | Err(_) => {}
        }
        let kills = self
            .options
            .as_ref()
            .is_some_and(|options| options.kill_abandoned);
        if kills && Box::pin(self.drain_killed()).await {
            return Ok(());
        }
        self.close_because(Closed::Abandoned);
        Err(Closed::Abandoned.error())
    }

    /// Ends what nobody waits for from another connection, and reads what is left of it.
    async fn drain_killed(&mut self) -> bool {
        if !self.kill_query().await {
            return false;
        }
        let limit = self.received + KILLED_BYTES;
        let drained = timeout(KILL_TIME, self.drain_to(limit)).await;
        matches!(drained, Ok(Ok(true)))
    }

    async fn drain_to(&mut self, limit: u64) -> Result<bool, Error> {
        while self.is_busy() && !self.is_tidying() {
            if self.session.wants_file() {
                return Ok(false); // whoever had it is gone; the server undoes what it has loaded when we close
            }
            self.event().await?;
            if self.received > limit && self.is_busy() && !self.is_tidying() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn roll_back(&mut self, rollback: Rollback) -> Result<(), Error> {
        match rollback {
            Rollback::All => self.session.query("ROLLBACK")?,
            Rollback::To(depth) => self
                .session
                .query(&format!("ROLLBACK TO SAVEPOINT ark_{depth}"))?,
        }
        self.expect(Expected::Rollback);
        self.confirm_tidying("ROLLBACK").await
    }

    pub(super) fn close_evicted(&mut self) {
        while let Some(id) = self.statements.next_evicted() {
            self.session.close_statement(id);
        }
    }

    /// Makes the session as good as new, whatever was done to it. Nothing else is sent before the server has confirmed that.
    pub(crate) async fn reset(&mut self) -> Result<(), Error> {
        self.check_open()?;
        if self.is_busy() {
            self.drain().await?;
        }
        if !self.resetting {
            self.begin_reset().await?;
        }
        self.confirm_reset().await?;
        self.resetting = false;
        self.session.forget_tracked();
        self.tx.closed();
        self.moved = false;
        self.dirty = false;
        Ok(())
    }

    async fn begin_reset(&mut self) -> Result<(), Error> {
        if self.is_busy() {
            self.confirm_tidying("ROLLBACK").await?;
        }
        self.note_changes();
        if !self.is_resettable() {
            let closed = match self.stranger {
                true => Closed::Stranger,
                false => Closed::Moved,
            };
            self.close_because(closed.clone());
            return Err(closed.error());
        }
        self.queue_reset()
    }

    /// Whether a reset makes it as good as new: it takes neither another user away nor a default database where there was none.
    pub(super) fn is_resettable(&self) -> bool {
        !(self.stranger || self.moved && self.home.is_none())
    }

    /// Queues a reset, and behind it what makes the session ours.
    pub(super) fn queue_reset(&mut self) -> Result<(), Error> {
        self.resetting = true;
        self.session.reset_connection();
        self.expect(Expected::Reset);
        let hot = self.statements.clear_but(if self.proxy { 0 } else { HOT });
        if let Some(home) = &self.home {
            self.session.init_db(home)?; // a reset leaves the default database as it is
            self.expect(Expected::Setup);
        }
        self.queue_setup()?;
        self.queue_role()?;
        for (key, text) in hot {
            // A PREPARE runs nothing, so it may stand behind a reset that was not confirmed yet.
            self.session.prepare(text.sql())?;
            let slot = self.new_statement(key, text);
            self.expect(Expected::Prepare(slot));
        }
        Ok(())
    }

    /// A statement that can be prepared no more is none of the reset's failures: whoever uses it is told.
    async fn confirm_reset(&mut self) -> Result<(), Error> {
        match self.confirm_tidying("a session reset").await {
            Err(error) if error.is_refusal() && !self.is_closed() => Ok(()),
            result => result.map(drop),
        }
    }

    pub(super) async fn ping(&mut self) -> Result<(), Error> {
        self.session.ping();
        self.expect(Expected::Command);
        self.confirm("a ping").await.map(drop)
    }

    /// Runs one statement of the driver's own, as text.
    pub(super) async fn command(&mut self, sql: &str) -> Result<Summary, Error> {
        let position = self.position();
        self.session.query(sql)?;
        self.expect(Expected::Command);
        self.command_at = Some(position);
        self.finish()
            .await
            .map_err(|error| match error.is_refusal() {
                true => error,
                false => error.with_outcome(self.outcome_since(position)),
            })
    }

    /// Starts a transaction; what sets its isolation level travels in front, in the same write.
    pub(super) async fn start_transaction(
        &mut self,
        isolation: Option<&str>,
        start: &str,
    ) -> Result<(), Error> {
        if let Some(isolation) = isolation {
            self.session.query(isolation)?;
            self.expect(Expected::Command);
            if self.proxy {
                self.finish().await?;
            }
        }
        self.command(start).await.inspect_err(|_| {
            self.dirty |= isolation.is_some(); // it holds for the next transaction, whose ever that is
        })?;
        Ok(())
    }

    /// Says goodbye, if the line is free and the server listens.
    pub(super) async fn quit(&mut self) {
        if self.settle().await.is_ok() {
            self.session.quit();
            let flushed = poll_fn(|context| self.poll_flush(context));
            let _either_way = timeout(INTERNAL_TIME, flushed).await;
        }
        self.close_with_value();
    }

    /// Waits for the replies to what was sent when somebody left. Whoever waits first has the time of the driver's own commands; if they go away in the
    /// middle, the next one has that of a drain: a server that is silent must not be met again and again.
    async fn confirm_tidying(&mut self, what: &'static str) -> Result<(), Error> {
        let time = match std::mem::replace(&mut self.awaited, true) {
            true => DRAIN_TIME,
            false => INTERNAL_TIME,
        };
        let confirmed = self.confirm_within(time, what).await;
        self.awaited = false;
        match confirmed {
            // The savepoint was released already, by a commit that was dropped.
            Err(error)
                if error
                    .server()
                    .is_some_and(|server| server.code == NO_SUCH_SAVEPOINT) =>
            {
                Ok(())
            }
            result => result.map(drop),
        }
    }

    /// Waits for all replies, within the time for the driver's own commands.
    pub(super) async fn confirm(&mut self, what: &'static str) -> Result<Summary, Error> {
        self.confirm_within(INTERNAL_TIME, what).await
    }

    async fn confirm_within(
        &mut self,
        time: Duration,
        what: &'static str,
    ) -> Result<Summary, Error> {
        match timeout(time, self.finish()).await {
            Ok(result) => result,
            Err(_) => {
                self.close_because(Closed::Silent(what));
                Err(Error::new(
                    ErrorKind::Timeout,
                    Outcome::Unknown,
                    format!("the server did not answer {what} within {time:?}"),
                )
                .with_advice("the connection was closed"))
            }
        }
    }

    /// Waits for all replies; the last one counts, and any error.
    pub(super) async fn finish(&mut self) -> Result<Summary, Error> {
        let mut summary = Summary::default();
        let mut failed = None;
        while self.is_busy() {
            if self.is_own_next() {
                let event = self.event().await?;
                self.note_passed(&event);
                continue;
            }
            match self.event().await? {
                Event::Done(end) | Event::ResultSetEnd(end) => summary = end,
                Event::Failed => failed = Some(self.server_failure()),
                _ => {}
            }
        }
        failed.map_or(Ok(summary), Err)
    }
}
