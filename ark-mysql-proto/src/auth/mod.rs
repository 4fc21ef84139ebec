//! What each authentication plugin computes, as pure functions, and the one list of where its answers may be sent.

mod caching_sha2;
mod clear;
mod native;
#[cfg(feature = "rsa")]
mod rsa_oaep;

pub(crate) use caching_sha2::scramble as caching_sha2_scramble;
pub(crate) use clear::zero_terminated;
pub(crate) use native::scramble as native_scramble;
#[cfg(feature = "rsa")]
pub(crate) use rsa_oaep::encrypt as rsa_encrypt;

use crate::Channel;

/// The server's challenge: twenty bytes.
#[derive(Clone, Copy)]
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
}

impl Plugin {
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"mysql_native_password" => Some(Self::Native),
            b"caching_sha2_password" => Some(Self::CachingSha2),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "mysql_native_password",
            Self::CachingSha2 => "caching_sha2_password",
        }
    }

    /// The answer to the first challenge. An empty password is answered with nothing.
    pub(crate) fn scramble(self, password: &[u8], nonce: &Nonce) -> Vec<u8> {
        match (self, password) {
            (_, []) => Vec::new(),
            (Self::Native, password) => native_scramble(password, nonce).to_vec(),
            (Self::CachingSha2, password) => caching_sha2_scramble(password, nonce).to_vec(),
        }
    }
}

/// Who may be listening, or be sitting at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nobody: a unix socket, verified TLS, or any TLS on loopback.
    Private,
    /// Only who has this machine already: plain TCP on loopback.
    Loopback,
    /// Not listeners, but perhaps an impostor: TLS whose certificate was not verified.
    Encrypted,
    /// Anybody: plain TCP on a network.
    Open,
}

impl Trust {
    /// `tls`: whether there is TLS, and if so whether the server's certificate was verified.
    pub(crate) fn of(channel: Channel, tls: Option<bool>) -> Self {
        match (channel, tls) {
            (Channel::Socket, _) | (_, Some(true)) | (Channel::Loopback, Some(false)) => {
                Self::Private
            }
            (Channel::Loopback, None) => Self::Loopback,
            (Channel::Network, Some(false)) => Self::Encrypted,
            (Channel::Network, None) => Self::Open,
        }
    }
}

/// Something derived from the password that may go over the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// `mysql_native_password`: a listener can try passwords at SHA-1's speed, and who has stolen the server's hashes logs in.
    NativeScramble,
    /// `caching_sha2_password`, first answer: says little to a listener.
    Sha2Scramble,
    /// The password itself.
    Clear,
    /// The password, encrypted for a key that came with the options.
    ForPinnedKey,
    /// The password, encrypted for a key that the server has just sent: who is in the middle sends his own.
    ForFetchedKey,
}

/// The one allow-list: which answer may be sent where. `Err` says what to do instead.
pub(crate) fn allowed(answer: Answer, trust: Trust) -> Result<(), &'static str> {
    match (answer, trust) {
        (Answer::Sha2Scramble | Answer::ForPinnedKey, _) => Ok(()),
        (Answer::NativeScramble, Trust::Private | Trust::Loopback | Trust::Encrypted) => Ok(()),
        (Answer::Clear, Trust::Private) => Ok(()),
        (Answer::ForFetchedKey, Trust::Private | Trust::Loopback) => Ok(()),
        (Answer::NativeScramble, Trust::Open) => Err(
            "its answer is too weak for a plain connection over a network: use TLS (ssl-mode), or give the account caching_sha2_password",
        ),
        (Answer::Clear, Trust::Loopback | Trust::Encrypted | Trust::Open)
        | (Answer::ForFetchedKey, Trust::Encrypted | Trust::Open) => Err(
            "the server wants the password itself, which goes only over a unix socket, over TLS with a verified certificate (ssl-mode, ssl-ca), or encrypted for the server's public key where that is given",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTS: [Trust; 4] = [
        Trust::Private,
        Trust::Loopback,
        Trust::Encrypted,
        Trust::Open,
    ];

    #[test]
    fn the_allow_list() {
        let row = |answer| TRUSTS.map(|trust| allowed(answer, trust).is_ok());
        assert_eq!(row(Answer::Sha2Scramble), [true, true, true, true]);
        assert_eq!(row(Answer::NativeScramble), [true, true, true, false]);
        assert_eq!(row(Answer::Clear), [true, false, false, false]);
        assert_eq!(row(Answer::ForPinnedKey), [true, true, true, true]);
        assert_eq!(row(Answer::ForFetchedKey), [true, true, false, false]);
    }

    #[test]
    fn what_a_channel_is_worth() {
        let row = |channel| [None, Some(false), Some(true)].map(|tls| Trust::of(channel, tls));
        assert_eq!(row(Channel::Socket), [Trust::Private; 3]);
        assert_eq!(
            row(Channel::Loopback),
            [Trust::Loopback, Trust::Private, Trust::Private]
        );
        assert_eq!(
            row(Channel::Network),
            [Trust::Open, Trust::Encrypted, Trust::Private]
        );
    }

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
    fn an_empty_password_is_answered_with_nothing() {
        let nonce = Nonce::new(&[1; 20]).unwrap();
        assert!(Plugin::Native.scramble(b"", &nonce).is_empty());
        assert!(Plugin::CachingSha2.scramble(b"", &nonce).is_empty());
    }
}
