//! The ways to a server. A network is this machine by an address that is not literally loopback.

use ark_mysql::dev_server::DevServer;
use tests::Account;

use crate::between::Between;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    PlainNetwork,
    PlainLoopback,
    UnverifiedNetwork,
    UnverifiedLoopback,
    VerifiedNetwork,
    VerifiedLoopback,
    Socket,
    SocketWithTls,
    /// Unverified TLS where a verified server is required: by MariaDB's proof or not at all.
    ByProof,
}

impl Way {
    pub(crate) const ALL: [Self; 9] = [
        Self::PlainNetwork,
        Self::PlainLoopback,
        Self::UnverifiedNetwork,
        Self::UnverifiedLoopback,
        Self::VerifiedNetwork,
        Self::VerifiedLoopback,
        Self::Socket,
        Self::SocketWithTls,
        Self::ByProof,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PlainNetwork => "plain net",
            Self::PlainLoopback => "plain loop",
            Self::UnverifiedNetwork => "unver net",
            Self::UnverifiedLoopback => "unver loop",
            Self::VerifiedNetwork => "verif net",
            Self::VerifiedLoopback => "verif loop",
            Self::Socket => "socket",
            Self::SocketWithTls => "socket+tls",
            Self::ByProof => "by proof",
        }
    }

    pub(crate) fn is_plain(self) -> bool {
        matches!(
            self,
            Self::PlainNetwork | Self::PlainLoopback | Self::Socket
        )
    }

    /// The address for this account, by way of the one between.
    pub(crate) fn url(self, account: &Account, between: &Between, server: &DevServer) -> String {
        const NETWORK: &str = "0.0.0.0";
        let ca = server.ca_certificate().display();
        let (host, options) = match self {
            Self::PlainNetwork => (NETWORK, "ssl-mode=disabled".to_owned()),
            Self::PlainLoopback => ("127.0.0.1", "ssl-mode=disabled".to_owned()),
            Self::UnverifiedNetwork => (NETWORK, "ssl-mode=required".to_owned()),
            Self::UnverifiedLoopback => ("127.0.0.1", "ssl-mode=required".to_owned()),
            Self::VerifiedNetwork => (NETWORK, format!("ssl-mode=verify-ca&ssl-ca={ca}")),
            Self::VerifiedLoopback => ("127.0.0.1", format!("require-verified=true&ssl-ca={ca}")),
            Self::Socket => ("localhost", format!("socket={}", between.socket.display())),
            Self::SocketWithTls => (
                "localhost",
                format!("ssl-mode=required&socket={}", between.socket.display()),
            ),
            Self::ByProof => (
                NETWORK,
                "ssl-mode=required&require-verified=true".to_owned(),
            ),
        };
        let port = if host == "localhost" {
            String::new()
        } else {
            format!(":{}", between.port)
        };
        format!(
            "mysql://{}:{}@{host}{port}/?{options}",
            account.name, account.password
        )
    }
}
