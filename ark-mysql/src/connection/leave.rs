//! What is sent when somebody leaves, without waiting: locks that they hold at the server are not to stand until the connection is used next.
//!
//! The replies are read by whoever comes next. What cannot be sent at once is sent by them, too.

use std::io;

use ark_mysql_proto::Capabilities;

use super::link::{Expected, Link};
use super::tx::Rollback;

impl Link {
    /// Sends the ROLLBACK of a transaction that was dropped.
    pub(crate) fn roll_back_at_once(&mut self) {
        if !self.may_leave_word() || self.tx.rollback_due() != Some(Rollback::All) {
            return;
        }
        if self.session.query("ROLLBACK").is_ok() {
            self.tx.take_rollback();
            self.expect(Expected::Rollback);
            self.flush_now();
        }
    }

    /// Sends the reset that is due, once nobody of this pool uses the connection.
    pub(crate) fn reset_at_once(&mut self) {
        let resets = self.is_dirty() && !self.resetting && self.is_resettable();
        if resets && self.may_leave_word() && self.queue_reset().is_ok() {
            self.flush_now();
        }
    }

    /// Whether a command may go behind what has been sent. Not through a proxy, behind a command of which a part is still here, nor where the server may ask for
    /// a file: it would take the command for it.
    fn may_leave_word(&self) -> bool {
        let alone = !self.is_busy();
        let loads = || {
            let capabilities = self.session.capabilities();
            capabilities.contains(Capabilities::LOCAL_FILES)
        };
        self.check_open().is_ok()
            && self.session.outgoing().is_empty()
            && (alone || !self.proxy && !loads())
    }

    /// Writes what the socket takes; the rest goes in front of the next command.
    fn flush_now(&mut self) {
        while !self.session.outgoing().is_empty() {
            match self.stream.write_now(self.session.outgoing()) {
                Ok(count) if count > 0 => self.note_sent(count),
                _ => return,
            }
        }
        let _the_next_one_does: io::Result<()> = self.stream.flush_now();
    }
}
