//! TLS around a socket: which modes verify what, and what to do when a certificate is not accepted.

#[cfg(feature = "tls")]
mod advice;
#[cfg(feature = "tls")]
mod client;
#[cfg(feature = "tls")]
mod spki;
#[cfg(all(test, feature = "tls"))]
mod tests;
#[cfg(feature = "tls")]
mod verifier;

use std::borrow::Cow;

#[cfg(not(feature = "tls"))]
use ark_mysql_proto::url::TlsMode;

use crate::error::{Error, ErrorKind, Outcome};

#[cfg(feature = "tls")]
pub(crate) use self::client::{TlsCache, prepare, start};

/// Whether this build knows TLS.
pub(crate) const AVAILABLE: bool = cfg!(feature = "tls");

/// Why there is no TLS, and what to do.
#[derive(Debug)]
pub(crate) struct TlsError {
    pub(crate) kind: ErrorKind,
    pub(crate) detail: String,
    pub(crate) advice: Cow<'static, str>,
}

impl From<TlsError> for Error {
    fn from(error: TlsError) -> Self {
        Self::new(error.kind, Outcome::NotSent, error.detail).with_advice(error.advice)
    }
}

#[cfg(not(feature = "tls"))]
pub(crate) async fn start(
    _: &crate::ConnectOptions,
    mode: TlsMode,
    _: &ark_mysql_proto::url::Endpoint,
    _: super::stream::Stream,
) -> Result<super::stream::Stream, TlsError> {
    Err(unavailable(mode))
}

#[cfg(not(feature = "tls"))]
pub(crate) fn prepare(_: &crate::ConnectOptions, mode: TlsMode) -> Result<(), TlsError> {
    Err(unavailable(mode))
}

/// What a build without TLS says to a mode that needs it; asked before anything is sent.
#[cfg(not(feature = "tls"))]
fn unavailable(mode: TlsMode) -> TlsError {
    TlsError {
        kind: ErrorKind::Unsupported,
        detail: format!("ssl-mode={mode} needs TLS, and this build has none"),
        advice: "switch on the feature `tls` of ark-mysql, or use ssl-mode=disabled on a network that you trust".into(),
    }
}
