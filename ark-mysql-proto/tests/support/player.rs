use std::collections::VecDeque;
use std::mem;

use ark_mysql_proto::{Event, Handshake, Session, StatementId, Step};

use super::{Line, Script, describe, frame, options, perform};

/// Where the client stands.
pub(crate) enum Side {
    Handshake(Box<Handshake>),
    Session(Box<Session>),
    /// An error came; nothing more is to be had.
    Over,
}

/// A client without a socket, fed by hand.
pub(crate) struct Player {
    pub(crate) side: Side,
    pub(crate) events: VecDeque<String>,
    pub(crate) last: StatementId,
    tls_wanted: bool,
    /// Definitions that came before, and their number, for a caller who remembers them.
    known: Option<(Vec<u8>, u16)>,
}

impl Player {
    pub(crate) fn new(words: &str) -> Self {
        Self {
            side: Side::Handshake(Box::new(Handshake::new(options(words)))),
            events: VecDeque::new(),
            last: StatementId::new(0),
            tls_wanted: false,
            known: None,
        }
    }

    /// The same, remembering definitions.
    pub(crate) fn remembering(words: &str) -> Self {
        Self {
            known: Some((Vec::new(), 0)),
            ..Self::new(words)
        }
    }

    /// Hands bytes to the client in pieces of at most `piece` bytes, and collects the events after each.
    pub(crate) fn deliver(&mut self, mut bytes: &[u8], piece: usize) {
        while !bytes.is_empty() {
            let buffer = match &mut self.side {
                Side::Handshake(handshake) => handshake.read_buffer(),
                Side::Session(session) => session.read_buffer(),
                Side::Over => return,
            };
            let n = buffer.len().min(piece).min(bytes.len());
            assert!(n > 0, "the read buffer is never empty");
            buffer[..n].copy_from_slice(&bytes[..n]);
            bytes = &bytes[n..];
            match &mut self.side {
                Side::Handshake(handshake) => handshake.received(n),
                Side::Session(session) => session.received(n),
                Side::Over => return,
            }
            self.pump();
        }
    }

    /// Polls until more bytes are needed.
    pub(crate) fn pump(&mut self) {
        loop {
            match mem::replace(&mut self.side, Side::Over) {
                Side::Handshake(handshake) => {
                    if !self.pump_handshake(handshake) {
                        return;
                    }
                }
                Side::Session(session) => return self.pump_session(session),
                Side::Over => return,
            }
        }
    }

    /// True if there is a session now.
    fn pump_handshake(&mut self, mut handshake: Box<Handshake>) -> bool {
        match handshake.poll() {
            Ok(Step::Read) => self.side = Side::Handshake(handshake),
            Ok(Step::StartTls) => {
                if !mem::replace(&mut self.tls_wanted, true) {
                    self.events.push_back("StartTls".to_owned());
                }
                self.side = Side::Handshake(handshake);
            }
            Ok(Step::Ready) => {
                self.side = Side::Session(Box::new(handshake.into_session().unwrap()));
                self.events.push_back("Ready".to_owned());
                return true;
            }
            Err(error) => {
                assert_eq!(handshake.poll(), Err(error.clone()), "errors are sticky");
                assert_eq!(handshake.phase(), "failed");
                self.events.push_back(format!("error: {error}"));
            }
        }
        false
    }

    fn pump_session(&mut self, mut session: Box<Session>) {
        loop {
            let polled = match &self.known {
                Some((known, count)) => session.poll_knowing(known, *count),
                None => session.poll(),
            };
            match polled {
                Ok(Some(event)) => {
                    if let Event::Prepared { id, .. } = event {
                        self.last = id;
                    }
                    if !self.note_known(event, &session) {
                        self.events.push_back(describe(event, &session));
                    }
                }
                Ok(None) => break self.side = Side::Session(session),
                Err(error) => {
                    assert_eq!(session.poll(), Err(error.clone()), "errors are sticky");
                    assert!(
                        session.query("SELECT 1").is_err(),
                        "nothing can be asked of a broken session"
                    );
                    break self.events.push_back(format!("error: {error}"));
                }
            }
        }
    }

    /// Remembers definitions. True if known ones were passed over, and told as if they had not been.
    fn note_known(&mut self, event: Event, session: &Session) -> bool {
        let Some((known, known_count)) = &mut self.known else {
            return false;
        };
        match event {
            Event::ColumnDefinitions { count } => {
                *known = session.payload().to_vec();
                *known_count = count;
                false
            }
            Event::ResultSet {
                columns,
                definitions: false,
            } if session.payload() == known => {
                let definitions = true;
                let head = Event::ResultSet {
                    columns,
                    definitions,
                };
                let definitions = Event::ColumnDefinitions { count: columns };
                self.events
                    .extend([head, definitions].map(|event| describe(event, session)));
                true
            }
            _ => false,
        }
    }

    /// Does what the script says the caller does.
    pub(crate) fn act(&mut self, command: &str) {
        match &mut self.side {
            Side::Handshake(handshake) => {
                let (verified, certificate) = match command.split_once(" of ") {
                    Some((command, certificate)) => (command, Some(certificate)),
                    None => (command, None),
                };
                assert!(
                    matches!(verified, "tls verified" | "tls unverified"),
                    "{command}"
                );
                if let Some(certificate) = certificate {
                    handshake.tls_certificate(&super::unhex(certificate));
                }
                handshake.tls_established(verified == "tls verified");
                self.pump();
            }
            Side::Session(session) => perform(session, command, self.last),
            Side::Over => {}
        }
    }

    pub(crate) fn outgoing(&self) -> &[u8] {
        match &self.side {
            Side::Handshake(handshake) => handshake.outgoing(),
            Side::Session(session) => session.outgoing(),
            Side::Over => &[],
        }
    }

    pub(crate) fn sent(&mut self, n: usize) {
        match &mut self.side {
            Side::Handshake(handshake) => handshake.sent(n),
            Side::Session(session) => session.sent(n),
            Side::Over => {}
        }
    }

    /// Takes a packet that the script says was sent.
    fn expect_sent(&mut self, packet: &[u8], at: &str) {
        let outgoing = self.outgoing();
        let n = packet.len().min(outgoing.len());
        assert_eq!(
            super::hex(&outgoing[..n]),
            super::hex(packet),
            "{at}: what the client sends"
        );
        self.sent(n);
    }

    /// Plays the whole script; the server's bytes come in pieces, the first one up to byte `cut` of all that it sends.
    pub(crate) fn play(script: &Script, piece: usize, cut: usize) {
        Self::new(&script.options).play_on(script, piece, cut);
        Self::remembering(&script.options).play_on(script, piece, cut);
    }

    fn play_on(mut self, script: &Script, piece: usize, cut: usize) {
        let player = &mut self;
        let mut delivered = 0;
        for (number, line) in script.lines.iter().enumerate() {
            let at = format!("{}, step {number}, cut at {cut}", script.name);
            match line {
                Line::Server(sequence, payload) => {
                    let packet = frame(*sequence, payload);
                    let (before, after) =
                        packet.split_at(cut.saturating_sub(delivered).min(packet.len()));
                    delivered += packet.len();
                    player.deliver(before, piece);
                    player.deliver(after, piece);
                }
                Line::Client(sequence, payload) => {
                    player.expect_sent(&frame(*sequence, payload), &at)
                }
                Line::Do(command) => player.act(command),
                Line::Expect(event) => {
                    assert_eq!(player.events.pop_front().as_deref(), Some(&**event), "{at}");
                }
            }
        }
        assert_eq!(
            player.events,
            VecDeque::<String>::new(),
            "{}: events that nobody expects",
            script.name
        );
        assert_eq!(
            player.outgoing(),
            b"",
            "{}: bytes that nobody expects",
            script.name
        );
        if let Side::Session(session) = &player.side {
            assert_eq!(
                (session.pending(), session.buffered()),
                (0, 0),
                "{}: everything was used up",
                script.name
            );
        }
    }

    /// Plays the script with its packets changed by `change`, until it returns `None`; gives the events that came.
    pub(crate) fn play_changed(
        script: &Script,
        change: impl FnMut(u8, &[u8]) -> Option<Vec<u8>>,
    ) -> Vec<String> {
        Self::played_changed(script, change).events.into()
    }

    /// The same; gives the player as it is then.
    pub(crate) fn played_changed(
        script: &Script,
        mut change: impl FnMut(u8, &[u8]) -> Option<Vec<u8>>,
    ) -> Self {
        let mut player = Self::new(&script.options);
        for line in &script.lines {
            match line {
                Line::Server(sequence, payload) => match change(*sequence, payload) {
                    Some(bytes) => player.deliver(&bytes, usize::MAX),
                    None => break,
                },
                Line::Client(sequence, payload) => player.sent(frame(*sequence, payload).len()),
                Line::Do(command) => player.try_act(command),
                Line::Expect(_) => {}
            }
        }
        player
    }

    /// Whether it is waiting for nothing: the replies are over, and no byte is left.
    pub(crate) fn is_done(&self) -> bool {
        match &self.side {
            Side::Session(session) => session.pending() == 0 && session.buffered() == 0,
            Side::Handshake(_) | Side::Over => false,
        }
    }

    /// Like [`act`](Self::act), where the changed conversation has come that far.
    fn try_act(&mut self, command: &str) {
        let fits = match &self.side {
            Side::Handshake(_) => command.starts_with("tls") && self.tls_wanted,
            Side::Session(_) => !command.starts_with("tls"),
            Side::Over => false,
        };
        if fits {
            self.act(command);
        }
    }
}
