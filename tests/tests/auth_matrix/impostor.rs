//! Somebody in between with a certificate of his own, who reads along and hands everything on to the true server.

use std::sync::Arc;

use ark_mysql::{Connection, ErrorKind};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tests::bars::reached;
use tests::{Account, Database, Flavor, in_time};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::between::read_packet;
use crate::{PASSWORD, account, mariadb, who};

struct Impostor {
    port: u16,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Impostor {
    async fn new(database: &Database) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (server, ca) = (
            database.server().port(),
            std::fs::read(database.server().ca_certificate()).unwrap(),
        );
        let (acceptor, connector) = (acceptor(), connector(&ca));
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                tokio::spawn(serve(client, server, acceptor.clone(), connector.clone()));
            }
        });
        Self { port, task }
    }

    async fn connect(&self, account: &Account, options: &str) -> ark_mysql::Result<Connection> {
        let (name, password, port) = (&account.name, &account.password, self.port);
        Connection::connect(format!(
            "mysql://{name}:{password}@127.0.0.1:{port}/?{options}"
        ))
        .await
    }
}

async fn serve(
    mut client: TcpStream,
    mut server: TcpStream,
    acceptor: TlsAcceptor,
    connector: TlsConnector,
) {
    let greeting = read_packet(&mut server).await.unwrap();
    client.write_all(&greeting).await.unwrap();
    let Ok(request) = read_packet(&mut client).await else {
        return;
    };
    server.write_all(&request).await.unwrap();
    let Ok(mut client) = acceptor.accept(client).await else {
        return;
    };
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let mut server = connector.connect(name, server).await.unwrap();
    let _ends_with_either = copy_bidirectional(&mut client, &mut server).await;
}

fn acceptor() -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()])
        .unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(vec![made.cert.der().clone()], key)
    .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

fn connector(ca: &[u8]) -> TlsConnector {
    TlsConnector::from(Arc::new(client_config(ca)))
}

pub(crate) fn client_config(ca: &[u8]) -> rustls::ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(ca).unwrap())
        .unwrap();
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// Even where no certificate is verified: the true server proves another certificate than the one that was shown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_found_out_by_mariadb() {
    let database = mariadb();
    let impostor = Impostor::new(&database).await;
    for plugin in ["mysql_native_password", "ed25519", "parsec"] {
        let account = account(&database, plugin, PASSWORD);
        for options in [
            "ssl-mode=required",
            "ssl-mode=preferred",
            "ssl-mode=required&require-verified=true",
        ] {
            let met = in_time(impostor.connect(&account, options)).await;
            let error = met.map(drop).expect_err("somebody sits in between");
            assert_eq!(error.kind(), ErrorKind::Tls, "{plugin} {options}: {error}");
            assert!(
                error.to_string().contains("somebody sits in between"),
                "{plugin} {options}: {error}"
            );
            println!("{plugin:24} {options:40} found out");
        }
        // The same account, without anybody in between.
        for options in [
            "ssl-mode=required",
            "require-verified=true&ssl-mode=preferred",
        ] {
            let url = format!(
                "mysql://{}:{PASSWORD}@127.0.0.1:{}/?{options}",
                account.name,
                database.server().port()
            );
            let mut conn = in_time(Connection::connect(url)).await.unwrap();
            assert_eq!(who(&mut conn).await.unwrap(), account.name);
        }
    }
    reached(
        "B22",
        "mariadb: somebody in between with another certificate, 9 of 9 found out",
    );
}

/// MySQL proves nothing: unverified TLS on this machine may be anybody's, unless a verified server is required.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_kept_out_where_a_verified_server_is_required() {
    let database = Database::new(Flavor::MySql);
    let impostor = Impostor::new(&database).await;
    let account = account(&database, "caching_sha2_password", PASSWORD);
    impostor
        .connect(&account, "ssl-mode=required")
        .await
        .unwrap();
    for options in [
        "ssl-mode=required&require-verified=true",
        "require-verified=true",
    ] {
        let met = in_time(impostor.connect(&account, options)).await;
        let error = met.map(drop).expect_err("somebody sits in between");
        assert_eq!(error.kind(), ErrorKind::Tls, "{options}: {error}");
    }
    let met = impostor
        .connect(&account, "ssl-mode=disabled&require-verified=true")
        .await;
    assert_eq!(
        met.map(drop)
            .expect_err("nobody can tell who answers")
            .kind(),
        ErrorKind::Configuration
    );
    reached(
        "B22",
        "mysql: somebody in between, 3 of 3 kept out where a verified server is required",
    );
}
