//! Where the server is, out of the address that the benchmarks' command gives to everybody.

use std::path::PathBuf;

use anyhow::{Context, Result};
use url::Url;

/// Drivers differ in the words of their addresses, so each is told the parts.
#[derive(Clone, Debug)]
pub struct Address {
    pub host: String,
    pub port: u16,
    pub user: String,
    pub password: Option<String>,
    pub database: String,
    /// The authority that must have signed the server's certificate: with it the connection is encrypted, name and chain verified; without it
    /// it is in the clear.
    pub authority: Option<PathBuf>,
}

impl Address {
    /// # Errors
    /// It is no address of a server, or one that is to be encrypted without an authority.
    pub fn parse(address: &str) -> Result<Self> {
        let url = Url::parse(address).context("no address")?;
        let parameter = |name: &str| {
            let found = url.query_pairs().find(|(key, _)| key == name);
            found.map(|(_, value)| value.into_owned())
        };
        let authority = match parameter("ssl-mode").as_deref() {
            None | Some("disabled") => None,
            Some(_) => Some(parameter("ssl-ca").context("TLS needs ssl-ca")?.into()),
        };
        Ok(Self {
            host: url.host_str().context("no host")?.to_owned(),
            port: url.port().unwrap_or(3306),
            user: url.username().to_owned(),
            password: url.password().map(str::to_owned),
            database: url.path().trim_start_matches('/').to_owned(),
            authority,
        })
    }

    /// The shortest way to write it, which all drivers understand, without TLS.
    pub fn plain(&self) -> String {
        let Self {
            host,
            port,
            user,
            database,
            ..
        } = self;
        let password = self
            .password
            .as_deref()
            .map_or_else(String::new, |word| format!(":{word}"));
        format!("mysql://{user}{password}@{host}:{port}/{database}")
    }
}
