//! The one allow-list: which answer may be sent where, whoever asked for it and when.

use crate::Channel;

/// Who may be listening, or be sitting at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nobody: a unix socket, or verified TLS.
    Private,
    /// Only who has this machine already: TLS on loopback, unverified.
    LoopbackEncrypted,
    /// Only who has this machine already: plain TCP on loopback.
    Loopback,
    /// Not listeners, but perhaps an impostor: TLS whose certificate was not verified.
    Encrypted,
    /// Anybody: plain TCP on a network.
    Open,
}

impl Trust {
    /// `tls`: whether there is TLS, and if so whether the server's certificate was verified. `strict`: loopback is worth nothing by itself.
    pub(crate) fn of(channel: Channel, tls: Option<bool>, strict: bool) -> Self {
        match (channel, tls) {
            (Channel::Socket, _) | (_, Some(true)) => Self::Private,
            (Channel::Loopback, Some(false)) if !strict => Self::LoopbackEncrypted,
            (Channel::Loopback, None) if !strict => Self::Loopback,
            (Channel::Loopback | Channel::Network, Some(false)) => Self::Encrypted,
            (Channel::Loopback | Channel::Network, None) => Self::Open,
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
    /// `client_ed25519` and `parsec`: says less.
    Signature,
    /// The password itself, as the way to log in that a stock server wants of a newcomer.
    Clear,
    /// The password itself, for `mysql_clear_password`: for a server that hands it on to somebody else.
    ClearByOption,
    /// The password, encrypted for a key that came with the options.
    ForPinnedKey,
    /// The password, encrypted for a key that the server has just sent: who is in the middle sends his own.
    ForFetchedKey,
}

/// Says whether this answer may be sent there. `Err` says what to do instead.
pub(crate) fn allowed(answer: Answer, trust: Trust) -> Result<(), &'static str> {
    use Trust::{Encrypted, Loopback, LoopbackEncrypted, Open, Private};
    match (answer, trust) {
        (Answer::Sha2Scramble | Answer::Signature | Answer::ForPinnedKey, _) => Ok(()),
        (Answer::NativeScramble, Private | LoopbackEncrypted | Loopback | Encrypted) => Ok(()),
        (Answer::Clear, Private | LoopbackEncrypted) => Ok(()),
        (Answer::ClearByOption, Private) => Ok(()),
        (Answer::ForFetchedKey, Private | LoopbackEncrypted | Loopback) => Ok(()),
        (Answer::NativeScramble, Open) => Err(
            "its answer is too weak for a plain connection over a network: use TLS (ssl-mode), or give the account client_ed25519 or caching_sha2_password",
        ),
        (Answer::Clear, Loopback | Encrypted | Open)
        | (Answer::ForFetchedKey, Encrypted | Open) => Err(
            "the server wants the password itself, which goes only over a unix socket, over TLS with a verified certificate (ssl-mode, ssl-ca), or encrypted for the server's public key where that is given",
        ),
        (Answer::ClearByOption, LoopbackEncrypted | Loopback | Encrypted | Open) => Err(
            "the password in clear goes only over a unix socket or over TLS with a verified certificate (ssl-mode, ssl-ca), on this machine too",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUSTS: [Trust; 5] = [
        Trust::Private,
        Trust::LoopbackEncrypted,
        Trust::Loopback,
        Trust::Encrypted,
        Trust::Open,
    ];

    #[test]
    fn the_allow_list() {
        let row = |answer| TRUSTS.map(|trust| u8::from(allowed(answer, trust).is_ok()));
        assert_eq!(row(Answer::Sha2Scramble), [1, 1, 1, 1, 1]);
        assert_eq!(row(Answer::Signature), [1, 1, 1, 1, 1]);
        assert_eq!(row(Answer::NativeScramble), [1, 1, 1, 1, 0]);
        assert_eq!(row(Answer::Clear), [1, 1, 0, 0, 0]);
        assert_eq!(row(Answer::ClearByOption), [1, 0, 0, 0, 0]);
        assert_eq!(row(Answer::ForPinnedKey), [1, 1, 1, 1, 1]);
        assert_eq!(row(Answer::ForFetchedKey), [1, 1, 1, 0, 0]);
    }

    #[test]
    fn what_a_channel_is_worth() {
        let row = |channel, strict| {
            [None, Some(false), Some(true)].map(|tls| Trust::of(channel, tls, strict))
        };
        let network = [Trust::Open, Trust::Encrypted, Trust::Private];
        for strict in [false, true] {
            assert_eq!(row(Channel::Socket, strict), [Trust::Private; 3]);
            assert_eq!(row(Channel::Network, strict), network);
        }
        assert_eq!(
            row(Channel::Loopback, false),
            [Trust::Loopback, Trust::LoopbackEncrypted, Trust::Private]
        );
        assert_eq!(row(Channel::Loopback, true), network);
    }
}
