//! The password itself, as the full exchange of `caching_sha2_password`, `sha256_password` over TLS and `mysql_clear_password` want it: with a
//! zero behind it.

/// The password and a zero.
pub(crate) fn zero_terminated(password: &[u8]) -> Vec<u8> {
    [password, &[0]].concat()
}
