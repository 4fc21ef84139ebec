//! MariaDB's logins by signature: `client_ed25519` and `parsec`.

use super::Authentication;
#[cfg(feature = "ed25519")]
use super::{HandshakeOptions, Waiting, malformed};
use crate::HandshakeError;
#[cfg(feature = "ed25519")]
use crate::auth::{self, Identity};

#[cfg(feature = "ed25519")]
impl Authentication {
    pub(super) fn sign(
        &mut self,
        challenge: [u8; 32],
        password: &[u8],
    ) -> Result<Vec<u8>, HandshakeError> {
        let (signature, public) = auth::ed25519_sign(password, &challenge);
        self.waiting = Waiting::End;
        self.provable(password, public.into());
        Ok(signature.into())
    }

    pub(super) fn ask_for_salt(&mut self, challenge: [u8; 32]) -> Result<Vec<u8>, HandshakeError> {
        self.waiting = Waiting::Salt(challenge);
        Ok(Vec::new())
    }

    pub(super) fn sign_stretched(
        &mut self,
        server: &[u8; 32],
        stretching: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        self.waiting = Waiting::End;
        let mut client = [0; 32];
        if !(options.random)(&mut client) {
            return Err(self.refuse("there are no random bytes to be had"));
        }
        let password = options.password.expose();
        match auth::parsec_sign(password, server, &client, stretching) {
            Ok((answer, stored)) => {
                self.provable(password, stored);
                Ok(answer)
            }
            Err(auth::ParsecRefusal::Malformed) => Err(malformed("salt").into()),
            Err(auth::ParsecRefusal::TooExpensive) => Err(self.refuse(
                "the server asks for more rounds of PBKDF2 than any MariaDB does: is it one?",
            )),
        }
    }

    fn provable(&mut self, password: &[u8], stored: Vec<u8>) {
        if self.link.fingerprint.is_some() && !password.is_empty() {
            self.identity = Some(Identity::new(stored, self.nonce));
        }
    }
}

#[cfg(not(feature = "ed25519"))]
impl Authentication {
    pub(super) fn sign(&mut self, _: [u8; 32], _: &[u8]) -> Result<Vec<u8>, HandshakeError> {
        Err(self.refuse(NO_ED25519))
    }

    pub(super) fn ask_for_salt(&mut self, _: [u8; 32]) -> Result<Vec<u8>, HandshakeError> {
        Err(self.refuse(NO_ED25519))
    }
}

#[cfg(not(feature = "ed25519"))]
const NO_ED25519: &str =
    "this build has no Ed25519: switch on the feature `ed25519` (for the macros: `ed25519-macros`)";
