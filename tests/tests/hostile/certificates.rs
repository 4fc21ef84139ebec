//! The certificates of such servers.

use std::collections::BTreeMap;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::HOST;
use crate::case::Certificate;

/// An authority that the clients trust, and what servers show that want to pass for its.
pub(crate) struct Authority {
    pub(crate) pem: String,
    pub(crate) acceptors: BTreeMap<Certificate, TlsAcceptor>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        let issuer = Issuer::new(params, key);
        let acceptors =
            Certificate::ALL.map(|certificate| (certificate, made(certificate, &issuer)));
        Self {
            pem,
            acceptors: acceptors.into(),
        }
    }
}

fn made(certificate: Certificate, issuer: &Issuer<'_, KeyPair>) -> TlsAcceptor {
    let host = match certificate {
        Certificate::OtherHost => "db.example.org",
        _ => HOST,
    };
    let mut params = CertificateParams::new([host.to_owned()]).unwrap();
    if certificate == Certificate::Expired {
        params.not_before = rcgen::date_time_ymd(2001, 1, 1);
        params.not_after = rcgen::date_time_ymd(2002, 1, 1);
    }
    let key = KeyPair::generate().unwrap();
    let made = match certificate {
        Certificate::SelfSigned => params.self_signed(&key).unwrap(),
        _ => params.signed_by(&key, issuer).unwrap(),
    };
    acceptor(made.der().clone(), &key)
}

fn acceptor(certificate: CertificateDer<'static>, key: &KeyPair) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(vec![certificate], key)
    .unwrap();
    TlsAcceptor::from(Arc::new(config))
}
