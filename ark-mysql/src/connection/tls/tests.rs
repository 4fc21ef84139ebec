//! Every mode against every kind of certificate, with a TLS server in this process.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, SupportedProtocolVersion};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::*;
use crate::config::ConnectOptions;
use crate::connection::stream::{Raw, Stream};
use ark_mysql_proto::url::{Endpoint, TlsMode};

const BOTH: &[&SupportedProtocolVersion] = &[&rustls::version::TLS12, &rustls::version::TLS13];

/// An authority, and what it signs.
struct Ca {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Ca {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    fn sign(&self, params: CertificateParams) -> Certified {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Certified {
            der: certificate.der().to_vec(),
            key,
        }
    }
}

struct Certified {
    der: Vec<u8>,
    key: KeyPair,
}

#[derive(Debug)]
struct Fixed(Arc<CertifiedKey>);

impl ResolvesServerCert for Fixed {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

fn named(names: &[&str]) -> CertificateParams {
    CertificateParams::new(
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>(),
    )
    .unwrap()
}

/// Serves one connection: sends back what it reads, until `q`, then closes.
async fn serve(
    certified: &Certified,
    versions: &'static [&'static SupportedProtocolVersion],
) -> u16 {
    let provider = Arc::new(ring::default_provider());
    let key = provider
        .key_provider
        .load_private_key(PrivateKeyDer::try_from(certified.key.serialize_der()).unwrap())
        .unwrap();
    let chain = vec![CertificateDer::from(certified.der.clone())];
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Fixed(Arc::new(CertifiedKey::new(chain, key)))));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let Ok(mut tls) = TlsAcceptor::from(Arc::new(config)).accept(socket).await else {
            return;
        };
        let mut byte = [0];
        while tls.read_exact(&mut byte).await.is_ok() && byte != *b"q" {
            tls.write_all(&byte).await.unwrap();
        }
        let _gone = tls.shutdown().await;
    });
    port
}

async fn meet(options: &ConnectOptions, host: &str, port: u16) -> Result<Stream, TlsError> {
    let endpoint = Endpoint::tcp(host, port).unwrap();
    let mode = options.tls_mode_for(&endpoint);
    let socket = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut stream = start(options, mode, &endpoint, Stream::Plain(Raw::tcp(socket))).await?;
    let mut byte = [0];
    assert_eq!(stream.write(b"x").await.unwrap(), 1);
    assert_eq!(stream.read(&mut byte).await.unwrap(), 1);
    assert_eq!(&byte, b"x");
    Ok(stream)
}

async fn try_mode(
    certified: &Certified,
    ca: &Ca,
    mode: TlsMode,
    host: &str,
) -> Result<Stream, TlsError> {
    let options = ConnectOptions::new("app").tls_mode(mode);
    let options = if mode.verifies() {
        options.ssl_ca_pem(&ca.pem)
    } else {
        options
    };
    let port = serve(certified, BOTH).await;
    meet(&options, host, port).await
}

async fn refused(certified: &Certified, ca: &Ca, mode: TlsMode, host: &str, words: &str) {
    let error = try_mode(certified, ca, mode, host)
        .await
        .err()
        .expect(words);
    let told = Error::from(error).to_string();
    assert!(told.contains(words), "{mode} {host}: {told}");
}

#[tokio::test]
async fn good_certificates() {
    let ca = Ca::new("ours");
    let certified = ca.sign(named(&["127.0.0.1", "db.test"]));
    for mode in [
        TlsMode::Preferred,
        TlsMode::Required,
        TlsMode::VerifyCa,
        TlsMode::VerifyIdentity,
    ] {
        for host in ["127.0.0.1", "db.test", "DB.test."] {
            let stream = try_mode(&certified, &ca, mode, host).await.unwrap();
            assert!(matches!(stream, Stream::Tls(_)));
        }
    }
}

#[tokio::test]
async fn a_name_that_the_certificate_does_not_bear() {
    let ca = Ca::new("ours");
    let certified = ca.sign(named(&["db.test"]));
    refused(
        &certified,
        &ca,
        TlsMode::VerifyIdentity,
        "127.0.0.1",
        "subjectAltName is IP:127.0.0.1",
    )
    .await;
    refused(
        &certified,
        &ca,
        TlsMode::VerifyIdentity,
        "other.test",
        "subjectAltName is DNS:other.test",
    )
    .await;
    try_mode(&certified, &ca, TlsMode::VerifyCa, "127.0.0.1")
        .await
        .unwrap();
    let nameless = ca.sign(named(&[]));
    refused(
        &nameless,
        &ca,
        TlsMode::VerifyIdentity,
        "127.0.0.1",
        "ssl-mode=verify-ca",
    )
    .await;
    try_mode(&nameless, &ca, TlsMode::VerifyCa, "127.0.0.1")
        .await
        .unwrap();
}

#[tokio::test]
async fn an_authority_that_is_not_trusted() {
    let (ca, other) = (Ca::new("ours"), Ca::new("theirs"));
    let certified = other.sign(named(&["127.0.0.1"]));
    for mode in [TlsMode::VerifyCa, TlsMode::VerifyIdentity] {
        refused(&certified, &ca, mode, "127.0.0.1", "ssl-ca=/path/ca.pem").await;
    }
    try_mode(&certified, &ca, TlsMode::Required, "127.0.0.1")
        .await
        .unwrap();
    let renewed = Ca::new("ours").sign(named(&["127.0.0.1"]));
    refused(
        &renewed,
        &ca,
        TlsMode::VerifyIdentity,
        "127.0.0.1",
        "a new CA of the same name",
    )
    .await;
}

#[tokio::test]
async fn certificates_out_of_time() {
    let ca = Ca::new("ours");
    let mut old = named(&["127.0.0.1"]);
    (old.not_before, old.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
    let mut early = named(&["127.0.0.1"]);
    (early.not_before, early.not_after) = (date_time_ymd(4000, 1, 1), date_time_ymd(4001, 1, 1));
    let (old, early) = (ca.sign(old), ca.sign(early));
    for mode in [TlsMode::VerifyCa, TlsMode::VerifyIdentity] {
        refused(&old, &ca, mode, "127.0.0.1", "renew").await;
        refused(&early, &ca, mode, "127.0.0.1", "clocks").await;
    }
    try_mode(&old, &ca, TlsMode::Required, "127.0.0.1")
        .await
        .unwrap();
}

/// Whoever has only copied the certificate must not get through, whatever is verified besides.
#[tokio::test]
async fn a_certificate_without_its_key() {
    let ca = Ca::new("ours");
    let stolen = Certified {
        der: ca.sign(named(&["127.0.0.1"])).der,
        key: KeyPair::generate().unwrap(),
    };
    for mode in [
        TlsMode::Preferred,
        TlsMode::Required,
        TlsMode::VerifyCa,
        TlsMode::VerifyIdentity,
    ] {
        for versions in [&BOTH[..1], &BOTH[1..]] {
            let options = ConnectOptions::new("app").tls_mode(mode);
            let options = if mode.verifies() {
                options.ssl_ca_pem(&ca.pem)
            } else {
                options
            };
            let port = serve(&stolen, versions).await;
            assert!(meet(&options, "127.0.0.1", port).await.is_err(), "{mode}");
        }
    }
}

/// Old servers' certificates have no version field and no extensions.
#[tokio::test]
async fn version_1_certificates_encrypt_but_do_not_verify() {
    let ca = Ca::new("ours");
    let signed = ca.sign(named(&["127.0.0.1"]));
    let old = Certified {
        der: spki::tests::version_1(&signed.der),
        key: signed.key,
    };
    for versions in [&BOTH[..1], &BOTH[1..]] {
        let port = serve(&old, versions).await;
        meet(
            &ConnectOptions::new("app").tls_mode(TlsMode::Required),
            "127.0.0.1",
            port,
        )
        .await
        .unwrap();
    }
    refused(&old, &ca, TlsMode::VerifyCa, "127.0.0.1", "X.509 version 3").await;
}

#[tokio::test]
async fn peers_that_do_not_speak_tls() {
    for answer in [
        &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..],
        b"\x07\0\0\x02\0\0\0\x02\0\0\0",
        b"\x15\x03\x03\0\x02\x02\x28",
        b"",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            assert!(socket.read(&mut [0; 4096]).await.unwrap() > 0);
            socket.write_all(answer).await.unwrap();
        });
        let error = meet(&ConnectOptions::new("app"), "127.0.0.1", port)
            .await
            .err()
            .unwrap();
        assert_eq!(error.kind, ErrorKind::Tls, "{}", error.detail);
    }
}

#[tokio::test]
async fn the_end_of_an_idle_stream_is_seen_without_waiting() {
    let ca = Ca::new("ours");
    let certified = ca.sign(named(&["127.0.0.1"]));
    let mut stream = try_mode(&certified, &ca, TlsMode::VerifyIdentity, "127.0.0.1")
        .await
        .unwrap();
    let mut buffer = [0; 8];
    assert_eq!(stream.try_read(&mut buffer).unwrap(), None);
    assert_eq!(stream.write(b"yq").await.unwrap(), 2);
    stream.flush().await.unwrap();
    let mut seen = Vec::new();
    while let Ok(look) = stream.try_read(&mut buffer) {
        match look {
            None => tokio::time::sleep(std::time::Duration::from_millis(1)).await,
            Some(0) => break,
            Some(count) => seen.extend_from_slice(&buffer[..count]),
        }
    }
    assert_eq!(seen, b"y");
}

#[test]
fn the_configuration_is_made_once_for_the_same_rules() {
    let options = ConnectOptions::new("app");
    let config =
        |options: &ConnectOptions, mode| options.tls_cache.config(mode, options).ok().unwrap();
    let first = config(&options, TlsMode::Required);
    assert!(Arc::ptr_eq(
        &first,
        &config(&options.clone(), TlsMode::Required)
    ));
    // A clone pointed elsewhere must not get the rules of the first.
    assert!(!Arc::ptr_eq(
        &first,
        &config(&options.clone().host("db.test"), TlsMode::VerifyIdentity)
    ));
}

#[test]
fn certificates_of_authorities_that_cannot_be_used() {
    let folder = std::env::temp_dir();
    let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (options, words) in [
        (ConnectOptions::new("a").ssl_ca_pem(""), "no certificate"),
        (
            ConnectOptions::new("a").ssl_ca_pem(damaged),
            "cannot be used",
        ),
        (
            ConnectOptions::new("a").ssl_ca(folder.join("ark-mysql-no-such-file.pem")),
            "cannot be read",
        ),
        (ConnectOptions::new("a").ssl_ca(&folder), "not a file"),
    ] {
        let error = prepare(&options, TlsMode::VerifyIdentity).err().unwrap();
        assert_eq!(error.kind, ErrorKind::Configuration);
        assert!(error.detail.contains(words), "{}", error.detail);
    }
}
