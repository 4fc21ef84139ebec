//! Finds the public key in a certificate of any X.509 version (RFC 5280, section 4.1).
//!
//! ```text
//! Certificate    ::= SEQUENCE { tbsCertificate, … }
//! TBSCertificate ::= SEQUENCE { [0] version OPTIONAL, serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, … }
//! SubjectPublicKeyInfo ::= SEQUENCE { algorithm SEQUENCE, subjectPublicKey BIT STRING }
//! ```

/// A public key, in place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PublicKey<'a> {
    /// The contents of the `AlgorithmIdentifier`.
    pub(super) algorithm: &'a [u8],
    /// The key's bits.
    pub(super) bits: &'a [u8],
}

const SEQUENCE: u8 = 0x30;
const BIT_STRING: u8 = 0x03;
const VERSION: u8 = 0xa0;
/// serialNumber, signature, issuer, validity, subject.
const FIELDS_BEFORE_KEY: usize = 5;

/// Returns the key, or `None` if this is no certificate.
pub(super) fn public_key(certificate: &[u8]) -> Option<PublicKey<'_>> {
    let (certificate, _) = of_kind(certificate, SEQUENCE)?;
    let (mut rest, _) = of_kind(certificate, SEQUENCE)?;
    if let Some((_, behind)) = of_kind(rest, VERSION) {
        rest = behind;
    }
    for _ in 0..FIELDS_BEFORE_KEY {
        (_, _, rest) = element(rest)?;
    }
    let (info, _) = of_kind(rest, SEQUENCE)?;
    let (algorithm, rest) = of_kind(info, SEQUENCE)?;
    let (bits, _) = of_kind(rest, BIT_STRING)?;
    match bits.split_first()? {
        (0, bits) => Some(PublicKey { algorithm, bits }), // keys are whole bytes: no unused bits
        _ => None,
    }
}

fn of_kind(bytes: &[u8], kind: u8) -> Option<(&[u8], &[u8])> {
    let (found, content, rest) = element(bytes)?;
    (found == kind).then_some((content, rest))
}

/// Takes one DER element apart: tag, content, what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (
                digits
                    .iter()
                    .fold(0, |length, digit| length << 8 | usize::from(*digit)),
                rest,
            )
        }
        _ => return None, // indefinite, or 16 MiB and more: no certificate
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A version 1 certificate has no version field; the key is found all the same.
    #[test]
    fn reads_versions_1_and_3_and_survives_every_cut() {
        let name = [0x30, 0x00];
        let key = [
            0x30, 0x0a, 0x30, 0x03, 0x06, 0x01, 0x2a, 0x03, 0x03, 0x00, 0xaa, 0xbb,
        ];
        for version in [&[][..], &[0xa0, 0x03, 0x02, 0x01, 0x02]] {
            let mut tbs = version.to_vec();
            tbs.extend([0x02, 0x01, 0x07]);
            (0..4).for_each(|_| tbs.extend(name));
            tbs.extend(key);
            let certificate = wrap(&wrap(&tbs));
            assert_eq!(
                public_key(&certificate),
                Some(PublicKey {
                    algorithm: &[0x06, 0x01, 0x2a],
                    bits: &[0xaa, 0xbb]
                })
            );
            (0..certificate.len())
                .for_each(|cut| assert_eq!(public_key(&certificate[..cut]), None));
        }
    }

    #[test]
    fn long_lengths() {
        assert_eq!(
            element(&[0x04, 0x81, 0x02, 1, 2, 9]),
            Some((4, &[1, 2][..], &[9][..]))
        );
        assert_eq!(element(&[0x04, 0x80, 1]), None);
        assert_eq!(element(&[0x04, 0x84, 0, 0, 0, 1, 1]), None);
        assert_eq!(element(&[0x04, 0x83, 0xff, 0xff, 0xff, 1]), None);
    }

    /// Takes version and extensions out of a certificate. Its signature is void then; nobody who accepts version 1 looks at it.
    pub(in super::super) fn version_1(certificate: &[u8]) -> Vec<u8> {
        let (whole, _) = of_kind(certificate, SEQUENCE).unwrap();
        let (tbs, signature) = of_kind(whole, SEQUENCE).unwrap();
        let (_, mut rest) = of_kind(tbs, VERSION).unwrap();
        let fields = rest;
        for _ in 0..=FIELDS_BEFORE_KEY {
            (_, _, rest) = element(rest).unwrap();
        }
        let mut out = wrap(&fields[..fields.len() - rest.len()]);
        out.extend(signature);
        wrap(&out)
    }

    fn wrap(content: &[u8]) -> Vec<u8> {
        let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
        let mut out = vec![SEQUENCE, 0x82, high, low];
        out.extend(content);
        out
    }
}
