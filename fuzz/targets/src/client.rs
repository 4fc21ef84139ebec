//! A client without a socket, and the packets of a server that is as the input wants it.

use ark_mysql_proto::{
    Channel, Event, Handshake, HandshakeOptions, ProtocolError, Secret, Session, Step, TlsRequest,
};

/// The password of every login here: nothing that the wire carries by chance.
pub const PASSWORD: &[u8] = b"correct horse battery";

/// Which server, and what it can do: bits of one byte of the input.
#[derive(Clone, Copy, Debug)]
pub struct Server(pub u8);

impl Server {
    const MARIADB: u8 = 1;
    const WITH_EOF: u8 = 2;
    const WITHOUT_TRACKING: u8 = 4;
    const EXTENDED: u8 = 8;
    const CACHED: u8 = 16;
    const SMALL: u8 = 32;
    const TLS: u8 = 64;

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// MariaDB's extended metadata is negotiated.
    pub fn is_extended(self) -> bool {
        self.has(Self::MARIADB) && self.has(Self::EXTENDED)
    }

    /// MariaDB may leave definitions out.
    pub fn leaves_out(self) -> bool {
        self.has(Self::MARIADB) && self.has(Self::CACHED)
    }

    /// Rows end with an OK packet.
    pub fn deprecates_eof(self) -> bool {
        !self.has(Self::WITH_EOF)
    }

    /// OK packets tell of the session's state.
    pub fn tracks(self) -> bool {
        !self.has(Self::WITHOUT_TRACKING)
    }

    /// The longest payload that the client takes.
    pub fn max_receive(self) -> usize {
        if self.has(Self::SMALL) { 300 } else { 64 << 20 }
    }

    fn capabilities(self) -> (u32, u32) {
        // All that is known, and some that are not.
        let mut common: u32 = 0xffff_f7ff;
        let mut extended = 0;
        if self.has(Self::MARIADB) {
            common &= !1;
            extended = 0x1c;
        }
        if self.has(Self::WITH_EOF) {
            common &= !(1 << 24);
        }
        if self.has(Self::WITHOUT_TRACKING) {
            common &= !(1 << 23);
        }
        if self.has(Self::TLS) {
            common |= 1 << 11;
        }
        (common, extended)
    }

    /// The payload of its greeting.
    pub fn greeting(self, plugin: &[u8]) -> Vec<u8> {
        let (common, extended) = self.capabilities();
        let [c0, c1, c2, c3] = common.to_le_bytes();
        let mut out = b"\x0a11.8.9-fuzzed\0\x07\0\0\0".to_vec();
        out.extend_from_slice(b"abcdefgh\0");
        out.extend_from_slice(&[c0, c1, 45, 2, 0, c2, c3, 21, 0, 0, 0, 0, 0, 0]);
        out.extend_from_slice(&u32::to_le_bytes(extended));
        out.extend_from_slice(b"ijklmnopqrst\0");
        out.extend_from_slice(plugin);
        out.push(0);
        out
    }

    /// What a client asks of it that has no password and sits on a unix socket.
    pub fn options(self) -> HandshakeOptions {
        HandshakeOptions {
            user: "fuzz".to_owned(),
            password: Secret::default(),
            database: None,
            tls: TlsRequest::Never,
            channel: Channel::Socket,
            attributes: Vec::new(),
            max_receive: self.max_receive(),
            max_send: 64 << 10,
            mariadb_extended_metadata: self.has(Self::EXTENDED),
            mariadb_cache_metadata: self.has(Self::CACHED),
            random: |bytes| {
                bytes.fill(0x42);
                true
            },
            server_public_key: None,
            require_verified: false,
            clear_text_password: false,
            local_infile: true,
        }
    }

    /// A session with it, right after the login, nothing to be sent.
    pub fn session(self) -> Session {
        let mut handshake = Handshake::new(self.options());
        feed(
            &mut handshake,
            &frame(0, &self.greeting(b"mysql_native_password")),
            usize::MAX,
        );
        assert_eq!(handshake.poll(), Ok(Step::Read));
        feed(&mut handshake, &frame(2, b"\0\0\0\x02\0\0\0"), usize::MAX);
        assert_eq!(handshake.poll(), Ok(Step::Ready));
        let written = handshake.outgoing().len();
        handshake.sent(written);
        handshake.into_session().expect("it is ready")
    }
}

/// Whatever takes bytes from a peer.
pub trait Peer {
    /// Where they go.
    fn room(&mut self) -> &mut [u8];
    /// So many came.
    fn came(&mut self, n: usize);
}

impl Peer for Handshake {
    fn room(&mut self) -> &mut [u8] {
        self.read_buffer()
    }
    fn came(&mut self, n: usize) {
        self.received(n);
    }
}

impl Peer for Session {
    fn room(&mut self) -> &mut [u8] {
        self.read_buffer()
    }
    fn came(&mut self, n: usize) {
        self.received(n);
    }
}

/// Hands over as many bytes as fit, at most `piece`; returns those that are left.
pub fn feed_piece<'b>(peer: &mut impl Peer, bytes: &'b [u8], piece: usize) -> &'b [u8] {
    let room = peer.room();
    assert!(!room.is_empty(), "there is always room for a byte");
    let (now, later) = bytes.split_at(bytes.len().min(piece).min(room.len()));
    room[..now.len()].copy_from_slice(now);
    peer.came(now.len());
    later
}

/// Hands over all bytes, in pieces of at most `piece`, without looking at them.
pub fn feed(peer: &mut impl Peer, mut bytes: &[u8], piece: usize) {
    while !bytes.is_empty() {
        bytes = feed_piece(peer, bytes, piece);
    }
}

/// Puts the header in front, more of them where the payload is longer than a frame.
pub fn frame(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let [a, b, c, ..] = payload.len().to_le_bytes();
    [&[a, b, c, sequence], payload].concat()
}

/// Frames payloads one behind the other.
pub fn frames<'p>(first: u8, payloads: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sequence = first;
    for payload in payloads {
        out.extend(frame(sequence, payload));
        sequence = sequence.wrapping_add(1);
    }
    out
}

/// An event with the bytes that belong to it, or the error that ended it all.
pub type Seen = Result<(Event, Vec<u8>), ProtocolError>;

/// Hands over bytes in pieces and writes down what comes of each, until an error; holds the session to what it promises at every step.
pub fn play(session: &mut Session, mut bytes: &[u8], piece: usize, seen: &mut Vec<Seen>) {
    loop {
        loop {
            match session.poll() {
                Ok(Some(event)) => seen.push(Ok((event, session.payload().to_vec()))),
                Ok(None) => break,
                Err(error) => {
                    assert_eq!(session.poll(), Err(error.clone()), "errors are sticky");
                    assert!(
                        session.query("SELECT 1").is_err(),
                        "a broken session takes no command"
                    );
                    seen.push(Err(error));
                    return;
                }
            }
        }
        if bytes.is_empty() {
            return;
        }
        bytes = feed_piece(session, bytes, piece);
    }
}

/// Plays the same bytes to two sessions, in two ways of cutting them up, and gives what both saw.
///
/// # Panics
/// They saw different things: the cutting showed.
pub fn play_alike(make: impl Fn() -> Session, bytes: &[u8], piece: usize) -> (Session, Vec<Seen>) {
    let (mut whole, mut cut) = (make(), make());
    let (mut seen, mut seen_cut) = (Vec::new(), Vec::new());
    play(&mut whole, bytes, usize::MAX, &mut seen);
    play(&mut cut, bytes, piece.max(1), &mut seen_cut);
    assert_eq!(seen, seen_cut, "how bytes are cut up must not show");
    assert_eq!(whole.pending(), cut.pending());
    assert_eq!(whole.outgoing(), cut.outgoing());
    assert_lean(&mut whole, bytes.len());
    assert_lean(&mut cut, bytes.len());
    (whole, seen)
}

/// Memory follows the bytes that came, never a number that was announced.
pub fn assert_lean(peer: &mut impl Peer, came: usize) {
    const AT_FIRST: usize = 256 << 10;
    let room = peer.room().len();
    assert!(
        room <= AT_FIRST + 2 * came,
        "{room} bytes of room after {came} bytes"
    );
}
