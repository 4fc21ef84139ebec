//! [`mysql_native_password`](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_connection_phase_authentication_methods_native_password_authentication.html).

use sha1::{Digest, Sha1};

use super::Nonce;

/// `SHA1(password) ^ SHA1(nonce + SHA1(SHA1(password)))`
pub(crate) fn scramble(password: &[u8], nonce: &Nonce) -> [u8; 20] {
    let once: [u8; 20] = Sha1::digest(password).into();
    let twice = Sha1::digest(once);
    let mask = Sha1::new()
        .chain_update(nonce.as_bytes())
        .chain_update(twice)
        .finalize();
    let mut answer = once;
    answer
        .iter_mut()
        .zip(mask)
        .for_each(|(byte, mask)| *byte ^= mask);
    answer
}
