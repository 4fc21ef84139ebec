//! The head of a result: what stands in its place, and the columns.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ark_mysql::ErrorKind::{
    ConnectionLost, Decode, LocalInfile, Protocol, SchemaChanged, Server, Timeout, Unsupported,
};

use crate::case::{Act, At, Case, Doing, packet, packets, raw};
use crate::packets::{Column, END, ID, NAME, OK, OK_AND_MORE, error, frame, head};

pub(crate) fn cases(bait: &Path) -> Vec<Case> {
    [(At::Text, "text"), (At::Execute, "prepared")]
        .into_iter()
        .flat_map(|(at, name)| of(at, name, bait))
        .collect()
}

fn of(at: At, format: &str, bait: &Path) -> Vec<Case> {
    let case = |name: &str, acts, fails| Case::new(format!("{format}: {name}"), at, acts, fails);
    let file = [&[0xfb], bait.as_os_str().as_bytes()].concat();
    let count = |bytes: &[u8]| packet([bytes, &[]].concat());
    let mut cases = vec![
        case("silence", vec![], &[Timeout]).waits(),
        case("hung up", vec![Act::Close], &[ConnectionLost]),
        case(
            "a file is wanted, without a name",
            vec![Act::Packet(vec![0xfb]), Act::Read, Act::Packet(OK.to_vec())],
            &[LocalInfile],
        ),
        case(
            "a file of ours is wanted",
            vec![
                Act::Packet(file.clone()),
                Act::Read,
                Act::Packet(OK.to_vec()),
            ],
            &[LocalInfile],
        ),
        case(
            "a file of ours is wanted, again and again",
            vec![Act::Packet(file.clone()), Act::Read, Act::Packet(file)],
            &[Protocol],
        ),
        case("an error of one byte", packet([0xff]), &[Protocol]),
        case(
            "an error without SQLSTATE",
            packet(b"\xff\x51\x04out of order"),
            &[Server],
        ),
        case(
            "an error with half of it",
            packet(b"\xff\x51\x04#HY0"),
            &[Protocol],
        ),
        case(
            "an error full of control characters",
            packet(error(1105, "\x1b]0;title\x07\u{202e}\r\n")),
            &[Server],
        ),
        case(
            "an error of 1 MB",
            packet(error(1105, &"x".repeat(1 << 20))),
            &[Server],
        ),
        case("OK where rows must be", packet(OK), &[SchemaChanged]),
        case("OK of 6 bytes", packet(&OK[..6]), &[Protocol]),
        case("OK of 2 bytes", packet(&OK[..2]), &[Protocol]),
        case("a packet of length 0", packet([]), &[Protocol]),
        case(
            "packets of length 0 without end",
            vec![Act::Forever(vec![])],
            &[Protocol],
        ),
        case("a wrong sequence number", raw(frame(9, &OK)), &[Protocol]),
        case(
            "a sequence number of the client's",
            raw(frame(0, &OK)),
            &[Protocol],
        ),
        case(
            "an error with a wrong sequence number",
            raw(frame(77, &error(1105, "x"))),
            &[Protocol, ConnectionLost, Server],
        ),
        case(
            "text of another protocol",
            raw("HTTP/1.1 200 OK\r\n\r\n"),
            &[Protocol],
        ),
        case(
            "a count of 0xfb in an integer",
            count(&[0xfc, 0xfb]),
            &[Protocol],
        ),
        case("a count that is cut", count(&[0xfe, 1, 0, 0]), &[Protocol]),
        case("0 columns", count(&[0xfc, 0, 0]), &[Protocol]),
        case(
            "50 million columns",
            count(&[0xfe, 0x80, 0xf0, 0xfa, 2, 0, 0, 0, 0]),
            &[Protocol],
        ),
        case(
            "2^60 columns",
            count(&[0xfe, 0, 0, 0, 0, 0, 0, 0, 0x10]),
            &[Protocol],
        ),
        case(
            "a count and something behind it",
            count(&[2, 0]),
            &[Protocol],
        ),
        case(
            "4 096 columns, and silence",
            count(&[0xfc, 0, 0x10]),
            &[Timeout],
        )
        .waits(),
        case(
            "fewer definitions than announced",
            packets([vec![2], ID.bytes(), END.to_vec(), END.to_vec()]),
            &[Protocol],
        ),
        case(
            "fewer definitions than announced, and silence",
            packets([vec![2], ID.bytes()]),
            &[Timeout],
        )
        .waits(),
        case(
            "an error among the definitions",
            packets([vec![2], ID.bytes(), error(1105, "x")]),
            &[Server],
        ),
        case(
            "more definitions than announced",
            packets([head(&[ID, NAME]), vec![NAME.bytes()]].concat()),
            if at == At::Text {
                &[Decode]
            } else {
                &[Protocol]
            },
        ),
        case(
            "one column more",
            packets(head(&[ID, NAME, NAME])),
            &[SchemaChanged],
        ),
        case("one column less", packets(head(&[ID])), &[SchemaChanged]),
        case(
            "other columns",
            packets(head(&[NAME, ID])),
            &[SchemaChanged],
        ),
        case(
            "a type that nobody knows",
            packets(head(&[Column { code: 0x20, ..ID }, NAME])),
            &[SchemaChanged, Unsupported],
        ),
        case(
            "a name that is no text",
            packets([
                vec![2],
                ID.bytes(),
                NAME.bytes()
                    .iter()
                    .map(|byte| if *byte == b'n' { 0xff } else { *byte })
                    .collect(),
            ]),
            &[Protocol],
        ),
        case(
            "a definition with something behind it",
            packets([vec![2], ID.bytes(), [NAME.bytes(), vec![0]].concat()]),
            &[Protocol],
        ),
        case(
            "a definition of a whole frame",
            vec![Act::Packet(vec![2]), Act::FrameForever],
            &[Protocol],
        ),
        case(
            "a chain of frames without end",
            vec![Act::FrameForever],
            &[Protocol],
        )
        .options(|options| options.max_receive(8 << 20)),
        case(
            "results without rows for ever",
            vec![Act::Forever(OK_AND_MORE.to_vec())],
            &[SchemaChanged],
        ),
        // Compression was not agreed on: these are frames of 7 bytes of header, with a lie about the size, and bombs.
        case("a compressed frame", raw(COMPRESSED), &[Protocol]),
        case("a zlib bomb", raw(ZLIB_BOMB), &[Protocol]),
        case("a zstd window of 2 GiB", raw(ZSTD_WINDOW), &[Protocol]),
    ];
    let fields = ID.fields();
    for count in 0..fields.len() {
        let cut = packets([vec![2], fields[..count].concat(), NAME.bytes()]);
        cases.push(case(
            &format!("a definition cut after {count} fields"),
            cut,
            &[Protocol],
        ));
    }
    if at == At::Execute {
        let unknown = Column { code: 0x20, ..ID };
        cases.push(
            case(
                "a type that nobody knows, read at run time",
                packets([head(&[unknown]), vec![vec![0, 0, 1, 2, 3]]].concat()),
                &[Unsupported, Decode, Protocol],
            )
            .doing(Doing::Dynamic),
        );
    }
    cases
}

/// Length 4, number 1, and 16 MiB when unpacked.
const COMPRESSED: [u8; 11] = [4, 0, 0, 1, 0x80, 0xff, 0xff, 0x78, 0x9c, 0x03, 0x00];
/// The head of a zlib stream of one repeated byte.
const ZLIB_BOMB: [u8; 19] = [
    12, 0, 0, 1, 0x80, 0xff, 0xff, 0x78, 0xda, 0xed, 0xc1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xc2,
    0xa0, 0xf5,
];
/// A zstd frame whose header wants a window of 2 GiB.
const ZSTD_WINDOW: [u8; 16] = [
    9, 0, 0, 1, 0x80, 0xff, 0xff, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00,
];
