//! The link to the server: a session on a stream, and what its replies mean to this connection.
//!
//! Whose reply comes next is written in `expected`, here, and how far it has come in the session. So it does not matter who reads
//! it: the future that sent the command, or the next one after that future was dropped.

mod bytes;
mod expected;
mod giant;
mod idle;
mod note;

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use ark_mysql_proto::{Event, Session};

pub(crate) use self::expected::Expected;
use self::expected::in_use;
use super::closed::Closed;
use super::doom::Doom;
use super::expire::ServerLimit;
use super::facts::Facts;
use super::limit::{self, Limit};
use super::setup::Due;
use super::statements::{Slot, Statements, Text};
use super::stream::Stream;
use super::tx::TxState;
use super::verdict::Verdict;
use crate::config::ConnectOptions;
use crate::error::{Error, ErrorKind, Outcome};
use crate::value::StatementKey;

pub(crate) struct Link {
    pub(super) stream: Stream,
    pub(super) session: Session,
    expected: VecDeque<Expected>,
    pub(super) statements: Statements,
    /// Bytes given to the stream since the login.
    written: u64,
    /// Bytes taken from the stream since the login.
    pub(super) received: u64,
    /// Why nothing can be done any more.
    closed: Option<Closed>,
    /// What of the session settings has yet to be sent.
    pub(super) setup_due: Due,
    /// Something may be left behind in the session that a next borrower must not see.
    pub(super) dirty: bool,
    pub(super) tx: TxState,
    /// Rows brought into the expected layout.
    pub(super) scratch: Vec<u8>,
    pub(super) limit: Limit,
    pub(super) proxy: bool,
    /// Where the statement that was sent last begins in the stream of sent bytes; None: only what precedes one was sent.
    pub(super) command_at: Option<u64>,
    /// None: no pool has it.
    pub(super) doom: Option<Arc<Doom>>,
    pub(super) server_limit: ServerLimit,
    pub(super) facts: Facts,
    /// What the server said about more than one statement.
    pub(super) verdict: Option<Verdict>,
    /// How another connection is made.
    pub(super) options: Option<Arc<ConnectOptions>>,
    /// The default database of the address, to which a reset returns.
    pub(super) home: Option<Box<str>>,
    /// The default database was changed since the login or the last reset.
    pub(super) moved: bool,
    /// Somebody else is logged in than was at first.
    pub(super) stranger: bool,
    /// A reset was sent, and is not confirmed yet.
    pub(super) resetting: bool,
    /// Somebody has waited already for what was sent when others left, and went away.
    pub(super) awaited: bool,
}

impl Link {
    pub(crate) fn new(
        stream: Stream,
        mut session: Session,
        cache: usize,
        max_send: usize,
        proxy: bool,
    ) -> Self {
        session.set_max_send(max_send.min(limit::SURE));
        session.take_changes(); // the login's own: the database, and on MariaDB the character sets
        Self {
            stream,
            session,
            expected: VecDeque::with_capacity(4),
            statements: Statements::new(cache),
            written: 0,
            received: 0,
            closed: None,
            setup_due: Due::All,
            dirty: false,
            tx: TxState::default(),
            scratch: Vec::new(),
            limit: Limit {
                own: max_send,
                asked: max_send <= limit::SURE,
            },
            proxy,
            command_at: None,
            doom: None,
            server_limit: ServerLimit::default(),
            facts: Facts::default(),
            verdict: None,
            options: None,
            home: None,
            moved: false,
            stranger: false,
            resetting: false,
            awaited: false,
        }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Whether replies are still to come.
    pub(crate) fn is_busy(&self) -> bool {
        !self.expected.is_empty()
    }

    /// Whether the next reply is the answer to something of the driver's own whose failure is nobody's error.
    pub(super) fn is_own_next(&self) -> bool {
        matches!(
            self.expected.front(),
            Some(Expected::Limit | Expected::Facts)
        )
    }

    /// Takes what the driver asked for from a reply in front of a statement's.
    pub(super) fn note_passed(&mut self, event: &Event) {
        if *event == Event::Row && self.expected.front() == Some(&Expected::Facts) {
            self.note_facts();
        }
    }

    /// Whether the next reply is that to the driver's own tidying up, behind which nothing of anybody's comes.
    pub(super) fn is_tidying(&self) -> bool {
        matches!(
            self.expected.front(),
            Some(Expected::Rollback | Expected::Reset)
        )
    }

    /// How many replies are still to come in front of that to a ROLLBACK which was sent behind them.
    pub(super) fn replies_to_commands(&self) -> usize {
        let behind = self.expected.back() == Some(&Expected::Rollback);
        self.expected.len() - usize::from(behind)
    }

    /// How many replies are still to come.
    pub(crate) fn replies_due(&self) -> usize {
        self.expected.len()
    }

    /// Whether a next user could see what earlier ones did.
    pub(crate) fn is_dirty(&mut self) -> bool {
        self.note_changes();
        self.dirty || self.stranger || self.tx.in_transaction() || !self.tx.is_settled()
    }

    /// Takes up what the server reported about the session. After a `SET NAMES` of somebody's ours is sent once more:
    /// text in another character set would be read wrongly.
    #[inline]
    pub(super) fn note_changes(&mut self) {
        let changes = self.session.take_changes();
        if !changes.is_empty() {
            self.dirty = true;
            self.moved |= changes.schema();
            if changes.foreign_charset() && self.setup_due == Due::Nothing {
                self.setup_due = Due::Charset;
            }
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Fails when the connection was closed earlier, or is to be by its pool.
    #[inline]
    pub(crate) fn check_open(&self) -> Result<(), Error> {
        if self.is_doomed() {
            return Err(self.closed.as_ref().unwrap_or(&Closed::ByPool).error());
        }
        self.check_not_closed()
    }

    #[inline]
    fn is_doomed(&self) -> bool {
        self.doom.as_ref().is_some_and(|doom| doom.is_sealed())
    }

    #[inline]
    fn check_not_closed(&self) -> Result<(), Error> {
        match &self.closed {
            None => Ok(()),
            Some(closed) => Err(closed.error()),
        }
    }

    /// Whether a command may be queued at once: nothing is left over from before, and nothing has to go in front of it. The task is woken by what
    /// comes from now on, so it need not read before that.
    #[inline]
    pub(super) fn is_ready(&mut self, context: &mut Context<'_>, limit: Option<Duration>) -> bool {
        self.note_changes();
        self.closed.is_none()
            && !self.is_doomed()
            && self.limit_stands(limit)
            && self.expected.is_empty()
            && self.tx.is_settled()
            && self.setup_due == Due::Nothing
            && !self.statements.has_evicted()
            && self.listens(context)
    }

    /// Notes that a command was queued whose reply is `expected`.
    #[inline]
    pub(super) fn expect(&mut self, expected: Expected) {
        self.expected.push_back(expected);
    }

    /// Where the next command will begin in the stream of bytes sent.
    pub(super) fn position(&self) -> u64 {
        self.written + u64::try_from(self.session.outgoing().len()).unwrap_or(u64::MAX)
    }

    /// Whether anything of the command that began at `position` has left.
    pub(super) fn outcome_since(&self, position: u64) -> Outcome {
        if self.written > position {
            Outcome::Unknown
        } else {
            Outcome::NotSent
        }
    }

    /// Makes room in the cache and an entry in it.
    pub(super) fn new_statement(&mut self, key: StatementKey, text: Text) -> Slot {
        let Self {
            statements,
            expected,
            ..
        } = self;
        statements.insert(key, text, |slot| in_use(expected, slot))
    }

    pub(super) fn shrink_statements(&mut self) {
        let Self {
            statements,
            expected,
            ..
        } = self;
        statements.shrink(|slot| in_use(expected, slot));
    }

    /// Closes when what the server sent made no sense, though its packets were in order: nothing that follows can be relied on.
    pub(crate) fn distrusting<T>(&mut self, read: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &read {
            self.distrust(error);
        }
        read
    }

    pub(super) fn distrust(&mut self, error: &Error) {
        if error.kind() == ErrorKind::Protocol {
            self.close_because(Closed::Nonsense(error.to_string()));
        }
    }

    /// Closes what is dropped at once, and its socket with it: that need not be ended twice.
    pub(super) fn close_with_value(&mut self) {
        if self.closed.is_none() {
            self.closed = Some(Closed::ByUser);
            self.stream.say_goodbye();
        }
    }

    /// Ends it at once: whatever is on the way is lost, the socket is closed when the value goes.
    pub(crate) fn close_because(&mut self, closed: Closed) {
        if self.closed.is_none() {
            self.closed = Some(closed);
            self.stream.shutdown();
        }
    }
}

impl Drop for Link {
    /// Says goodbye if that takes no waiting; otherwise the server finds out by itself.
    fn drop(&mut self) {
        if self.closed.is_none() && self.expected.is_empty() && self.session.outgoing().is_empty() {
            self.session.quit();
            let _either_way = self.poll_flush(&mut Context::from_waker(Waker::noop()));
        }
    }
}
