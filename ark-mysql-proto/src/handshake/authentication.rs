mod signatures;

use super::HandshakeOptions;
use super::link::Link;
use crate::auth::{self, Answer, Identity, Nonce, Plugin};
use crate::packet::auth_switch::{self, AuthSwitch};
use crate::packet::greeting::Greeting;
use crate::wire::Reader;
use crate::{Capabilities, HandshakeError, ProtocolError};

/// The conversation between login and OK.
///
/// The server may switch to another plugin, more than once (MariaDB tries the methods of an account one after the other), and a plugin may exchange further
/// packets. Both are counted: nobody is kept busy for ever.
pub(super) struct Authentication {
    /// `None`: the server has yet to say what it wants.
    plugin: Option<Plugin>,
    /// The last challenge of twenty bytes.
    nonce: Nonce,
    link: Link,
    switches: u8,
    packets: u8,
    waiting: Waiting,
    /// By what the server can prove who it is, if it has to.
    identity: Option<Identity>,
}

/// What the login says first.
pub(super) struct Opening {
    pub(super) plugin: &'static str,
    pub(super) answer: Vec<u8>,
}

/// What is under way.
#[derive(Clone, Copy)]
enum Waiting {
    /// For the verdict on the first answer.
    Verdict,
    /// For the server's public key.
    Key,
    /// For the salt of `parsec`; its challenge came before.
    #[cfg(feature = "ed25519")]
    Salt([u8; 32]),
    /// For OK or an error.
    End,
}

const MAX_SWITCHES: u8 = 2;
const MAX_PACKETS: u8 = 8;
/// Longer answers need more than one byte for their length, which not every server reads in a login.
const MAX_OPENING: usize = 250;

/// No account has a plugin of this name: the server asks for the one that it wants, and nothing was given away.
const UNDECIDED: &str = "undecided";
/// What servers mean that name none.
const UNNAMED: &[u8] = b"mysql_native_password";

/// `caching_sha2_password`: the server remembers the password's hash: OK follows.
const FAST_OK: u8 = 3;
/// It does not: it wants the password itself.
const FULL: u8 = 4;
const SHA2_REQUEST_KEY: u8 = 2;
const SHA256_REQUEST_KEY: u8 = 1;
const MORE_DATA: u8 = 1;

impl Authentication {
    /// Answers the greeting, if the plugin that it names may be answered on this link; else nothing derived from the password is sent, and the
    /// server asks for what the account needs.
    pub(super) fn begin(
        greeting: &Greeting,
        link: Link,
        options: &HandshakeOptions,
    ) -> Result<(Self, Opening), HandshakeError> {
        let mut this = Self::new(link, greeting.nonce);
        if !greeting.capabilities.contains(Capabilities::PLUGIN_AUTH) {
            // There is no other plugin, and no way to ask for one.
            let answer = this.start(Plugin::Native, UNNAMED, greeting.nonce.as_bytes(), options)?;
            return Ok((
                this,
                Opening {
                    plugin: Plugin::Native.name(),
                    answer,
                },
            ));
        }
        let opening = Plugin::named(&greeting.plugin).filter(|plugin| {
            matches!(
                plugin,
                Plugin::Native | Plugin::CachingSha2 | Plugin::Sha256
            )
        });
        let answered = opening.and_then(|plugin| {
            let nonce = greeting.nonce.as_bytes();
            let answer = this.start(plugin, &greeting.plugin, nonce, options).ok()?;
            (answer.len() <= MAX_OPENING).then_some(Opening {
                plugin: plugin.name(),
                answer,
            })
        });
        Ok(match answered {
            Some(opening) => (this, opening),
            None => Self::undecided(link, greeting.nonce),
        })
    }

    /// Leaves the first word to the server.
    pub(super) fn undecided(link: Link, nonce: Nonce) -> (Self, Opening) {
        let opening = Opening {
            plugin: UNDECIDED,
            answer: Vec::new(),
        };
        (Self::new(link, nonce), opening)
    }

    fn new(link: Link, nonce: Nonce) -> Self {
        Self {
            plugin: None,
            nonce,
            link,
            switches: 0,
            packets: 0,
            waiting: Waiting::Verdict,
            identity: None,
        }
    }

    /// Answers a packet that is neither OK nor an error; `None` if it needs no answer.
    pub(super) fn answer(
        &mut self,
        payload: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Option<Vec<u8>>, HandshakeError> {
        self.packets += 1;
        if self.packets > MAX_PACKETS {
            return Err(self.refuse(
                "the server goes on asking and never decides: is this a MySQL or MariaDB server?",
            ));
        }
        match payload.first().copied() {
            Some(auth_switch::HEADER) => {
                self.switch(auth_switch::parse(payload)?, options).map(Some)
            }
            Some(MORE_DATA) => self.more(payload, options),
            first => Err(ProtocolError::Unexpected {
                expected: "a step of the authentication",
                first,
            }
            .into()),
        }
    }

    /// The login is accepted, with this text: is it by whom it should be? Returns what the link is worth from now on.
    pub(super) fn accepted(&self, text: &[u8]) -> Result<Link, HandshakeError> {
        let wrong = |reason| Err(HandshakeError::NotVerified { reason });
        let proof = match (&self.identity, &self.link.fingerprint) {
            (Some(identity), Some(fingerprint)) => identity.check(text, fingerprint),
            _ => None,
        };
        match proof {
            Some(false) => wrong(FALSE_PROOF),
            None if self.link.must_prove => wrong(NO_PROOF),
            Some(true) => Ok(self.link.proved()),
            None => Ok(self.link),
        }
    }

    /// The last challenge.
    pub(super) fn nonce(&self) -> Nonce {
        self.nonce
    }

    fn switch(
        &mut self,
        AuthSwitch { plugin: name, data }: AuthSwitch<'_>,
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        self.switches += 1;
        if self.switches > MAX_SWITCHES {
            return Err(refused(
                name,
                "the server switches plugins without end: is this a MySQL or MariaDB server?",
            ));
        }
        let plugin = Plugin::named(name).ok_or_else(|| refused(name, unknown(name)))?;
        self.start(plugin, name, data, options)
    }

    /// The first answer of a plugin to its challenge. Everything that a plugin sends at first is made here, so that each is asked about in the allow-list.
    fn start(
        &mut self,
        plugin: Plugin,
        name: &[u8],
        data: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        let password = options.password.expose();
        let permit = |answer| {
            let nothing_to_hide = password.is_empty() && answer != Answer::ClearByOption;
            let allowed = if nothing_to_hide {
                Ok(())
            } else {
                auth::allowed(answer, self.link.trust)
            };
            allowed.map_err(|reason| refused(name, reason))
        };
        (self.plugin, self.waiting, self.identity) = (Some(plugin), Waiting::Verdict, None);
        if self.link.must_prove && !plugin.proves() {
            return Err(HandshakeError::NotVerified { reason: NO_PROOF }); // it would be too late after the answer
        }
        match plugin {
            Plugin::Native => {
                permit(Answer::NativeScramble)?;
                self.nonce = nonce(data)?;
                if self.link.fingerprint.is_some() && !password.is_empty() {
                    self.identity = Some(Identity::new(auth::native_stored(password), self.nonce));
                }
                Ok(auth::native_scramble(password, &self.nonce))
            }
            Plugin::CachingSha2 => {
                permit(Answer::Sha2Scramble)?;
                self.nonce = nonce(data)?;
                Ok(auth::caching_sha2_scramble(password, &self.nonce))
            }
            Plugin::Sha256 => {
                self.nonce = nonce(data)?;
                if password.is_empty() {
                    return Ok(auth::zero_terminated(password));
                }
                self.whole_password(options, self.link.tls, SHA256_REQUEST_KEY)
            }
            Plugin::Ed25519 => {
                permit(Answer::Signature)?;
                self.sign(challenge(data)?, password)
            }
            Plugin::Parsec => {
                permit(Answer::Signature)?;
                self.ask_for_salt(challenge(data)?)
            }
            Plugin::Clear if !options.clear_text_password => Err(refused(name, NO_CLEAR_TEXT)),
            Plugin::Clear => {
                permit(Answer::ClearByOption)?;
                self.waiting = Waiting::End;
                Ok(auth::zero_terminated(password))
            }
        }
    }

    fn more(
        &mut self,
        payload: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Option<Vec<u8>>, HandshakeError> {
        let mut reader = Reader::new("authentication data", payload);
        reader.u8("header")?;
        match (self.plugin, self.waiting, reader.rest()) {
            (Some(Plugin::CachingSha2), Waiting::Verdict, [FAST_OK]) => {
                self.waiting = Waiting::End;
                Ok(None)
            }
            (Some(Plugin::CachingSha2), Waiting::Verdict, [FULL]) => {
                let safe = self.link.is_safe_for_server();
                self.whole_password(options, safe, SHA2_REQUEST_KEY)
                    .map(Some)
            }
            (Some(Plugin::CachingSha2 | Plugin::Sha256), Waiting::Key, pem) => self
                .encrypted(Answer::ForFetchedKey, pem, options)
                .map(Some),
            #[cfg(feature = "ed25519")]
            (Some(Plugin::Parsec), Waiting::Salt(challenge), stretching) => self
                .sign_stretched(&challenge, stretching, options)
                .map(Some),
            _ => Err(malformed("content").into()),
        }
    }

    /// The server wants the password: in clear where it takes the link for safe, else encrypted for its key.
    fn whole_password(
        &mut self,
        options: &HandshakeOptions,
        in_clear: bool,
        request_key: u8,
    ) -> Result<Vec<u8>, HandshakeError> {
        let permit =
            |answer| auth::allowed(answer, self.link.trust).map_err(|reason| self.refuse(reason));
        if in_clear {
            permit(Answer::Clear)?;
            self.waiting = Waiting::End;
            return Ok(auth::zero_terminated(options.password.expose()));
        }
        if let Some(pem) = &options.server_public_key {
            return self.encrypted(Answer::ForPinnedKey, pem, options);
        }
        permit(Answer::ForFetchedKey)?;
        if cfg!(not(feature = "rsa")) {
            return Err(self.refuse(NO_RSA));
        }
        self.waiting = Waiting::Key;
        Ok(vec![request_key])
    }

    #[cfg(feature = "rsa")]
    fn encrypted(
        &mut self,
        answer: Answer,
        pem: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        self.waiting = Waiting::End;
        auth::allowed(answer, self.link.trust)
            .and_then(|()| {
                auth::rsa_encrypt(options.password.expose(), &self.nonce, pem, options.random)
            })
            .map_err(|reason| self.refuse(reason))
    }

    #[cfg(not(feature = "rsa"))]
    fn encrypted(
        &mut self,
        _: Answer,
        _: &[u8],
        _: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        Err(self.refuse(NO_RSA))
    }

    fn refuse(&self, reason: &'static str) -> HandshakeError {
        let name = self.plugin.map_or(UNDECIDED, Plugin::name);
        refused(name.as_bytes(), reason)
    }
}

const NO_RSA: &str = "the password would have to be encrypted for the server's key, and this build has no RSA (feature `rsa`): use the unix socket or TLS";
const NO_CLEAR_TEXT: &str = "the server wants the password in clear, which is off: give the account another plugin, or allow it (clear-text-password) if the password is checked elsewhere (PAM, LDAP)";
const FALSE_PROOF: &str = "the server's proof that its certificate is its own is false: somebody sits in between, with a certificate of his own. If that is a proxy that you trust, name its CA by ssl-ca";
const NO_PROOF: &str = "a verified server is required (require-verified), its certificate was not verified, and it gave no proof that it is its own (MariaDB 11.4 and later do, to accounts with a password): use ssl-mode=verify-identity, and ssl-ca for a CA of your own";

fn nonce(data: &[u8]) -> Result<Nonce, ProtocolError> {
    Nonce::new(data).ok_or(malformed_switch())
}

/// Exactly 32 bytes.
fn challenge(data: &[u8]) -> Result<[u8; 32], ProtocolError> {
    data.try_into().map_err(|_| malformed_switch())
}

fn malformed_switch() -> ProtocolError {
    ProtocolError::Invalid {
        packet: "authentication switch",
        field: "scramble",
    }
}

fn malformed(field: &'static str) -> ProtocolError {
    ProtocolError::Invalid {
        packet: "authentication data",
        field,
    }
}

fn refused(plugin: &[u8], reason: &'static str) -> HandshakeError {
    /// No plugin's name is longer.
    const NAME_LIMIT: usize = 64;
    HandshakeError::AuthRefused {
        plugin: crate::packet::presentable(plugin, NAME_LIMIT),
        reason,
    }
}

/// What to do about a plugin that is not spoken here.
fn unknown(name: &[u8]) -> &'static str {
    match name {
        b"mysql_old_password" => {
            "this was broken twenty years ago: give the account a new password"
        }
        _ => {
            "not supported: give the account caching_sha2_password (MySQL) or client_ed25519 (MariaDB) by ALTER USER"
        }
    }
}
