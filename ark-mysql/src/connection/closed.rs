use std::fmt;
use std::io;
use std::sync::Arc;

use ark_mysql_proto::ProtocolError;

use crate::error::{Error, ErrorKind, Outcome};

/// Why a connection is closed. It stays so, and every later use says it again.
#[derive(Clone, Debug)]
pub(crate) enum Closed {
    /// By `close`.
    ByUser,
    /// The pool was closed, and this one was not given back in time.
    ByPool,
    /// The server closed it.
    EndOfStream,
    /// It said that it would.
    Killed(String),
    /// The server sent something that nobody asked for, and not all of it came.
    Unasked,
    /// The tokio runtime of its stream has ended, so no answer would ever be heard.
    Undriven,
    /// It was opened under `block_on`, and used elsewhere.
    #[cfg(all(feature = "blocking", unix))]
    Outside,
    /// The socket failed.
    Io(Arc<io::Error>),
    /// The server sent something that makes no sense.
    Protocol(ProtocolError),
    /// The server's packets were in order, but what they held was not.
    Nonsense(String),
    /// The server refused what keeps the session in order.
    Setup(String),
    /// A default database was chosen where the address has none, and no command takes it away.
    Moved,
    /// A change of user failed or was dropped.
    ChangeOfUser,
    /// Somebody else is logged in than its pool's user.
    Stranger,
    /// A query was dropped, and more was left to read than is worth reading.
    Abandoned,
    /// A statement was not answered within its deadline, nor soon after it.
    Late,
    /// An internal command (named) was not answered in time.
    Silent(&'static str),
}

impl Closed {
    /// TLS has an error of its own for a peer that hangs up.
    pub(crate) fn because_of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::EndOfStream,
            _ => Self::Io(error.into()),
        }
    }

    #[cold]
    pub(crate) fn error(&self) -> Error {
        Error::new(
            ErrorKind::ConnectionClosed,
            Outcome::NotSent,
            self.to_string(),
        )
        .with_advice("open another one")
    }
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByUser => f.write_str("it was closed by `close`"),
            Self::ByPool => f.write_str("its pool was closed, and it was not given back in time"),
            Self::EndOfStream => f.write_str("the server closed it: killed, shut down or idle for too long"),
            Self::Killed(reason) => write!(f, "the server ended it: {reason}"),
            Self::Unasked => f.write_str("the server sent something that nobody asked for"),
            Self::Undriven => f.write_str("the tokio runtime on which it was opened has ended"),
            #[cfg(all(feature = "blocking", unix))]
            Self::Outside => f.write_str("it was opened under `block_on`, and used outside of it"),
            Self::Io(error) => write!(f, "{error}"),
            Self::Protocol(error) => write!(f, "{error}"),
            Self::Nonsense(detail) => f.write_str(detail),
            Self::Setup(reason) => write!(f, "the server refused what keeps the session in order: {reason}"),
            Self::Moved => f.write_str("a default database was chosen in it, and the address has none to return to"),
            Self::ChangeOfUser => f.write_str("a change of its user failed, or was dropped before it was done"),
            Self::Stranger => f.write_str("its user was changed, and it is for the next borrower of its pool"),
            Self::Abandoned => f.write_str("a query was dropped, and its result was too long or too late to be read to its end"),
            Self::Late => f.write_str("a statement was not answered within its deadline, nor soon after it"),
            Self::Silent(what) => write!(f, "the server did not answer {what} in time"),
        }
    }
}
