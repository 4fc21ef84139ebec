//! [`caching_sha2_password`](https://dev.mysql.com/doc/dev/mysql-server/latest/page_caching_sha2_authentication_exchanges.html).

use sha2::{Digest, Sha256};

use super::Nonce;

/// `SHA256(password) ^ SHA256(SHA256(SHA256(password)) + nonce)`, or nothing for an empty password.
pub(crate) fn scramble(password: &[u8], nonce: &Nonce) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha256::digest(password);
    let twice = Sha256::digest(once);
    let mask = Sha256::new()
        .chain_update(twice)
        .chain_update(nonce.as_bytes())
        .finalize();
    once.iter()
        .zip(mask)
        .map(|(byte, mask)| byte ^ mask)
        .collect()
}
