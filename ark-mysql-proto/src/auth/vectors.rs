//! Answers that real servers accepted: MariaDB 11.8 with accounts `client_ed25519` and `parsec`, password `secret`.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;

const CHALLENGE: &str = "a5149983c23ef98c863f702910b8c9f33d15d3605d6e67798ee528f4c3c6eff9";
const SIGNATURE: &str = "02925a723d297792d2d6cc05cdeddf4485acaf60836d617efb044696b830c7d2fabcb70047865a2ee55059fa2b20e8392216ca47340cfac075a1b6efe1055406";
const PUBLIC: &str = "648814444520e4f56043a2ec9215e63be7992d2d270bc6dee873e36164786096";

const PARSEC_CHALLENGE: &str = "9754b76e05405dfdf3354996b31dfddfcaf52ea14af5b00297144888678deae3";
const STRETCHING: &str = "5000851fb626b346bd76e61bbda571b015ba323c";
const PARSEC_SIGNATURE: &str = "16bf90fec390f1858578763bfd073dfd3baccd7c746cc91d715e0760415e0bd3ce9c487571517c5d2bf91728fca8aac24d80f404d0d5586f66073f13fe49f20f";
const PARSEC_PUBLIC: &str = "9c86fd241cb0ef88457f34702d0b81eec8d991c393afde21865bcd0f266e2913";

fn unhex<const N: usize>(text: &str) -> [u8; N] {
    let pairs = text.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap());
    bytes.collect::<Vec<u8>>().try_into().unwrap()
}

#[test]
fn client_ed25519() {
    let (signature, public) = ed25519_sign(b"secret", &unhex(CHALLENGE));
    assert_eq!(signature, unhex(SIGNATURE));
    assert_eq!(public, unhex(PUBLIC));
    assert_ne!(ed25519_sign(b"Secret", &unhex(CHALLENGE)).0, signature);
}

#[test]
#[cfg_attr(miri, ignore = "a thousand rounds of a hash take minutes there")]
fn parsec() {
    let client = [0x42; 32];
    let stretching = unhex::<20>(STRETCHING);
    let (answer, stored) =
        parsec_sign(b"secret", &unhex(PARSEC_CHALLENGE), &client, &stretching).unwrap();
    assert_eq!(
        answer,
        [&client[..], &unhex::<64>(PARSEC_SIGNATURE)].concat()
    );
    assert_eq!(
        stored,
        [&stretching[..], &unhex::<32>(PARSEC_PUBLIC)].concat()
    );
}

/// Nothing is computed for a salt that is not as it must be: the time that it takes is the server's word.
#[test]
#[cfg_attr(miri, ignore = "a thousand rounds of a hash take minutes there")]
fn parsec_stretches_within_bounds() {
    let refusal = |stretching: &[u8]| parsec_sign(b"secret", &[1; 32], &[2; 32], stretching).err();
    let with = |exponent| [&[b'P', exponent], &[7; 18][..]].concat();
    for exponent in 0..=3 {
        assert_eq!(refusal(&with(exponent)), None, "{exponent}");
    }
    for exponent in 4..=255 {
        assert_eq!(
            refusal(&with(exponent)),
            Some(ParsecRefusal::TooExpensive),
            "{exponent}"
        );
    }
    let whole = with(0);
    (0..whole.len()).for_each(|end| {
        assert_eq!(
            refusal(&whole[..end]),
            Some(ParsecRefusal::Malformed),
            "{end}"
        );
    });
    assert_eq!(
        refusal(&[&whole[..], &[0]].concat()),
        Some(ParsecRefusal::Malformed)
    );
    assert_eq!(
        refusal(&[&[b'Q', 0], &[7; 18][..]].concat()),
        Some(ParsecRefusal::Malformed)
    );
}

/// SHA-256 of the certificate of the server that gave the proofs below.
const FINGERPRINT: &str = "7be3cb30d739e95a0e6e5de73f48dbc0d78e231a58311b946be9a3a825ad8f31";

#[test]
fn proofs_of_the_certificate() {
    let stretched = [&unhex::<20>(STRETCHING)[..], &unhex::<32>(PARSEC_PUBLIC)].concat();
    let given = [
        (
            native_stored(b"secret").to_vec(),
            NATIVE_NONCE,
            NATIVE_PROOF,
        ),
        (unhex::<32>(PUBLIC).to_vec(), ED25519_NONCE, ED25519_PROOF),
        (stretched, PARSEC_NONCE, PARSEC_PROOF),
    ];
    for (stored, nonce, proof) in given {
        let nonce = Nonce::new(&unhex::<20>(nonce)).unwrap();
        let text = [b"\x01", proof.as_bytes()].concat();
        let identity = Identity::new(stored, nonce);
        assert_eq!(
            identity.check(&text, &unhex(FINGERPRINT)),
            Some(true),
            "{proof}"
        );
        assert_eq!(identity.check(&text, &[0; 32]), Some(false), "{proof}");
    }
}

const NATIVE_NONCE: &str = "5a493f3f5c35323968226c7b4527305a567e3942";
const NATIVE_PROOF: &str = "EE9EB6902B6A237371651220E4727EF16B903D55FB71EAEB1066FB80294B526C";
const ED25519_NONCE: &str = "753f796366565c4b434d387152255e2e673f4477";
const ED25519_PROOF: &str = "8445E17C0D4CE004C59C00C92F88E7D334E2213E7BAF3CF895140A2938B28BE7";
const PARSEC_NONCE: &str = "5e462377552349282d475e263f4a3979786e3e2c";
const PARSEC_PROOF: &str = "A8A08BC9F045B05B5760CC3C2BA3E841E027AF6EEA422C5FE8B77D910A1BC6B4";
