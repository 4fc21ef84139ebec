//! Errors of a server's that say more than what became of one statement.

use ark_mysql_proto::ServerError;

use super::link::Link;
use crate::error::{Error, ErrorKind};

/// What an error means for other statements and other connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The server takes no writes (any more): somebody else may be the writer now.
    ReadOnly,
    /// The server ends this connection, or itself.
    Gone,
}

impl Link {
    /// The server's error, as it stands in the session.
    ///
    /// The refusal of a write in a transaction that was begun as read-only says nothing about the server.
    #[cold]
    pub(super) fn server_failure(&self) -> Error {
        let error = Error::from_server(self.session.server_error());
        match error.kind() {
            ErrorKind::ReadOnly if self.tx.is_read_only() => error.with_kind(ErrorKind::Server),
            _ => error,
        }
    }

    #[cold]
    pub(super) fn note_verdict(&mut self, server: &ServerError) {
        self.verdict = match ErrorKind::of_server(server) {
            ErrorKind::ReadOnly if !self.tx.is_read_only() => Some(Verdict::ReadOnly),
            ErrorKind::ConnectionLost => Some(Verdict::Gone),
            _ => return,
        };
    }
}
