//! The setters of [`ConnectOptions`].

use std::path::PathBuf;
use std::time::Duration;

use ark_mysql_proto::Secret;
use ark_mysql_proto::url::DEFAULT_PORT;

use super::{
    CONNECT_TIMEOUT, ClientFiles, Compat, ConnectOptions, MAX_PACKET, Place, STATEMENT_CACHE,
    TlsMode, Trust,
};
#[cfg(feature = "tls")]
use crate::connection::tls::TlsCache;

impl ConnectOptions {
    /// Returns options for this account on `localhost:3306`, without password or database.
    pub fn new(user: impl Into<String>) -> Self {
        Self {
            place: Place {
                host: "localhost".to_owned(),
                port: DEFAULT_PORT,
                socket: None,
            },
            user: user.into(),
            password: None,
            database: None,
            tls_mode: None,
            trust: Trust::default(),
            client: ClientFiles::default(),
            #[cfg(feature = "tls")]
            tls_cache: TlsCache::default(),
            server_public_key: None,
            require_verified: false,
            clear_text_password: false,
            local_infile: false,
            kill_abandoned: false,
            connect_timeout: CONNECT_TIMEOUT,
            statement_cache_capacity: STATEMENT_CACHE,
            compat: Compat::Direct,
            max_receive: MAX_PACKET,
            max_send: MAX_PACKET,
            attributes: Vec::new(),
            init_statements: Vec::new(),
            track_gtids: false,
            max_connections: None,
            acquire_timeout: None,
        }
    }

    /// Sets the account name.
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = user.into();
        self
    }

    /// Sets the password; an empty one means none. It need not be UTF-8.
    pub fn password(mut self, password: impl Into<Vec<u8>>) -> Self {
        let password = password.into();
        self.password = (!password.is_empty()).then(|| Secret::new(password));
        self
    }

    /// Sets the host: a name, an IPv4 or an IPv6 address (brackets may be left out). Forgets a socket.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.place = Place {
            host: host.into(),
            port: self.place.port,
            socket: None,
        };
        self
    }

    /// Sets the TCP port.
    pub fn port(mut self, port: u16) -> Self {
        self.place.port = port;
        self
    }

    /// Connects to a unix socket instead of a host.
    pub fn socket(mut self, path: impl Into<PathBuf>) -> Self {
        self.place.socket = Some(path.into());
        self
    }

    /// Sets the default database.
    pub fn database(mut self, database: impl Into<String>) -> Self {
        self.database = Some(database.into());
        self
    }

    /// Sets how the connection is protected.
    pub fn tls_mode(mut self, mode: TlsMode) -> Self {
        self.tls_mode = Some(mode);
        self
    }

    /// Trusts the CA certificates in this PEM file instead of the public ones.
    ///
    /// The file is read once, when the first connection of these options or of a clone of them is made.
    pub fn ssl_ca(mut self, file: impl Into<PathBuf>) -> Self {
        self.trust = Trust::File(file.into());
        self
    }

    /// Trusts the CA certificates in this PEM text instead of the public ones.
    pub fn ssl_ca_pem(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.trust = Trust::Pem(pem.as_ref().into());
        self
    }

    /// Names the PEM file with the client's own certificate, the ones above it behind it, for accounts that require one (`REQUIRE X509`). Its key is named by
    /// [`ssl_key`](Self::ssl_key). Both are read once, as in [`ssl_ca`](Self::ssl_ca).
    pub fn ssl_cert(mut self, file: impl Into<PathBuf>) -> Self {
        self.client.certificate = Some(file.into());
        self
    }

    /// Names the PEM file with the private key of the client's certificate, not encrypted (PKCS #8, PKCS #1 or SEC 1).
    pub fn ssl_key(mut self, file: impl Into<PathBuf>) -> Self {
        self.client.key = Some(file.into());
        self
    }

    /// Names a PEM file with the server's RSA public key, so that passwords may be sent encrypted with it where there is no TLS.
    pub fn server_public_key(mut self, file: impl Into<PathBuf>) -> Self {
        self.server_public_key = Some(file.into());
        self
    }

    /// Accepts only a server that has shown who it is: by the unix socket, by a verified certificate, or, where the TLS mode verifies none
    /// ([`TlsMode::Required`], `Preferred`), by MariaDB's proof that the certificate is its own (11.4 and later; it is bound to the password, so the account needs one).
    /// `localhost` is worth no more than another host then: without a TLS mode it is verify-identity there too.
    pub fn require_verified(mut self, required: bool) -> Self {
        self.require_verified = required;
        self
    }

    /// Lets the server ask for the password in clear (`mysql_clear_password`, for PAM and LDAP). It goes only over verified TLS or a unix socket.
    pub fn clear_text_password(mut self, allowed: bool) -> Self {
        self.clear_text_password = allowed;
        self
    }

    /// Ends by `KILL QUERY`, from a connection of its own, what still runs when nobody waits for it any more: a future that was dropped, a
    /// stream that was not read to its end. Without it the server finishes such statements, and a connection with more to read than 64 KiB or
    /// 50 ms is closed.
    ///
    /// It is done before the connection is used again, or, where it belongs to a pool, as soon as it goes back. The `KILL` is awaited, for 1 s at
    /// most, and so is the end of what it killed; if one of them does not come the connection is closed. In an address: `kill-abandoned=true`.
    pub fn kill_abandoned(mut self, kill: bool) -> Self {
        self.kill_abandoned = kill;
        self
    }

    /// Tells the server that `LOAD DATA LOCAL INFILE` is wanted. Off by default, and then no server may ask.
    ///
    /// On, a server still gets nothing but what the program gives: the reader that was given with that one statement by
    /// [`local_infile`](crate::dynamic::DynamicQuery::local_infile). No file is ever opened, whatever name the server asks for. No address can switch it on.
    pub fn local_infile(mut self, allowed: bool) -> Self {
        self.local_infile = allowed;
        self
    }

    /// Sets the deadline for the whole way from the name look-up to the end of the login.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets how many prepared statements a connection keeps; 0 keeps none. SQL that is made at run time has 16 KiB for each of them, all in all: where it
    /// is longer, fewer are kept.
    pub fn statement_cache_capacity(mut self, capacity: usize) -> Self {
        self.statement_cache_capacity = capacity;
        self
    }

    /// Says what stands between this driver and the server.
    pub fn compat(mut self, compat: Compat) -> Self {
        self.compat = compat;
        self
    }

    /// Sets the largest packet accepted from the server, in bytes (at most 1 GiB makes sense).
    pub fn max_receive(mut self, bytes: usize) -> Self {
        self.max_receive = bytes;
        self
    }

    /// Sets the largest packet sent, in bytes. What the server accepts is its `max_allowed_packet`.
    pub fn max_send(mut self, bytes: usize) -> Self {
        self.max_send = bytes;
        self
    }

    /// Has the server report the GTID of every transaction that is committed on a connection, for [`Connection::last_gtid`](crate::Connection::last_gtid). Needs
    /// its binary log, and on MySQL `gtid_mode=ON`; otherwise nothing is reported. Costs some forty bytes in the reply to a write.
    pub fn track_gtids(mut self, wanted: bool) -> Self {
        self.track_gtids = wanted;
        self
    }

    /// Sets the size of a pool made from these options.
    pub fn max_connections(mut self, count: u32) -> Self {
        self.max_connections = Some(count);
        self
    }

    /// Sets how long a borrower waits for a connection of a pool made from these options.
    pub fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.acquire_timeout = Some(timeout);
        self
    }

    /// The same options for another login.
    pub(crate) fn login(self, user: &str, password: &[u8], database: Option<&str>) -> Self {
        Self {
            database: database.map(str::to_owned),
            ..self.user(user).password(password)
        }
    }
}
