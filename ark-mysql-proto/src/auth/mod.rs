//! What each authentication plugin computes, as pure functions, and the one list of where its answers may be sent.

mod caching_sha2;
mod clear;
#[cfg(feature = "ed25519")]
mod ed25519;
mod identity;
mod native;
#[cfg(feature = "ed25519")]
mod parsec;
mod policy;
#[cfg(feature = "rsa")]
mod rsa_key;
#[cfg(feature = "rsa")]
mod rsa_oaep;
#[cfg(all(test, feature = "ed25519"))]
mod vectors;

pub(crate) use caching_sha2::scramble as caching_sha2_scramble;
pub(crate) use clear::zero_terminated;
#[cfg(feature = "ed25519")]
pub(crate) use ed25519::sign as ed25519_sign;
pub(crate) use identity::{Identity, fingerprint};
pub(crate) use native::{scramble as native_scramble, stored as native_stored};
#[cfg(feature = "ed25519")]
pub(crate) use parsec::{Refusal as ParsecRefusal, sign as parsec_sign};
pub(crate) use policy::{Answer, Trust, allowed};
#[cfg(feature = "rsa")]
pub(crate) use rsa_oaep::encrypt as rsa_encrypt;

/// The challenge of the older plugins: twenty bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nonce([u8; 20]);

impl Nonce {
    /// Takes exactly twenty bytes, with or without a zero behind them.
    pub(crate) fn new(bytes: &[u8]) -> Option<Self> {
        let bytes = match bytes {
            [nonce @ .., 0] if nonce.len() == 20 => nonce,
            nonce => nonce,
        };
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

/// The plugins that are spoken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plugin {
    Native,
    CachingSha2,
    Sha256,
    Ed25519,
    Parsec,
    Clear,
}

impl Plugin {
    const ALL: [Self; 6] = [
        Self::Native,
        Self::CachingSha2,
        Self::Sha256,
        Self::Ed25519,
        Self::Parsec,
        Self::Clear,
    ];

    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|plugin| plugin.name().as_bytes() == name)
    }

    /// Whether a server that this plugin logs in to can prove in turn that its certificate is its own: see [`Identity`].
    pub(crate) fn proves(self) -> bool {
        match self {
            Self::Native | Self::Ed25519 | Self::Parsec => true,
            Self::CachingSha2 | Self::Sha256 | Self::Clear => false,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "mysql_native_password",
            Self::CachingSha2 => "caching_sha2_password",
            Self::Sha256 => "sha256_password",
            Self::Ed25519 => "client_ed25519",
            Self::Parsec => "parsec",
            Self::Clear => "mysql_clear_password",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_has_twenty_bytes() {
        assert!(Nonce::new(&[7; 20]).is_some());
        assert!(Nonce::new(&[7; 21]).is_none());
        assert!(Nonce::new(&[&[7; 20][..], &[0]].concat()).is_some());
        assert!(Nonce::new(&[0; 20]).is_some_and(|nonce| nonce.as_bytes() == &[0; 20]));
        assert!(Nonce::new(&[]).is_none());
        assert!(Nonce::new(&[7; 8]).is_none());
    }

    #[test]
    fn every_plugin_is_found_by_its_name_alone() {
        for plugin in Plugin::ALL {
            assert_eq!(Plugin::named(plugin.name().as_bytes()), Some(plugin));
        }
        for name in [
            &b""[..],
            b"mysql_old_password",
            b"PARSEC",
            b"parsec\0",
            b"auth_gssapi_client",
        ] {
            assert_eq!(Plugin::named(name), None);
        }
    }
}
