use super::HandshakeOptions;
use crate::auth::{self, Answer, Nonce, Plugin, Trust};
use crate::packet::auth_switch::{self, AuthSwitch};
use crate::packet::greeting::Greeting;
use crate::wire::Reader;
use crate::{HandshakeError, ProtocolError};

/// The conversation between login and OK.
///
/// The server may switch to another plugin, more than once (MariaDB tries the methods of an account one after the other), and a plugin may exchange further
/// packets. Both are counted: nobody is kept busy for ever.
pub(super) struct Authentication {
    plugin: Plugin,
    nonce: Nonce,
    trust: Trust,
    switches: u8,
    packets: u8,
    waiting: Waiting,
}

/// What of `caching_sha2_password` is under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// For the verdict on the first answer.
    Verdict,
    /// For the server's public key.
    Key,
    /// For OK or an error.
    End,
}

const MAX_SWITCHES: u8 = 2;
const MAX_PACKETS: u8 = 8;

/// The server remembers the password's hash: OK follows.
const FAST_OK: u8 = 3;
/// It does not: it wants the password itself.
const FULL: u8 = 4;
const REQUEST_KEY: u8 = 2;
const MORE_DATA: u8 = 1;

impl Authentication {
    /// Chooses the first plugin and computes its answer. The server's own choice is taken if it is spoken here and allowed on this
    /// channel; else one is announced that gives nothing away, and the server switches to what the account needs.
    pub(super) fn begin(greeting: &Greeting, trust: Trust, password: &[u8]) -> (Self, Vec<u8>) {
        let plugin = match Plugin::named(&greeting.plugin) {
            Some(plugin)
                if password.is_empty() || auth::allowed(first_answer(plugin), trust).is_ok() =>
            {
                plugin
            }
            Some(_) | None => Plugin::CachingSha2,
        };
        let answer = plugin.scramble(password, &greeting.nonce);
        (
            Self {
                plugin,
                nonce: greeting.nonce,
                trust,
                switches: 0,
                packets: 0,
                waiting: Waiting::Verdict,
            },
            answer,
        )
    }

    pub(super) fn plugin(&self) -> Plugin {
        self.plugin
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

    fn switch(
        &mut self,
        AuthSwitch { plugin: name, data }: AuthSwitch<'_>,
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        let refuse = |reason| refused(name, reason);
        self.switches += 1;
        if self.switches > MAX_SWITCHES {
            return Err(refuse(
                "the server switches plugins without end: is this a MySQL or MariaDB server?",
            ));
        }
        let plugin = Plugin::named(name).ok_or_else(|| refuse(unknown(name)))?;
        let password = options.password.expose();
        if !password.is_empty() {
            auth::allowed(first_answer(plugin), self.trust).map_err(refuse)?;
        }
        let nonce = Nonce::new(data).ok_or(ProtocolError::Invalid {
            packet: "authentication switch",
            field: "scramble",
        })?;
        (self.plugin, self.nonce, self.waiting) = (plugin, nonce, Waiting::Verdict);
        Ok(plugin.scramble(password, &self.nonce))
    }

    fn more(
        &mut self,
        payload: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Option<Vec<u8>>, HandshakeError> {
        let mut reader = Reader::new("authentication data", payload);
        reader.u8("header")?;
        match (self.plugin, self.waiting, reader.rest()) {
            (Plugin::CachingSha2, Waiting::Verdict, [FAST_OK]) => {
                self.waiting = Waiting::End;
                Ok(None)
            }
            (Plugin::CachingSha2, Waiting::Verdict, [FULL]) => self.full(options).map(Some),
            (Plugin::CachingSha2, Waiting::Key, pem) => {
                self.waiting = Waiting::End;
                self.encrypted(Answer::ForFetchedKey, pem, options)
                    .map(Some)
            }
            (Plugin::CachingSha2, Waiting::Verdict | Waiting::End, _) | (Plugin::Native, ..) => {
                Err(ProtocolError::Invalid {
                    packet: "authentication data",
                    field: "content",
                }
                .into())
            }
        }
    }

    /// The server wants the password: in clear where nobody listens, else encrypted for its key.
    fn full(&mut self, options: &HandshakeOptions) -> Result<Vec<u8>, HandshakeError> {
        self.waiting = Waiting::End;
        let clear = auth::allowed(Answer::Clear, self.trust);
        if clear.is_ok() {
            return Ok(auth::zero_terminated(options.password.expose()));
        }
        if let Some(pem) = &options.server_public_key {
            return self.encrypted(Answer::ForPinnedKey, pem, options);
        }
        auth::allowed(Answer::ForFetchedKey, self.trust).map_err(|reason| self.refuse(reason))?;
        if cfg!(not(feature = "rsa")) {
            return Err(self.refuse(NO_RSA));
        }
        self.waiting = Waiting::Key;
        Ok(vec![REQUEST_KEY])
    }

    #[cfg(feature = "rsa")]
    fn encrypted(
        &self,
        answer: Answer,
        pem: &[u8],
        options: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        auth::allowed(answer, self.trust)
            .and_then(|()| {
                auth::rsa_encrypt(options.password.expose(), &self.nonce, pem, options.random)
            })
            .map_err(|reason| self.refuse(reason))
    }

    #[cfg(not(feature = "rsa"))]
    fn encrypted(
        &self,
        _: Answer,
        _: &[u8],
        _: &HandshakeOptions,
    ) -> Result<Vec<u8>, HandshakeError> {
        Err(self.refuse(NO_RSA))
    }

    fn refuse(&self, reason: &'static str) -> HandshakeError {
        refused(self.plugin.name().as_bytes(), reason)
    }
}

const NO_RSA: &str = "the password would have to be encrypted for the server's key, and this build has no RSA (feature `rsa`): use the unix socket or TLS";

fn first_answer(plugin: Plugin) -> Answer {
    match plugin {
        Plugin::Native => Answer::NativeScramble,
        Plugin::CachingSha2 => Answer::Sha2Scramble,
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
        b"mysql_clear_password" => {
            "the server wants the password in clear, which is never sent for this plugin: give the account caching_sha2_password or mysql_native_password"
        }
        b"mysql_old_password" => {
            "this was broken twenty years ago: give the account a new password"
        }
        _ => {
            "not supported: give the account caching_sha2_password (MySQL) or mysql_native_password (MariaDB) by ALTER USER"
        }
    }
}
