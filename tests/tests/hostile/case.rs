//! What a misbehaviour is: where in a conversation it comes, what is sent there, and what must come of it.

use std::time::Duration;

use ark_mysql::{ConnectOptions, ErrorKind};

use crate::packets::Hello;

/// Where the server stops being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// In place of its greeting.
    Greeting,
    /// After the client's request for TLS, in place of the handshake.
    Tls,
    /// After the login.
    Login,
    /// In place of the reply to a text query.
    Text,
    /// In place of the reply to PREPARE.
    Prepare,
    /// In place of the reply to EXECUTE.
    Execute,
    /// Unasked, after the reply to the first EXECUTE.
    Idle,
}

/// What the server does there. When all is done, it stays silent and keeps the line open.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Sends a packet, with the right sequence number.
    Packet(Vec<u8>),
    /// Sends bytes as they are.
    Raw(Vec<u8>),
    /// Sends a packet again and again, as long as somebody reads.
    Forever(Vec<u8>),
    /// Sends bytes again and again, as long as somebody reads.
    RawForever(Vec<u8>),
    /// Sends a packet of full frames without end, with the right sequence numbers.
    FrameForever,
    /// Waits for a packet of the client's.
    Read,
    /// Is a server again.
    GoOn,
    /// Hangs up.
    Close,
}

/// What the client does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Connects, and pings where that went well.
    Connecting,
    /// `SELECT id, name FROM t`, checked, as text.
    Text,
    /// The same by PREPARE and EXECUTE.
    Prepared,
    /// The same statement with SQL of run time: whatever columns come.
    Dynamic,
    /// Columns of other types, prepared.
    Day,
    Span,
    Sum,
    /// A prepared statement, once well, and once more.
    Twice,
    /// The same without a deadline: by the shortest way there is.
    Again,
    /// Two different statements.
    Two,
    /// Two statements in a pipeline, and a ping.
    Pipeline,
    /// Reads rows one by one, with a pause after each.
    SlowStream,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// TCP to an address that is not loopback.
    Plain,
    /// The same with TLS, not verified unless the case says so.
    Tls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certificate {
    Good,
    OtherHost,
    Expired,
    SelfSigned,
}

impl Certificate {
    pub(crate) const ALL: [Self; 4] =
        [Self::Good, Self::OtherHost, Self::Expired, Self::SelfSigned];
}

/// Whether the password may be of influence on what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// Scrambles may be, the password in no way.
    Scrambles,
    /// With another password the very same bytes are sent.
    Nothing,
}

#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) links: &'static [Link],
    pub(crate) hello: Hello,
    pub(crate) certificate: Certificate,
    pub(crate) at: At,
    pub(crate) acts: Vec<Act>,
    pub(crate) doing: Doing,
    pub(crate) sent: Sent,
    /// What comes of it; empty: nothing wrong, the server is simply not listened to.
    pub(crate) fails: &'static [ErrorKind],
    /// The deadlines of connecting and of statements.
    pub(crate) patience: Duration,
    pub(crate) options: fn(ConnectOptions) -> ConnectOptions,
    /// The client wants the certificate verified.
    pub(crate) verified: bool,
}

/// For whom waits for what never comes.
const SHORT: Duration = Duration::from_millis(200);

impl Case {
    /// A server that is itself up to `at`, and then does `acts`; the client wants what leads there.
    pub(crate) fn new(
        name: impl Into<String>,
        at: At,
        acts: Vec<Act>,
        fails: &'static [ErrorKind],
    ) -> Self {
        Self {
            name: name.into(),
            links: match at {
                At::Greeting => &[Link::Plain],
                At::Tls => &[Link::Tls],
                _ => &[Link::Plain, Link::Tls],
            },
            hello: Hello::default(),
            certificate: Certificate::Good,
            at,
            acts,
            doing: match at {
                At::Greeting | At::Tls | At::Login => Doing::Connecting,
                At::Text => Doing::Text,
                At::Prepare | At::Execute => Doing::Prepared,
                At::Idle => Doing::Twice,
            },
            sent: match at {
                At::Greeting | At::Login => Sent::Nothing,
                _ => Sent::Scrambles,
            },
            fails,
            // Far more than the bar's two seconds: where it passes, the error is of another kind than the case's.
            patience: Duration::from_secs(8),
            options: |options| options,
            verified: false,
        }
    }

    pub(crate) fn hello(self, hello: Hello) -> Self {
        Self { hello, ..self }
    }

    pub(crate) fn doing(self, doing: Doing) -> Self {
        Self { doing, ..self }
    }

    pub(crate) fn on(self, links: &'static [Link]) -> Self {
        Self { links, ..self }
    }

    pub(crate) fn sending(self, sent: Sent) -> Self {
        Self { sent, ..self }
    }

    /// The client wants the certificate verified, and it is this one.
    pub(crate) fn verified(self, certificate: Certificate) -> Self {
        Self {
            certificate,
            verified: true,
            ..self
        }
    }

    pub(crate) fn options(self, options: fn(ConnectOptions) -> ConnectOptions) -> Self {
        Self { options, ..self }
    }

    /// The server leaves the client waiting: a deadline must end it.
    pub(crate) fn waits(self) -> Self {
        Self {
            patience: SHORT,
            ..self
        }
    }
}

pub(crate) fn packets(payloads: impl IntoIterator<Item = Vec<u8>>) -> Vec<Act> {
    payloads.into_iter().map(Act::Packet).collect()
}

pub(crate) fn packet(payload: impl Into<Vec<u8>>) -> Vec<Act> {
    vec![Act::Packet(payload.into())]
}

pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Vec<Act> {
    vec![Act::Raw(bytes.into())]
}
