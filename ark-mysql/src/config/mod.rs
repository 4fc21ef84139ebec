//! Where to connect, as whom, and how: [`ConnectOptions`].

mod attributes;
mod builder;
mod from;
mod init;
mod trust;

use std::path::PathBuf;
use std::time::Duration;

use ark_mysql_proto::Secret;
pub use ark_mysql_proto::url::{Compat, Endpoint, TlsMode, Url, UrlError};

pub use self::from::IntoConnectOptions;
pub(crate) use self::trust::{ClientFiles, Trust, read_file};
#[cfg(feature = "tls")]
use crate::connection::tls::TlsCache;
use crate::error::{Error, ErrorKind, Outcome};

/// How to reach and enter a server.
///
/// Made from an address (`"mysql://app:pw@db.example.com/shop".parse()`), or by hand:
///
/// ```
/// use ark_mysql::ConnectOptions;
/// use std::time::Duration;
///
/// let options = ConnectOptions::new("app")
///     .password("secret")
///     .host("db.example.com")
///     .database("shop")
///     .connect_timeout(Duration::from_secs(3));
/// assert!(!format!("{options:?}").contains("secret"));
/// ```
///
/// # What holds unless you say otherwise
///
/// | setting | default |
/// |---|---|
/// | host, port | `localhost` (TCP to the loopback address), 3306 |
/// | TLS | other machines: verify-identity. `localhost`, loopback addresses: preferred. Unix sockets: none |
/// | public keys of servers | fetched on loopback only |
/// | the password in clear (`mysql_clear_password`) | never |
/// | `LOAD DATA LOCAL INFILE` | off |
/// | connect deadline | 10 s from the name look-up to the end of the login |
/// | statement cache | 128 a connection |
/// | largest packet received, sent | 64 MiB |
/// | connection attributes | the driver's name and version, system, process number |
/// | init statements | none |
///
/// # Options of an address
///
/// `mysql://user:password@host:port/database?key=value&…`; `mariadb://` means the same. Everything in front of the `?` is
/// percent-decoded once. An unknown or repeated key is an error.
///
/// | key | value |
/// |---|---|
/// | `socket` | path of a unix socket |
/// | `ssl-mode` | `disabled`, `preferred`, `required` (encrypted, not verified), `verify-ca`, `verify-identity` |
/// | `ssl-ca` | file with the certificate authorities to trust instead of the public ones; alone it means `verify-identity` |
/// | `ssl-cert`, `ssl-key` | files with the client's own certificate and its private key, for accounts that require one |
/// | `server-public-key` | file with the server's RSA key, for logins that need it outside of loopback |
/// | `require-verified` | `true`: nothing that can be replayed goes to a server that is not verified, on loopback too |
/// | `clear-text-password` | `true`: allow `mysql_clear_password`, over verified TLS or a socket |
/// | `connect-timeout` | seconds; `500ms` too |
/// | `statement-cache-capacity` | prepared statements kept on a connection |
/// | `max-connections`, `acquire-timeout` | of a [`Pool`](crate::Pool) |
/// | `kill-abandoned` | `true`: what runs when nobody waits for it any more is ended by `KILL QUERY`; see [`kill_abandoned`](ConnectOptions::kill_abandoned) |
/// | `compat` | `proxy`: nothing that ProxySQL, MaxScale and the like do not support |
///
/// Connecting checks the settings first: a contradiction is an [`ErrorKind::Configuration`] error, and nothing is sent.
#[derive(Clone)]
pub struct ConnectOptions {
    pub(crate) place: Place,
    pub(crate) user: String,
    pub(crate) password: Option<Secret>,
    pub(crate) database: Option<String>,
    /// `None`: by the endpoint.
    pub(crate) tls_mode: Option<TlsMode>,
    pub(crate) trust: Trust,
    pub(crate) client: ClientFiles,
    #[cfg(feature = "tls")]
    pub(crate) tls_cache: TlsCache,
    pub(crate) server_public_key: Option<PathBuf>,
    pub(crate) require_verified: bool,
    pub(crate) clear_text_password: bool,
    pub(crate) local_infile: bool,
    pub(crate) kill_abandoned: bool,
    pub(crate) connect_timeout: Duration,
    pub(crate) statement_cache_capacity: usize,
    pub(crate) compat: Compat,
    pub(crate) max_receive: usize,
    pub(crate) max_send: usize,
    attributes: Vec<(String, String)>,
    init_statements: Vec<String>,
    pub(crate) track_gtids: bool,
    pub(crate) max_connections: Option<u32>,
    pub(crate) acquire_timeout: Option<Duration>,
}

/// The endpoint as the builder has it: checked when the connection is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    host: String,
    port: u16,
    socket: Option<PathBuf>,
}

/// From the name look-up to the end of the login.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Enough for the hot statements of a service, far below the server's 16 382 for all connections together.
const STATEMENT_CACHE: usize = 128;
/// The server's own default for what it receives; larger cells are asked for.
const MAX_PACKET: usize = 64 << 20;

/// What is in force.
impl ConnectOptions {
    /// Returns where the server listens.
    ///
    /// # Errors
    /// `Configuration` if the host name, port or socket path makes no sense.
    pub fn endpoint(&self) -> Result<Endpoint, Error> {
        let Place { host, port, socket } = &self.place;
        let endpoint = match socket {
            Some(path) => Endpoint::unix(path),
            None => Endpoint::tcp(host, *port),
        };
        endpoint.map_err(Error::from)
    }

    /// Returns the account name.
    pub fn user_name(&self) -> &str {
        &self.user
    }

    /// Returns the default database.
    pub fn database_name(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// Returns the TLS mode in force: the one chosen, else verify-identity where CA certificates were given, else by the endpoint.
    ///
    /// # Errors
    /// As [`endpoint`](Self::endpoint).
    pub fn effective_tls_mode(&self) -> Result<TlsMode, Error> {
        let endpoint = self.endpoint()?;
        Ok(self.tls_mode_for(&endpoint))
    }

    pub(crate) fn tls_mode_for(&self, endpoint: &Endpoint) -> TlsMode {
        match self.tls_mode {
            Some(mode) => mode,
            None if self.trust.is_custom() => TlsMode::VerifyIdentity,
            None if self.require_verified && matches!(endpoint, Endpoint::Tcp { .. }) => {
                TlsMode::VerifyIdentity
            }
            None => endpoint.default_tls_mode(),
        }
    }

    /// Checks what no single setter can see, before anything is sent.
    pub(crate) fn check(&self) -> Result<(Endpoint, TlsMode), Error> {
        let endpoint = self.endpoint()?;
        let mode = self.tls_mode_for(&endpoint);
        refuse_text("user", &self.user)?;
        refuse_text("database", self.database.as_deref().unwrap_or("-"))?;
        self.check_attributes()?;
        self.check_init_statements()?;
        match mode {
            TlsMode::Disabled | TlsMode::Preferred | TlsMode::Required if self.trust.is_custom() => Err(invalid(format!(
                "CA certificates are given, but ssl-mode={mode} verifies nothing"
            ))
            .with_advice("use verify-identity or verify-ca, or give no CA certificates")),
            TlsMode::VerifyCa if !self.trust.is_custom() => {
                Err(invalid("ssl-mode=verify-ca without ssl-ca would accept any certificate that a public authority ever signed")
                    .with_advice("name the CA of your database servers by ssl-ca, or use verify-identity"))
            }
            TlsMode::Disabled if self.require_verified && matches!(endpoint, Endpoint::Tcp { .. }) => {
                Err(invalid("a verified server is required, but with ssl-mode=disabled nobody can tell who answers")
                    .with_advice("leave ssl-mode out, or connect by the unix socket"))
            }
            TlsMode::Disabled if self.client != ClientFiles::default() => {
                Err(invalid("a certificate of the client is given, but with ssl-mode=disabled nobody sees it")
                    .with_advice("leave ssl-mode out, or ssl-cert and ssl-key"))
            }
            _ if self.client.certificate.is_some() != self.client.key.is_some() => {
                Err(invalid("only one of ssl-cert and ssl-key is given")
                    .with_advice("name both: the certificate, and its private key"))
            }
            _ => Ok((endpoint, mode)),
        }
    }
}

/// Names travel NUL-terminated; an empty one selects MySQL's anonymous account, which nobody means.
fn refuse_text(what: &str, text: &str) -> Result<(), Error> {
    if text.is_empty() {
        return Err(invalid(format!("the {what} is empty"))
            .with_advice("name one, as in mysql://user@host/database"));
    }
    if text.contains('\0') {
        return Err(invalid(format!("the {what} holds a NUL character"))
            .with_advice("no server accepts that: remove it"));
    }
    Ok(())
}

fn invalid(detail: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Configuration, Outcome::NotSent, detail)
}

impl std::fmt::Debug for ConnectOptions {
    /// Shows everything but the password (only whether there is one) and the init statements (only how many).
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConnectOptions")
            .field("place", &self.place)
            .field("user", &self.user)
            .field("password", &self.password.as_ref().map(|_| "(hidden)"))
            .field("database", &self.database)
            .field("tls_mode", &self.tls_mode)
            .field("trust", &self.trust)
            .field("client", &self.client)
            .field("server_public_key", &self.server_public_key)
            .field("require_verified", &self.require_verified)
            .field("clear_text_password", &self.clear_text_password)
            .field("local_infile", &self.local_infile)
            .field("kill_abandoned", &self.kill_abandoned)
            .field("connect_timeout", &self.connect_timeout)
            .field("statement_cache_capacity", &self.statement_cache_capacity)
            .field("compat", &self.compat)
            .field("max_receive", &self.max_receive)
            .field("max_send", &self.max_send)
            .field("attributes", &self.attributes)
            .field("init_statements", &self.init_statements.len())
            .field("track_gtids", &self.track_gtids)
            .field("max_connections", &self.max_connections)
            .field("acquire_timeout", &self.acquire_timeout)
            .finish()
    }
}

#[cfg(test)]
mod tests;
