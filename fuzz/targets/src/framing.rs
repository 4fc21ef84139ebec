//! Frames: what stands between the bytes of a socket and the payload of a packet.

use arbitrary::Unstructured;
use ark_mysql_proto::{Event, ProtocolError};

use crate::client::{Server, frames, play_alike};

/// Rows of any length, framed by us: each comes back to the byte, however it is cut up, up to the limit, which is an error; and what is behind the first wrong
/// sequence number is never seen.
///
/// Payloads of more than a frame (16 MiB) are too long to be fuzzed; `long_payloads` of the protocol's own tests has them.
pub fn framing(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let server = Server(input.arbitrary().unwrap_or(0) & 0x20);
    let piece = usize::from(input.arbitrary::<u8>().unwrap_or(0)) + 1;
    let wrong_at = usize::from(input.arbitrary::<u8>().unwrap_or(255));
    let mut rows: Vec<Vec<u8>> = Vec::new();
    while !input.is_empty() && rows.len() < 60 {
        let length = input.arbitrary::<u16>().unwrap_or(0);
        let filler = input.arbitrary::<u8>().unwrap_or(0);
        // A text row begins with a length or NULL.
        let filler = filler.min(0xfb);
        rows.push(vec![filler; usize::from(length % 700) + 1]);
    }
    let definition = b"\x03def\0\0\0\x01a\0\x0c\x2d\0\0\0\0\0\xfd\0\0\0\0\0".to_vec();
    let head = [vec![1], definition, b"\xfe\0\0\x02\0\0\0".to_vec()];
    let [count, definition, end] = &head;
    let packets = [count, definition].into_iter().chain(&rows).chain([end]);
    let mut bytes = frames(1, packets.map(Vec::as_slice));
    spoil(&mut bytes, wrong_at);
    let (_, seen) = play_alike(
        || {
            let mut session = server.session();
            session.query("SELECT a FROM t").expect("it is short");
            let written = session.outgoing().len();
            session.sent(written);
            session
        },
        &bytes,
        piece,
    );
    check(&rows, wrong_at, server.max_receive(), &seen);
}

/// Gives the packet at a position another sequence number.
fn spoil(bytes: &mut [u8], packet: usize) {
    let mut at = 0;
    for _ in 0..packet {
        let Some(&[a, b, c, _]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            return;
        };
        at += 4 + (usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16);
    }
    if let Some(sequence) = bytes.get_mut(at + 3) {
        *sequence = sequence.wrapping_add(1);
    }
}

fn check(rows: &[Vec<u8>], wrong_at: usize, limit: usize, seen: &[crate::client::Seen]) {
    let packets = rows.len() + 3;
    let too_long = rows
        .iter()
        .position(|row| row.len() > limit)
        .map(|row| row + 2);
    let good = packets.min(wrong_at).min(too_long.unwrap_or(usize::MAX));
    let events: Vec<_> = seen.iter().filter_map(|seen| seen.as_ref().ok()).collect();
    let came = events
        .iter()
        .filter(|(event, _)| *event == Event::Row)
        .map(|(_, row)| row);
    let expected = rows.iter().take(good.saturating_sub(2));
    assert!(
        came.eq(expected),
        "every row before a mistake, and none behind it"
    );
    match seen.last() {
        Some(Err(ProtocolError::TooLarge { limit: said })) => {
            assert_eq!((Some(good), *said), (too_long, limit));
        }
        Some(Err(ProtocolError::OutOfSequence { .. })) => assert_eq!(good, wrong_at),
        Some(Err(error)) => panic!("no reason for {error}"),
        Some(Ok((event, _))) => {
            assert!(matches!(event, Event::ResultSetEnd(_)) && good == packets);
        }
        None => panic!("something came"),
    }
}
