//! MariaDB's [`client_ed25519`](https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection#client_ed25519-plugin).
//!
//! It is Ed25519 but for one thing: where RFC 8032 hashes a random seed of 32 bytes, the password itself is hashed, of whatever length.

use ed25519_dalek::VerifyingKey;
use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign};
use sha2::{Digest, Sha512};

/// The challenge: 32 bytes, with nothing behind them.
pub(crate) type Challenge = [u8; 32];

/// The server's challenge, signed; and the public key, which is what the server keeps of the password.
pub(crate) fn sign(password: &[u8], challenge: &Challenge) -> ([u8; 64], [u8; 32]) {
    let expanded: [u8; 64] = Sha512::digest(password).into();
    let secret = ExpandedSecretKey::from_bytes(&expanded);
    let public = VerifyingKey::from(&secret);
    let signature = raw_sign::<Sha512>(&secret, challenge, &public);
    (signature.to_bytes(), public.to_bytes())
}
