//! What may go wrong, before it is worded.

use std::io;

use ark_mysql_proto::url::TlsMode;
use ark_mysql_proto::{CommandError, HandshakeError, ProtocolError, ServerError};

/// Why a statement was not described.
#[derive(Debug, Clone)]
pub(crate) enum ClientError {
    /// Nobody answers, or not in time.
    Unreachable(String),
    /// The server refused the login, or we refused the server's way of it.
    Refused(HandshakeError),
    /// The address asks for TLS.
    NoTls(TlsMode),
    /// The server refused the statement.
    Statement(Refused),
    /// What came back is not what was asked for.
    Conversation(String),
}

impl ClientError {
    /// Returns whether `when-unreachable` speaks of this: a wrong password or a broken statement is not made right by a cache.
    pub(crate) fn nobody_answered(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }
}

/// A statement that the server refuses.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    /// Its own words.
    pub(crate) error: ServerError,
    /// The name that was probably meant, where it knows none of that spelling.
    pub(crate) nearest: Option<String>,
}

/// What may go wrong on a connection that is logged in.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The server refused the statement; the connection is as good as before.
    Statement(Refused),
    /// The connection went away: a new one may do.
    Lost(String),
    /// No answer in time: a new connection would wait as long.
    Late(String),
    /// What came back is not what was asked for.
    Conversation(String),
}

impl Trouble {
    /// Sorts an ERR in reply to PREPARE: some of them say that the connection is closing.
    pub(super) fn failed(error: ServerError) -> Self {
        match error.code {
            // Shutdown, connection killed (both families' numbers), idle time-out.
            1053 | 1927 | 3169 | 4031 => Self::Lost(error.to_string()),
            _ => Self::Statement(Refused {
                error,
                nearest: None,
            }),
        }
    }

    pub(super) fn late() -> Self {
        Self::Late(
            "it did not answer within 10 s; a lock on a table of the statement may be in the way"
                .to_owned(),
        )
    }

    pub(super) fn from_io(error: io::Error) -> Self {
        match error.kind() {
            // What a time-out of a blocking socket is called depends on the system.
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::late(),
            _ => Self::Lost(error.to_string()),
        }
    }
}

impl From<ProtocolError> for Trouble {
    fn from(error: ProtocolError) -> Self {
        match error {
            ProtocolError::ServerClosing(reason) => Self::Lost(reason.to_string()),
            other => Self::Conversation(other.to_string()),
        }
    }
}

impl From<CommandError> for Trouble {
    fn from(error: CommandError) -> Self {
        Self::Conversation(error.to_string())
    }
}

impl From<Trouble> for ClientError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Statement(error) => Self::Statement(error),
            Trouble::Lost(what) | Trouble::Late(what) => Self::Unreachable(what),
            Trouble::Conversation(what) => Self::Conversation(what),
        }
    }
}
