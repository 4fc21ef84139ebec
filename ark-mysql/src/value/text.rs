//! Text of all sorts: what the server has in any character set comes as UTF-8.

use std::borrow::Cow;
use std::sync::Arc;

use ark_mysql_proto::{DecodeError, DecodeErrorKind};

use super::{decode, encode};

macro_rules! text {
    ($($rust:ty),*) => {
        $(decode!($rust: Text Enum Set Json Uuid Inet4 Inet6 Null: |row, index| row.str(index).map(Self::from));)*
    };
}

text!(&'r str, Cow<'r, str>, Box<str>, Arc<str>);

decode!(String: Text Enum Set Json Uuid Inet4 Inet6 Null: |row, index| owned(row.bytes(index)?, index));

/// What the check of UTF-8 looks at in one step, where nothing but ASCII comes.
const STEP: usize = 16;

/// Makes text of its own. The bytes are checked where they were copied to, filled up to whole steps: at the beginning of an allocation, and
/// without a rest, the check goes on word by word, where it would take a short text byte by byte.
#[inline]
fn owned(bytes: &[u8], index: usize) -> Result<String, DecodeError> {
    let length = bytes.len();
    if length == 0 {
        return Ok(String::new());
    }
    let mut text = Vec::with_capacity(length + STEP);
    text.extend_from_slice(bytes);
    text.extend_from_slice(&[0; STEP]); // and cut off again: cheaper than as many as are needed
    text.truncate(length.next_multiple_of(STEP));
    match String::from_utf8(text) {
        Ok(mut text) => {
            text.truncate(length);
            Ok(text)
        }
        Err(_) => Err(DecodeErrorKind::InvalidUtf8.at(index)),
    }
}

encode!(str as TEXT for Any Text Enum Set Json Uuid Inet4 Inet6: |value, out| out.text(value));
encode!(String as TEXT for Any Text Enum Set Json Uuid Inet4 Inet6: |value, out| out.text(value));

#[cfg(test)]
mod tests {
    use super::owned;

    /// Whatever is cut off in the middle of a character is no text, though bytes are put behind it.
    #[test]
    fn the_same_is_text_as_for_the_standard_library() {
        let long = "a".repeat(40) + "é€😀" + &"z".repeat(40);
        for from in 0..long.len() {
            for to in from..=long.len() {
                let bytes = &long.as_bytes()[from..to];
                assert_eq!(owned(bytes, 7).ok().as_deref(), str::from_utf8(bytes).ok());
            }
        }
        assert_eq!(
            owned(b"", 0).unwrap().capacity(),
            0,
            "nothing takes no memory"
        );
        assert_eq!(owned(b"\0\0", 0).unwrap(), "\0\0");
    }
}
