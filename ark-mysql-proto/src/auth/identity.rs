//! MariaDB's proof (11.4 and later) that the server at the other end of TLS knows what is kept of the password: then its certificate needs no authority.
//!
//! The text of the OK packet after the login is a byte 1 and the digits of `SHA256(stored + scramble + SHA256(certificate))`. `stored` is what the server
//! keeps of the password, so whoever sits in between, with a certificate of his own, cannot compute it; what the true server computes does not
//! fit his certificate.

use sha2::{Digest, Sha256};

use super::Nonce;

/// What the server keeps of the password that has just been proved to it.
pub(crate) struct Identity {
    stored: Vec<u8>,
    nonce: Nonce,
}

/// SHA-256 of a certificate in DER form.
pub(crate) fn fingerprint(certificate: &[u8]) -> [u8; 32] {
    Sha256::digest(certificate).into()
}

/// The first byte of the proof's text.
const MARK: u8 = 1;

impl Identity {
    pub(crate) fn new(stored: impl Into<Vec<u8>>, nonce: Nonce) -> Self {
        Self {
            stored: stored.into(),
            nonce,
        }
    }

    /// Looks for a proof in the text of the OK packet: `None` if there is none, else whether it is right. Takes equally long for all wrong ones.
    pub(crate) fn check(&self, text: &[u8], fingerprint: &[u8; 32]) -> Option<bool> {
        let digits = text.strip_prefix(&[MARK])?;
        let expected = self.digits(fingerprint);
        if digits.len() != expected.len() {
            return Some(false);
        }
        let difference = digits
            .iter()
            .zip(&expected)
            .fold(0, |sum, (digit, expected)| {
                sum | (digit.to_ascii_uppercase() ^ expected)
            });
        Some(std::hint::black_box(difference) == 0)
    }

    fn digits(&self, fingerprint: &[u8; 32]) -> Vec<u8> {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let hash = Sha256::new()
            .chain_update(&self.stored)
            .chain_update(self.nonce.as_bytes())
            .chain_update(fingerprint)
            .finalize();
        let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
        hash.iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect()
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        crate::secret::wipe(&mut self.stored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_right_digits_count() {
        let identity = Identity::new([7; 20], Nonce::new(&[9; 20]).unwrap());
        let fingerprint = fingerprint(b"certificate");
        let text = [&[MARK][..], &identity.digits(&fingerprint)].concat();
        assert_eq!(text.len(), 65);
        assert_eq!(identity.check(&text, &fingerprint), Some(true));
        assert_eq!(
            identity.check(&text.to_ascii_lowercase(), &fingerprint),
            Some(true)
        );
        assert_eq!(
            identity.check(&text, &super::fingerprint(b"another")),
            Some(false)
        );
        for at in 1..text.len() {
            let mut wrong = text.clone();
            wrong[at] ^= 1;
            assert_eq!(identity.check(&wrong, &fingerprint), Some(false), "{at}");
            assert_eq!(
                identity.check(&text[..at], &fingerprint),
                Some(false),
                "{at}"
            );
        }
        assert_eq!(
            identity.check(&[&text[..], b"0"].concat(), &fingerprint),
            Some(false)
        );
        assert_eq!(identity.check(b"", &fingerprint), None);
        assert_eq!(identity.check(b"Rows matched: 1", &fingerprint), None);
    }
}
