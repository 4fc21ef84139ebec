//! The grammar of replies: which packet may come next, and what it means. Nobody else knows it.

mod head;

use std::collections::VecDeque;
use std::mem;

use super::stage::{Expected, Format, Stage, Then};
use super::{Changes, Event, Tracked};
use crate::packet::{eof, err, ok};
use crate::row::BegunRow;
use crate::wire::{Goodbye, Inbox, Outbox, Run};
use crate::{Capabilities, ProtocolError, ServerError, Status, Summary};

/// The replies that are still expected, in order, and how far the first of them has come.
pub(super) struct Replies {
    stage: Stage,
    queue: VecDeque<Awaited>,
    capabilities: Capabilities,
    status: Status,
    changes: Changes,
    tracked: Tracked,
    error: Option<ServerError>,
    failure: Option<ProtocolError>,
}

/// What the last packet behind nearly all rows says, where nothing was changed, nothing follows and there is nothing to tell.
#[inline]
fn plain_end(payload: &[u8]) -> Option<Summary> {
    let [0xfe, 0, 0, first, second, low, high] = *payload else {
        return None;
    };
    let status = Status::from_bits(u16::from_le_bytes([first, second]));
    (!status.more_results()).then(|| Summary {
        status,
        warnings: u16::from_le_bytes([low, high]),
        ..Summary::default()
    })
}

#[derive(Clone, Copy)]
struct Awaited {
    expected: Expected,
    /// The sequence number of its first packet: the one after the command's last.
    sequence: u8,
    /// A file may be asked for, once.
    file: bool,
}

type Polled = Result<Option<Event>, ProtocolError>;

impl Replies {
    pub(super) fn new(
        capabilities: Capabilities,
        status: Status,
        changes: Changes,
        tracked: Tracked,
    ) -> Self {
        Self {
            stage: Stage::Idle,
            queue: VecDeque::with_capacity(4),
            capabilities,
            status,
            changes,
            tracked,
            error: None,
            failure: None,
        }
    }

    /// Of a session that was taken away: nothing can be expected any more.
    pub(super) fn given_up(capabilities: Capabilities) -> Self {
        Self {
            stage: Stage::Broken,
            failure: Some(ProtocolError::Unsolicited),
            ..Self::new(
                capabilities,
                Status::default(),
                Changes::default(),
                Tracked::default(),
            )
        }
    }

    /// Expects one reply more, its first packet with this sequence number.
    #[inline]
    pub(super) fn push(&mut self, expected: Expected, sequence: u8, inbox: &mut Inbox) {
        self.queue.push_back(Awaited {
            expected,
            sequence,
            file: false,
        });
        if let Stage::Idle = self.stage {
            inbox.relax();
            self.next_reply(inbox);
        }
    }

    /// Returns the next event. A row that is there as a whole takes the short way: no copy, no allocation, a handful of branches.
    #[inline]
    pub(super) fn poll(&mut self, inbox: &mut Inbox, outbox: &mut Outbox) -> Polled {
        if let Stage::Rows(format) = self.stage {
            match inbox.take() {
                Ok(true) if format.is_row(inbox.payload()) => return Ok(Some(Event::Row)),
                Ok(true) => return self.rows_ended(inbox).map_err(|error| self.fail(error)),
                Ok(false) => return Ok(None),
                Err(error) => return Err(self.fail(error)),
            }
        }
        self.step(inbox, outbox).map_err(|error| self.fail(error))
    }

    /// The same where a binary result may begin whose `count` definitions, headers included, are `known`: they are passed over in
    /// one comparison, with the head in front of them, and reported as left out.
    #[inline]
    pub(super) fn poll_knowing(
        &mut self,
        known: &[u8],
        count: u16,
        inbox: &mut Inbox,
        outbox: &mut Outbox,
    ) -> Polled {
        if let Stage::Head(expected) = self.stage {
            if inbox.is_starved() {
                return Ok(None);
            }
            if expected == Expected::BinaryResult && self.take_known(known, count, inbox) {
                return Ok(Some(Event::ResultSet {
                    columns: count,
                    definitions: false,
                }));
            }
        }
        self.poll(inbox, outbox)
    }

    #[inline]
    fn take_known(&mut self, known: &[u8], count: u16, inbox: &mut Inbox) -> bool {
        let Ok(short @ 1..=250) = u8::try_from(count) else {
            return false; // in the head it is no single byte
        };
        if self
            .capabilities
            .contains(Capabilities::MARIADB_CACHE_METADATA)
            || !inbox.take_known(known, short)
        {
            return false;
        }
        self.stage = self.after_columns(Then::Rows(Format::Binary));
        true
    }

    /// Moves to the next row if it is there as a whole. Otherwise nothing has happened, and [`poll`](Self::poll) says what there is.
    #[inline]
    pub(super) fn take_row(&mut self, inbox: &mut Inbox) -> bool {
        let Stage::Rows(format) = self.stage else {
            return false;
        };
        inbox.take_if(|payload| format.is_row(payload))
    }

    /// Ends the reply at the end of its rows, if that is there as a whole, the last one, and tells nothing but the status. Otherwise nothing has happened.
    #[inline]
    pub(super) fn take_end(&mut self, inbox: &mut Inbox) -> Option<Summary> {
        if !matches!(self.stage, Stage::Rows(_)) || !self.deprecate_eof() {
            return None;
        }
        let mut end = None;
        inbox.take_if(|payload| {
            end = plain_end(payload);
            end.is_some()
        });
        let summary = end?;
        self.status = summary.status;
        self.reply_over(inbox);
        Some(summary)
    }

    /// Whether a reply is to begin, and nothing of it is there.
    #[inline]
    pub(super) fn is_silent(&self, inbox: &mut Inbox) -> bool {
        matches!(self.stage, Stage::Head(_)) && inbox.is_starved()
    }

    /// Makes an error final.
    #[cold]
    fn fail(&mut self, error: ProtocolError) -> ProtocolError {
        if self.failure.is_none() {
            self.failure = Some(error.clone());
            self.stage = Stage::Broken;
        }
        error
    }

    fn step(&mut self, inbox: &mut Inbox, outbox: &mut Outbox) -> Polled {
        match self.stage {
            Stage::Idle => self.unsolicited(inbox),
            Stage::Head(expected) => self.head(expected, inbox, outbox),
            Stage::File => self.unsolicited(inbox),
            Stage::AfterInfile => self.head(Expected::Ok, inbox, outbox),
            Stage::ParamDefinitions { params, columns } => {
                self.param_definitions(params, columns, inbox)
            }
            Stage::ParamEnd { columns } => {
                self.end_of_definitions(inbox, outbox, Self::before_columns(columns))
            }
            Stage::ColumnDefinitions { columns, then } => {
                self.column_definitions(columns, then, inbox)
            }
            Stage::ColumnEnd { then } => self.end_of_definitions(inbox, outbox, then.stage()),
            Stage::PreparedEnd => {
                self.reply_over(inbox);
                Ok(Some(Event::PreparedEnd))
            }
            Stage::Rows(_) => self.poll(inbox, outbox),
            Stage::Broken => Err(self.failure.clone().unwrap_or(ProtocolError::Unsolicited)),
        }
    }

    /// A packet while nothing is expected: the server's good-bye, or nonsense.
    fn unsolicited(&mut self, inbox: &mut Inbox) -> Polled {
        match inbox.unread() {
            0 => Ok(None),
            1.. => self.goodbye(inbox, ProtocolError::Unsolicited),
        }
    }

    /// Looks whether the packet that does not fit is the server's last word; if not, `otherwise` is the error.
    fn goodbye(&mut self, inbox: &mut Inbox, otherwise: ProtocolError) -> Polled {
        match inbox.take_goodbye() {
            Goodbye::Partial => Ok(None),
            Goodbye::None => Err(otherwise),
            Goodbye::Taken => {
                let error = err::parse(inbox.payload())?;
                self.error = Some(error.clone());
                Err(ProtocolError::ServerClosing(Box::new(error)))
            }
        }
    }

    fn param_definitions(&mut self, params: u16, columns: u16, inbox: &mut Inbox) -> Polled {
        match inbox.take_run(params)? {
            Run::Partial => return Ok(None),
            Run::Error => return self.take_error(inbox),
            Run::Whole => {}
        }
        self.stage = if self.deprecate_eof() {
            Self::before_columns(columns)
        } else {
            Stage::ParamEnd { columns }
        };
        Ok(Some(Event::ParamDefinitions { count: params }))
    }

    fn column_definitions(&mut self, columns: u16, then: Then, inbox: &mut Inbox) -> Polled {
        match inbox.take_run(columns)? {
            Run::Partial => return Ok(None),
            Run::Error => return self.take_error(inbox),
            Run::Whole => {}
        }
        self.stage = self.after_columns(then);
        Ok(Some(Event::ColumnDefinitions { count: columns }))
    }

    #[inline]
    fn after_columns(&self, then: Then) -> Stage {
        if self.deprecate_eof() {
            then.stage()
        } else {
            Stage::ColumnEnd { then }
        }
    }

    fn take_error(&mut self, inbox: &mut Inbox) -> Polled {
        if inbox.take()? {
            self.failed(inbox)
        } else {
            Ok(None)
        }
    }

    /// Reads the EOF packet behind definitions, then goes on at once: it is no event.
    fn end_of_definitions(
        &mut self,
        inbox: &mut Inbox,
        outbox: &mut Outbox,
        next: Stage,
    ) -> Polled {
        if !inbox.take()? {
            return Ok(None);
        }
        if inbox.payload().first() == Some(&0xff) {
            return self.failed(inbox);
        }
        self.status = eof::parse(inbox.payload())?.status;
        self.stage = next;
        self.step(inbox, outbox)
    }

    /// A packet that is no row: the end, or an error.
    fn rows_ended(&mut self, inbox: &mut Inbox) -> Polled {
        match inbox.payload().first().copied() {
            Some(0xff) => self.failed(inbox),
            Some(0xfe) => {
                let summary = self.summary(inbox)?;
                self.result_over(summary.status, inbox);
                Ok(Some(Event::ResultSetEnd(summary)))
            }
            first => Err(ProtocolError::Unexpected {
                expected: "a row or the end of the rows",
                first,
            }),
        }
    }

    /// Reads an OK packet, or the EOF packet that stands for it at the end of rows.
    #[inline]
    fn summary(&mut self, inbox: &Inbox) -> Result<Summary, ProtocolError> {
        let payload = inbox.payload();
        let (summary, changes) = if payload.first() == Some(&0xfe) && !self.deprecate_eof() {
            (eof::parse(payload)?, Changes::default())
        } else {
            ok::parse(payload, self.capabilities, &mut self.tracked)?
        };
        self.status = summary.status;
        self.changes = self.changes.or(changes);
        Ok(summary)
    }

    /// One result is over: another one of the same command may follow.
    #[inline]
    fn result_over(&mut self, status: Status, inbox: &mut Inbox) {
        match self.queue.front() {
            Some(awaited) if status.more_results() => self.stage = Stage::Head(awaited.expected),
            Some(_) | None => self.reply_over(inbox),
        }
    }

    #[inline]
    fn reply_over(&mut self, inbox: &mut Inbox) {
        self.queue.pop_front();
        self.next_reply(inbox);
    }

    #[inline]
    fn next_reply(&mut self, inbox: &mut Inbox) {
        self.stage = match self.queue.front() {
            Some(awaited) => {
                inbox.expect(awaited.sequence);
                Stage::Head(awaited.expected)
            }
            None => Stage::Idle,
        };
    }

    #[inline]
    fn deprecate_eof(&self) -> bool {
        self.capabilities.contains(Capabilities::DEPRECATE_EOF)
    }

    pub(super) fn begun_row<'i>(&self, inbox: &'i Inbox) -> Option<BegunRow<'i>> {
        let Stage::Rows(format) = self.stage else {
            return None;
        };
        inbox.is_long().then(|| match format {
            Format::Text => BegunRow::Text(inbox.begun()),
            Format::Binary => BegunRow::Binary(inbox.begun()),
        })
    }

    pub(super) fn pending(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn status(&self) -> Status {
        self.status
    }

    pub(super) fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    #[inline]
    pub(super) fn take_changes(&mut self) -> Changes {
        mem::take(&mut self.changes)
    }

    #[inline]
    pub(super) fn changes(&self) -> Changes {
        self.changes
    }

    pub(super) fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    pub(super) fn forget_tracked(&mut self) {
        self.tracked.reset();
    }

    pub(super) fn failure(&self) -> Option<&ProtocolError> {
        self.failure.as_ref()
    }

    pub(super) fn server_error(&self) -> ServerError {
        self.error.clone().unwrap_or_else(|| ServerError {
            code: 0,
            sql_state: "00000".to_owned(),
            message: "the server has not reported an error".to_owned(),
        })
    }
}
