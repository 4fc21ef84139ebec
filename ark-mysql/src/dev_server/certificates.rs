//! A certificate authority for one server alone, and the server's certificate by it, with IP names: what the servers make by
//! themselves names no host, so that no client could verify it.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, Error, ExtendedKeyUsagePurpose,
    IsCa, KeyPair, KeyUsagePurpose,
};

use super::error::DevServerError;

/// Files in PEM form.
#[derive(Debug)]
pub(super) struct Certificates {
    pub(super) authority: PathBuf,
    pub(super) server: PathBuf,
    pub(super) key: PathBuf,
}

impl Certificates {
    /// Where [`Certificates::make`] puts them.
    pub(super) fn at(folder: &Path) -> Self {
        Self {
            authority: folder.join("ca.pem"),
            server: folder.join("server.pem"),
            key: folder.join("server-key.pem"),
        }
    }

    /// Makes new ones in `folder`. The authority's key is forgotten at once: nothing else can ever be signed with it.
    pub(super) fn make(folder: &Path) -> Result<Self, DevServerError> {
        let pem = sign().map_err(|error| DevServerError::Certificate {
            reason: error.to_string(),
        })?;
        fs::create_dir_all(folder).map_err(DevServerError::file("creating the folder", folder))?;
        let files = Self::at(folder);
        for (path, text) in [
            (&files.authority, pem.authority),
            (&files.server, pem.server),
            (&files.key, pem.key),
        ] {
            fs::write(path, text).map_err(DevServerError::file("writing", path))?;
        }
        Ok(files)
    }
}

struct Pem {
    authority: String,
    server: String,
    key: String,
}

fn sign() -> Result<Pem, Error> {
    let authority = CertifiedIssuer::self_signed(authority()?, KeyPair::generate()?)?;
    let key = KeyPair::generate()?;
    let server = server()?.signed_by(&key, &authority)?;
    Ok(Pem {
        authority: authority.pem(),
        server: server.pem(),
        key: key.serialize_pem(),
    })
}

fn authority() -> Result<CertificateParams, Error> {
    let mut params = named("ark-mysql dev server CA", Vec::new())?;
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::CrlSign,
        KeyUsagePurpose::DigitalSignature,
    ];
    Ok(params)
}

fn server() -> Result<CertificateParams, Error> {
    let names = ["localhost", "127.0.0.1", "::1"]
        .map(str::to_owned)
        .to_vec();
    let mut params = named("ark-mysql dev server", names)?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    Ok(params)
}

/// Valid for the whole of anybody's clock: a wrong date on the machine must not look like a TLS problem of ours.
fn named(common_name: &str, names: Vec<String>) -> Result<CertificateParams, Error> {
    let mut params = CertificateParams::new(names)?;
    params
        .distinguished_name
        .push(DnType::CommonName, common_name);
    params.not_before = rcgen::date_time_ymd(2000, 1, 1);
    params.not_after = rcgen::date_time_ymd(2099, 12, 31);
    Ok(params)
}
