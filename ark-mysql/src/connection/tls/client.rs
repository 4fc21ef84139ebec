//! The TLS client: one configuration for all connections of the same options.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ark_mysql_proto::url::{Endpoint, TlsMode};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::verifier::{ChainOnly, Unverified};
use super::{TlsError, advice};
use crate::config::{ClientFiles, ConnectOptions, Trust};
use crate::connection::stream::Stream;
use crate::error::ErrorKind;

/// The configuration made last, with what it was made from. Clones of the options share it, and with it TLS session tickets.
#[derive(Clone, Default)]
pub(crate) struct TlsCache(Arc<Mutex<Option<Made>>>);

struct Made {
    mode: TlsMode,
    trust: Trust,
    client: ClientFiles,
    config: Arc<ClientConfig>,
}

/// Does the handshake on a plain stream. Cancelling closes it.
pub(crate) async fn start(
    options: &ConnectOptions,
    mode: TlsMode,
    endpoint: &Endpoint,
    stream: Stream,
) -> Result<Stream, TlsError> {
    let Stream::Plain(raw) = stream else {
        return Ok(stream);
    };
    let config = options.tls_cache.config(mode, options)?;
    let name = server_name(endpoint, mode)?;
    match TlsConnector::from(config).connect(name, raw).await {
        Ok(tls) => Ok(Stream::Tls(Box::new(tls))),
        Err(error) => Err(explain(&error, endpoint)),
    }
}

/// Makes the configuration, so that mistakes in it are told early.
pub(crate) fn prepare(options: &ConnectOptions, mode: TlsMode) -> Result<(), TlsError> {
    options.tls_cache.config(mode, options).map(drop)
}

impl TlsCache {
    /// Modes and trust are compared, not assumed: a clone of the options may have been pointed at another host, with other rules.
    pub(super) fn config(
        &self,
        mode: TlsMode,
        ConnectOptions { trust, client, .. }: &ConnectOptions,
    ) -> Result<Arc<ClientConfig>, TlsError> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made
            .as_ref()
            .filter(|made| made.mode == mode && made.trust == *trust && made.client == *client)
        {
            return Ok(Arc::clone(&made.config));
        }
        let config = Arc::new(client_config(mode, trust, client)?);
        *made = Some(Made {
            mode,
            trust: trust.clone(),
            client: client.clone(),
            config: Arc::clone(&config),
        });
        Ok(config)
    }
}

fn client_config(
    mode: TlsMode,
    trust: &Trust,
    client: &ClientFiles,
) -> Result<ClientConfig, TlsError> {
    let provider = Arc::new(provider());
    let algorithms = provider.signature_verification_algorithms;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| setting(error.to_string(), "this is a fault of the build: report it"))?;
    let config = match mode {
        TlsMode::VerifyIdentity => builder.with_root_certificates(roots(trust)?),
        TlsMode::VerifyCa => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(ChainOnly::new(roots(trust)?, algorithms))),
        TlsMode::Disabled | TlsMode::Preferred | TlsMode::Required => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unverified::new(algorithms))),
    };
    let (Some(certificate), Some(key)) = (&client.certificate, &client.key) else {
        return Ok(config.with_no_client_auth());
    };
    let (chain, key) = (client_chain(certificate)?, client_key(key)?);
    config.with_client_auth_cert(chain, key).map_err(|error| {
        let why = match error {
            rustls::Error::InconsistentKeys(_) => {
                "it does not belong to the key of ssl-key".to_owned()
            }
            error => error.to_string(),
        };
        setting(
            format!(
                "the certificate of ssl-cert, {}, cannot be used: {why}",
                certificate.display()
            ),
            "give a certificate of X.509 version 3 and its own private key",
        )
    })
}

/// ring's, with the group first that every server takes: MySQL refuses X25519, and asks for another key by one more round trip.
fn provider() -> CryptoProvider {
    use ring::kx_group::{SECP256R1, SECP384R1, X25519};
    CryptoProvider {
        kx_groups: vec![SECP256R1, X25519, SECP384R1],
        ..ring::default_provider()
    }
}

fn client_chain(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let (pem, shown) = read_pem("ssl-cert", path)?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match chain {
        Ok(chain) if !chain.is_empty() => Ok(chain),
        Ok(_) => Err(setting(
            format!("{shown} holds no certificate"),
            "it must have a line -----BEGIN CERTIFICATE-----",
        )),
        Err(error) => Err(damaged(&shown, &error)),
    }
}

fn client_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let (pem, shown) = read_pem("ssl-key", path)?;
    PrivateKeyDer::from_pem_slice(&pem).map_err(|_| {
        setting(
            format!("{shown} holds no private key that can be used"),
            "it must have a line -----BEGIN PRIVATE KEY----- (or RSA or EC PRIVATE KEY); an encrypted key is to be decrypted first: openssl pkey -in KEY -out PLAIN",
        )
    })
}

/// The file's bytes, and how to speak of it.
fn read_pem(option: &str, path: &Path) -> Result<(Vec<u8>, String), TlsError> {
    let shown = format!("the file of {option}, {}", path.display());
    match crate::config::read_file(path, CA_FILE_LIMIT) {
        Ok(pem) => Ok((pem, shown)),
        Err(reason) => Err(setting(
            format!("{shown}, cannot be read: {reason}"),
            "name a readable PEM file",
        )),
    }
}

/// All public authorities together are 250 KB of PEM; a file above this is none of them.
const CA_FILE_LIMIT: u64 = 4 << 20;

fn roots(trust: &Trust) -> Result<RootCertStore, TlsError> {
    match trust {
        Trust::Public => Ok(RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        }),
        Trust::Pem(pem) => from_pem(pem, "the PEM text of ssl_ca_pem"),
        Trust::File(path) => {
            let shown = format!("the file of ssl-ca, {}", path.display());
            let pem = crate::config::read_file(path, CA_FILE_LIMIT).map_err(|reason| {
                setting(
                    format!("{shown}, cannot be read: {reason}"),
                    "name a readable PEM file with the CA's certificate",
                )
            })?;
            from_pem(&pem, &shown)
        }
    }
}

fn from_pem(pem: &[u8], shown: &str) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| damaged(shown, &error))?;
        roots
            .add(certificate)
            .map_err(|error| damaged(shown, &error))?;
    }
    match roots.is_empty() {
        true => Err(setting(
            format!("{shown} holds no certificate"),
            "it must have a line -----BEGIN CERTIFICATE-----",
        )),
        false => Ok(roots),
    }
}

fn damaged(shown: &str, error: &dyn std::error::Error) -> TlsError {
    setting(
        format!("{shown} holds a certificate that cannot be used: {error}"),
        "give the CA's certificate (X.509 version 3) in PEM form",
    )
}

fn setting(detail: String, advice: &'static str) -> TlsError {
    TlsError {
        kind: ErrorKind::Configuration,
        detail,
        advice: advice.into(),
    }
}

/// The name that the certificate must bear. Servers on a socket are this machine.
fn server_name(endpoint: &Endpoint, mode: TlsMode) -> Result<ServerName<'static>, TlsError> {
    let host = match endpoint {
        Endpoint::Tcp { host, .. } => host.strip_suffix('.').unwrap_or(host),
        Endpoint::Socket(_) => "localhost",
    };
    match ServerName::try_from(host.to_owned()) {
        Ok(name) => Ok(name),
        // Not a name that can be in a certificate; an address is never sent as SNI, and nobody looks at it here.
        Err(_) if !mode.verifies() => Ok(ServerName::from(IpAddr::V4(Ipv4Addr::UNSPECIFIED))),
        Err(_) => Err(setting(
            format!("`{host}` cannot be the name in a certificate"),
            "connect by a DNS name or an IP address",
        )),
    }
}

fn explain(error: &io::Error, endpoint: &Endpoint) -> TlsError {
    let inner = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let (detail, advice) = match inner {
        Some(inner) => (advice::what(inner), advice::advice(inner, endpoint)),
        None => (error.to_string(), "the connection broke in the middle of TLS: look into the server's error log, and whether something in between interferes".into()),
    };
    TlsError {
        kind: ErrorKind::Tls,
        detail,
        advice,
    }
}
