//! What the caller can ask for: one function a command of the
//! [command phase](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_command_phase.html).

use super::stage::Expected;
use super::{Session, StatementId};
use crate::CommandError;
use crate::wire::Writer;

const COM_QUIT: u8 = 0x01;
const COM_INIT_DB: u8 = 0x02;
const COM_QUERY: u8 = 0x03;
const COM_PING: u8 = 0x0e;
const COM_STMT_PREPARE: u8 = 0x16;
const COM_STMT_CLOSE: u8 = 0x19;
const COM_RESET_CONNECTION: u8 = 0x1f;

impl Session {
    /// Runs `sql` as it stands; its rows come as text.
    ///
    /// # Errors
    /// The text is longer than the limit, or the session broke earlier. Nothing was queued.
    pub fn query(&mut self, sql: &str) -> Result<(), CommandError> {
        self.text_command(COM_QUERY, sql, Expected::TextResult)
    }

    /// Prepares `sql`.
    ///
    /// # Errors
    /// The text is longer than the limit, or the session broke earlier. Nothing was queued.
    pub fn prepare(&mut self, sql: &str) -> Result<(), CommandError> {
        self.text_command(COM_STMT_PREPARE, sql, Expected::Prepare)
    }

    /// Makes `name` the default database.
    ///
    /// # Errors
    /// The name is longer than the limit, or the session broke earlier. Nothing was queued.
    pub fn init_db(&mut self, name: &str) -> Result<(), CommandError> {
        self.text_command(COM_INIT_DB, name, Expected::Ok)
    }

    /// Asks for a sign of life, and for the status flags.
    pub fn ping(&mut self) {
        self.bare_command(COM_PING, Some(Expected::Ok));
    }

    /// Puts the session back to where it was after login: no transaction, variables, temporary tables, locks or prepared statements;
    /// the default database stays.
    pub fn reset_connection(&mut self) {
        self.bare_command(COM_RESET_CONNECTION, Some(Expected::Ok));
    }

    /// Says good-bye. There is no reply: the server closes the connection.
    pub fn quit(&mut self) {
        self.bare_command(COM_QUIT, None);
    }

    /// Frees a statement at the server. There is no reply, also for an unknown one, so it costs no round trip.
    pub fn close_statement(&mut self, id: StatementId) {
        Writer::new(self.outbox.begin())
            .u8(COM_STMT_CLOSE)
            .u32(id.get());
        self.finish_small(None);
    }

    fn text_command(
        &mut self,
        command: u8,
        text: &str,
        expected: Expected,
    ) -> Result<(), CommandError> {
        self.ready(text.len().saturating_add(1))?;
        Writer::new(self.outbox.begin())
            .u8(command)
            .bytes(text.as_bytes());
        self.finish(expected)
    }

    fn bare_command(&mut self, command: u8, expected: Option<Expected>) {
        self.outbox.begin().push(command);
        self.finish_small(expected);
    }

    /// Refuses a command of `size` bytes before anything is written down for it.
    #[inline]
    pub(super) fn ready(&self, size: usize) -> Result<(), CommandError> {
        if let Some(error) = self.replies.failure() {
            return Err(CommandError::Broken(error.clone()));
        }
        let limit = self.outbox.max();
        if size > limit {
            Err(CommandError::TooLarge { size, limit })
        } else {
            Ok(())
        }
    }

    /// Queues the command just written, and the reply to it.
    #[inline]
    pub(super) fn finish(&mut self, expected: Expected) -> Result<(), CommandError> {
        let sequence = self.outbox.finish(0)?;
        self.replies.push(expected, sequence, &mut self.inbox);
        Ok(())
    }

    /// Queues a command of a few bytes: too small for any limit that lets a connection work.
    fn finish_small(&mut self, expected: Option<Expected>) {
        let sequence = self.outbox.finish_small(0);
        if let Some(expected) = expected {
            self.replies.push(expected, sequence, &mut self.inbox);
        }
    }
}
