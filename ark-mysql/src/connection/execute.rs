//! Sending statements: prepared ones by their handle, others as text.

use std::borrow::Cow;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ark_mysql_proto::CommandError;
use ark_mysql_proto::params::{EncodeError, ParamType, ParamWriter};

use super::link::{Expected, Link};
use super::reply::{Head, Reply};
use super::statements::{Slot, Text};
use crate::error::{Error, ErrorKind, Outcome};
use crate::value::{ColumnSpec, StatementKey, WithLists};

/// What a statement is, to the connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) key: StatementKey,
    pub(crate) digest: u128,
    pub(crate) sql: Sql<'a>,
    pub(crate) types: &'a [ParamType],
    /// What the columns were when the statement was checked; None: whatever comes.
    pub(crate) columns: Option<&'static [ColumnSpec]>,
    /// It may leave something behind in the session.
    pub(crate) dirties: bool,
    /// The server is to end it by itself after this time.
    pub(crate) limit: Option<Duration>,
}

/// The SQL of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sql<'a> {
    /// Checked: its key is a digest of it.
    Checked(&'static str),
    /// Made at run time: its key is a mere hash, so the text is compared too.
    AtRunTime(&'a str),
    /// Checked, with lists whose lengths are part of the key: written out only where somebody needs to read it.
    WithLists(&'a WithLists<'a>),
}

impl Sql<'_> {
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Checked(sql) => Cow::Borrowed(sql),
            Self::AtRunTime(sql) => Cow::Borrowed(sql),
            Self::WithLists(sql) => Cow::Owned(sql.text()),
        }
    }
}

impl Call<'_> {
    /// What has to be compared beside the key.
    #[inline]
    pub(super) fn text(&self) -> Option<&str> {
        match self.sql {
            Sql::AtRunTime(sql) => Some(sql),
            Sql::Checked(_) | Sql::WithLists(_) => None,
        }
    }

    pub(super) fn kept_text(&self) -> Text {
        match self.sql {
            Sql::Checked(sql) => Text::Checked(sql),
            Sql::AtRunTime(sql) => Text::AtRunTime(sql.into()),
            Sql::WithLists(sql) => Text::WithLists(sql.text().into()),
        }
    }
}

impl Link {
    /// Sends a prepared statement and reads up to where its rows begin.
    ///
    /// `encode` may be called more than once: nothing has been sent then.
    pub(crate) async fn execute<F>(&mut self, call: &Call<'_>, encode: F) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let mut reply = Reply::unsent();
        self.execute_into(&mut reply, call, encode).await?;
        Ok(reply)
    }

    /// The same into a reply that stays where it is: on the way of every query it would be moved five times.
    #[inline]
    pub(crate) async fn execute_into<F>(
        &mut self,
        reply: &mut Reply,
        call: &Call<'_>,
        encode: F,
    ) -> Result<(), Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        self.command_at = None;
        let mut sent = false;
        let head = poll_fn(|context| {
            if !sent {
                if !self.send_at_once(context, reply, call, &encode)? {
                    return Poll::Ready(Ok(None));
                }
                sent = true;
                let written = ready!(self.poll_first_bytes(context));
                written.map_err(|error| self.blame(error, reply))?;
            }
            self.poll_head(context, reply, 1).map_ok(Some)
        });
        match head.await? {
            Some(Head::Rows) => return Ok(()),
            Some(Head::Unknown) => self.forget(reply.slot),
            Some(Head::Failed | Head::File) => return Err(self.refused(reply)),
            None => {}
        }
        // Boxed: it is rare, and would make the future of every statement large.
        *reply = Box::pin(self.execute_slowly(call, &encode)).await?;
        Ok(())
    }

    /// Sends a statement if it is prepared and nothing stands in its way.
    #[inline]
    fn send_at_once<F>(
        &mut self,
        context: &mut Context<'_>,
        reply: &mut Reply,
        call: &Call<'_>,
        encode: &F,
    ) -> Result<bool, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        if !self.is_ready(context, call.limit) {
            return Ok(false);
        }
        let Some(slot) = self.statements.find(&call.key, call.text()) else {
            return Ok(false);
        };
        self.dirty |= call.dirties;
        self.tx.goes_on();
        match self.queue(slot, call, encode) {
            Ok(position) => {
                reply.begin(call.digest, position, call.columns, slot);
                Ok(true)
            }
            Err(Unsent::TooLarge(_)) if !self.limit.asked => Ok(false),
            Err(unsent) => Err(unsent.into_error().in_statement(call.digest)),
        }
    }

    async fn execute_slowly<F>(&mut self, call: &Call<'_>, encode: &F) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let mut fresh = false;
        loop {
            let slot = self.prepared(call, &mut fresh).await?;
            let mut reply = self.send_execute(slot, call, encode).await?;
            let head = poll_fn(|context| self.poll_head(context, &mut reply, 1)).await?;
            if self.is_answered(head, &mut reply, fresh)? {
                return Ok(reply);
            }
        }
    }

    /// The handle of a statement that is about to be sent; `fresh`: it was prepared for it.
    pub(super) async fn prepared(
        &mut self,
        call: &Call<'_>,
        fresh: &mut bool,
    ) -> Result<Slot, Error> {
        self.ready_within(call.limit)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.dirty |= call.dirties;
        self.tx.goes_on();
        if let Some(slot) = self.statements.find(&call.key, call.text()) {
            return Ok(slot);
        }
        *fresh = true;
        self.prepare(call).await
    }

    /// Whether its rows come; false: the server has lost the handle, and nothing was done. It is prepared again once.
    pub(super) fn is_answered(
        &mut self,
        head: Head,
        reply: &mut Reply,
        fresh: bool,
    ) -> Result<bool, Error> {
        match head {
            Head::Rows => Ok(true),
            Head::Unknown if !fresh => {
                self.forget(reply.slot);
                Ok(false)
            }
            Head::Unknown | Head::Failed | Head::File => Err(self.refused(reply)),
        }
    }

    /// The server does not know the statement any more.
    #[cold]
    pub(crate) fn forget(&mut self, slot: Option<Slot>) {
        if let Some(slot) = slot {
            self.statements.close(slot);
        }
    }

    /// Sends SQL text and reads up to where its rows begin.
    pub(crate) async fn send_text(&mut self, call: &Call<'_>) -> Result<Reply, Error> {
        let mut reply = self.queue_text(call, false).await?;
        match poll_fn(|context| self.poll_head(context, &mut reply, 1)).await? {
            Head::Rows => Ok(reply),
            Head::Unknown | Head::Failed | Head::File => Err(self.refused(&mut reply)),
        }
    }

    /// Queues SQL text. `file`: it comes with a file, if the server asks for one.
    pub(super) async fn queue_text(&mut self, call: &Call<'_>, file: bool) -> Result<Reply, Error> {
        self.command_at = None;
        self.ready_within(call.limit)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.dirty |= call.dirties;
        self.tx.goes_on();
        let mut position = 0;
        let queue = |link: &mut Self| {
            position = link.position();
            let sql = call.sql.text();
            match file {
                true => link.session.query_with_file(&sql),
                false => link.session.query(&sql),
            }
        };
        self.within_limit(queue)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.expect(Expected::Command);
        self.command_at = Some(position);
        Ok(Reply::new(call.digest, position, call.columns, None))
    }

    /// Prepares a statement; if the server has no room for one more (1461), the older half of ours goes first.
    pub(super) async fn prepare(&mut self, call: &Call<'_>) -> Result<Slot, Error> {
        match self.prepare_once(call).await {
            Err(error) if error.server().is_some_and(|server| server.code == 1461) => {
                self.shrink_statements();
                self.ready_within(call.limit).await?;
                self.prepare_once(call).await
            }
            result => result,
        }
    }

    async fn prepare_once(&mut self, call: &Call<'_>) -> Result<Slot, Error> {
        let slot = self.new_statement(call.key, call.kept_text());
        self.close_evicted();
        if let Err(error) = self
            .within_limit(|link| link.session.prepare(&call.sql.text()))
            .await
        {
            self.statements.forget(slot);
            return Err(error.in_statement(call.digest));
        }
        self.expect(Expected::Prepare(slot));
        // Whatever happens to the PREPARE, the statement itself was not sent.
        let prepared = self.finish().await;
        prepared.map_err(|error| match error.is_refusal() {
            true => error.in_statement(call.digest),
            false => {
                self.tx.note_lost(Outcome::NotSent);
                error
                    .with_outcome(Outcome::NotSent)
                    .in_statement(call.digest)
            }
        })?;
        Ok(slot)
    }

    pub(super) async fn send_execute<F>(
        &mut self,
        slot: Slot,
        call: &Call<'_>,
        encode: &F,
    ) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let unsent = match self.queue_execute(slot, call, encode) {
            Ok(reply) => return Ok(reply),
            Err(unsent) => unsent,
        };
        if matches!(unsent, Unsent::TooLarge(_)) && !self.limit.asked {
            self.ask_limit().await?;
            return self
                .queue_execute(slot, call, encode)
                .map_err(|unsent| unsent.into_error().in_statement(call.digest));
        }
        Err(unsent.into_error().in_statement(call.digest))
    }

    /// Queues a prepared statement, and its reply.
    pub(super) fn queue_execute<F>(
        &mut self,
        slot: Slot,
        call: &Call<'_>,
        encode: &F,
    ) -> Result<Reply, Unsent>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let position = self.queue(slot, call, encode)?;
        Ok(Reply::new(call.digest, position, call.columns, Some(slot)))
    }

    /// The same; returns where the command begins.
    #[inline]
    fn queue<F>(&mut self, slot: Slot, call: &Call<'_>, encode: &F) -> Result<u64, Unsent>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let position = self.position();
        let Some(entry) = self.statements.entry(slot) else {
            return Err(Unsent::Unprepared);
        };
        let Some(id) = entry.id else {
            return Err(Unsent::Unprepared);
        };
        let (wanted, given) = (entry.params, call.types.len());
        if usize::from(wanted) != given {
            return Err(Unsent::Values { wanted, given });
        }
        self.session
            .execute(id, call.types, !entry.types_sent, encode)?;
        entry.types_sent = true;
        self.expect(Expected::Execute(slot));
        self.command_at = Some(position);
        Ok(position)
    }
}

/// Why a statement was not queued.
pub(super) enum Unsent {
    TooLarge(CommandError),
    Refused(CommandError),
    Unprepared,
    Values { wanted: u16, given: usize },
}

impl From<CommandError> for Unsent {
    #[cold]
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::TooLarge { .. } => Self::TooLarge(error),
            _ => Self::Refused(error),
        }
    }
}

impl Unsent {
    #[cold]
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::TooLarge(error) | Self::Refused(error) => error.into(),
            Self::Unprepared => Error::new(
                ErrorKind::Protocol,
                Outcome::NotSent,
                "the statement was not prepared",
            ),
            Self::Values { wanted, given } => {
                let s = if wanted == 1 { "" } else { "s" };
                let were = if given == 1 { " was" } else { "s were" };
                Error::new(
                    ErrorKind::Encode,
                    Outcome::NotSent,
                    format!(
                        "the statement has {wanted} placeholder{s}, but {given} value{were} given"
                    ),
                )
            }
        }
    }
}
