//! Payloads around 2^24-1 bytes, where one packet becomes several frames: both ways, and how much memory they may take.

mod support;

use ark_mysql_proto::{CommandError, Event, ProtocolError, Session};
use support::player::{Player, Side};
use support::{Script, frame};

const FULL: usize = (1 << 24) - 1;
const SIZES: [usize; 5] = [FULL - 1, FULL, FULL + 1, 2 * FULL, 2 * FULL + 5];

fn session(options: &str) -> Session {
    let script = Script::parse("mysql_text", include_str!("recorded/mysql_text.txt"));
    let mut player = Player::new(options);
    for line in script.lines.iter().take(3) {
        match line {
            support::Line::Server(sequence, payload) => {
                player.deliver(&frame(*sequence, payload), usize::MAX)
            }
            _ => player.sent(player.outgoing().len()),
        }
    }
    match player.side {
        Side::Session(session) => *session,
        _ => panic!("not logged in: {:?}", player.events),
    }
}

/// A payload that no shift by some bytes leaves the same: a block of a prime length, again and again.
fn payload(first: u8, length: usize) -> Vec<u8> {
    let block: Vec<u8> = (0u32..)
        .flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_be_bytes())
        .take(65_521)
        .collect();
    let mut payload = Vec::with_capacity(length + block.len());
    while payload.len() < length {
        payload.extend_from_slice(&block);
    }
    payload.truncate(length);
    payload[0] = first;
    payload
}

/// The frames of a payload, from the manual's rule: full ones, then one that is not.
fn frames(first_sequence: u8, payload: &[u8]) -> Vec<u8> {
    let mut sequence = first_sequence;
    let mut bytes = Vec::new();
    let mut rest = payload;
    loop {
        let (now, later) = rest.split_at(rest.len().min(FULL));
        bytes.extend(frame(sequence, now));
        sequence = sequence.wrapping_add(1);
        rest = later;
        if now.len() < FULL {
            return bytes;
        }
    }
}

/// Hands over bytes in pieces; gives the events that come.
fn feed(
    session: &mut Session,
    mut bytes: &[u8],
    piece: usize,
) -> Result<Vec<(Event, Vec<u8>)>, ProtocolError> {
    let mut events = Vec::new();
    while !bytes.is_empty() {
        let buffer = session.read_buffer();
        let n = buffer.len().min(piece).min(bytes.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        bytes = &bytes[n..];
        session.received(n);
        while let Some(event) = session.poll()? {
            events.push((event, session.payload().to_vec()));
        }
    }
    Ok(events)
}

const DEFINITION: &str = "036465660000000161000c3f0002000000088100000000";
const END: &[u8] = &[0xfe, 0, 0, 2, 0, 0, 0];

#[test]
fn rows_are_joined() {
    for size in SIZES {
        // 0xfe as a first byte: a row of a cell longer than a frame, not the end of the rows.
        let row = payload(if size > FULL { 0xfe } else { 0xfd }, size);
        for piece in [usize::MAX, 65_521] {
            let mut session = session("channel=socket");
            session.query("SELECT big").unwrap();
            session.sent(session.outgoing().len());
            let after = 3 + u8::try_from(size / FULL).unwrap();
            let bytes = [
                frame(1, &[1]),
                frame(2, &support::unhex(DEFINITION)),
                frames(3, &row),
                frame(after + 1, b"\x011"),
                frame(after + 2, END),
            ];
            let events = feed(&mut session, &bytes.concat(), piece).unwrap();
            let [
                _,
                _,
                (Event::Row, first),
                (Event::Row, second),
                (Event::ResultSetEnd(_), _),
            ] = &events[..]
            else {
                panic!(
                    "{size}: {:?}",
                    events.iter().map(|(event, _)| event).collect::<Vec<_>>()
                )
            };
            assert!(
                *first == row,
                "{size} in pieces of {piece}: the joined row is the one sent"
            );
            assert_eq!(second, b"\x011");
            assert_eq!((session.pending(), session.buffered()), (0, 0));
        }
    }
}

#[test]
fn commands_are_split_and_the_reply_goes_on_counting() {
    for size in SIZES {
        let mut session = session("channel=socket");
        let sql = "x".repeat(size - 1);
        session.query(&sql).unwrap();
        session.ping();
        let expected = [
            frames(0, &[b"\x03", sql.as_bytes()].concat()),
            frame(0, &[0x0e]),
        ]
        .concat();
        assert!(
            session.outgoing() == expected,
            "{size}: split as the manual says"
        );
        let sent = session.outgoing().len();
        session.sent(sent);
        assert_eq!(session.outgoing(), b"");
        // The reply's numbers go on from the command's last frame; the next command starts again.
        let reply = u8::try_from(size / FULL + 1).unwrap();
        let ok = [0, 0, 0, 2, 0, 0, 0];
        let events = feed(
            &mut session,
            &[frame(reply, &ok), frame(1, &ok)].concat(),
            usize::MAX,
        )
        .unwrap();
        assert_eq!(events.len(), 2);
    }
}

/// As seen: the server refuses at the first frame, and numbers its error as if that had been all.
#[test]
fn the_error_for_a_long_command_may_count_fewer_frames() {
    let mut session = session("channel=socket");
    session.query(&"x".repeat(30_000_000)).unwrap();
    let error = frame(
        1,
        b"\xff\x81\x04#08S01Got a packet bigger than 'max_allowed_packet' bytes",
    );
    for piece in [usize::MAX, 1] {
        let refused = feed(&mut session, &error, piece).unwrap_err();
        assert!(
            matches!(&refused, ProtocolError::ServerClosing(error) if error.code == 1153),
            "{refused}"
        );
        assert_eq!(session.server_error().code, 1153);
    }
}

#[test]
fn a_command_over_the_limit_leaves_no_trace() {
    let mut session = session("channel=socket");
    session.set_max_send(1000);
    session.ping();
    let before = session.outgoing().to_vec();
    assert_eq!(
        session.query(&"x".repeat(1000)),
        Err(CommandError::TooLarge {
            size: 1001,
            limit: 1000
        })
    );
    let types = [ark_mysql_proto::ParamType::TEXT];
    let id = ark_mysql_proto::StatementId::new(1);
    let long = "x".repeat(1000);
    let refused = session.execute(id, &types, true, |out| {
        ark_mysql_proto::ParamSink::text(out, &long)
    });
    assert!(
        matches!(refused, Err(CommandError::TooLarge { limit: 1000, .. })),
        "{refused:?}"
    );
    let refused = session.execute(id, &types, true, |_| Ok(()));
    assert!(
        matches!(refused, Err(CommandError::Encode(_))),
        "a value is missing: {refused:?}"
    );
    assert_eq!((session.outgoing(), session.pending()), (&before[..], 1));
    session.query(&"x".repeat(999)).unwrap();
    assert_eq!(session.outgoing().len(), before.len() + 1004);
}

#[test]
fn a_row_over_the_limit_is_refused_before_it_is_stored() {
    let mut session = session("channel=socket max-receive=1000000");
    session.query("SELECT big").unwrap();
    let head = [
        frame(1, &[1]),
        frame(2, &support::unhex(DEFINITION)),
        vec![0x41, 0x42, 0x0f, 3],
    ]
    .concat();
    assert_eq!(
        feed(&mut session, &head, usize::MAX).unwrap_err(),
        ProtocolError::TooLarge { limit: 1_000_000 }
    );
}

#[test]
fn frames_without_end_stop_at_the_limit() {
    let mut session = session("channel=socket max-receive=40000000");
    session.query("SELECT big").unwrap();
    feed(
        &mut session,
        &[frame(1, &[1]), frame(2, &support::unhex(DEFINITION))].concat(),
        usize::MAX,
    )
    .unwrap();
    let full = payload(0xfe, FULL);
    assert_eq!(feed(&mut session, &frame(3, &full), 1 << 16).unwrap(), []);
    assert_eq!(feed(&mut session, &frame(4, &full), 1 << 16).unwrap(), []);
    let refused = feed(&mut session, &frame(5, &full), 1 << 16);
    assert_eq!(refused, Err(ProtocolError::TooLarge { limit: 40_000_000 }));
}

#[test]
fn memory_follows_the_bytes_received() {
    let mut session = session("channel=socket");
    session.query("SELECT big").unwrap();
    // A frame of 16 MiB is announced, and more to come; ten bytes of it arrive.
    let head = [
        frame(1, &[1]),
        frame(2, &support::unhex(DEFINITION)),
        vec![0xff, 0xff, 0xff, 3],
        vec![0; 10],
    ]
    .concat();
    feed(&mut session, &head, usize::MAX).unwrap();
    assert!(
        session.read_buffer().len() <= 64 << 10,
        "{}",
        session.read_buffer().len()
    );
}

#[test]
fn a_large_buffer_is_given_back_before_the_next_command() {
    let mut session = session("channel=socket");
    session.query("SELECT big").unwrap();
    session.sent(session.outgoing().len());
    let row = payload(0xfd, 8 << 20);
    let bytes = [
        frame(1, &[1]),
        frame(2, &support::unhex(DEFINITION)),
        frame(3, &row),
        frame(4, END),
    ]
    .concat();
    feed(&mut session, &bytes, usize::MAX).unwrap();
    assert!(session.read_buffer().len() > 4 << 20);
    session.ping();
    assert!(session.read_buffer().len() <= 64 << 10);
}

/// The buffer is used from the front again: a stream of any length needs no more of it.
#[test]
fn a_stream_of_rows_needs_no_growing_buffer() {
    let mut session = session("channel=socket");
    session.query("SELECT many").unwrap();
    feed(
        &mut session,
        &[frame(1, &[1]), frame(2, &support::unhex(DEFINITION))].concat(),
        usize::MAX,
    )
    .unwrap();
    let mut sequence = 3u8;
    let mut rows = 0;
    for _ in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..50 {
            bytes.extend(frame(sequence, b"\x0bhello world"));
            sequence = sequence.wrapping_add(1);
        }
        rows += feed(&mut session, &bytes, 777).unwrap().len();
    }
    assert_eq!(rows, 100_000);
    assert!(session.read_buffer().len() <= 256 << 10);
}
