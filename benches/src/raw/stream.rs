//! A socket, in the clear or with TLS.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// What a raw client writes to and reads from.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
}

impl Stream {
    /// Encrypts from here on. Certificate chain and name are verified, by an authority's file.
    pub(super) fn encrypt(stream: TcpStream, host: &str, authority: &Path) -> Result<Self> {
        let mut roots = RootCertStore::empty();
        let certificates = CertificateDer::pem_file_iter(authority)
            .with_context(|| format!("cannot read {}", authority.display()))?;
        for certificate in certificates {
            roots.add(certificate?)?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(host.to_owned())?;
        let connection = ClientConnection::new(Arc::new(config), name)?;
        Ok(Self::Tls(Box::new(StreamOwned::new(connection, stream))))
    }
}

impl Read for Stream {
    #[inline]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(bytes),
            Self::Tls(stream) => stream.read(bytes),
        }
    }
}

impl Write for Stream {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}
