//! Reads an RSA public key as servers send it and files hold it: PEM ([RFC 7468](https://www.rfc-editor.org/rfc/rfc7468)) around a SubjectPublicKeyInfo
//! ([RFC 5280](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)).
//!
//! It comes from the network: everything has its one form (DER), and what is left over makes it no key. Which numbers make a key decides the crate that uses them.

use rsa::{BoxedUint, PublicKey};

/// `rsaEncryption` with its parameters: 1.2.840.113549.1.1.1, NULL.
const RSA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00";
const BEGIN: &str = "-----BEGIN PUBLIC KEY-----";
const END: &str = "-----END PUBLIC KEY-----";

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const SEQUENCE: u8 = 0x30;

/// A key of 1024 to 8192 bits with an odd exponent below 2^33; `None`: it is none.
pub(super) fn parse(pem: &[u8]) -> Option<PublicKey> {
    public_key(&base64(body(str::from_utf8(pem).ok()?)?)?)
}

/// What stands between the two lines. In front of them a file may say what it is.
fn body(pem: &str) -> Option<&str> {
    let (before, rest) = pem.split_once(BEGIN)?;
    let (body, after) = rest.split_once(END)?;
    let whole_lines = before.is_empty() || before.ends_with('\n');
    let is_last = after.trim_ascii().is_empty();
    (whole_lines && is_last).then_some(body)
}

/// Base64 with padding, and white space anywhere between.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let digits: Vec<u8> = digits.collect();
    let (groups, []) = digits.as_chunks::<4>() else {
        return None;
    };
    let Some((last, groups)) = groups.split_last() else {
        return Some(Vec::new());
    };
    let mut bytes = Vec::with_capacity(digits.len());
    for group in groups {
        let [_, three @ ..] = word(group)?.to_be_bytes();
        bytes.extend(three);
    }
    last_group(last, &mut bytes)?;
    Some(bytes)
}

/// The last group may be filled up with `=`; the bits that belong to no byte are zeros.
fn last_group(group: &[u8; 4], bytes: &mut Vec<u8>) -> Option<()> {
    let (digits, kept) = match *group {
        [a, b, b'=', b'='] => ([a, b, b'A', b'A'], 1),
        [a, b, c, b'='] => ([a, b, c, b'A'], 2),
        whole => (whole, 3),
    };
    let [_, three @ ..] = word(&digits)?.to_be_bytes();
    let (kept, dropped) = three.split_at_checked(kept)?;
    bytes.extend(kept);
    dropped.iter().all(|byte| *byte == 0).then_some(())
}

fn word(digits: &[u8; 4]) -> Option<u32> {
    digits
        .iter()
        .try_fold(0, |word, digit| Some(word << 6 | value(*digit)?))
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// SEQUENCE { SEQUENCE { rsaEncryption, NULL }, BIT STRING { SEQUENCE { modulus, exponent } } }
fn public_key(der: &[u8]) -> Option<PublicKey> {
    let mut info = Der(only(der, SEQUENCE)?);
    let algorithm = info.take(SEQUENCE)?;
    let (0, key) = info.take(BIT_STRING)?.split_first()? else {
        return None; // bits that belong to no byte
    };
    if algorithm != RSA || !info.0.is_empty() {
        return None;
    }
    let mut numbers = Der(only(key, SEQUENCE)?);
    let (modulus, exponent) = (numbers.unsigned()?, numbers.unsigned()?);
    if !numbers.0.is_empty() {
        return None;
    }
    PublicKey::new(modulus, exponent).ok()
}

/// The content of a value with nothing behind it.
fn only(der: &[u8], tag: u8) -> Option<&[u8]> {
    let mut der = Der(der);
    der.take(tag).filter(|_| der.0.is_empty())
}

/// What is still to be read.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The content of the next value, which must be of this kind. No length has a longer form than it needs, and none more than two bytes: that is
    /// room for keys eight times too large.
    fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (length, rest) = match *self.0.strip_prefix(&[tag])? {
            [length @ ..=0x7f, ref rest @ ..] => (u16::from(length), rest),
            [0x81, length @ 0x80..=0xff, ref rest @ ..] => (u16::from(length), rest),
            [0x82, high @ 1..=0xff, low, ref rest @ ..] => (u16::from_be_bytes([high, low]), rest),
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length.into())?;
        self.0 = rest;
        Some(content)
    }

    /// A number that is not negative, without needless zeros.
    fn unsigned(&mut self) -> Option<BoxedUint> {
        let bytes = match self.take(INTEGER)? {
            [0, rest @ ..] if rest.first().is_some_and(|first| *first >= 0x80) => rest,
            bytes @ [1..=0x7f, ..] => bytes,
            _ => return None,
        };
        Some(BoxedUint::from_be_slice_vartime(bytes))
    }
}

#[cfg(test)]
mod tests;
