//! The password itself, as the full exchange of `caching_sha2_password` wants it: with a zero behind it.
//! (The plugin `mysql_clear_password` is not spoken: nothing good ever asks for it on its own.)

/// The password and a zero.
pub(crate) fn zero_terminated(password: &[u8]) -> Vec<u8> {
    [password, &[0]].concat()
}
