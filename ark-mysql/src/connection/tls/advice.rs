//! What to do about a certificate or a peer that was not accepted.

use std::borrow::Cow;

use ark_mysql_proto::url::Endpoint;
use rustls::{CertificateError, Error};

/// Says what is wrong, in the words of somebody who has a server to set up.
pub(super) fn what(error: &Error) -> String {
    match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the server's certificate is not signed by an authority that is trusted here".to_owned()
        }
        Error::InvalidCertificate(CertificateError::NotValidForNameContext {
            presented, ..
        }) if presented.is_empty() => {
            "the server's certificate bears no name (no subjectAltName)".to_owned()
        }
        Error::InvalidCertificate(CertificateError::BadSignature) => {
            "a signature does not fit: the certificate's authority only has the name of a trusted one, or the peer lacks the certificate's key".to_owned()
        }
        Error::InvalidMessage(_) => "the peer does not speak TLS".to_owned(),
        other => other.to_string(),
    }
}

pub(super) fn advice(error: &Error, endpoint: &Endpoint) -> Cow<'static, str> {
    match error {
        Error::InvalidCertificate(certificate) => for_certificate(certificate, endpoint),
        Error::InvalidMessage(_) => "is something between here and the server, or is it another service?".into(),
        Error::AlertReceived(_) | Error::PeerIncompatible(_) => "the server must offer TLS 1.2 or 1.3 (its tls_version) and a certificate with an RSA, ECDSA or Ed25519 key".into(),
        _ => "look into the server's error log".into(),
    }
}

fn for_certificate(error: &CertificateError, endpoint: &Endpoint) -> Cow<'static, str> {
    match error {
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => format!(
            "connect by a name that the certificate bears, or give the server one whose subjectAltName is {}; MySQL's automatic certificates bear no name: with those use ssl-mode=verify-ca and ssl-ca=/its/data/folder/ca.pem",
            wanted(endpoint)
        )
        .into(),
        CertificateError::UnknownIssuer => {
            "name its CA by ssl-ca=/path/ca.pem (MySQL keeps an automatic one as ca.pem in its data folder); ssl-mode=required encrypts without verifying".into()
        }
        CertificateError::BadSignature => {
            "take ca.pem from this very server: one that was set up anew makes a new CA of the same name. If it is the right one, somebody is in between".into()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "renew the server's certificate (and look at the clocks)".into(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "look at the clocks of both machines".into(),
        _ => "a certificate of X.509 version 3 that is no CA itself, signed by the CA of ssl-ca, is needed; ssl-mode=required encrypts without verifying".into(),
    }
}

fn wanted(endpoint: &Endpoint) -> String {
    match endpoint {
        Endpoint::Tcp { host, .. } if host.parse::<std::net::IpAddr>().is_ok() => {
            format!("IP:{host}")
        }
        Endpoint::Tcp { host, .. } => format!("DNS:{host}"),
        Endpoint::Socket(_) => "DNS:localhost".to_owned(),
    }
}
