use proptest::prelude::*;
use proptest::sample::Index;
use rsa::pkcs8::DecodePublicKey;
use rsa::traits::PublicKeyParts;

use super::*;

/// As a server sends it, of 2048 bits.
const PEM: &str = "-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyAUcniXq9e3vZOxjxaQS
P0Gx82YLViqOTWUe1VOA0HNN5TqRODv3+wXClrwZxTbMdAQ//3aLhsfVpn/hPkmC
j6MhGt+PuX4DEWvSd2dE+ZGUSot3eAPWeJM/fAtMu7Cc7LZGvZtzJeVbVcBHihY4
x53dnT4C83MFKlDuk5qSXUz/NvxGuE5zBpdOyjC/xoDsal6hydXtizu/SGKhgBZK
fafrDDWUhS7YBx8ThivaCuu125XCMxTxB48IDWNbnLaUC0zPjjqMencOhlyvHDEG
1v2CMk3rAeza9dzuXYAc9Yq1stKiKxOK9RooHd2L6J/K+x6jfDJoADZXhlUkpQpW
2wIDAQAB
-----END PUBLIC KEY-----
";

fn der() -> Vec<u8> {
    base64(body(PEM).unwrap()).unwrap()
}

/// What the crate that we do without makes of it.
fn theirs(der: &[u8]) -> Option<PublicKey> {
    PublicKey::from_public_key_der(der).ok()
}

#[test]
fn a_key_as_servers_send_it_and_files_hold_it() {
    let key = PublicKey::from_public_key_pem(PEM).unwrap();
    assert_eq!(key.size(), 256);
    let one_line = PEM
        .replace('\n', "")
        .replace("KEY-----MII", "KEY-----\nMII");
    for pem in [
        PEM,
        PEM.trim_end(),
        &PEM.replace('\n', "\r\n"),
        &format!("The key of our server:\r\n{PEM}\r\n\n"),
        &one_line,
    ] {
        assert_eq!(parse(pem.as_bytes()).as_ref(), Some(&key), "{pem}");
    }
}

#[test]
fn what_stands_around_it_has_one_form() {
    for pem in [
        &format!("{PEM}{PEM}"),
        &format!("{PEM}rest"),
        &format!("x{PEM}"),
        &PEM.replace("-----END", "----END"),
        &PEM.replace("PUBLIC KEY", "RSA PUBLIC KEY"),
        &PEM.replace("PUBLIC KEY", "PRIVATE KEY"),
        &PEM.replace(
            "PUBLIC KEY-----\nMII",
            "PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII",
        ),
        &PEM.replace('+', "-"),
        &PEM.replace("AQAB", "AQAB===="),
        &PEM.replace("AQAB", "AQA"),
        "-----END PUBLIC KEY----------BEGIN PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
    ] {
        assert_eq!(parse(pem.as_bytes()), None, "{pem}");
    }
}

#[test]
fn padding_is_as_long_as_it_must_be() {
    for (text, bytes) in [
        ("", ""),
        ("QUJD QQ==\n", "ABCA"),
        ("QUI=", "AB"),
        ("QUJD", "ABC"),
    ] {
        assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
    }
    for wrong in [
        "QQ",
        "QQ=",
        "Q===",
        "====",
        "QQ==QUJD",
        "QR==",
        "QUJ=",
        "Q*==",
        "Q=Q=",
        "=QQQ",
        "QUJDQ",
        "QQ==\u{e9}",
    ] {
        assert_eq!(base64(wrong), None, "{wrong}");
    }
}

#[test]
fn no_part_of_it_is_a_key_and_nothing_may_follow() {
    let der = der();
    assert!(public_key(&der).is_some());
    for end in 0..der.len() {
        assert!(public_key(&der[..end]).is_none(), "{end}");
    }
    assert!(public_key(&[&der[..], &[0]].concat()).is_none());
}

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
    let length: &[u8] = match (high, low) {
        (0, 0..0x80) => &[low],
        (0, _) => &[0x81, low],
        _ => &[0x82, high, low],
    };
    [&[tag], length, content].concat()
}

/// A well-formed key with these numbers, and something behind them.
fn key_of(modulus: &[u8], exponent: &[u8], behind: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| {
        let sign: &[u8] = if bytes.first().is_some_and(|first| *first >= 0x80) {
            &[0]
        } else {
            &[]
        };
        element(INTEGER, &[sign, bytes].concat())
    };
    let key = element(
        SEQUENCE,
        &[number(modulus), number(exponent), behind.to_vec()].concat(),
    );
    let bits = element(BIT_STRING, &[&[0], &key[..]].concat());
    element(SEQUENCE, &[element(SEQUENCE, RSA), bits].concat())
}

fn modulus(bits: usize, last: u8) -> Vec<u8> {
    let mut modulus = vec![0xc5; bits.div_ceil(8)];
    modulus[0] = 0xff >> ((8 - bits % 8) % 8);
    *modulus.last_mut().unwrap() = last;
    modulus
}

#[test]
fn sizes_and_exponents_are_those_that_are_safe_to_use() {
    let usual: &[u8] = &[1, 0, 1];
    for (bits, exponent, good) in [
        (16, usual, false),
        (1016, usual, false),
        (1023, usual, false),
        (1024, usual, true),
        (1025, usual, true),
        (2048, &[3], true),
        (3072, &[1, 0xff, 0xff, 0xff, 0xff], true),
        (8192, usual, true),
        (8193, usual, false),
        (16_384, usual, false),
        (400_000, usual, false),
        (2048, &[1], false),
        (2048, &[2], false),
        (2048, &[0x7f; 5], false),
        (2048, &[0x7f; 255], false),
        (2048, &[0x7f; 300], false),
    ] {
        let der = key_of(&modulus(bits, 0xc5), exponent, &[]);
        let what = format!("{bits} bits, exponent {exponent:?}");
        assert_eq!(public_key(&der).is_some(), good, "{what}");
        assert_eq!(public_key(&der), theirs(&der), "{what}");
    }
    let even = key_of(&modulus(2048, 0xc4), usual, &[]);
    assert!(public_key(&even).is_none(), "an even modulus");
}

#[test]
fn numbers_have_one_form() {
    let usual: &[u8] = &[1, 0, 1];
    let good = modulus(2048, 0xc5);
    for (what, der) in [
        ("zero", key_of(&good, &[0], &[])),
        ("nothing", key_of(&good, &[], &[])),
        ("needless zeros", key_of(&good, &[0, 1, 0, 1], &[])),
        (
            "a third number",
            key_of(&good, usual, &element(INTEGER, &[3])),
        ),
        ("no modulus", key_of(&[], usual, &[])),
    ] {
        assert!(public_key(&der).is_none(), "{what}");
        assert!(theirs(&der).is_none(), "{what}");
    }
    let negative = {
        let key = element(
            SEQUENCE,
            &[element(INTEGER, &good), element(INTEGER, usual)].concat(),
        );
        let bits = element(BIT_STRING, &[&[0], &key[..]].concat());
        element(SEQUENCE, &[element(SEQUENCE, RSA), bits].concat())
    };
    assert!(public_key(&negative).is_none());
}

proptest! {
    /// What is a key to us is the same key to them, and where they see one that we do not, it stands in a form that no server sends.
    #[test]
    fn whatever_is_changed(changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..4), numbers: bool) {
        let mut der = der();
        let part = if numbers { 40..der.len() } else { 0..40 };
        for (place, byte) in changes {
            der[part.start + place.index(part.len())] = byte;
        }
        let ours = public_key(&der);
        if ours.is_some() || numbers {
            prop_assert_eq!(ours, theirs(&der));
        }
    }

    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        prop_assert_eq!(parse(&bytes), None);
        prop_assert_eq!(public_key(&bytes), None);
    }

    #[test]
    fn any_base64(bytes: Vec<u8>) {
        use rsa::pkcs8::der::pem::{LineEnding, encode_string};
        let pem = encode_string("PUBLIC KEY", LineEnding::CRLF, &bytes).unwrap();
        prop_assert_eq!(base64(body(&pem).unwrap()), Some(bytes));
    }
}
