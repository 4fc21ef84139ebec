use std::{error, fmt};

use super::ProtocolError;
use crate::EncodeError;

/// A command was not sent. Nothing of it was queued, and the session is as good as before.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CommandError {
    /// The command is longer than the limit for sent packets; a server would close the connection over it.
    TooLarge {
        /// The command's length in bytes; where it was given up early, how far it had come.
        size: usize,
        /// The limit, in bytes.
        limit: usize,
    },
    /// A parameter cannot be sent.
    Encode(EncodeError),
    /// The session broke earlier.
    Broken(ProtocolError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { size, limit } => write!(
                f,
                "the command needs {size} bytes, the limit is {limit}: send less at once, or raise max_allowed_packet on the server and the driver's limit"
            ),
            Self::Encode(error) => write!(f, "{error}"),
            Self::Broken(error) => write!(f, "the connection broke earlier: {error}"),
        }
    }
}

impl error::Error for CommandError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Broken(error) => Some(error),
            Self::Encode(error) => Some(error),
            Self::TooLarge { .. } => None,
        }
    }
}

impl From<EncodeError> for CommandError {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}
