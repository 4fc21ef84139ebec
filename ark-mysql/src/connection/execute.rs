//! Sending statements: prepared ones by their handle, others as text.

use std::time::Duration;

use ark_mysql_proto::Event;
use ark_mysql_proto::params::{EncodeError, ParamType, ParamWriter};

use super::link::{Expected, Link};
use super::reply::Reply;
use super::statements::{Slot, Text};
use crate::error::{Error, ErrorKind, Outcome};
use crate::value::{ColumnSpec, StatementKey};

/// What a statement is, to the connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) key: StatementKey,
    pub(crate) digest: u128,
    pub(crate) sql: &'a str,
    /// The same, where it was checked. None: it was made at run time; its digest is a mere hash, so the text is compared too.
    pub(crate) checked: Option<&'static str>,
    pub(crate) types: &'a [ParamType],
    /// What the columns were when the statement was checked; None: whatever comes.
    pub(crate) columns: Option<&'static [ColumnSpec]>,
    /// It may leave something behind in the session.
    pub(crate) dirties: bool,
    /// The server is to end it by itself after this time.
    pub(crate) limit: Option<Duration>,
}

impl Call<'_> {
    fn text(&self) -> Option<&str> {
        match self.checked {
            Some(_) => None,
            None => Some(self.sql),
        }
    }

    fn kept_text(&self) -> Text {
        match self.checked {
            Some(sql) => Text::Checked(sql),
            None => Text::AtRunTime(self.sql.into()),
        }
    }
}

/// The server does not know the handle (any more), or cannot execute it as it was prepared. Nothing was executed.
fn wants_another_prepare(code: u16) -> bool {
    matches!(code, 1243 | 1615)
}

impl Link {
    /// Sends a prepared statement and reads up to where its rows begin.
    ///
    /// `encode` may be called more than once: nothing has been sent then.
    pub(crate) async fn execute<F>(&mut self, call: &Call<'_>, encode: F) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        self.command_at = None;
        self.ready_within(call.limit)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.dirty |= call.dirties;
        self.tx.goes_on();
        let mut fresh = false;
        loop {
            let slot = match self.statements.find(&call.key, call.text()) {
                Some(slot) => slot,
                None => {
                    fresh = true;
                    self.prepare(call).await?
                }
            };
            let mut reply = self.send_execute(slot, call, &encode).await?;
            let first = self
                .own_reply()
                .await
                .map_err(|error| self.blame(error, &mut reply))?;
            if first == Event::Failed {
                if !fresh && wants_another_prepare(self.session.server_error().code) {
                    self.statements.close(slot);
                    self.ready_within(call.limit).await?;
                    continue;
                }
                return Err(self.refused(&mut reply));
            }
            return self
                .head(first, &mut reply)
                .await
                .map(|()| reply)
                .map_err(|error| error.in_statement(call.digest));
        }
    }

    /// Sends SQL text and reads up to where its rows begin.
    pub(crate) async fn send_text(&mut self, call: &Call<'_>) -> Result<Reply, Error> {
        self.command_at = None;
        self.ready_within(call.limit)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.dirty |= call.dirties;
        self.tx.goes_on();
        let mut position = 0;
        let queue = |link: &mut Self| {
            position = link.position();
            link.session.query(call.sql)
        };
        self.within_limit(queue)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        self.expect(Expected::Command);
        self.command_at = Some(position);
        let mut reply = Reply::new(call.digest, position, call.columns, None);
        let first = self
            .own_reply()
            .await
            .map_err(|error| self.blame(error, &mut reply))?;
        if first == Event::Failed {
            return Err(self.refused(&mut reply));
        }
        self.head(first, &mut reply)
            .await
            .map(|()| reply)
            .map_err(|error| error.in_statement(call.digest))
    }

    /// The first event of the command that was queued last: what was queued in front of it (the session settings) answers first.
    async fn own_reply(&mut self) -> Result<Event, Error> {
        while self.replies_due() > 1 {
            self.event().await?;
        }
        self.event().await
    }

    /// Prepares a statement; if the server has no room for one more (1461), the older half of ours goes first.
    async fn prepare(&mut self, call: &Call<'_>) -> Result<Slot, Error> {
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
            .within_limit(|link| link.session.prepare(call.sql))
            .await
        {
            self.statements.forget(slot);
            return Err(error.in_statement(call.digest));
        }
        self.expect(Expected::Prepare(slot));
        // Whatever happens to the PREPARE, the statement itself was not sent.
        let prepared = self.finish().await;
        prepared.map_err(|error| match error.kind() {
            ErrorKind::Server => error.in_statement(call.digest),
            _ => {
                self.tx.note_lost(Outcome::NotSent);
                error
                    .with_outcome(Outcome::NotSent)
                    .in_statement(call.digest)
            }
        })?;
        Ok(slot)
    }

    async fn send_execute<F>(
        &mut self,
        slot: Slot,
        call: &Call<'_>,
        encode: &F,
    ) -> Result<Reply, Error>
    where
        F: Fn(&mut ParamWriter<'_>) -> Result<(), EncodeError>,
    {
        let Some((id, params)) = self
            .statements
            .entry(slot)
            .and_then(|entry| Some((entry.id?, entry.params)))
        else {
            return Err(Error::new(
                ErrorKind::Protocol,
                Outcome::NotSent,
                "the statement was not prepared",
            ));
        };
        if usize::from(params) != call.types.len() {
            let detail = format!(
                "the statement has {params} placeholders, but {} values were given",
                call.types.len()
            );
            return Err(
                Error::new(ErrorKind::Encode, Outcome::NotSent, detail).in_statement(call.digest)
            );
        }
        let mut position = 0;
        let queue = |link: &mut Self| {
            position = link.position();
            let send_types = link
                .statements
                .entry(slot)
                .is_none_or(|entry| !entry.types_sent);
            link.session.execute(id, call.types, send_types, encode)
        };
        self.within_limit(queue)
            .await
            .map_err(|error| error.in_statement(call.digest))?;
        if let Some(entry) = self.statements.entry(slot) {
            entry.types_sent = true;
        }
        self.expect(Expected::Execute(slot));
        self.command_at = Some(position);
        Ok(Reply::new(call.digest, position, call.columns, Some(slot)))
    }
}
