//! Commands in, bytes out; bytes in, events out.

mod bulk;
mod changes;
mod commands;
mod definitions;
mod event;
mod execute;
mod file;
mod reply;
mod stage;
mod tracked;

use std::fmt;

pub use changes::Changes;
pub use definitions::definitions;
pub use event::{Event, StatementId};
use reply::Replies;
pub(crate) use tracked::Tracked;

use crate::auth::Nonce;
use crate::handshake::Link;
use crate::row::BegunRow;
use crate::wire::{Inbox, Outbox};
use crate::{Capabilities, Flavor, ProtocolError, ServerError, Status, Summary};

/// A connection that is logged in, without its socket.
///
/// * What the caller wants: [`query`](Self::query), [`prepare`](Self::prepare), `execute`, [`close_statement`](Self::close_statement),
///   [`ping`](Self::ping), [`reset_connection`](Self::reset_connection), [`init_db`](Self::init_db), [`quit`](Self::quit). They may be called while replies are
///   still expected; replies come in the order of the commands, and an error in one does not touch the next.
/// * What the world did: [`read_buffer`](Self::read_buffer) and [`received`](Self::received), then [`poll`](Self::poll) and [`payload`](Self::payload).
/// * What must happen: [`outgoing`](Self::outgoing) must be written, then [`sent`](Self::sent) told.
/// * The rest are getters.
///
/// The position in the conversation lives here, so a caller may go away at any point; the next one finishes reading.
/// Someone who pipelines must read while writing, or keep the unread replies well under the socket's buffers: a server that cannot write stops reading.
pub struct Session {
    inbox: Inbox,
    outbox: Outbox,
    replies: Replies,
    about: About,
}

/// What the handshake found out about the server.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) flavor: Flavor,
    pub(crate) version: String,
    pub(crate) connection_id: u32,
    /// For another login on the same connection.
    pub(crate) link: Link,
    /// The last challenge of the login, which MariaDB's proof of its certificate would go on using.
    pub(crate) nonce: Nonce,
}

impl Session {
    /// Takes over where the handshake ends; `inbox` may hold bytes already.
    pub(crate) fn new(
        inbox: Inbox,
        outbox: Outbox,
        capabilities: Capabilities,
        about: About,
        status: Status,
        changes: Changes,
        tracked: Tracked,
    ) -> Self {
        Self {
            inbox,
            outbox,
            replies: Replies::new(capabilities, status, changes, tracked),
            about,
        }
    }

    /// Where bytes from the server go. Never empty; grows with what was received.
    #[inline]
    pub fn read_buffer(&mut self) -> &mut [u8] {
        self.inbox.read_buffer()
    }

    /// Takes note of `n` bytes that were put at the front of [`read_buffer`](Self::read_buffer).
    #[inline]
    pub fn received(&mut self, n: usize) {
        self.inbox.received(n);
    }

    /// Returns the next event, or `None` when more bytes must be read for it. The bytes of the event before are gone.
    ///
    /// # Errors
    /// The server broke the protocol or closes the connection. From then on every call returns the same error.
    #[inline]
    pub fn poll(&mut self) -> Result<Option<Event>, ProtocolError> {
        self.replies.poll(&mut self.inbox, &mut self.outbox)
    }

    /// Like [`poll`](Self::poll), for someone who remembers the column definitions that came last for the statement which is answered
    /// next: `known` is that event's payload, `count` their number.
    ///
    /// If the same bytes come again, they are passed over in one comparison, and [`Event::ResultSet`] says that definitions were left
    /// out: the last ones still hold. Otherwise, and while only a part of them is there, everything is as in `poll`.
    ///
    /// # Errors
    /// As [`poll`](Self::poll).
    #[inline]
    pub fn poll_knowing(
        &mut self,
        known: &[u8],
        count: u16,
    ) -> Result<Option<Event>, ProtocolError> {
        self.replies
            .poll_knowing(known, count, &mut self.inbox, &mut self.outbox)
    }

    /// Moves to the next row, as [`poll`](Self::poll) does at [`Event::Row`], if all of it is there. If not, nothing has happened: `poll` says what there is.
    #[inline]
    pub fn take_row(&mut self) -> bool {
        self.replies.take_row(&mut self.inbox)
    }

    /// Ends the reply, as [`poll`](Self::poll) does at [`Event::ResultSetEnd`], if that is there, the last one, and nothing but its status is to be told.
    /// If not, nothing has happened: `poll` says what there is.
    #[inline]
    pub fn take_end(&mut self) -> Option<Summary> {
        self.replies.take_end(&mut self.inbox)
    }

    /// Whether a reply is to begin and nothing of it has come: `poll` would return `None`.
    #[inline]
    pub fn is_silent(&mut self) -> bool {
        self.replies.is_silent(&mut self.inbox)
    }

    /// The bytes of the last event, in place.
    #[inline]
    pub fn payload(&self) -> &[u8] {
        self.inbox.payload()
    }

    /// What must be written to the socket.
    #[inline]
    pub fn outgoing(&self) -> &[u8] {
        self.outbox.outgoing()
    }

    /// Takes note of `n` bytes that were written.
    #[inline]
    pub fn sent(&mut self, n: usize) {
        self.outbox.sent(n);
    }

    /// Whether a row that takes more than one frame has begun, and is not there as a whole.
    #[inline]
    pub fn is_long(&self) -> bool {
        self.inbox.is_long()
    }

    /// The beginning of that row, for someone who knows the types of its columns: what it will come to can be told before memory is taken for it.
    pub fn begun_row(&self) -> Option<BegunRow<'_>> {
        self.replies.begun_row(&self.inbox)
    }

    /// The limit for a payload, in bytes.
    pub fn max_receive(&self) -> usize {
        self.inbox.max()
    }

    /// How many replies are not complete yet.
    pub fn pending(&self) -> usize {
        self.replies.pending()
    }

    /// The status flags sent last. An error carries none: after one, they are those from before.
    pub fn status(&self) -> Status {
        self.replies.status()
    }

    /// What the server reported about the session's state since the last call.
    #[inline]
    pub fn take_changes(&mut self) -> Changes {
        self.replies.take_changes()
    }

    /// The same, without taking it.
    #[inline]
    pub fn changes(&self) -> Changes {
        self.replies.changes()
    }

    /// The default database: that of the login, or the one that the server reported last (`session_track_schema`). `None`: there is none.
    pub fn schema(&self) -> Option<&str> {
        self.replies.tracked().schema.as_deref()
    }

    /// The GTIDs that the server reported last: MySQL's with `session_track_gtids`, MariaDB's `last_gtid` if that is among
    /// `session_track_system_variables`. More than 16 KiB of them are not kept.
    pub fn last_gtid(&self) -> Option<&str> {
        self.replies.tracked().gtid.as_deref()
    }

    /// The state of the transaction in eight characters such as `T_R_W_S_`, as the server reported it last (`session_track_transaction_info`). The
    /// [`status`](Self::status) flags always tell whether there is one.
    pub fn transaction_state(&self) -> Option<&str> {
        self.replies.tracked().transaction()
    }

    /// The statements that would start a transaction like the present or next one, as the server reported them last
    /// (`session_track_transaction_info=CHARACTERISTICS`). `None`: nothing special.
    pub fn transaction_characteristics(&self) -> Option<&str> {
        self.replies.tracked().characteristics.as_deref()
    }

    /// Forgets the GTIDs and the transaction that were reported: a reset of the session undoes them without saying so.
    pub fn forget_tracked(&mut self) {
        self.replies.forget_tracked();
    }

    /// The family of the server.
    pub fn flavor(&self) -> Flavor {
        self.about.flavor
    }

    /// The server's version as it told it, without MariaDB's `5.5.5-` in front.
    pub fn server_version(&self) -> &str {
        &self.about.version
    }

    /// The connection's number at the server, for `KILL`.
    pub fn connection_id(&self) -> u32 {
        self.about.connection_id
    }

    /// What both sides agreed on.
    pub fn capabilities(&self) -> Capabilities {
        self.replies.capabilities()
    }

    /// The error of the last [`Event::Failed`].
    pub fn server_error(&self) -> ServerError {
        self.replies.server_error()
    }

    /// Bytes that were received and are not part of an event yet. Anything here while nothing is [`pending`](Self::pending) means
    /// that the connection is no good any more.
    pub fn buffered(&self) -> usize {
        self.inbox.unread()
    }

    /// The limit for a command, in bytes.
    pub fn max_send(&self) -> usize {
        self.outbox.max()
    }

    /// Changes the limit for commands, to what the server's `max_allowed_packet` says.
    pub fn set_max_send(&mut self, bytes: usize) {
        self.outbox.set_max(bytes);
    }
}

/// For another login on the same connection.
impl Session {
    /// Takes the session out, for [`Handshake::change_user`](crate::Handshake::change_user). What stays behind is broken: every command is refused.
    pub fn take(&mut self) -> Self {
        let husk = Self {
            inbox: Inbox::new(0),
            outbox: Outbox::new(0),
            replies: Replies::given_up(self.capabilities()),
            about: self.about.clone(),
        };
        std::mem::replace(self, husk)
    }

    /// Takes the session apart, if nothing is under way on it.
    pub(crate) fn into_parts(self) -> Option<(Inbox, Outbox, Capabilities, About)> {
        let idle = self.pending() == 0
            && self.buffered() == 0
            && self.outgoing().is_empty()
            && self.replies.failure().is_none();
        let capabilities = self.capabilities();
        idle.then_some((self.inbox, self.outbox, capabilities, self.about))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("about", &self.about)
            .field("pending", &self.pending())
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}
