//! The packets that begin a reply.

use arbitrary::Unstructured;
use ark_mysql_proto::{Event, Session, Summary};

use crate::client::{Seen, Server, frame, frames, play, play_alike};
use crate::grammar::{Asked, Grammar};
use crate::session::some_bytes;

/// Says that all was written.
fn flush(session: &mut Session) {
    let written = session.outgoing().len();
    session.sent(written);
}

/// A text for people: bounded, and it drives no terminal.
fn assert_presentable(text: &str, limit: usize) {
    // Each byte may have become a replacement character of three.
    assert!(text.len() <= 3 * limit + 3, "{} bytes", text.len());
    assert!(
        !text
            .chars()
            .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    );
}

fn lenenc(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=250 => out.push(value.to_le_bytes()[0]),
        251.. => {
            out.push(0xfe);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// An OK packet that says this.
fn ok(summary: &Summary) -> Vec<u8> {
    let mut out = vec![0];
    lenenc(&mut out, summary.affected_rows);
    lenenc(&mut out, summary.last_insert_id);
    out.extend_from_slice(&summary.status.bits().to_le_bytes());
    out.extend_from_slice(&summary.warnings.to_le_bytes());
    out
}

/// One packet answers PING, or ends rows: it is an OK, an error, or the protocol is broken. What an OK says is said again by one written from it; what an error says
/// can be shown; nothing is reported that is not tracked.
pub fn ok_err_eof(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let server = Server(input.arbitrary().unwrap_or(0));
    let rows = input.arbitrary::<u8>().unwrap_or(0) % 2 == 1;
    let payload = input.take_rest();
    let definition = b"\x03def\0\0\0\x01a\0\x0c\x2d\0\0\0\0\0\xfd\0\0\0\0\0";
    let extended_definition = b"\x03def\0\0\0\x01a\0\0\x0c\x2d\0\0\0\0\0\xfd\0\0\0\0\0";
    let definition: &[u8] = if server.is_extended() {
        extended_definition
    } else {
        definition
    };
    let count: &[u8] = if server.leaves_out() { &[1, 1] } else { &[1] };
    let eof: &[u8] = b"\xfe\0\0\x02\0";
    let bytes = match (rows, server.deprecates_eof()) {
        (false, _) => frame(1, payload),
        (true, true) => frames(1, [count, definition, payload]),
        (true, false) => frames(1, [count, definition, eof, payload]),
    };
    let make = || {
        let mut session = server.session();
        if rows {
            session.query("SELECT a").expect("it is short");
        } else {
            session.ping();
        }
        flush(&mut session);
        session
    };
    let (mut session, seen) = play_alike(make, &bytes, 3);
    match seen.last() {
        Some(Ok((Event::Done(summary), _))) if !rows => {
            let mut again = server.session();
            again.ping();
            let mut seen = Vec::new();
            play(&mut again, &frame(1, &ok(summary)), usize::MAX, &mut seen);
            // Without the block of changes that the status promises; none is sent where none is needed.
            let same = matches!(seen.first(), Some(Ok((Event::Done(said), _))) if said == summary);
            assert!(same, "{summary:?} became {seen:?}");
            assert_eq!(session.pending() == 0, !summary.status.more_results());
        }
        Some(Ok((Event::Failed, _))) => {
            let error = session.server_error();
            assert_presentable(&error.message, 4096);
            assert!(
                error.sql_state.len() == 5
                    && error
                        .sql_state
                        .bytes()
                        .all(|b| b == b'?' || b.is_ascii_alphanumeric())
            );
            assert_eq!(session.pending(), 0);
        }
        _ => {}
    }
    if !server.tracks() {
        assert!(session.take_changes().is_empty());
    }
}

/// Packets answer PREPARE: the events are those of the grammar, with as many definitions as were announced.
pub fn prepare_ok(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let server = Server(input.arbitrary().unwrap_or(0));
    let piece = usize::from(input.arbitrary::<u8>().unwrap_or(0)) + 1;
    let mut payloads = Vec::new();
    while !input.is_empty() && payloads.len() < 300 {
        let Ok(payload) = some_bytes(&mut input) else {
            break;
        };
        payloads.push(payload);
    }
    let make = || {
        let mut session = server.session();
        session.prepare("SELECT ?").expect("it is short");
        flush(&mut session);
        session
    };
    let bytes = frames(1, payloads.iter().map(Vec::as_slice));
    let (session, seen) = play_alike(make, &bytes, piece);
    let mut grammar = Grammar::new(server.is_extended());
    grammar.ask(Asked::Prepare);
    follow(&mut grammar, &seen);
    if seen.iter().all(Result::is_ok) {
        assert_eq!(session.pending(), grammar.pending());
    }
}

fn follow(grammar: &mut Grammar, seen: &[Seen]) {
    for (event, payload) in seen.iter().filter_map(|seen| seen.as_ref().ok()) {
        grammar.event(*event, payload);
    }
}

/// The server answers a statement, perhaps by asking for a file: it gets an empty one, once for each time that it asks, and never a byte more. Where more was
/// sent already, or still is to be sent, the connection ends instead.
pub fn infile(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let server = Server(input.arbitrary().unwrap_or(0));
    let behind = usize::from(input.arbitrary::<u8>().unwrap_or(0) % 3);
    let unsent = input.arbitrary::<u8>().unwrap_or(0) % 2 == 1;
    let mut session = server.session();
    for _ in 0..=behind {
        session.query("SELECT 1").expect("it is short");
    }
    if !unsent {
        flush(&mut session);
    }
    let mut grammar = Grammar::new(server.is_extended());
    (0..=behind).for_each(|_| grammar.ask(Asked::Result));
    let (mut sequence, mut before) = (1, session.outgoing().to_vec());
    while !input.is_empty() {
        let Ok(payload) = some_bytes(&mut input) else {
            break;
        };
        let mut seen = Vec::new();
        play(
            &mut session,
            &frame(sequence, &payload),
            usize::MAX,
            &mut seen,
        );
        sequence = sequence.wrapping_add(1);
        for seen in &seen {
            let Ok((event, payload)) = seen else {
                return assert_eq!(session.outgoing(), before);
            };
            if *event == Event::LocalInfile {
                assert!(
                    grammar.pending() == 1 && before.is_empty(),
                    "too late for an empty file"
                );
                assert_eq!(session.outgoing(), [0, 0, 0, sequence]);
                flush(&mut session);
                sequence = sequence.wrapping_add(1);
            }
            if grammar.event(*event, payload) {
                sequence = 1;
            }
        }
        before = session.outgoing().to_vec();
    }
}
