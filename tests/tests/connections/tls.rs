//! The five TLS modes against real servers with good and bad certificates, and the client's own certificate.

use std::fs;
use std::path::{Path, PathBuf};

use ark_mysql::{ConnectOptions, Connection, ErrorKind, Outcome, Result, TlsMode, query};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tempfile::TempDir;
use tests::{Database, DevServer, FLAVORS, Flavor};

use crate::middleman::Middleman;
use crate::{fails, one};

type Ca = CertifiedIssuer<'static, KeyPair>;

fn params(names: &[&str], common_name: &str) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params
        .distinguished_name
        .push(DnType::CommonName, common_name);
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2099, 12, 31);
    params
}

fn authority(name: &str) -> Ca {
    let mut params = params(&[], name);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::CrlSign,
        KeyUsagePurpose::DigitalSignature,
    ];
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// A folder with certificates.
struct Files(TempDir);

impl Files {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Certificate and key, by an authority or by itself.
    fn write(&self, name: &str, mut params: CertificateParams, by: Option<&Ca>) {
        let key = KeyPair::generate().unwrap();
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![
            ExtendedKeyUsagePurpose::ServerAuth,
            ExtendedKeyUsagePurpose::ClientAuth,
        ];
        let certificate = match by {
            Some(ca) => params.signed_by(&key, ca).unwrap(),
            None => params.self_signed(&key).unwrap(),
        };
        fs::write(self.path(&format!("{name}.pem")), certificate.pem()).unwrap();
        fs::write(self.path(&format!("{name}-key.pem")), key.serialize_pem()).unwrap();
    }
}

fn start(flavor: Flavor, files: &Files) -> DevServer {
    let argument = |name: &str, file: &str| format!("--{name}={}", files.path(file).display());
    let server = DevServer::builder()
        .flavor(flavor)
        .argument(argument("ssl-ca", "ca.pem"))
        .argument(argument("ssl-cert", "server.pem"))
        .argument(argument("ssl-key", "server-key.pem"));
    server.start().unwrap()
}

fn by(server: &DevServer, host: &str, mode: TlsMode, ca: Option<&Path>) -> ConnectOptions {
    let options = ConnectOptions::new("root").host(host).port(server.port());
    let options = options.tls_mode(mode);
    match ca {
        Some(ca) => options.ssl_ca(ca),
        None => options,
    }
}

async fn is_encrypted(options: ConnectOptions) -> Result<bool> {
    let mut conn = Connection::connect(options).await?;
    let row = query("SHOW STATUS LIKE 'Ssl_cipher'")
        .fetch_one(&mut conn)
        .await?;
    Ok(!row.get::<String>(1)?.is_empty())
}

#[tokio::test]
async fn every_mode_against_every_certificate() -> Result<()> {
    let (ours, theirs) = (authority("ours"), authority("theirs"));
    for flavor in FLAVORS {
        let files = Files(TempDir::new().unwrap());
        fs::write(files.path("ca.pem"), ours.pem()).unwrap();
        let here = ["localhost", "127.0.0.1"];
        let good = || params(&here, "server");
        let mut expired = good();
        expired.not_after = date_time_ymd(2001, 1, 1);
        // What verify-ca and verify-identity say to each.
        let cases = [
            ("good", good(), Some(&ours), None, None),
            (
                "of another host",
                params(&["db.example.com"], "server"),
                Some(&ours),
                None,
                Some("subjectAltName is IP:127.0.0.1"),
            ),
            (
                "expired",
                expired,
                Some(&ours),
                Some("renew"),
                Some("renew"),
            ),
            (
                "self-signed",
                good(),
                None,
                Some("not signed by an authority"),
                Some("not signed by an authority"),
            ),
            (
                "of another authority",
                good(),
                Some(&theirs),
                Some("not signed by an authority"),
                Some("not signed by an authority"),
            ),
        ];
        for (name, certificate, signer, verify_ca, verify_identity) in cases {
            // Started anew: MySQL does not load one that it could not verify itself.
            files.write("server", certificate, signer);
            let server = start(flavor, &files);
            let what = format!("{flavor}, {name}");
            let ca = files.path("ca.pem");
            for (mode, encrypted) in [
                (TlsMode::Disabled, false),
                (TlsMode::Preferred, true),
                (TlsMode::Required, true),
            ] {
                let options = by(&server, "127.0.0.1", mode, None);
                assert_eq!(is_encrypted(options).await?, encrypted, "{what}, {mode}");
            }
            for (mode, words) in [
                (TlsMode::VerifyCa, verify_ca),
                (TlsMode::VerifyIdentity, verify_identity),
            ] {
                let connected = is_encrypted(by(&server, "127.0.0.1", mode, Some(&ca))).await;
                let Some(words) = words else {
                    assert!(connected?, "{what}, {mode}");
                    continue;
                };
                let error = fails(connected, ErrorKind::Tls, Outcome::NotSent);
                let told = error.to_string();
                assert!(told.contains(words), "{what}, {mode}: {told}");
                assert!(told.contains("making the TLS handshake"), "{told}");
            }
            // None of them is by a public authority.
            let public = by(&server, "127.0.0.1", TlsMode::VerifyIdentity, None);
            fails(is_encrypted(public).await, ErrorKind::Tls, Outcome::NotSent);
        }
        files.write("server", params(&["localhost"], "server"), Some(&ours));
        let server = start(flavor, &files);
        let ca = files.path("ca.pem");
        let named = by(&server, "localhost", TlsMode::VerifyIdentity, Some(&ca));
        assert!(is_encrypted(named).await?, "{flavor}: a DNS name");
        let ip = by(&server, "127.0.0.1", TlsMode::VerifyIdentity, Some(&ca));
        fails(is_encrypted(ip).await, ErrorKind::Tls, Outcome::NotSent);
    }
    Ok(())
}

#[tokio::test]
async fn the_clients_own_certificate() -> Result<()> {
    let (ours, theirs) = (authority("ours"), authority("theirs"));
    for flavor in FLAVORS {
        let files = Files(TempDir::new().unwrap());
        fs::write(files.path("ca.pem"), ours.pem()).unwrap();
        files.write("server", params(&["127.0.0.1"], "server"), Some(&ours));
        files.write("client", params(&[], "client"), Some(&ours));
        files.write("stranger", params(&[], "client"), Some(&theirs));
        let server = start(flavor, &files);
        let account = "CREATE USER certified@'%' REQUIRE SUBJECT '/CN=client'";
        tests::admin(&server.url(), account).unwrap();
        let ca = files.path("ca.pem");
        let options =
            || by(&server, "127.0.0.1", TlsMode::VerifyIdentity, Some(&ca)).user("certified");
        let with = |name: &str| {
            options()
                .ssl_cert(files.path(&format!("{name}.pem")))
                .ssl_key(files.path(&format!("{name}-key.pem")))
        };
        let mut conn = Connection::connect(with("client")).await?;
        let user: String = one(&mut conn, "SELECT CURRENT_USER()").await?;
        assert_eq!(user, "certified@%", "{flavor}");
        // By the address as well.
        let path = |name: &str| files.path(name).display().to_string();
        let url = format!(
            "mysql://certified@127.0.0.1:{}?ssl-ca={}&ssl-cert={}&ssl-key={}",
            server.port(),
            path("ca.pem"),
            path("client.pem"),
            path("client-key.pem")
        );
        assert!(is_encrypted(url.parse()?).await?);
        // On the same connection.
        conn.change_user("certified", "", None).await?;
        let none = Connection::connect(options()).await.map(drop);
        let error = fails(none, ErrorKind::Authentication, Outcome::NotSent);
        assert_eq!(error.server().map(|server| server.code), Some(1045));
        let stranger = Connection::connect(with("stranger")).await.map(drop);
        let error = stranger.expect_err("nobody knows its authority");
        assert_eq!(error.outcome(), Outcome::NotSent, "{error}");
        for (options, words) in [
            (options().ssl_cert(path("client.pem")), "ssl-key"),
            (options().ssl_key(path("client-key.pem")), "ssl-cert"),
            (
                options()
                    .ssl_cert(path("client.pem"))
                    .ssl_key(path("stranger-key.pem")),
                "does not belong",
            ),
            (
                options()
                    .ssl_cert(path("client-key.pem"))
                    .ssl_key(path("client-key.pem")),
                "no certificate",
            ),
            (
                options()
                    .ssl_cert(path("client.pem"))
                    .ssl_key(path("client.pem")),
                "no private key",
            ),
            (
                options()
                    .ssl_cert(path("nothing.pem"))
                    .ssl_key(path("client-key.pem")),
                "cannot be read",
            ),
        ] {
            let connected = Connection::connect(options).await.map(drop);
            let error = fails(connected, ErrorKind::Configuration, Outcome::NotSent);
            assert!(error.to_string().contains(words), "{words}: {error}");
        }
        let plain = ConnectOptions::new("certified")
            .host("127.0.0.1")
            .tls_mode(TlsMode::Disabled)
            .ssl_cert(path("client.pem"))
            .ssl_key(path("client-key.pem"));
        let connected = Connection::connect(plain).await.map(drop);
        fails(connected, ErrorKind::Configuration, Outcome::NotSent);
    }
    Ok(())
}

/// A server that does not take the first key asks for another one, which is one round trip more. MySQL takes no X25519.
#[tokio::test]
async fn the_first_key_is_one_that_the_server_takes() -> Result<()> {
    for flavor in FLAVORS {
        let database = Database::new(flavor);
        let middleman = Middleman::new(&database).await;
        let conn = Connection::connect(middleman.tls_url(&database)).await?;
        conn.close().await?;
        // Behind its "change cipher spec" a client of TLS 1.3 sends encrypted records, or once more its greeting.
        let (changed, hello, encrypted) = (b"\x14\x03\x03\0\x01\x01", [0x16], [0x17]);
        let said = |next: [u8; 1]| middleman.heard(&[&changed[..], &next].concat());
        assert!(said(encrypted) && !said(hello), "{flavor:?}");
    }
    Ok(())
}
