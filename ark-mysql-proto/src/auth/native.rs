//! [`mysql_native_password`](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_native_password_authentication.html).

use sha1::{Digest, Sha1};

use super::Nonce;

/// `SHA1(password) ^ SHA1(nonce + SHA1(SHA1(password)))`, or nothing for an empty password.
pub(crate) fn scramble(password: &[u8], nonce: &Nonce) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let mask = Sha1::new()
        .chain_update(nonce.as_bytes())
        .chain_update(stored(password))
        .finalize();
    let once = Sha1::digest(password);
    once.iter()
        .zip(mask)
        .map(|(byte, mask)| byte ^ mask)
        .collect()
}

/// What the server keeps of the password: `SHA1(SHA1(password))`.
pub(crate) fn stored(password: &[u8]) -> [u8; 20] {
    Sha1::digest(Sha1::digest(password)).into()
}
