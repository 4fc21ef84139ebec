//! The greeting.

use ark_mysql::ErrorKind::{Connect, Protocol, Timeout, Unsupported};

use crate::case::{Act, At, Case, Link, packet, raw};
use crate::packets::{Hello, OK, SECURE_CONNECTION, TLS, error, frame};

pub(crate) fn cases() -> Vec<Case> {
    let case =
        |name: &str, acts, fails| Case::new(format!("hello: {name}"), At::Greeting, acts, fails);
    let hello = |name: &str, hello: Hello, fails| case(name, packet(hello.bytes()), fails);
    let whole = Hello::default().bytes();
    let mut cases = vec![
        case("an empty packet", packet([]), &[Protocol]),
        case("one byte", packet([10]), &[Protocol]),
        case("silence", vec![], &[Timeout]).waits(),
        case("hung up", vec![Act::Close], &[Connect]),
        case(
            "hung up in mid packet",
            vec![Act::Raw(frame(0, &whole)[..40].to_vec()), Act::Close],
            &[Connect],
        ),
        case("half a header and silence", raw([10, 0]), &[Timeout]).waits(),
        case(
            "no NUL behind the version",
            packet([&[10], &b"9.7.4".repeat(20)[..]].concat()),
            &[Protocol],
        ),
        hello(
            "a version of 60 000 bytes that is no text",
            Hello {
                version: vec![0xfe; 60_000],
                ..Hello::undecided()
            },
            &[Timeout],
        )
        .waits(),
        hello(
            "a version of 1 MB",
            Hello {
                version: vec![b'9'; 1 << 20],
                ..Hello::default()
            },
            &[Protocol],
        ),
        hello(
            "protocol version 9",
            Hello {
                protocol: 9,
                ..Hello::default()
            },
            &[Protocol],
        ),
        hello(
            "no 20 byte scramble offered",
            Hello {
                capabilities: Hello::default().capabilities & !SECURE_CONNECTION,
                ..Hello::default()
            },
            &[Unsupported],
        ),
        hello(
            "nothing offered",
            Hello {
                capabilities: 1,
                ..Hello::default()
            },
            &[Unsupported],
        ),
        case(
            "another packet behind it",
            raw([frame(0, &whole), frame(1, &OK)].concat()),
            &[Protocol],
        ),
        case(
            "a wrong sequence number",
            raw(frame(1, &whole)),
            &[Protocol],
        ),
        case(
            "a byte too many",
            packet([&whole[..], b"x"].concat()),
            &[Protocol],
        ),
        case(
            "an error",
            packet(error(1040, "Too many connections")),
            &[Connect],
        ),
        case(
            "an error full of control characters",
            packet(error(1040, "\x1b[2J\x07\r\n\0'\u{202e}")),
            &[Connect],
        ),
        case(
            "an error of 60 000 bytes",
            packet(error(1040, &"x".repeat(60_000))),
            &[Connect],
        ),
        case("an error of one byte", packet([0xff]), &[Protocol]),
        case(
            "HTTP",
            raw("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
            &[Protocol],
        ),
        case("SSH", raw("SSH-2.0-OpenSSH_9.6\r\n"), &[Protocol]),
        case(
            "X Protocol",
            raw([5, 0, 0, 0, 11, 8, 5, 26, 0]),
            &[Protocol],
        ),
        case(
            "zeros without end",
            vec![Act::RawForever(vec![0; 4096])],
            &[Protocol],
        ),
        case(
            "a chain of frames without end",
            vec![Act::FrameForever],
            &[Protocol],
        ),
        hello(
            "a plugin that nobody speaks, then silence",
            Hello::undecided(),
            &[Timeout],
        )
        .waits(),
    ];
    // In front of TLS: what comes behind the greeting would be taken for the server's words.
    let offering = Hello {
        capabilities: Hello::default().capabilities | TLS,
        ..Hello::default()
    }
    .bytes();
    cases.push(
        case(
            "another packet behind it, before TLS",
            raw([frame(0, &offering), frame(2, &OK)].concat()),
            &[Protocol],
        )
        .on(&[Link::Tls]),
    );
    for length in [0, 7, 8, 19, 255] {
        let hello = Hello {
            scramble: vec![b'x'; length],
            scramble_length: u8::try_from(length).unwrap(),
            ..Hello::undecided()
        };
        cases.push(case(
            &format!("a scramble of {length} bytes"),
            packet(hello.bytes()),
            &[Protocol, Unsupported],
        ));
    }
    let fields = Hello::default().fields();
    for count in 1..fields.len() - 1 {
        cases.push(case(
            &format!("cut after {count} fields"),
            packet(fields[..count].concat()),
            &[Protocol],
        ));
    }
    cases
}
