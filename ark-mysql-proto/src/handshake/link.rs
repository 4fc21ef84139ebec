use super::HandshakeOptions;
use crate::auth::Trust;
use crate::{Channel, HandshakeError};

/// What lies between here and the server. It stays as it is for the whole life of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// What may be sent.
    pub(super) trust: Trust,
    pub(super) tls: bool,
    socket: bool,
    /// SHA-256 of a certificate that was not verified.
    pub(super) fingerprint: Option<[u8; 32]>,
    /// The server must prove that the certificate is its own.
    pub(super) must_prove: bool,
}

impl Link {
    /// `tls`: whether there is TLS, and if so whether the certificate was verified.
    ///
    /// # Errors
    /// A verified server is required, and on this link it can never be one.
    pub(super) fn new(
        options: &HandshakeOptions,
        tls: Option<bool>,
        fingerprint: Option<[u8; 32]>,
    ) -> Result<Self, HandshakeError> {
        let strict = options.require_verified;
        let trust = Trust::of(options.channel, tls, strict);
        let must_prove = strict && trust != Trust::Private;
        if must_prove && tls.is_none() {
            return Err(HandshakeError::NotVerified { reason: PLAIN });
        }
        Ok(Self {
            trust,
            tls: tls.is_some(),
            socket: options.channel == Channel::Socket,
            fingerprint: fingerprint.filter(|_| tls == Some(false)),
            must_prove,
        })
    }

    /// The server has proved that the certificate is its own, and does not prove it again at a change of user. What may be sent stays as it was: the proof is
    /// as good as the first account's password.
    pub(super) fn proved(self) -> Self {
        Self {
            fingerprint: None,
            must_prove: false,
            ..self
        }
    }

    /// Whether a server takes it as safe enough for `caching_sha2_password` in clear: then it wants nothing else.
    pub(super) fn is_safe_for_server(&self) -> bool {
        self.tls || self.socket
    }
}

const PLAIN: &str = "a verified server is required (require-verified), and a plain connection verifies nothing: use ssl-mode=verify-identity, or the unix socket";
