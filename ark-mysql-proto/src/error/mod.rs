//! Whose fault it was: the peer's ([`ProtocolError`]), the server's considered answer ([`ServerError`]),
//! the login's ([`HandshakeError`]) or the command's own ([`CommandError`]).

mod command;
mod handshake;
mod protocol;
mod server;

pub use command::CommandError;
pub use handshake::HandshakeError;
pub use protocol::ProtocolError;
pub use server::ServerError;
