//! The password, encrypted for the server's public key:
//! [caching_sha2 without TLS](https://dev.mysql.com/doc/dev/mysql-server/latest/page_caching_sha2_authentication_exchanges.html), and sha256_password.

use rsa::Oaep;
use rsa::rand_core::{TryCryptoRng, TryRng};
use sha1::Sha1;

use super::{Nonce, rsa_key, zero_terminated};
use crate::secret::wipe;

/// RSA-OAEP with SHA-1 over the zero-terminated password, which is masked with the nonce first. `Err` says what to do.
pub(crate) fn encrypt(
    password: &[u8],
    nonce: &Nonce,
    pem: &[u8],
    random: fn(&mut [u8]) -> bool,
) -> Result<Vec<u8>, &'static str> {
    let key = rsa_key::parse(pem).ok_or("the server's public key is no RSA key of 1024 to 8192 bits in PEM: give the right one, or use TLS or the unix socket")?;
    let mut masked = zero_terminated(password);
    masked
        .iter_mut()
        .zip(nonce.as_bytes().iter().cycle())
        .for_each(|(byte, mask)| *byte ^= mask);
    let encrypted = key.encrypt(&mut Random(random), Oaep::<Sha1>::new(), &masked);
    wipe(&mut masked);
    encrypted.map_err(|_| "the password could not be encrypted: it is too long for the server's key, or there are no random bytes to be had; use TLS or the unix socket")
}

/// Random bytes by the function in the options.
struct Random(fn(&mut [u8]) -> bool);

#[derive(Debug)]
struct NoRandom;

impl std::fmt::Display for NoRandom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no random bytes")
    }
}

impl std::error::Error for NoRandom {}

impl TryRng for Random {
    type Error = NoRandom;

    fn try_next_u32(&mut self) -> Result<u32, NoRandom> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, NoRandom> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), NoRandom> {
        if (self.0)(bytes) {
            Ok(())
        } else {
            Err(NoRandom)
        }
    }
}

impl TryCryptoRng for Random {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_key_is_refused() {
        let nonce = Nonce::new(&[1; 20]).unwrap();
        for pem in [
            &b""[..],
            b"\xff\xfe",
            b"-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
            &[b'A'; 60_000],
        ] {
            assert!(encrypt(b"secret", &nonce, pem, |_| true).is_err());
        }
    }
}
