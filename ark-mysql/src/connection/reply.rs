//! A reply on its way in: where its rows are, whether they need a plan, and what it came to.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use ark_mysql_proto::{Event, Summary};

use super::link::Link;
use super::local_infile;
use super::remembered;
use super::setup::Due;
use super::statements::Slot;
use crate::error::{Error, ErrorKind, Outcome};
use crate::value::ColumnSpec;

/// The reply to one statement.
///
/// Dropping it is safe at any time: the rest is read by the connection's next user.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(super) digest: u128,
    /// Where the command begins in the stream of sent bytes.
    pub(super) position: u64,
    pub(super) expected: Option<&'static [ColumnSpec]>,
    /// None: a text reply.
    pub(crate) slot: Option<Slot>,
    pub(super) columns: u16,
    pub(super) adapts: bool,
    pub(super) results: u32,
    pub(super) rows: u64,
    pub(super) over: bool,
    /// The server asked for a file in place of rows, and got an empty one.
    pub(super) refused_file: bool,
    pub(super) summary: Summary,
    /// The definitions of a text result whose columns nobody checked beforehand.
    pub(super) definitions: Vec<u8>,
}

impl Reply {
    /// To a statement that is not sent yet.
    #[inline]
    pub(crate) fn unsent() -> Self {
        Self::new(0, 0, None, None)
    }

    /// The statement was sent, for the first time or once more: nothing has come.
    #[inline]
    pub(super) fn begin(
        &mut self,
        digest: u128,
        position: u64,
        expected: Option<&'static [ColumnSpec]>,
        slot: Slot,
    ) {
        (self.digest, self.position) = (digest, position);
        (self.expected, self.slot) = (expected, Some(slot));
    }

    #[inline]
    pub(super) fn new(
        digest: u128,
        position: u64,
        expected: Option<&'static [ColumnSpec]>,
        slot: Option<Slot>,
    ) -> Self {
        let (summary, definitions) = (Summary::default(), Vec::new());
        Self {
            digest,
            position,
            expected,
            slot,
            columns: 0,
            adapts: false,
            results: 0,
            rows: 0,
            over: false,
            refused_file: false,
            summary,
            definitions,
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        self.summary
    }

    /// Which statement it is.
    pub(crate) fn digest(&self) -> u128 {
        self.digest
    }

    /// Whether its rows are text.
    pub(crate) fn is_text(&self) -> bool {
        self.slot.is_none()
    }

    /// Whether nothing of it is to come.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// How many rows came so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }
}

/// How the reply to a statement begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    /// With rows, or with what is in their place.
    Rows,
    /// The server does not know the handle any more: nothing was executed, and another PREPARE may help.
    Unknown,
    /// With another error of the server's.
    Failed,
    /// With the server's wish for the file that came with the statement.
    File,
}

/// The server does not know the handle (any more), or cannot execute it as it was prepared. Nothing was executed.
fn wants_another_prepare(code: u16) -> bool {
    matches!(code, 1243 | 1615)
}

#[cold]
fn nonsense(detail: &'static str) -> Error {
    Error::new(ErrorKind::Protocol, Outcome::Done, detail)
}

/// A reply without rows.
fn no_rows(reply: &mut Reply, summary: Summary) -> Result<Head, Error> {
    reply.note_end(summary);
    match reply.expected {
        _ if reply.refused_file => {
            Err(local_infile::not_given(Outcome::Done).in_statement(reply.digest))
        }
        Some([_, ..]) => {
            let detail = "the statement gave no rows at all".to_owned();
            Err(remembered::schema_changed(detail).in_statement(reply.digest))
        }
        _ => Ok(Head::Rows),
    }
}

impl Link {
    /// Moves to the next row of the first result; false when the whole reply is over.
    pub(crate) async fn next_row(&mut self, reply: &mut Reply) -> Result<bool, Error> {
        poll_fn(|context| self.poll_row(context, reply)).await
    }

    /// Moves to the next row of the first result if it is there as a whole. Otherwise nothing has happened.
    #[inline(always)] // one comparison each, on the way of every row
    pub(crate) fn take_row(&mut self, reply: &mut Reply) -> bool {
        let taken = self.is_among_rows(reply) && self.session.take_row();
        reply.rows += u64::from(taken);
        taken
    }

    #[inline]
    fn is_among_rows(&self, reply: &Reply) -> bool {
        reply.results == 0 && !reply.over && !self.is_closed()
    }

    /// The same for streams.
    #[inline]
    pub(crate) fn poll_row(
        &mut self,
        context: &mut Context<'_>,
        reply: &mut Reply,
    ) -> Poll<Result<bool, Error>> {
        if self.take_row(reply) {
            return Poll::Ready(Ok(true));
        }
        if self.is_among_rows(reply)
            && let Some(summary) = self.session.take_end()
        {
            return Poll::Ready(self.end_of_rows(reply, summary));
        }
        while !reply.over {
            let event =
                ready!(self.poll_event(context)).map_err(|error| self.blame(error, reply))?;
            match event {
                Event::Row if reply.results == 0 => {
                    reply.rows += 1;
                    return Poll::Ready(Ok(true));
                }
                Event::ResultSetEnd(summary) => {
                    reply.note_end(summary);
                    self.end_of_text(reply)?;
                }
                Event::Done(summary) => reply.note_end(summary),
                Event::Failed => return Poll::Ready(Err(self.refused(reply))),
                Event::LocalInfile => return Poll::Ready(Err(Self::not_given_later(reply))),
                // Rows of later results (CALL), and what comes before them: nobody asked for them.
                _ => {}
            }
        }
        Poll::Ready(Ok(false))
    }

    /// The whole reply is over, with nothing more to tell.
    fn end_of_rows(&mut self, reply: &mut Reply, summary: Summary) -> Result<bool, Error> {
        self.note_summary(summary)
            .map_err(|error| self.blame(error, reply))?;
        reply.note_end(summary);
        self.end_of_text(reply).map(|()| false)
    }

    /// The bytes of the present row, in the layout that was checked.
    #[inline]
    pub(crate) fn row(&mut self, reply: &Reply) -> Result<&[u8], Error> {
        match reply.adapts {
            false => Ok(self.session.payload()),
            true => self.adapted_row(reply),
        }
    }

    #[cold]
    fn adapted_row(&mut self, reply: &Reply) -> Result<&[u8], Error> {
        let Self {
            session,
            statements,
            scratch,
            ..
        } = self;
        let plan = reply
            .slot
            .and_then(|slot| statements.entry(slot))
            .and_then(|entry| entry.definitions.plan());
        let Some(plan) = plan else {
            return Err(nonsense("the definitions of these rows are gone"));
        };
        scratch.clear();
        plan.rewrite(session.payload(), scratch)
            .map_err(|error| Error::from_row(error, reply.expected, reply.rows))?;
        Ok(scratch)
    }

    /// Reads the head of the reply's first result, up to where rows begin. The columns are compared with the expected ones.
    ///
    /// `due`: how many replies are due once those in front of this one (the session settings) are over.
    #[inline]
    pub(super) fn poll_head(
        &mut self,
        context: &mut Context<'_>,
        reply: &mut Reply,
        due: usize,
    ) -> Poll<Result<Head, Error>> {
        if !self.is_closed() && self.session.is_silent() {
            ready!(self.poll_bytes(context)).map_err(|error| self.blame(error, reply))?;
        }
        while self.replies_due() > due {
            let event =
                ready!(self.poll_event(context)).map_err(|error| self.blame(error, reply))?;
            self.note_passed(&event);
        }
        loop {
            let event =
                ready!(self.poll_first(context)).map_err(|error| self.blame(error, reply))?;
            match event {
                Event::ResultSet {
                    columns,
                    definitions,
                } => {
                    reply.columns = columns;
                    if !definitions {
                        return Poll::Ready(self.at_rows(reply, false));
                    }
                }
                Event::ColumnDefinitions { .. } => return Poll::Ready(self.at_rows(reply, true)),
                Event::ResultSetEnd(summary) | Event::Done(summary) => {
                    return Poll::Ready(no_rows(reply, summary));
                }
                Event::Failed => return Poll::Ready(Ok(self.failed_head(reply))),
                Event::LocalInfile => reply.refused_file = true,
                Event::FileWanted => return Poll::Ready(Ok(Head::File)),
                _ => {}
            }
        }
    }

    /// Looks whether the rows that have just ended were all text in utf8mb4.
    #[inline]
    pub(super) fn end_of_text(&self, reply: &mut Reply) -> Result<(), Error> {
        match self.session.changes().foreign_charset() {
            true => Err(Self::doubtful_text(reply)),
            false => Ok(()),
        }
    }

    /// A routine that the statement called has changed the character set: MariaDB sends the rest of the same rows in it, and defines them as utf8mb4.
    #[cold]
    fn doubtful_text(reply: &mut Reply) -> Error {
        reply.over = true;
        let detail = "a routine that it called has left utf8mb4 while its rows were on their way";
        remembered::left_utf8(detail.to_owned()).in_statement(reply.digest)
    }

    #[inline]
    fn at_rows(&mut self, reply: &mut Reply, fresh: bool) -> Result<Head, Error> {
        let verified = self.verify(reply, fresh);
        match verified {
            Ok(()) => Ok(Head::Rows),
            Err(error) => Err(self.unfit_rows(error, reply)),
        }
    }

    #[cold]
    fn unfit_rows(&mut self, error: Error, reply: &Reply) -> Error {
        if error.kind() == ErrorKind::Decode && self.setup_due == Due::Nothing {
            self.setup_due = Due::Charset; // also where the server does not report what was set
        }
        self.distrust(&error);
        error.in_statement(reply.digest)
    }

    #[cold]
    fn failed_head(&mut self, reply: &Reply) -> Head {
        if reply.slot.is_some() && wants_another_prepare(self.session.server_error().code) {
            Head::Unknown
        } else {
            Head::Failed
        }
    }

    #[inline]
    fn verify(&mut self, reply: &mut Reply, fresh: bool) -> Result<(), Error> {
        let (Some(slot), Some(expected)) = (reply.slot, reply.expected) else {
            return self.verify_once(reply, fresh);
        };
        let Some(entry) = self.statements.entry(slot) else {
            return Err(nonsense("the definitions of these rows are gone"));
        };
        if entry.definitions.count() != reply.columns {
            return Err(nonsense(
                "a result's number of columns is not that of its definitions",
            ));
        }
        reply.adapts = entry.definitions.verify(expected)?;
        Ok(())
    }

    /// Text results are compared each time, and kept where there is nothing to compare them with.
    fn verify_once(&mut self, reply: &mut Reply, fresh: bool) -> Result<(), Error> {
        match (reply.slot, reply.expected) {
            (None, Some(expected)) if fresh => {
                remembered::fit(expected, self.session.payload()).map(drop)
            }
            (None, None) if fresh => {
                reply.definitions.extend_from_slice(self.session.payload());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The definitions of the first result's columns, as they came.
    pub(crate) fn column_definitions<'a>(&'a mut self, reply: &'a Reply) -> &'a [u8] {
        match reply.slot.and_then(|slot| self.statements.entry(slot)) {
            Some(entry) if reply.columns > 0 => entry.definitions.raw(),
            _ => &reply.definitions,
        }
    }

    /// An error of the link, seen from a statement: did anything of it leave?
    #[cold]
    pub(super) fn blame(&mut self, error: Error, reply: &mut Reply) -> Error {
        reply.over = true;
        let outcome = match error.kind() {
            ErrorKind::ConnectionLost | ErrorKind::Protocol if reply.results > 0 => {
                Outcome::Partial
            }
            _ => self.outcome_since(reply.position),
        };
        self.tx.note_lost(outcome);
        error.with_outcome(outcome).in_statement(reply.digest)
    }

    /// The server asked for a file in place of a later result.
    #[cold]
    pub(super) fn not_given_later(reply: &mut Reply) -> Error {
        reply.over = true;
        local_infile::not_given(Outcome::Partial).in_statement(reply.digest)
    }

    /// The server's error in place of the reply, or in the middle of it.
    #[cold]
    pub(crate) fn refused(&mut self, reply: &mut Reply) -> Error {
        reply.over = true;
        let outcome = if reply.results > 0 {
            Outcome::Partial
        } else {
            Outcome::Rejected
        };
        self.server_failure()
            .with_outcome(outcome)
            .in_statement(reply.digest)
    }
}

impl Reply {
    pub(super) fn note_end(&mut self, summary: Summary) {
        self.results += 1;
        self.summary = summary;
        self.over = !summary.status.more_results();
    }
}
