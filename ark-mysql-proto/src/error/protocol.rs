use std::{error, fmt};

use super::ServerError;

/// The peer sent bytes that make no sense here. The connection cannot be used any more: every later call returns this error again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The packet ended before the field.
    Truncated {
        /// Which packet.
        packet: &'static str,
        /// Which field of it.
        field: &'static str,
    },
    /// The field holds a value that it cannot have.
    Invalid {
        /// Which packet.
        packet: &'static str,
        /// Which field of it.
        field: &'static str,
    },
    /// There were bytes left over behind the packet's last field.
    TrailingBytes {
        /// Which packet.
        packet: &'static str,
        /// How many.
        bytes: usize,
    },
    /// A packet's sequence number is not the next one: packets were lost, repeated or mixed up.
    OutOfSequence {
        /// The number that should have come.
        expected: u8,
        /// The number that came.
        received: u8,
    },
    /// A packet is longer than the limit for received packets.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A result set announces more columns than the limit.
    TooManyColumns {
        /// How many were announced.
        columns: u64,
        /// The limit.
        limit: u16,
    },
    /// A packet of a kind that cannot come at this point.
    Unexpected {
        /// What could have come.
        expected: &'static str,
        /// The packet's first byte, if it has one.
        first: Option<u8>,
    },
    /// A packet came while no reply was expected.
    Unsolicited,
    /// The server said why it is going to close the connection, without being asked (an idle time-out, a shutdown).
    ServerClosing(Box<ServerError>),
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { packet, field } => {
                write!(f, "the {packet} packet ends before its {field}")
            }
            Self::Invalid { packet, field } => {
                write!(f, "the {packet} packet has an impossible {field}")
            }
            Self::TrailingBytes { packet, bytes } => {
                write!(f, "the {packet} packet has {bytes} bytes too many")
            }
            Self::OutOfSequence { expected, received } => {
                write!(
                    f,
                    "packets are out of sequence: number {received} came instead of {expected}"
                )
            }
            Self::TooLarge { limit } => write!(
                f,
                "the server sends a packet longer than the limit of {limit} bytes"
            ),
            Self::TooManyColumns { columns, limit } => write!(
                f,
                "the server announces {columns} columns, the limit is {limit}"
            ),
            Self::Unexpected {
                expected,
                first: Some(first),
            } => {
                write!(
                    f,
                    "a packet starting with {first:#04x} came where {expected} was expected: is this a MySQL or MariaDB server?"
                )
            }
            Self::Unexpected {
                expected,
                first: None,
            } => write!(f, "an empty packet came where {expected} was expected"),
            Self::Unsolicited => f.write_str("the server sent a packet that nobody asked for"),
            Self::ServerClosing(reason) => write!(f, "the server closes the connection: {reason}"),
        }
    }
}

impl error::Error for ProtocolError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::ServerClosing(reason) => Some(reason),
            Self::Truncated { .. }
            | Self::Invalid { .. }
            | Self::TrailingBytes { .. }
            | Self::OutOfSequence { .. }
            | Self::TooLarge { .. }
            | Self::TooManyColumns { .. }
            | Self::Unexpected { .. }
            | Self::Unsolicited => None,
        }
    }
}
