use crate::Secret;

/// Who logs in, how, and over what.
#[derive(Clone, Debug)]
pub struct HandshakeOptions {
    /// The account's name.
    pub user: String,
    /// Its password; empty if it has none.
    pub password: Secret,
    /// The default database.
    pub database: Option<String>,
    /// Whether to encrypt.
    pub tls: TlsRequest,
    /// What a plain connection is worth.
    pub channel: Channel,
    /// Names and values for `performance_schema.session_connect_attrs`.
    pub attributes: Vec<(String, String)>,
    /// The longest payload accepted from the server, in bytes.
    pub max_receive: usize,
    /// The longest command sent, in bytes.
    pub max_send: usize,
    /// Ask MariaDB for the names of types that have no code of their own (JSON, UUID, INET6 …). Costs bytes in every definition.
    pub mariadb_extended_metadata: bool,
    /// Let MariaDB leave out definitions that it has sent before for a statement.
    pub mariadb_cache_metadata: bool,
    /// Fills the slice with random bytes, or returns false if there are none to be had. Needed for RSA and `parsec`.
    pub random: fn(&mut [u8]) -> bool,
    /// The server's public key in PEM, if it is known: then the password may travel encrypted over any channel.
    pub server_public_key: Option<Vec<u8>>,
    /// Accept only a server that has shown who it is: a unix socket, TLS with a verified certificate, or TLS with MariaDB's proof that its certificate is its
    /// own. Loopback is worth no more than a network then.
    pub require_verified: bool,
    /// Let the server ask for the password in clear (`mysql_clear_password`, for PAM and LDAP), over verified TLS or a unix socket.
    pub clear_text_password: bool,
    /// Tell the server that it may ask for a local file. It gets one only in answer to [`Session::query_with_file`](crate::Session::query_with_file).
    pub local_infile: bool,
}

/// Whether to encrypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsRequest {
    /// Plain.
    Never,
    /// TLS if the server offers it, else plain.
    IfOffered,
    /// TLS or nothing.
    Require,
}

/// What a plain connection is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A unix socket: nobody listens.
    Socket,
    /// TCP to a literal loopback address or `localhost`.
    Loopback,
    /// TCP to anywhere else.
    Network,
}
