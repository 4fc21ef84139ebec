//! The MySQL and MariaDB wire protocol without I/O: bytes in, events out, bytes back.
//!
//! There is no socket, clock, thread or randomness in this crate; they are arguments. Two objects carry a conversation:
//!
//! * [`Handshake`] goes from the server's greeting over TLS and authentication to a [`Session`], so that a command before
//!   login does not compile;
//! * [`Session`] takes commands and gives [`Event`]s. It keeps a queue of the replies that are still expected, so commands may be
//!   pipelined, and a caller that walks away in the middle leaves nothing out of step: whoever comes next reads on.
//!
//! Both are driven by the same loop:
//!
//! ```text
//! write outgoing() to the socket, tell sent(n)
//! poll()  ── Some(event) ──> payload() borrows the event's bytes in place
//!    └────── None ─────────> read into read_buffer(), tell received(n), poll again
//! ```
//!
//! Every byte of the peer is taken for hostile: each read is checked, lengths are never trusted before the bytes are there, and
//! memory grows with the bytes received, never by a count that was announced. A protocol error is final: every later call returns it again.
//!
//! | module | what it decides |
//! |---|---|
//! | [`handshake`] | greeting, TLS request, login, the authentication conversation |
//! | [`session`] | commands, the grammar of replies, events |
//! | [`kind`], [`column_type`] | which SQL types there are, and how a definition tells them apart |
//! | [`row`] | values out of rows, binary and text |
//! | [`params`] | values into EXECUTE packets and SQL literals |
//! | [`temporal`] | dates and times as the server holds them |
//! | [`url`], [`dotenv`] | the grammar of database addresses, and of the files in which they stand |
//! | [`error`] | whose fault it was |
//! | `wire` | frames, splitting and joining at 2^24-1 bytes, sequence numbers |
//! | `packet` | one packet, one file |
//! | `auth` | what each plugin computes, and where it may be sent |

// What comes over the wire is hostile: no conversion that cuts off, no index that is not there, nothing that panics.
#![warn(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::panic,
    clippy::unreachable,
    clippy::wildcard_enum_match_arm
)]

mod auth;
mod capabilities;
pub mod column_type;
pub mod dotenv;
pub mod error;
pub mod handshake;
pub mod kind;
mod packet;
pub mod params;
pub mod row;
mod secret;
pub mod session;
pub mod sql_mode;
mod status;
pub mod temporal;
pub mod url;
mod wire;

pub use capabilities::{Capabilities, Flavor};
pub use error::{CommandError, HandshakeError, ProtocolError, ServerError};
pub use handshake::{Channel, Handshake, HandshakeOptions, Step, TlsRequest};
pub use kind::{Kind, UnknownType, Wire};
pub use packet::column::ColumnDefinition;
pub use params::{
    Batch, EncodeError, EncodeErrorKind, LiteralWriter, ParamSink, ParamType, ParamWriter,
};
pub use row::{BegunRow, DecodeError, DecodeErrorKind, RowReader, Source, TextRow};
pub use secret::Secret;
pub use session::{Changes, Event, Session, StatementId, definitions};
pub use status::{Status, Summary};
