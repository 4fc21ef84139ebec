//! MariaDB's [`parsec`](https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection#parsec-plugin):
//! Ed25519 with a key stretched from password and salt, over challenges from both sides.

use ed25519_dalek::{Signer, SigningKey};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha512;

use crate::secret::wipe;

/// How the key is stretched, as the server keeps it with the account: `P`, exponent, salt.
#[derive(Clone, Copy)]
struct Stretching<'a> {
    rounds: u32,
    salt: &'a [u8],
}

/// 2^10 rounds at least, and at most 2^13: MariaDB's own limit, 10 ms of work. The exponent is the server's word: a larger one would be an attack.
const MAX_EXPONENT: u8 = 3;
const SALT: usize = 18;

/// Why there is no signature.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The salt is not as it must be.
    Malformed,
    /// Too many rounds are asked for.
    TooExpensive,
}

/// The answer to both challenges: the client's challenge and the signature over the server's and it. Also what the server keeps of the password: the stretching
/// and the public key.
pub(crate) fn sign(
    password: &[u8],
    server: &[u8; 32],
    client: &[u8; 32],
    stretching: &[u8],
) -> Result<(Vec<u8>, Vec<u8>), Refusal> {
    let mut seed = stretch(password, parse(stretching)?).ok_or(Refusal::Malformed)?;
    let key = SigningKey::from_bytes(&seed);
    wipe(&mut seed);
    let signature = key.sign(&[&server[..], client].concat());
    let stored = [stretching, key.verifying_key().as_bytes()].concat();
    Ok(([&client[..], &signature.to_bytes()].concat(), stored))
}

fn parse(bytes: &[u8]) -> Result<Stretching<'_>, Refusal> {
    match bytes {
        [b'P', exponent, salt @ ..] if salt.len() == SALT => match *exponent {
            exponent @ 0..=MAX_EXPONENT => Ok(Stretching {
                rounds: 1024 << exponent,
                salt,
            }),
            _ => Err(Refusal::TooExpensive),
        },
        _ => Err(Refusal::Malformed),
    }
}

/// PBKDF2-HMAC-SHA512 (RFC 8018), of which 32 bytes are wanted here: half of its first block.
fn stretch(password: &[u8], Stretching { rounds, salt }: Stretching<'_>) -> Option<[u8; 32]> {
    const FIRST_BLOCK: [u8; 4] = 1_u32.to_be_bytes();
    // HMAC takes keys of every length; that it might not is in the type alone.
    let keyed = Hmac::<Sha512>::new_from_slice(password).ok()?;
    let first = keyed.clone().chain_update(salt).chain_update(FIRST_BLOCK);
    let mut link = first.finalize().into_bytes();
    let mut sum = link;
    for _ in 1..rounds {
        link = keyed.clone().chain_update(link).finalize().into_bytes();
        sum.iter_mut()
            .zip(link)
            .for_each(|(sum, byte)| *sum ^= byte);
    }
    let seed = sum.first_chunk().copied();
    wipe(&mut sum);
    wipe(&mut link);
    seed
}
