//! What options are made from.

use std::str::FromStr;

use super::{ClientFiles, ConnectOptions, Endpoint, Trust, Url, UrlError};
use crate::error::{Error, ErrorKind, Outcome};
use crate::pool::Pool;

/// What `Connection::connect` and `Pool::connect` take: an address as `&str` or `String`, [`ConnectOptions`], or those of a `&Pool`.
pub trait IntoConnectOptions {
    /// Returns the options.
    ///
    /// # Errors
    /// `Configuration`, saying what is wrong with the address.
    fn into_connect_options(self) -> Result<ConnectOptions, Error>;
}

impl IntoConnectOptions for ConnectOptions {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        Ok(self)
    }
}

impl IntoConnectOptions for &ConnectOptions {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        Ok(self.clone())
    }
}

impl IntoConnectOptions for &str {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        self.parse()
    }
}

impl IntoConnectOptions for String {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        self.parse()
    }
}

impl IntoConnectOptions for &String {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        self.parse()
    }
}

/// The options that the pool connects with: for a connection that is none of its own.
impl IntoConnectOptions for &Pool {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        Ok(self.options().clone())
    }
}

impl IntoConnectOptions for Url {
    fn into_connect_options(self) -> Result<ConnectOptions, Error> {
        Ok(self.into())
    }
}

impl FromStr for ConnectOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(text.parse::<Url>()?.into())
    }
}

impl TryFrom<&str> for ConnectOptions {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Url> for ConnectOptions {
    fn from(url: Url) -> Self {
        let Url {
            user,
            password,
            endpoint,
            database,
            tls_mode,
            options,
        } = url;
        let mut this = Self::new(user);
        match endpoint {
            Endpoint::Tcp { host, port } => this = this.host(host).port(port),
            Endpoint::Socket(path) => this = this.socket(path),
        }
        this.password = password;
        this.database = database;
        this.tls_mode = tls_mode;
        this.trust = options.ssl_ca.map_or(Trust::Public, Trust::File);
        this.client = ClientFiles {
            certificate: options.ssl_cert,
            key: options.ssl_key,
        };
        this.server_public_key = options.server_public_key;
        this.require_verified = options.require_verified.unwrap_or_default();
        this.clear_text_password = options.clear_text_password.unwrap_or_default();
        this.connect_timeout = options.connect_timeout.unwrap_or(this.connect_timeout);
        this.statement_cache_capacity = options
            .statement_cache_capacity
            .unwrap_or(this.statement_cache_capacity);
        this.compat = options.compat.unwrap_or(this.compat);
        this.max_connections = options.max_connections;
        this.acquire_timeout = options.acquire_timeout;
        this.kill_abandoned = options.kill_abandoned.unwrap_or_default();
        this
    }
}

impl From<UrlError> for Error {
    fn from(error: UrlError) -> Self {
        Self::new(
            ErrorKind::Configuration,
            Outcome::NotSent,
            error.to_string(),
        )
        .with_source(error)
    }
}
