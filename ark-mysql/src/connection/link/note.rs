//! What an event means to the connection, whoever sees it.

use ark_mysql_proto::{Event, Summary};

use super::{Expected, Link};
use crate::connection::closed::Closed;
use crate::connection::expire::ServerLimit;
use crate::connection::settle::NO_SUCH_SAVEPOINT;
use crate::connection::setup::InitFailure;
use crate::connection::statements::Entry;
use crate::connection::verdict::Verdict;
use crate::error::{Error, ErrorKind, Outcome};

impl Link {
    pub(super) fn note(&mut self, event: &Event) -> Result<(), Error> {
        let current = self.expected.front().copied();
        match *event {
            Event::Prepared { id, params, .. } => {
                if let Some(Expected::Prepare(slot)) = current
                    && self.statements.is_taken(id, slot)
                {
                    return Err(self.handed_out_twice(id.get()));
                }
                if let Some(entry) = self.current_entry() {
                    entry.id = Some(id);
                    entry.params = params;
                }
            }
            Event::ColumnDefinitions { count } => {
                if let Some(Expected::Prepare(slot) | Expected::Execute(slot)) = current
                    && let Some(entry) = self.statements.entry(slot)
                {
                    entry.definitions.remember(self.session.payload(), count);
                }
            }
            Event::ResultSetEnd(summary) | Event::Done(summary) => {
                return self.note_end(current, summary);
            }
            Event::PreparedEnd => drop(self.expected.pop_front()),
            Event::Failed => self.note_failure(current)?,
            Event::ParamDefinitions { .. }
            | Event::ResultSet { .. }
            | Event::Row
            | Event::FileWanted
            | Event::LocalInfile => {}
        }
        Ok(())
    }

    /// Whatever is executed by this handle from now on, nobody can tell which statement it is.
    #[cold]
    fn handed_out_twice(&mut self, id: u32) -> Error {
        let detail = format!("two prepared statements have the same handle, {id}");
        self.close_because(Closed::Nonsense(detail.clone()));
        Error::new(ErrorKind::Protocol, Outcome::Unknown, detail).with_advice(
            "the connection was closed; is there a proxy in between that mixes up connections?",
        )
    }

    fn current_entry(&mut self) -> Option<&mut Entry> {
        match self.expected.front() {
            Some(Expected::Prepare(slot) | Expected::Execute(slot)) => self.statements.entry(*slot),
            _ => None,
        }
    }

    /// The reply that comes next is over.
    #[inline]
    pub(in crate::connection) fn note_summary(&mut self, summary: Summary) -> Result<(), Error> {
        let current = self.expected.front().copied();
        self.note_end(current, summary)
    }

    #[inline]
    fn note_end(&mut self, current: Option<Expected>, summary: Summary) -> Result<(), Error> {
        if summary.status.more_results() {
            return Ok(());
        }
        self.expected.pop_front();
        if current == Some(Expected::Reset) {
            self.server_limit = ServerLimit::default();
        }
        self.tx.note_status(summary.status);
        match current {
            Some(Expected::Reset | Expected::Setup | Expected::Limit) => {
                self.session.take_changes(); // our own
            }
            Some(Expected::Init(number)) => return self.note_init(number),
            _ => {}
        }
        Ok(())
    }

    #[cold]
    fn note_init(&mut self, number: usize) -> Result<(), Error> {
        match self.session.take_changes().foreign_charset() {
            true => Err(self.unfit_init(number, InitFailure::Charset)),
            false => Ok(()),
        }
    }

    fn note_failure(&mut self, current: Option<Expected>) -> Result<(), Error> {
        self.expected.pop_front();
        let server = self.session.server_error();
        let code = server.code;
        self.note_verdict(&server);
        match current {
            Some(Expected::Prepare(slot)) => self.statements.forget(slot),
            Some(Expected::Execute(slot)) => {
                if let Some(entry) = self.statements.entry(slot) {
                    entry.types_sent = false; // whether the server took them cannot be told
                }
            }
            Some(Expected::Setup | Expected::Reset) => return Err(self.unfit()),
            Some(Expected::Init(number)) => {
                return Err(self.unfit_init(number, InitFailure::Refused));
            }
            Some(Expected::Rollback) if code != NO_SUCH_SAVEPOINT => return Err(self.unfit()),
            Some(Expected::Limit) => {
                self.limit_failed(code);
                return Ok(());
            }
            Some(Expected::Facts) => return Ok(()),
            Some(Expected::Command | Expected::Rollback) | None => {}
        }
        self.tx.note_error(code);
        if self.verdict == Some(Verdict::Gone) {
            self.tx.note_undone();
            if self.expected.is_empty() {
                self.close_because(Closed::Killed(server.to_string()));
            }
        }
        Ok(())
    }

    /// What keeps the session in order was refused: nothing may run on it.
    #[cold]
    fn unfit(&mut self) -> Error {
        let server = self.session.server_error();
        self.close_because(Closed::Setup(server.to_string()));
        Error::new(
            ErrorKind::SessionSetup,
            Outcome::Unknown,
            "SET NAMES utf8mb4, time_zone, ROLLBACK or a reset failed",
        )
        .with_server(server)
        .with_advice("the connection was closed; is there a proxy or an old server in between?")
    }
}
