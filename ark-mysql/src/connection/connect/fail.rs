//! What to say when a connection could not be made: where, in which phase, and what to do.

use std::borrow::Cow;
use std::io::{self, ErrorKind as Io};
use std::path::Path;
use std::time::Duration;

use ark_mysql_proto::url::{Endpoint, TlsMode};
use ark_mysql_proto::{HandshakeError, ServerError};
use tokio::runtime::Handle;

use super::Phase;
use crate::connection::tls::TlsError;
use crate::error::{Error, ErrorKind, Outcome};

/// One attempt to connect, and how far it has come.
pub(super) struct Attempt {
    pub(super) endpoint: Endpoint,
    pub(super) mode: TlsMode,
    pub(super) phase: Phase,
}

/// # Errors
/// There is no runtime, and tokio itself would panic.
pub(crate) fn see_runtime(what: &str) -> Result<(), Error> {
    if Handle::try_current().is_ok() {
        return Ok(());
    }
    let detail = format!("{what} was to be opened where no tokio runtime is");
    Err(Error::new(ErrorKind::Configuration, Outcome::NotSent, detail).with_advice(
        "call it from a task of one (#[tokio::main], Runtime::block_on); a single connection needs none under ark_mysql::block_on (feature `blocking`)",
    ))
}

impl Phase {
    fn doing(self) -> &'static str {
        match self {
            Self::Resolve => "looking up the host name",
            Self::Dial => "opening the socket",
            Self::Greeting => "waiting for the server's greeting",
            Self::Tls => "making the TLS handshake",
            Self::Login => "logging in",
            Self::ChangeUser => "changing the user",
        }
    }
}

impl Attempt {
    fn error(&self, kind: ErrorKind, detail: impl std::fmt::Display) -> Error {
        Error::new(
            kind,
            Outcome::NotSent,
            format!("{}, while {}: {detail}", self.endpoint, self.phase.doing()),
        )
    }

    pub(super) fn too_late(&self, limit: Duration) -> Error {
        let advice: Cow<'static, str> = match self.phase {
            Phase::Resolve => "check the name server, or connect by an IP address".into(),
            Phase::Dial => "check host and port, and whether a firewall drops packets".into(),
            Phase::Greeting => self.is_it_a_server(),
            Phase::Tls => {
                "check that nothing between here and the server interferes with TLS".into()
            }
            Phase::Login | Phase::ChangeUser => {
                "check the server's load, or raise connect-timeout".into()
            }
        };
        self.error(
            ErrorKind::Timeout,
            format_args!("not done within {limit:?}"),
        )
        .with_advice(advice)
    }

    pub(super) fn unresolved(&self, error: Option<&io::Error>) -> Error {
        let reason = error.map_or_else(
            || "the name has no address".to_owned(),
            io::Error::to_string,
        );
        self.error(ErrorKind::Connect, reason)
            .with_advice("check the spelling of the host and the name server")
    }

    pub(super) fn unreachable(&self, error: &io::Error) -> Error {
        self.error(ErrorKind::Connect, error)
            .with_advice(self.how_to_reach(error.kind()))
    }

    fn how_to_reach(&self, kind: Io) -> &'static str {
        match (&self.endpoint, kind) {
            (Endpoint::Socket(_), Io::NotFound) => {
                "no socket is there: check the path, and whether the server runs (`SELECT @@socket` tells its path)"
            }
            (Endpoint::Socket(_), Io::ConnectionRefused) => {
                "nobody listens on this socket: start the server"
            }
            (Endpoint::Socket(_), Io::PermissionDenied) => {
                "this user may not open the socket: check the rights of its folder"
            }
            (Endpoint::Socket(_), Io::Unsupported) => {
                "this system has no unix sockets: connect by TCP"
            }
            (Endpoint::Socket(_), _) => "check the path of the socket",
            (Endpoint::Tcp { .. }, Io::ConnectionRefused) => {
                "nobody listens there: start the server, check host and port, and the server's bind_address and skip_networking"
            }
            (Endpoint::Tcp { .. }, _) => "check host and port, the network and firewalls",
        }
    }

    pub(super) fn broken(&self, error: io::Error) -> Error {
        let advice = match self.phase {
            Phase::Greeting => self.is_it_a_server(),
            Phase::Resolve | Phase::Dial | Phase::Tls | Phase::Login | Phase::ChangeUser => {
                "look into the server's error log".into()
            }
        };
        self.error(ErrorKind::Connect, &error)
            .with_advice(advice)
            .with_source(error)
    }

    pub(super) fn hung_up(&self) -> Error {
        let advice: Cow<'static, str> = match self.phase {
            Phase::Greeting => self.is_it_a_server(),
            Phase::Resolve | Phase::Dial | Phase::Tls | Phase::Login | Phase::ChangeUser => {
                "look into the server's error log; a proxy in between may have closed it too".into()
            }
        };
        self.error(ErrorKind::Connect, "the server closed the connection")
            .with_advice(advice)
    }

    pub(super) fn refused(&self, error: HandshakeError) -> Error {
        let kind = match &error {
            HandshakeError::Server(server) => return self.by_server(server.clone(), &error),
            HandshakeError::Protocol(_) | HandshakeError::NotReady => ErrorKind::Protocol,
            HandshakeError::TlsUnavailable | HandshakeError::NotVerified { .. } => ErrorKind::Tls,
            HandshakeError::UnsupportedServer { .. } => ErrorKind::Unsupported,
            HandshakeError::AuthRefused { .. } => ErrorKind::Authentication,
            HandshakeError::InvalidOption { .. } => ErrorKind::Configuration,
            _ => ErrorKind::Connect,
        };
        let told = self.error(kind, &error).with_source(error);
        if kind == ErrorKind::Protocol && self.phase == Phase::Greeting {
            told.with_advice(self.is_it_a_server())
        } else {
            told
        }
    }

    pub(super) fn insecure(&self, error: TlsError) -> Error {
        self.error(error.kind, error.detail)
            .with_advice(error.advice)
    }

    fn is_it_a_server(&self) -> Cow<'static, str> {
        match &self.endpoint {
            Endpoint::Tcp { port, .. } => {
                format!("is a MySQL or MariaDB server listening on port {port}? Its classic protocol is wanted (mostly 3306), not X Protocol (33060) or HTTP").into()
            }
            Endpoint::Socket(_) => "is it the socket of a MySQL or MariaDB server, and of its classic protocol (not mysqlx.sock)?".into(),
        }
    }
}

pub(super) fn bad_key(path: &Path, reason: &str) -> Error {
    Error::new(
        ErrorKind::Configuration,
        Outcome::NotSent,
        format!("the file of server-public-key, {}, cannot be used: {reason}", path.display()),
    )
    .with_advice("name a copy of public_key.pem from the server's data folder, or leave the option out and use TLS")
}

/// What the server says about a login, by its number.
impl Attempt {
    fn by_server(&self, server: ServerError, error: &HandshakeError) -> Error {
        let kind = match server.code {
            1044 | 1045 | 1251 | 1524 | 1698 | 1862 | 3118 | 4151 => ErrorKind::Authentication,
            _ => ErrorKind::Connect,
        };
        // The message of the login error ends in the advice for this number.
        let told = error.to_string();
        let advice = told.strip_prefix(&format!("{server}: ")).map(str::to_owned);
        let error = Error::new(
            kind,
            Outcome::NotSent,
            format!("{}, while {}", self.endpoint, self.phase.doing()),
        )
        .with_server(server);
        match advice {
            Some(advice) => error.with_advice(advice),
            None => error,
        }
    }
}
