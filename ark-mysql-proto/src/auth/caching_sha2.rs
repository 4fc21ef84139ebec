//! [`caching_sha2_password`](https://dev.mysql.com/doc/dev/mysql-server/latest/page_caching_sha2_authentication_exchanges.html).

use sha2::{Digest, Sha256};

use super::Nonce;

/// `SHA256(password) ^ SHA256(SHA256(SHA256(password)) + nonce)`
pub(crate) fn scramble(password: &[u8], nonce: &Nonce) -> [u8; 32] {
    let once: [u8; 32] = Sha256::digest(password).into();
    let twice = Sha256::digest(once);
    let mask = Sha256::new()
        .chain_update(twice)
        .chain_update(nonce.as_bytes())
        .finalize();
    let mut answer = once;
    answer
        .iter_mut()
        .zip(mask)
        .for_each(|(byte, mask)| *byte ^= mask);
    answer
}
