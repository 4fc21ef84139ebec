//! [LOCAL INFILE](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_local_infile_request.html): the file that goes with one query.

use super::Session;
use crate::CommandError;
use crate::wire::{MAX_FRAME, Writer};

impl Session {
    /// Like [`query`](Self::query), for a `LOAD DATA LOCAL INFILE` whose file this side has: if the server asks for one in answer to it,
    /// [`Event::FileWanted`](super::Event::FileWanted) says so.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn query_with_file(&mut self, sql: &str) -> Result<(), CommandError> {
        self.query(sql)?;
        self.replies.offer_file();
        Ok(())
    }

    /// Whether the server waits for a file: for [`send_file`](Self::send_file) or [`end_file`](Self::end_file), and nothing else may be sent.
    pub fn wants_file(&self) -> bool {
        self.replies.wants_file()
    }

    /// Queues a piece of the file; nothing, while none is wanted. The pieces are to be sent on before the next one is queued.
    pub fn send_file(&mut self, piece: &[u8]) {
        if !self.wants_file() {
            return;
        }
        // An empty piece would be the end, and a full frame would want another one behind it.
        for piece in piece.chunks(MAX_FRAME - 1) {
            Writer::new(self.outbox.begin()).bytes(piece);
            let sequence = self.outbox.finish_small(self.inbox.sequence());
            self.inbox.expect(sequence);
        }
    }

    /// Queues the end of the file; nothing, while none is wanted.
    pub fn end_file(&mut self) {
        if self.wants_file() {
            self.replies.end_file(&mut self.inbox, &mut self.outbox);
        }
    }
}
