//! The whole session: commands, pipelined or not, partial writes, and anything that a server may say.

use arbitrary::{Arbitrary, Unstructured};
use ark_mysql_proto::params::ParamSink;
use ark_mysql_proto::{CommandError, Event, ParamType, Session, StatementId};

use crate::client::{Server, assert_lean, feed_piece, frame};
use crate::grammar::{Asked, Grammar};

/// One thing that the caller or the server does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Runs a statement.
    Query(u8),
    /// Runs one that the caller has a file for.
    QueryWithFile,
    /// A piece of that file, of so many bytes.
    Piece(u8),
    /// Its end.
    EndFile,
    /// Prepares one.
    Prepare(u8),
    /// Runs the one prepared last, with so many parameters.
    Execute(u8),
    /// Asks for a sign of life.
    Ping,
    /// Resets.
    Reset,
    /// Changes the database.
    InitDb,
    /// Frees a statement; no reply.
    Close,
    /// Writes so many bytes to the socket.
    Written(u16),
    /// The server sends bytes.
    Bytes(Vec<u8>),
    /// The server sends a packet with the right sequence number.
    Packet(Vec<u8>),
    /// It sends one with the number shifted.
    Shifted(u8, Vec<u8>),
}

impl<'a> Arbitrary<'a> for Operation {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let code: u8 = input.arbitrary()?;
        Ok(match code {
            0 => Self::Query(input.arbitrary()?),
            1 => Self::Prepare(input.arbitrary()?),
            2 => Self::Execute(input.arbitrary::<u8>()? % 20),
            3 => Self::Ping,
            4 => Self::Reset,
            5 => Self::InitDb,
            6 => Self::Close,
            7 => Self::Written(input.arbitrary()?),
            8 => Self::Bytes(some_bytes(input)?),
            9 => Self::Shifted(input.arbitrary()?, some_bytes(input)?),
            11 => Self::QueryWithFile,
            12 => Self::Piece(input.arbitrary()?),
            13 => Self::EndFile,
            10 | 14.. => Self::Packet(some_bytes(input)?),
        })
    }
}

impl Operation {
    /// The bytes that are read as this operation: for seeds. Payloads beyond 64 KiB are cut.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut with_bytes = |head: &[u8], bytes: &[u8]| {
            let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
            out.extend_from_slice(head);
            out.extend_from_slice(&length.to_le_bytes());
            out.extend_from_slice(&bytes[..usize::from(length)]);
        };
        match self {
            Self::Bytes(bytes) => with_bytes(&[8], bytes),
            Self::Shifted(by, bytes) => with_bytes(&[9, *by], bytes),
            Self::Packet(bytes) => with_bytes(&[10], bytes),
            Self::Query(n) => out.extend([0, *n]),
            Self::Prepare(n) => out.extend([1, *n]),
            Self::Execute(n) => out.extend([2, *n]),
            Self::QueryWithFile => out.push(11),
            Self::Piece(n) => out.extend([12, *n]),
            Self::EndFile => out.push(13),
            Self::Ping => out.push(3),
            Self::Reset => out.push(4),
            Self::InitDb => out.push(5),
            Self::Close => out.push(6),
            Self::Written(n) => {
                out.push(7);
                out.extend(n.to_le_bytes());
            }
        }
    }
}

/// Two bytes of length, and as many bytes as there are of those.
pub fn some_bytes(input: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
    let length = usize::from(input.arbitrary::<u16>()?).min(input.len());
    input.bytes(length).map(<[u8]>::to_vec)
}

/// An event with the bytes that belong to it.
type Told = (Event, Vec<u8>);

/// A session with whoever drives it.
struct Driver {
    session: Session,
    grammar: Grammar,
    told: Vec<Told>,
    ended: Option<String>,
    piece: usize,
    sequence: u8,
    last: StatementId,
    /// Definitions that came before, and their number, for a caller who remembers them.
    known: Option<(Vec<u8>, u16)>,
    came: usize,
}

impl Driver {
    fn new(server: Server, piece: usize, remembers: bool) -> Self {
        Self {
            session: server.session(),
            grammar: Grammar::new(server.is_extended()),
            told: Vec::new(),
            ended: None,
            piece,
            sequence: 1,
            last: StatementId::new(0),
            known: remembers.then(|| (Vec::new(), 0)),
            came: 0,
        }
    }

    fn run(mut self, operations: &[Operation]) -> Self {
        for operation in operations {
            if self.ended.is_some() {
                break;
            }
            self.perform(operation);
            self.pump();
            if self.ended.is_none() {
                assert_eq!(self.session.pending(), self.grammar.pending());
            }
        }
        self.check_end();
        self
    }

    fn perform(&mut self, operation: &Operation) {
        assert_eq!(self.session.wants_file(), self.grammar.waits_for_file());
        match operation {
            Operation::QueryWithFile => {
                self.ask(Asked::File, |session, _| session.query_with_file("LOAD"))
            }
            Operation::Piece(n) => self.piece(&vec![b'x'; usize::from(*n)]),
            Operation::EndFile => self.end_file(),
            Operation::Query(n) => self.ask(Asked::Result, |session, _| {
                session.query(&"x".repeat(usize::from(*n)))
            }),
            Operation::Prepare(n) => self.ask(Asked::Prepare, |session, _| {
                session.prepare(&"?".repeat(usize::from(*n)))
            }),
            Operation::Execute(n) => {
                self.ask(Asked::Result, |session, last| execute(session, last, *n))
            }
            Operation::InitDb => self.ask(Asked::Ok, |session, _| session.init_db("d")),
            Operation::Ping => self.ask(Asked::Ok, |session, _| {
                session.ping();
                Ok(())
            }),
            Operation::Reset => self.ask(Asked::Ok, |session, _| {
                session.reset_connection();
                Ok(())
            }),
            Operation::Close => {
                self.end_file();
                self.session.close_statement(self.last);
            }
            Operation::Written(n) => self.session.sent((*n).into()),
            Operation::Bytes(bytes) => self.deliver(bytes),
            Operation::Packet(payload) => self.packet(0, payload),
            Operation::Shifted(by, payload) => self.packet(*by, payload),
        }
    }

    fn ask(
        &mut self,
        asked: Asked,
        command: impl FnOnce(&mut Session, StatementId) -> Result<(), CommandError>,
    ) {
        self.end_file();
        command(&mut self.session, self.last).expect("a short command to a session in order");
        if self.grammar.pending() == 0 {
            self.sequence = 1;
        }
        self.grammar.ask(asked);
    }

    /// Nothing but the file may be sent while one is wanted, so everything else ends it first.
    fn end_file(&mut self) {
        let before = self.session.outgoing().len();
        self.session.end_file();
        let packets = (self.session.outgoing().len() - before) / 4;
        assert_eq!(packets, usize::from(self.grammar.waits_for_file()));
        if self.grammar.waits_for_file() {
            self.grammar.file_over();
            self.sequence = self.sequence.wrapping_add(1);
        }
    }

    /// A piece is sent where a file is wanted, and nowhere else; an empty one would be the end.
    fn piece(&mut self, bytes: &[u8]) {
        let before = self.session.outgoing().len();
        self.session.send_file(bytes);
        let goes = self.grammar.waits_for_file() && !bytes.is_empty();
        let sent = if goes { 4 + bytes.len() } else { 0 };
        assert_eq!(self.session.outgoing().len() - before, sent);
        self.sequence = self.sequence.wrapping_add(u8::from(goes));
    }

    fn packet(&mut self, shift: u8, payload: &[u8]) {
        let bytes = frame(self.sequence.wrapping_add(shift), payload);
        self.sequence = self.sequence.wrapping_add(1);
        self.deliver(&bytes);
    }

    fn deliver(&mut self, mut bytes: &[u8]) {
        self.came += bytes.len();
        while !bytes.is_empty() && self.ended.is_none() {
            bytes = feed_piece(&mut self.session, bytes, self.piece);
            self.pump();
        }
    }

    fn pump(&mut self) {
        while self.ended.is_none() {
            let polled = match &self.known {
                Some((known, count)) => self.session.poll_knowing(known, *count),
                None => self.session.poll(),
            };
            match polled {
                Ok(Some(event)) => self.tell(event),
                Ok(None) => return,
                Err(error) => {
                    assert_eq!(self.session.poll(), Err(error.clone()), "errors are sticky");
                    assert!(self.session.query("x").is_err() && self.session.prepare("x").is_err());
                    self.ended = Some(error.to_string());
                }
            }
        }
    }

    fn tell(&mut self, event: Event) {
        let payload = self.session.payload().to_vec();
        if let Some((known, known_count)) = &mut self.known {
            match event {
                Event::ColumnDefinitions { count } => {
                    (*known, *known_count) = (payload.clone(), count)
                }
                // Known ones were passed over: tell it as if they had not been.
                Event::ResultSet {
                    columns,
                    definitions: false,
                } if payload == *known => {
                    self.take(
                        Event::ResultSet {
                            columns,
                            definitions: true,
                        },
                        Vec::new(),
                    );
                    self.take(Event::ColumnDefinitions { count: columns }, payload);
                    return;
                }
                _ => {}
            }
        }
        self.take(event, payload);
    }

    fn take(&mut self, event: Event, payload: Vec<u8>) {
        match event {
            Event::Prepared { id, .. } => self.last = id,
            Event::LocalInfile => self.sequence = self.sequence.wrapping_add(1),
            _ => {}
        }
        if self.grammar.event(event, &payload) {
            self.sequence = 1;
        }
        let belongs = matches!(
            event,
            Event::Row | Event::ColumnDefinitions { .. } | Event::ParamDefinitions { .. }
        );
        let payload = if belongs { payload } else { Vec::new() };
        self.told.push((event, payload));
    }

    fn check_end(&mut self) {
        assert_lean(&mut self.session, self.came);
        let outgoing = self.session.outgoing().len();
        self.session.sent(usize::MAX);
        assert!(
            self.session.outgoing().is_empty(),
            "{outgoing} bytes were written"
        );
    }
}

fn execute(session: &mut Session, id: StatementId, params: u8) -> Result<(), CommandError> {
    let types = vec![ParamType::I64; usize::from(params)];
    session.execute(id, &types, true, |out| {
        (0..params).try_for_each(|n| out.i64(n.into()))
    })
}

/// The events are those of the grammar in `Event`'s documentation; they do not depend on how bytes are cut up, nor on whether the caller remembers definitions;
/// as many replies are pending as were asked for and not given; errors are final; memory follows the bytes.
pub fn session(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let server = Server(input.arbitrary().unwrap_or(0));
    let piece = usize::from(input.arbitrary::<u8>().unwrap_or(0)) + 1;
    let mut operations = Vec::new();
    while !input.is_empty() && operations.len() < 200 {
        let Ok(operation) = input.arbitrary() else {
            break;
        };
        operations.push(operation);
    }
    let mut whole = Driver::new(server, usize::MAX, false).run(&operations);
    for (piece, remembers) in [(piece, false), (usize::MAX, true), (piece, true)] {
        let mut other = Driver::new(server, piece, remembers).run(&operations);
        assert_eq!(
            whole.told, other.told,
            "pieces of {piece}, remembering {remembers}"
        );
        assert_eq!(
            whole.ended, other.ended,
            "pieces of {piece}, remembering {remembers}"
        );
        if whole.ended.is_none() {
            assert_eq!(whole.session.status(), other.session.status());
            assert_eq!(whole.session.buffered(), other.session.buffered());
        }
        other.session.take_changes();
    }
    whole.session.take_changes();
}
