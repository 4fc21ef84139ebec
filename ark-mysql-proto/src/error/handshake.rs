use std::{error, fmt};

use super::{ProtocolError, ServerError};

/// The way from the greeting to a session did not work out. Each message says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandshakeError {
    /// The server refused the connection or the login.
    Server(ServerError),
    /// The peer does not speak the protocol, or speaks it wrongly.
    Protocol(ProtocolError),
    /// TLS is required, and the server has none.
    TlsUnavailable,
    /// The server lacks something without which this crate does not talk to it.
    UnsupportedServer {
        /// What is missing.
        missing: &'static str,
    },
    /// The server asked for an answer that is not given: unknown, too weak, or not safe on this channel.
    AuthRefused {
        /// The plugin, as the server named it.
        plugin: String,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// The server has not shown that it is who it should be.
    NotVerified {
        /// Why, and what to do.
        reason: &'static str,
    },
    /// An option cannot be put on the wire.
    InvalidOption {
        /// Which one.
        option: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The session was asked for before the login was complete: a mistake of the caller.
    NotReady,
}

impl fmt::Display for HandshakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server(error) => match advice(error.code) {
                Some(advice) => write!(f, "{error}: {advice}"),
                None => write!(f, "{error}"),
            },
            Self::Protocol(error) => write!(f, "{error}"),
            Self::TlsUnavailable => f.write_str("TLS is required, but the server does not offer it: switch it on at the server, or allow plain connections (ssl-mode) where the network is trusted"),
            Self::UnsupportedServer { missing } => write!(f, "the server has no {missing}: MySQL 5.7 or MariaDB 10.2, or newer, is needed"),
            Self::AuthRefused { plugin, reason } => write!(f, "authentication plugin `{plugin}`: {reason}"),
            Self::NotVerified { reason } => f.write_str(reason),
            Self::InvalidOption { option, reason } => write!(f, "the {option} {reason}"),
            Self::NotReady => f.write_str("the login is not complete: poll the handshake until it says Ready"),
        }
    }
}

/// What to do about the errors that people meet while they connect.
fn advice(code: u16) -> Option<&'static str> {
    Some(match code {
        1040 | 1203 | 1226 => {
            "the server has no connection free: close some, or raise max_connections"
        }
        1044 => "grant the user rights on this database",
        1045 | 1698 => "check the user name, the password and the host that the account is for",
        1049 => "create the database, or correct its name",
        1129 => "the server blocks this host after too many failed connections: run FLUSH HOSTS",
        1130 => "no account allows this host: CREATE USER for it",
        1251 | 1524 => {
            "the account uses an authentication plugin that server or client lacks: ALTER USER … IDENTIFIED WITH another one"
        }
        1862 => "the password has expired: ALTER USER … IDENTIFIED BY a new one",
        3118 | 4151 => "the account is locked: ALTER USER … ACCOUNT UNLOCK",
        3159 => "the server takes only secure connections: use TLS (ssl-mode) or the unix socket",
        _ => return None,
    })
}

impl error::Error for HandshakeError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Server(error) => Some(error),
            Self::Protocol(error) => Some(error),
            Self::TlsUnavailable
            | Self::UnsupportedServer { .. }
            | Self::AuthRefused { .. }
            | Self::NotVerified { .. }
            | Self::InvalidOption { .. }
            | Self::NotReady => None,
        }
    }
}

impl From<ProtocolError> for HandshakeError {
    fn from(error: ProtocolError) -> Self {
        Self::Protocol(error)
    }
}
