//! The one table of address options.

use super::{Compat, TlsMode};

/// A key after the `?` of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UrlOption {
    /// `socket=/path`: connect to this unix socket.
    Socket,
    /// `ssl-mode=disabled|preferred|required|verify-ca|verify-identity`, in MySQL's own spelling (`VERIFY_CA`) too.
    SslMode,
    /// `ssl-ca=/file.pem`.
    SslCa,
    /// `ssl-cert=/file.pem`.
    SslCert,
    /// `ssl-key=/file.pem`.
    SslKey,
    /// `server-public-key=/file.pem`.
    ServerPublicKey,
    /// `require-verified=true|false`.
    RequireVerified,
    /// `clear-text-password=true|false`.
    ClearTextPassword,
    /// `connect-timeout=10` (seconds; `10s` and `500ms` too).
    ConnectTimeout,
    /// `statement-cache-capacity=128`.
    StatementCacheCapacity,
    /// `compat=direct|proxy`.
    Compat,
    /// `max-connections=10`.
    MaxConnections,
    /// `acquire-timeout=5`.
    AcquireTimeout,
    /// `kill-abandoned=true|false`.
    KillAbandoned,
}

impl UrlOption {
    /// Every option, in the order in which they are written.
    pub const ALL: [Self; 14] = [
        Self::Socket,
        Self::SslMode,
        Self::SslCa,
        Self::SslCert,
        Self::SslKey,
        Self::ServerPublicKey,
        Self::RequireVerified,
        Self::ClearTextPassword,
        Self::ConnectTimeout,
        Self::StatementCacheCapacity,
        Self::Compat,
        Self::MaxConnections,
        Self::AcquireTimeout,
        Self::KillAbandoned,
    ];

    /// Returns the key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Socket => "socket",
            Self::SslMode => "ssl-mode",
            Self::SslCa => "ssl-ca",
            Self::SslCert => "ssl-cert",
            Self::SslKey => "ssl-key",
            Self::ServerPublicKey => "server-public-key",
            Self::RequireVerified => "require-verified",
            Self::ClearTextPassword => "clear-text-password",
            Self::ConnectTimeout => "connect-timeout",
            Self::StatementCacheCapacity => "statement-cache-capacity",
            Self::Compat => "compat",
            Self::MaxConnections => "max-connections",
            Self::AcquireTimeout => "acquire-timeout",
            Self::KillAbandoned => "kill-abandoned",
        }
    }

    /// Returns the option with this key.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.key() == key)
    }

    /// Returns what a value looks like, for messages.
    pub(super) fn expects(self) -> &'static str {
        match self {
            Self::Socket => "an absolute path such as /run/mysqld/mysqld.sock",
            Self::SslMode => "one of disabled, preferred, required, verify-ca, verify-identity",
            Self::SslCa => "the path of a PEM file with CA certificates",
            Self::SslCert => "the path of a PEM file with the client's certificate",
            Self::SslKey => "the path of a PEM file with the private key of ssl-cert",
            Self::ServerPublicKey => "the path of a PEM file with the server's RSA public key",
            Self::RequireVerified | Self::ClearTextPassword | Self::KillAbandoned => {
                "one of true, false"
            }
            Self::ConnectTimeout | Self::AcquireTimeout => {
                "a time such as 10 (seconds), 10s or 500ms, from 1ms to 24 hours"
            }
            Self::StatementCacheCapacity => "a number from 0 (no cache) to 100000",
            Self::Compat => "one of direct, proxy",
            Self::MaxConnections => "a number from 1 to 100000",
        }
    }
}

impl TlsMode {
    /// Returns the mode with this name, in MySQL's own spelling too: `VERIFY_IDENTITY`.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase().replace('_', "-");
        [
            Self::Disabled,
            Self::Preferred,
            Self::Required,
            Self::VerifyCa,
            Self::VerifyIdentity,
        ]
        .into_iter()
        .find(|mode| mode.name() == name)
    }
}

impl Compat {
    /// Returns the value of `compat`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Proxy => "proxy",
        }
    }

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Direct, Self::Proxy]
            .into_iter()
            .find(|compat| compat.name() == name)
    }
}
