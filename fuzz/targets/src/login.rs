//! From the greeting to the session: whatever a server says, the password goes only where it may.

use arbitrary::Unstructured;
use ark_mysql_proto::{Channel, Handshake, HandshakeError, Secret, Step, TlsRequest};

use crate::client::{PASSWORD, Server, assert_lean, feed, frame};
use crate::session::some_bytes;

/// The plugins that a greeting or a switch may name.
pub const PLUGINS: [&[u8]; 8] = [
    b"mysql_native_password",
    b"caching_sha2_password",
    b"sha256_password",
    b"client_ed25519",
    b"parsec",
    b"mysql_clear_password",
    b"mysql_old_password",
    b"",
];

/// What no message may say.
const WORDS: &[u8] = b"correct horse";

/// A login under way, and what is watched about it.
struct Login {
    handshake: Handshake,
    server: Server,
    channel: Channel,
    wants_tls: TlsRequest,
    strict: bool,
    has_password: bool,
    /// Whether there is TLS, and whether the certificate was verified.
    tls: Option<bool>,
    verifies: bool,
    /// The payloads of all packets that were sent.
    sent: Vec<Vec<u8>>,
    sequence: u8,
    came: usize,
    /// The server says words of the password by itself: a fuzzer finds them in this program.
    knows_it: bool,
    state: Result<Step, HandshakeError>,
}

impl Login {
    /// Two bytes of the input say which server it is and who logs in over what.
    fn new(input: &mut Unstructured<'_>) -> Self {
        let server = Server(input.arbitrary().unwrap_or(0) & !0x20);
        let who: u8 = input.arbitrary().unwrap_or(0);
        let channel =
            [Channel::Socket, Channel::Loopback, Channel::Network][usize::from(who % 4).min(2)];
        let wants_tls = [
            TlsRequest::Never,
            TlsRequest::IfOffered,
            TlsRequest::Require,
        ][usize::from(who / 4 % 4).min(2)];
        let has = |bit: u8| who & bit != 0;
        let mut options = server.options();
        (options.channel, options.tls) = (channel, wants_tls);
        options.password = if has(128) {
            Secret::default()
        } else {
            Secret::new(PASSWORD)
        };
        options.require_verified = has(16);
        options.clear_text_password = true;
        options.server_public_key = has(64).then(|| KEY.to_vec());
        Self {
            handshake: Handshake::new(options),
            server,
            channel,
            wants_tls,
            strict: has(16),
            has_password: !has(128),
            tls: None,
            verifies: has(32),
            sent: Vec::new(),
            sequence: 0,
            came: 0,
            knows_it: false,
            state: Ok(Step::Read),
        }
    }

    fn is_over(&self) -> bool {
        self.state != Ok(Step::Read) && self.state != Ok(Step::StartTls)
    }

    /// The server sends a packet with the number that is due.
    fn packet(&mut self, payload: &[u8]) {
        self.bytes(&frame(self.sequence, payload));
    }

    /// The server sends bytes.
    fn bytes(&mut self, bytes: &[u8]) {
        if self.is_over() {
            return;
        }
        self.came += bytes.len();
        self.knows_it |= bytes.windows(WORDS.len()).any(|window| window == WORDS);
        feed(&mut self.handshake, bytes, usize::MAX);
        self.sequence = self.sequence.wrapping_add(1);
        self.poll();
    }

    fn poll(&mut self) {
        self.state = self.handshake.poll();
        let mut outgoing = self.handshake.outgoing();
        while let Some((&[a, b, c, sequence], rest)) = outgoing.split_first_chunk() {
            let length = usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16;
            let (payload, rest) = rest
                .split_at_checked(length)
                .expect("whole packets are sent");
            self.sent.push(payload.to_vec());
            self.sequence = sequence.wrapping_add(1);
            outgoing = rest;
        }
        self.handshake.sent(usize::MAX);
        self.check();
    }

    /// TLS came up.
    fn encrypted(&mut self) {
        let asked = self.state == Ok(Step::StartTls) && self.tls.is_none();
        self.handshake.tls_certificate(b"a certificate");
        self.handshake.tls_established(self.verifies);
        if asked {
            self.tls = Some(self.verifies);
        }
        self.poll();
    }

    /// Greets as the server of the input does.
    fn greet(&mut self, plugin: &[u8]) {
        self.packet(&self.server.greeting(plugin));
        if self.state == Ok(Step::StartTls) {
            self.encrypted();
        }
    }

    /// Nobody listens, and nobody is anyone else.
    fn is_private(&self) -> bool {
        self.channel == Channel::Socket || self.tls == Some(true)
    }

    fn is_loopback(&self) -> bool {
        self.channel == Channel::Loopback && !self.strict
    }

    fn check(&self) {
        let clear = self.is_private() || self.is_loopback() && self.tls.is_some();
        let leaked = |payload: &Vec<u8>| {
            payload
                .windows(PASSWORD.len())
                .any(|window| window == PASSWORD)
        };
        assert!(
            clear || !self.sent.iter().any(leaked),
            "the password itself was sent"
        );
        // A key that the server sends is as good as the channel.
        let asks_for_key = |payload: &Vec<u8>| **payload == [1] || **payload == [2];
        assert!(
            self.is_private() || self.is_loopback() || !self.sent.iter().skip(1).any(asks_for_key)
        );
        if self.state == Ok(Step::StartTls) {
            assert!(self.wants_tls != TlsRequest::Never);
            if self.tls.is_none() {
                let lengths: Vec<_> = self.sent.iter().map(Vec::len).collect();
                assert_eq!(
                    lengths,
                    [32],
                    "nothing but the request for TLS is sent in plain"
                );
            }
        }
        assert!(self.sent.len() <= 2 + 8, "nobody is kept busy for ever");
        assert!(self.sent.iter().map(Vec::len).sum::<usize>() < 32 << 10);
    }

    /// What holds at the end of every login, however far it came.
    fn check_end(mut self) {
        assert_lean(&mut self.handshake, self.came);
        match self.state.clone() {
            Err(error) => {
                assert_eq!(
                    self.handshake.poll(),
                    Err(error.clone()),
                    "errors are sticky"
                );
                assert_eq!(self.handshake.phase(), "failed");
                let text = error.to_string();
                assert!(self.knows_it || !text.contains("correct horse"), "{text}");
                assert!(
                    text.chars()
                        .all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t')),
                    "{text}"
                );
            }
            Ok(Step::Ready) => {
                assert!(self.wants_tls != TlsRequest::Require || self.tls.is_some());
                assert!(
                    !self.strict || self.is_private() || self.tls.is_some(),
                    "nobody vouches for the server"
                );
                assert!(self.handshake.into_session().is_ok());
            }
            Ok(Step::Read | Step::StartTls) => {
                assert_eq!(
                    self.handshake.into_session().err(),
                    Some(HandshakeError::NotReady)
                );
            }
        }
    }
}

/// A real one, of 2048 bits.
const KEY: &[u8] = include_bytes!("key.pem");

/// Any first packet: it is a greeting, or an error; what it says of itself can be shown; before TLS nothing but the request for it is sent, and the password only as
/// the channel allows.
pub fn greeting(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut login = Login::new(&mut input);
    login.packet(input.take_rest());
    if login.state == Ok(Step::StartTls) {
        login.encrypted();
    }
    login.packet(b"\0\0\0\x02\0\0\0");
    login.check_end();
}

/// After a true greeting, switches to any plugin: what is not on the list, or not for this channel, is refused.
pub fn auth_switch(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut login = Login::new(&mut input);
    let plugin = PLUGINS[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % PLUGINS.len()];
    login.greet(plugin);
    for round in 0..4 {
        if input.is_empty() || login.is_over() {
            break;
        }
        let Ok(data) = some_bytes(&mut input) else {
            break;
        };
        login.packet(&[&[0xfe], &*data].concat());
        let name = data.split(|byte| *byte == 0).next().unwrap_or_default();
        let known = PLUGINS[..6].contains(&name);
        assert!(
            known && round < 2 || login.state.is_err(),
            "switched to {name:?}"
        );
        let bare = !login.is_private() && !login.is_loopback() && login.tls.is_none();
        if name == PLUGINS[0] && bare && login.has_password {
            assert!(login.state.is_err(), "a weak answer in plain");
        }
        if name == PLUGINS[5] && !login.is_private() {
            assert!(login.state.is_err(), "clear text only where nobody listens");
        }
    }
    login.packet(b"\0\0\0\x02\0\0\0");
    login.check_end();
}

/// After a switch to a plugin with a challenge as it should be, anything that plugin may be told.
pub fn auth_more(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut login = Login::new(&mut input);
    let plugin = PLUGINS[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % 6];
    login.greet(b"undecided_by_the_server");
    let challenge: &[u8] = if plugin.ends_with(b"ed25519") || plugin == b"parsec" {
        &[7; 32]
    } else {
        b"ABCDEFGHIJKLMNOPQRST\0"
    };
    login.packet(&[&[0xfe], plugin, &[0], challenge].concat());
    while !input.is_empty() && !login.is_over() {
        let Ok(mut data) = some_bytes(&mut input) else {
            break;
        };
        spare_the_rounds(&mut data);
        login.packet(&[&[1], &*data].concat());
    }
    login.packet(b"\0\0\0\x02\0\0\0");
    login.check_end();
}

/// Sends anything as its key: PEM, or what would stand in it. What is no key is refused; with a key the password is encrypted, and only as long as keys may be.
pub fn public_key(data: &[u8]) {
    let (form, key) = data.split_first().unwrap_or((&0, &[]));
    let key = if form % 2 == 0 {
        pem(key)
    } else {
        key.to_vec()
    };
    // Over plain loopback: elsewhere no server is asked for its key.
    let mut login = Login::new(&mut Unstructured::new(&[0, 1]));
    login.greet(PLUGINS[1]);
    login.packet(&[1, 4]); // the whole password
    assert_eq!(login.sent.last().map(Vec::as_slice), Some(&[2][..]));
    login.packet(&[&[1], &*key].concat());
    if login.state.is_ok() {
        let encrypted = login.sent.last().map_or(0, Vec::len);
        assert!((128..=1024).contains(&encrypted), "{encrypted} bytes");
        login.packet(b"\0\0\0\x02\0\0\0");
        assert_eq!(login.state, Ok(Step::Ready));
    }
    login.check_end();
}

fn pem(der: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut pem = b"-----BEGIN PUBLIC KEY-----\n".to_vec();
    for bytes in der.chunks(3) {
        let word = (0..3).fold(0, |word, at| {
            word << 8 | usize::from(bytes.get(at).copied().unwrap_or(0))
        });
        let digit = |at: usize| match at <= bytes.len() {
            true => DIGITS[word >> (18 - 6 * at) & 63],
            false => b'=',
        };
        pem.extend((0..4).map(digit));
    }
    pem.extend(b"\n-----END PUBLIC KEY-----\n");
    pem
}

/// Stretching the password 2^13 times is 10 ms of work, as it should be. A unit test has it; here it would only slow down the search.
fn spare_the_rounds(data: &mut [u8]) {
    if let [b'P', exponent @ 1..=3, ..] = data {
        *exponent = 0;
    }
}

/// Anything in any order: bytes, packets, TLS at the wrong time, the session asked for too early.
pub fn handshake(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut login = Login::new(&mut input);
    while !input.is_empty() && !login.is_over() {
        match input.arbitrary::<u8>().unwrap_or(0) {
            0 => login.encrypted(),
            1 => {
                let plugin =
                    PLUGINS[usize::from(input.arbitrary::<u8>().unwrap_or(0)) % PLUGINS.len()];
                login.packet(&login.server.greeting(plugin));
            }
            2 => {
                let Ok(bytes) = some_bytes(&mut input) else {
                    break;
                };
                login.bytes(&bytes);
            }
            3.. => {
                let Ok(mut payload) = some_bytes(&mut input) else {
                    break;
                };
                spare_the_rounds(payload.get_mut(1..).unwrap_or_default());
                login.packet(&payload);
            }
        }
    }
    login.check_end();
}
