//! Database addresses: `mysql://user:password@host:3306/database?ssl-mode=required`.
//!
//! The driver and the macros read the same grammar, so an address that works in one works in the other.
//!
//! ```text
//! url      = ("mysql" | "mariadb") "://" user [":" password] "@" [host [":" port]] ["/" [database]] ["?" options]
//! host     = name | IPv4 | "[" IPv6 "]"           (may be left out, or be localhost, where `socket` is given)
//! options  = key "=" value *("&" key "=" value)   (keys: see `UrlOption`)
//! ```
//! User, password, database and option values are percent-decoded exactly once. The password may be any bytes.
//! `localhost` is TCP to the loopback address; a unix socket is named by `?socket=/path`.

mod error;
mod option;
mod parse;
mod query;
mod suggest;
mod write;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

pub use self::error::UrlError;
pub use self::option::UrlOption;
use crate::Secret;

/// The port of a server when the address names none.
pub const DEFAULT_PORT: u16 = 3306;

/// A parsed database address. `Debug` does not show the password; [`Url::to_url`] does, by purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// Account name; never empty.
    pub user: String,
    /// Password as sent: percent-decoded once. `None` where it is missing or empty.
    pub password: Option<Secret>,
    /// Where the server listens.
    pub endpoint: Endpoint,
    /// Default database, if one was named.
    pub database: Option<String>,
    /// `ssl-mode`, if it was given. [`Url::tls_mode`] is the mode in force.
    pub tls_mode: Option<TlsMode>,
    /// All other options.
    pub options: UrlOptions,
}

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// TCP.
    Tcp {
        /// Host name in lower case, or an IP address; IPv6 stands without brackets.
        host: String,
        /// Port, never 0.
        port: u16,
    },
    /// A unix socket.
    Socket(PathBuf),
}

/// How a connection is protected (`ssl-mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TlsMode {
    /// Never TLS.
    Disabled,
    /// On this machine TLS where the server offers it, else plain; nothing is verified. To every other host the same as `Required`:
    /// whoever can listen on a network can also take the offer of TLS out of it.
    Preferred,
    /// Always TLS, without verification: safe against listeners, not against an impostor.
    Required,
    /// Always TLS; the certificate must come from a trusted CA, whatever name it bears.
    VerifyCa,
    /// Always TLS; the certificate must come from a trusted CA and bear the name or IP address that was asked for.
    VerifyIdentity,
}

/// What stands between driver and server (`compat`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compat {
    /// A server.
    #[default]
    Direct,
    /// A proxy (ProxySQL, MaxScale, RDS Proxy): no pipelining of dependent commands, no metadata cache.
    Proxy,
}

/// The options of an address besides `socket` and `ssl-mode`; `None` = not given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlOptions {
    /// `ssl-ca`: PEM file with the CA certificates to trust instead of the public ones.
    pub ssl_ca: Option<PathBuf>,
    /// `ssl-cert`: PEM file with the client's own certificate.
    pub ssl_cert: Option<PathBuf>,
    /// `ssl-key`: PEM file with its private key.
    pub ssl_key: Option<PathBuf>,
    /// `server-public-key`: PEM file with the server's RSA key, for logins without TLS.
    pub server_public_key: Option<PathBuf>,
    /// `require-verified`: accept only a server that has shown who it is, on this machine too.
    pub require_verified: Option<bool>,
    /// `clear-text-password`: let the server ask for the password in clear (`mysql_clear_password`), over verified TLS or a socket.
    pub clear_text_password: Option<bool>,
    /// `connect-timeout`: from DNS to the end of the login.
    pub connect_timeout: Option<Duration>,
    /// `statement-cache-capacity`: prepared statements kept open on a connection.
    pub statement_cache_capacity: Option<usize>,
    /// `compat`.
    pub compat: Option<Compat>,
    /// `max-connections`: the size of a pool.
    pub max_connections: Option<u32>,
    /// `acquire-timeout`: how long a borrower waits for a connection of a pool.
    pub acquire_timeout: Option<Duration>,
    /// `kill-abandoned`: end by `KILL QUERY` what runs when nobody waits for it any more.
    pub kill_abandoned: Option<bool>,
}

impl Url {
    /// Returns an address without password, database and options.
    pub fn new(user: impl Into<String>, endpoint: Endpoint) -> Self {
        Self {
            user: user.into(),
            password: None,
            endpoint,
            database: None,
            tls_mode: None,
            options: UrlOptions::default(),
        }
    }

    /// Returns the TLS mode in force: the one given, else verify-identity where a CA file is given or a verified server is required over TCP, else the
    /// endpoint's default.
    pub fn tls_mode(&self) -> TlsMode {
        let strict = self.options.require_verified == Some(true);
        match (self.tls_mode, &self.options.ssl_ca, &self.endpoint) {
            (Some(mode), ..) => mode,
            (None, Some(_), _) => TlsMode::VerifyIdentity,
            (None, None, Endpoint::Tcp { .. }) if strict => TlsMode::VerifyIdentity,
            (None, None, endpoint) => endpoint.default_tls_mode(),
        }
    }

    /// Writes the address so that parsing it gives the same value. **The password stands in it.**
    pub fn to_url(&self) -> String {
        write::url(self)
    }
}

impl FromStr for Url {
    type Err = UrlError;

    /// # Errors
    /// Names the first malformed part and what to do about it; never contains the password.
    fn from_str(text: &str) -> Result<Self, UrlError> {
        parse::url(text)
    }
}

impl Endpoint {
    /// Returns the TCP endpoint with this host (IPv6 with or without brackets) and port, or what is wrong with it.
    ///
    /// # Errors
    /// The same as for the host and port of an address.
    pub fn tcp(host: &str, port: u16) -> Result<Self, UrlError> {
        parse::tcp(host, port).map_err(UrlError)
    }

    /// Returns the endpoint of a unix socket, or what is wrong with its path.
    ///
    /// # Errors
    /// The path must be absolute and short enough for a socket address.
    pub fn unix(path: impl Into<PathBuf>) -> Result<Self, UrlError> {
        query::socket(path.into())
            .map(Self::Socket)
            .map_err(UrlError)
    }

    /// Returns whether this is literally this machine over TCP: `localhost`, `127.0.0.0/8` or `::1`. No name is looked up.
    pub fn is_loopback(&self) -> bool {
        match self {
            Self::Tcp { host, .. } => {
                host.eq_ignore_ascii_case("localhost")
                    || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
            }
            Self::Socket(_) => false,
        }
    }

    /// Returns the TLS mode used when none is given: verify-identity for every other machine, preferred on this one.
    pub fn default_tls_mode(&self) -> TlsMode {
        match self {
            Self::Socket(_) => TlsMode::Preferred,
            Self::Tcp { .. } if self.is_loopback() => TlsMode::Preferred,
            Self::Tcp { .. } => TlsMode::VerifyIdentity,
        }
    }

    /// Returns the addresses that need no look-up: `localhost` and literal IP addresses; empty for other names and sockets.
    ///
    /// `localhost` is answered here, not by DNS, because the softer rules for this machine hang on that name.
    pub fn literal_addresses(&self) -> Vec<IpAddr> {
        match self {
            Self::Tcp { host, .. } if host.eq_ignore_ascii_case("localhost") => {
                vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
            }
            Self::Tcp { host, .. } => host.parse().into_iter().collect(),
            Self::Socket(_) => Vec::new(),
        }
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Socket(path) => write!(f, "{}", path.display()),
        }
    }
}

impl TlsMode {
    /// Returns the value of `ssl-mode`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Preferred => "preferred",
            Self::Required => "required",
            Self::VerifyCa => "verify-ca",
            Self::VerifyIdentity => "verify-identity",
        }
    }

    /// Returns whether the server's certificate is checked.
    pub fn verifies(self) -> bool {
        match self {
            Self::Disabled | Self::Preferred | Self::Required => false,
            Self::VerifyCa | Self::VerifyIdentity => true,
        }
    }
}

impl std::fmt::Display for TlsMode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
