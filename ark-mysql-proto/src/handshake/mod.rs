//! From the server's greeting over TLS and authentication to a [`Session`].

mod agreement;
mod authentication;
mod change_user;
mod link;
mod options;

use std::{fmt, mem};

use authentication::{Authentication, Opening};
pub(crate) use link::Link;
pub use options::{Channel, HandshakeOptions, TlsRequest};

use crate::auth;
use crate::packet::greeting::{self, Greeting};
use crate::packet::login::Login;
use crate::packet::{err, ok, ssl_request};
use crate::secret::wipe;
use crate::session::{About, Changes, Tracked};
use crate::wire::{Goodbye, Inbox, Outbox, Writer};
use crate::{Capabilities, Flavor, HandshakeError, ProtocolError, Session, Status};

/// A connection on its way to a [`Session`], without its socket.
///
/// ```text
/// poll ─ Read ─────> write outgoing(), read into read_buffer(), tell received(), poll again
///      ─ StartTls ─> write outgoing(), do TLS on the socket, tell tls_established(), poll again
///      ─ Ready ────> into_session()
/// ```
/// After an error the connection is of no use; the error is returned again by every later call.
pub struct Handshake {
    options: HandshakeOptions,
    inbox: Inbox,
    outbox: Outbox,
    stage: Stage,
    /// Whether TLS was established, and if so whether the certificate was verified.
    tls: Option<bool>,
    /// SHA-256 of the server's certificate.
    fingerprint: Option<[u8; 32]>,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Write what is outgoing, then read more.
    Read,
    /// Write what is outgoing, then do TLS on the socket and tell it by [`Handshake::tls_established`].
    StartTls,
    /// The session can be taken.
    Ready,
}

enum Stage {
    Greeting,
    /// The TLS request is under way. What the server said before is kept: it is all unauthenticated, but so is the whole of a plain login.
    Tls(Box<Greeting>, Capabilities),
    Authentication(Box<Authentication>, Agreed),
    Ready(Agreed, Status, Changes, Tracked),
    Failed(HandshakeError),
}

/// What the greeting led to.
#[derive(Clone)]
struct Agreed {
    capabilities: Capabilities,
    about: About,
}

/// Nothing that belongs to a login is longer.
const MAX_LOGIN_PACKET: usize = 64 << 10;

impl Handshake {
    /// Waits for the server's greeting.
    pub fn new(options: HandshakeOptions) -> Self {
        let max_receive = options.max_receive.min(MAX_LOGIN_PACKET);
        Self {
            outbox: Outbox::new(MAX_LOGIN_PACKET),
            inbox: Inbox::new(max_receive),
            options,
            stage: Stage::Greeting,
            tls: None,
            fingerprint: None,
        }
    }

    /// Goes as far as the received bytes lead.
    ///
    /// # Errors
    /// The login failed: see [`HandshakeError`]. It is returned again by every later call.
    pub fn poll(&mut self) -> Result<Step, HandshakeError> {
        let stage = mem::replace(&mut self.stage, Stage::Failed(HandshakeError::NotReady));
        match self.advance(stage) {
            Ok((stage, step)) => {
                self.stage = stage;
                Ok(step)
            }
            Err(error) => {
                self.stage = Stage::Failed(error.clone());
                Err(error)
            }
        }
    }

    fn advance(&mut self, stage: Stage) -> Result<(Stage, Step), HandshakeError> {
        match stage {
            Stage::Greeting => {
                if self.take()? {
                    self.greeted()
                } else {
                    Ok((Stage::Greeting, Step::Read))
                }
            }
            Stage::Tls(greeting, capabilities) => match self.tls {
                None => Ok((Stage::Tls(greeting, capabilities), Step::StartTls)),
                Some(_) => self.log_in(*greeting, capabilities),
            },
            Stage::Authentication(authentication, agreed) => {
                self.authenticate(authentication, agreed)
            }
            ready @ Stage::Ready(..) => Ok((ready, Step::Ready)),
            Stage::Failed(error) => Err(error),
        }
    }

    /// Takes the next packet; an error out of sequence is the server's last word.
    fn take(&mut self) -> Result<bool, HandshakeError> {
        match self.inbox.take() {
            Err(error @ ProtocolError::OutOfSequence { .. }) => match self.inbox.take_goodbye() {
                Goodbye::Partial => Ok(false),
                Goodbye::Taken => Err(HandshakeError::Server(err::parse(self.inbox.payload())?)),
                Goodbye::None => Err(error.into()),
            },
            taken => Ok(taken?),
        }
    }

    fn greeted(&mut self) -> Result<(Stage, Step), HandshakeError> {
        if self.inbox.payload().first() == Some(&0xff) {
            return Err(HandshakeError::Server(err::parse(self.inbox.payload())?));
        }
        let greeting = greeting::parse(self.inbox.payload())?;
        // The server's turn is over: more could only be smuggled in behind what TLS will vouch for.
        if self.inbox.unread() > 0 {
            return Err(ProtocolError::Unsolicited.into());
        }
        let capabilities = self.capabilities(&greeting)?;
        if !capabilities.contains(Capabilities::TLS) {
            return self.log_in(greeting, capabilities);
        }
        let mut writer = Writer::new(self.outbox.begin());
        ssl_request::write(&mut writer, capabilities);
        let sequence = self.outbox.finish_small(self.inbox.sequence());
        self.inbox.expect(sequence);
        Ok((Stage::Tls(Box::new(greeting), capabilities), Step::StartTls))
    }

    fn log_in(
        &mut self,
        greeting: Greeting,
        capabilities: Capabilities,
    ) -> Result<(Stage, Step), HandshakeError> {
        let options = &self.options;
        no_zero("user name", Some(&options.user))?;
        no_zero("database name", options.database.as_deref())?;
        let link = Link::new(options, self.tls, self.fingerprint)?;
        let (authentication, opening) = Authentication::begin(&greeting, link, options)?;
        let Opening { plugin, mut answer } = opening;
        let login = Login {
            capabilities,
            user: options.user.as_bytes(),
            answer: &answer,
            database: options.database.as_deref().map(str::as_bytes),
            plugin: plugin.as_bytes(),
            attributes: &options.attributes,
        };
        login.write(&mut Writer::new(self.outbox.begin()));
        wipe(&mut answer);
        let sequence = self.outbox.finish(self.inbox.sequence());
        let sequence = sequence.map_err(|_| too_long())?;
        self.inbox.expect(sequence);
        let flavor = greeting.flavor();
        let about = About {
            flavor,
            version: greeting.version,
            connection_id: greeting.connection_id,
            link,
            nonce: greeting.nonce,
        };
        Ok((
            Stage::Authentication(
                Box::new(authentication),
                Agreed {
                    capabilities,
                    about,
                },
            ),
            Step::Read,
        ))
    }

    fn authenticate(
        &mut self,
        mut authentication: Box<Authentication>,
        mut agreed: Agreed,
    ) -> Result<(Stage, Step), HandshakeError> {
        while self.take()? {
            let payload = self.inbox.payload();
            match payload.first() {
                Some(0x00) => {
                    let mut tracked = Tracked::in_schema(self.options.database.as_deref());
                    let (summary, changes) = ok::parse(payload, agreed.capabilities, &mut tracked)?;
                    let text = ok::text(payload, agreed.capabilities)?;
                    agreed.about.link = authentication.accepted(text)?;
                    agreed.about.nonce = authentication.nonce();
                    let ready = Stage::Ready(agreed, summary.status, changes, tracked);
                    return Ok((ready, Step::Ready));
                }
                Some(0xff) => return Err(HandshakeError::Server(err::parse(payload)?)),
                _ => {}
            }
            if let Some(mut answer) = authentication.answer(payload, &self.options)? {
                self.outbox.begin().extend_from_slice(&answer);
                wipe(&mut answer);
                let sequence = self.outbox.finish_small(self.inbox.sequence());
                self.inbox.expect(sequence);
            }
        }
        Ok((Stage::Authentication(authentication, agreed), Step::Read))
    }

    /// Where bytes from the server go (after TLS: decrypted ones). Never empty.
    pub fn read_buffer(&mut self) -> &mut [u8] {
        self.inbox.read_buffer()
    }

    /// Takes note of `n` bytes that were put at the front of [`read_buffer`](Self::read_buffer).
    pub fn received(&mut self, n: usize) {
        self.inbox.received(n);
    }

    /// What must be written to the socket.
    pub fn outgoing(&self) -> &[u8] {
        self.outbox.outgoing()
    }

    /// Takes note of `n` bytes that were written.
    pub fn sent(&mut self, n: usize) {
        self.outbox.sent(n);
    }

    /// The server's certificate in DER form, to be told before [`tls_established`](Self::tls_established) where it is not verified: MariaDB can prove that
    /// it is its own. Without it a server is taken for one that proves nothing.
    pub fn tls_certificate(&mut self, der: &[u8]) {
        self.fingerprint = Some(auth::fingerprint(der));
    }

    /// TLS is up, as [`Step::StartTls`] asked for; told at any other time, it is not listened to.
    /// `verified`: the certificate was checked against trusted roots and the host's name.
    pub fn tls_established(&mut self, verified: bool) {
        if !matches!(self.stage, Stage::Tls(..)) {
            return;
        }
        self.tls = Some(verified);
        if self.inbox.unread() > 0 {
            // They came in plain.
            self.stage = Stage::Failed(ProtocolError::Unsolicited.into());
        }
    }

    /// How far it has come, for messages about time-outs.
    pub fn phase(&self) -> &'static str {
        match &self.stage {
            Stage::Greeting => "waiting for the server's greeting",
            Stage::Tls(..) => "setting up TLS",
            Stage::Authentication(..) => "logging in",
            Stage::Ready(..) => "ready",
            Stage::Failed(_) => "failed",
        }
    }

    /// Takes the session.
    ///
    /// # Errors
    /// The login is not complete, or has failed.
    pub fn into_session(mut self) -> Result<Session, HandshakeError> {
        match self.stage {
            Stage::Ready(
                Agreed {
                    capabilities,
                    about,
                },
                status,
                changes,
                tracked,
            ) => {
                self.outbox.wipe();
                self.outbox.set_max(self.options.max_send);
                self.inbox.set_max(self.options.max_receive);
                Ok(Session::new(
                    self.inbox,
                    self.outbox,
                    capabilities,
                    about,
                    status,
                    changes,
                    tracked,
                ))
            }
            Stage::Failed(error) => Err(error),
            Stage::Greeting | Stage::Tls(..) | Stage::Authentication(..) => {
                Err(HandshakeError::NotReady)
            }
        }
    }

    /// The family of the server, once it has greeted.
    pub fn flavor(&self) -> Option<Flavor> {
        match &self.stage {
            Stage::Tls(greeting, _) => Some(greeting.flavor()),
            Stage::Authentication(_, agreed) | Stage::Ready(agreed, ..) => {
                Some(agreed.about.flavor)
            }
            Stage::Greeting | Stage::Failed(_) => None,
        }
    }
}

impl fmt::Debug for Handshake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handshake")
            .field("phase", &self.phase())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

fn too_long() -> HandshakeError {
    HandshakeError::InvalidOption {
        option: "login",
        reason: "is longer than 64 KiB: shorten user, database or connection attributes",
    }
}

fn no_zero(option: &'static str, value: Option<&str>) -> Result<(), HandshakeError> {
    match value {
        Some(value) if value.contains('\0') => Err(HandshakeError::InvalidOption {
            option,
            reason: "has a zero byte in it",
        }),
        Some(_) | None => Ok(()),
    }
}
