//! Rows.

use ark_mysql::ErrorKind::{ConnectionLost, Decode, Protocol, Server, Timeout, UnexpectedNull};

use crate::case::{Act, At, Case, Doing, packets};
use crate::packets::{
    Column, DAY, END, END_AND_MORE, ID, NAME, OK_AND_MORE, SPAN, SUM, binary, error, frame, head,
    row,
};

pub(crate) fn cases() -> Vec<Case> {
    [in_binary(), in_text(), values(), without_end()].concat()
}

const COLUMNS: [Column; 2] = [ID, NAME];
const ONE: &[u8] = &[1, 0, 0, 0];

/// A good head, these rows, and the end.
fn rows(rows: impl IntoIterator<Item = Vec<u8>>) -> Vec<Act> {
    packets(
        [
            head(&COLUMNS),
            rows.into_iter().collect(),
            vec![END.to_vec()],
        ]
        .concat(),
    )
}

fn in_binary() -> Vec<Case> {
    let case = |name: &str, acts, fails| {
        Case::new(format!("binary row: {name}"), At::Execute, acts, fails)
    };
    let good = || binary(&[ONE, b"\x03one"]);
    vec![
        case("empty", rows([vec![]]), &[Protocol]),
        case("of one byte", rows([vec![0]]), &[Decode, Protocol]),
        case(
            "without its last value",
            rows([binary(&[ONE])]),
            &[Decode, Protocol],
        ),
        case(
            "cut in a value",
            rows([binary(&[&ONE[..3]])]),
            &[Decode, Protocol],
        ),
        case(
            "with something behind it",
            rows([binary(&[ONE, b"\x03one", b"x"])]),
            &[Decode, Protocol],
        ),
        case(
            "a length of 2^64-1",
            rows([binary(&[ONE, &[0xfe], &[0xff; 8]])]),
            &[Decode, Protocol],
        ),
        case(
            "a length of 0xff",
            rows([binary(&[ONE, &[0xff]])]),
            &[Decode, Protocol],
        ),
        case(
            "NULL where none may be",
            rows([[&[0, 4][..], b"\x03one"].concat()]),
            &[UnexpectedNull],
        ),
        case(
            "text that is no UTF-8",
            rows([binary(&[ONE, b"\x02\xc3\x28"])]),
            &[Decode],
        ),
        case("of text", rows([row(&[b"1", b"one"])]), &[Protocol]),
        case(
            "0xfe and more than an end has",
            rows([[&[0xfe][..], &[7; 40]].concat()]),
            &[Protocol],
        ),
        case(
            "an end that is cut",
            packets([head(&COLUMNS), vec![good(), END[..4].to_vec()]].concat()),
            &[Protocol],
        ),
        case(
            "an end with something behind it",
            packets([head(&COLUMNS), vec![good(), [&END[..], &[3, 1]].concat()]].concat()),
            &[Protocol],
        ),
        case(
            "an error behind it",
            packets([head(&COLUMNS), vec![good(), error(1105, "x")]].concat()),
            &[Server],
        ),
        case(
            "hung up behind it",
            [
                packets([head(&COLUMNS), vec![good()]].concat()),
                vec![Act::Close],
            ]
            .concat(),
            &[ConnectionLost],
        ),
        case(
            "hung up in the middle",
            [
                packets(head(&COLUMNS)),
                vec![Act::Raw(frame(4, &good())[..7].to_vec()), Act::Close],
            ]
            .concat(),
            &[ConnectionLost],
        ),
        case(
            "silence behind it",
            packets([head(&COLUMNS), vec![good()]].concat()),
            &[Timeout],
        )
        .waits(),
        case("numbers that wrap to 1", wrapped(1), &[Protocol]),
        case("numbers that do not wrap", wrapped(255), &[Protocol]),
    ]
}

/// Three hundred rows; after number 255 comes this one instead of 0.
fn wrapped(after: u8) -> Vec<Act> {
    let mut acts = packets(head(&COLUMNS));
    let numbers = (4..=255).chain(after..=255);
    acts.extend(
        numbers
            .take(300)
            .map(|number| Act::Raw(frame(number, &binary(&[ONE, b"\x03one"])))),
    );
    acts
}

fn in_text() -> Vec<Case> {
    let case =
        |name: &str, acts, fails| Case::new(format!("text row: {name}"), At::Text, acts, fails);
    let good = || row(&[b"1", b"one"]);
    vec![
        case("empty", rows([vec![]]), &[Protocol]),
        case(
            "without its last value",
            rows([row(&[b"1"])]),
            &[Decode, Protocol],
        ),
        case(
            "with a value more",
            rows([row(&[b"1", b"one", b"two"])]),
            &[Decode, Protocol],
        ),
        case(
            "a length of 2^64-1",
            rows([[&[1, b'1', 0xfe], &[0xff; 8][..]].concat()]),
            &[Decode, Protocol],
        ),
        case(
            "a length of 2^31 in 9 bytes at its head",
            rows([[&[0xfe, 0, 0, 0, 0x80, 0, 0, 0, 0][..], b"11"].concat()]),
            &[Protocol],
        ),
        case(
            "NULL where none may be",
            rows([[&[0xfb][..], b"\x03one"].concat()]),
            &[UnexpectedNull],
        ),
        case(
            "text that is no UTF-8",
            rows([row(&[b"1", b"\xc3\x28"])]),
            &[Decode],
        ),
        case(
            "a number that is none",
            rows([row(&[b"1e9", b"one"])]),
            &[Decode],
        ),
        case(
            "a number out of range",
            rows([row(&[b"99999999999999999999", b"one"])]),
            &[Decode],
        ),
        case(
            "a number without digits",
            rows([row(&[b"", b"one"])]),
            &[Decode],
        ),
        case(
            "of binary",
            rows([binary(&[ONE, b"\x03one"])]),
            &[Decode, Protocol],
        ),
        case(
            "an error behind it",
            packets([head(&COLUMNS), vec![good(), error(1105, "x")]].concat()),
            &[Server],
        ),
        case(
            "hung up behind it",
            [
                packets([head(&COLUMNS), vec![good()]].concat()),
                vec![Act::Close],
            ]
            .concat(),
            &[ConnectionLost],
        ),
    ]
}

/// One binary value of each column that has rules of its own.
fn values() -> Vec<Case> {
    let one = |name: &str, doing, column: Column, value: &[u8]| {
        let acts = packets([head(&[column]), vec![binary(&[value])], vec![END.to_vec()]].concat());
        Case::new(format!("value: {name}"), At::Execute, acts, &[Decode]).doing(doing)
    };
    let digits = |count: usize| {
        [
            &[0xfd],
            &u32::try_from(count).unwrap().to_le_bytes()[..3],
            &b"7".repeat(count),
        ]
        .concat()
    };
    vec![
        one("a month 13", Doing::Day, DAY, &[4, 0xea, 7, 13, 1]),
        one("a 32nd day", Doing::Day, DAY, &[4, 0xea, 7, 1, 32]),
        one("an hour 24", Doing::Day, DAY, &[7, 0xea, 7, 1, 1, 24, 0, 0]),
        one("a year 65 535", Doing::Day, DAY, &[4, 0xff, 0xff, 1, 1]),
        one(
            "a million microseconds",
            Doing::Day,
            DAY,
            &[11, 0xea, 7, 1, 1, 1, 1, 1, 0x40, 0x42, 0x0f, 0],
        ),
        one(
            "a date of 7 bytes of which 2 are there",
            Doing::Day,
            DAY,
            &[7, 0xea, 7],
        ),
        one("a date of 5 bytes", Doing::Day, DAY, &[5, 0xea, 7, 1, 1, 1]),
        one(
            "a date of 255 bytes",
            Doing::Day,
            DAY,
            &[255, 0xea, 7, 1, 1],
        ),
        one(
            "a time of 7 bytes",
            Doing::Span,
            SPAN,
            &[7, 0, 0, 0, 0, 0, 1, 1],
        ),
        one(
            "a time of 2^32 days",
            Doing::Span,
            SPAN,
            &[8, 0, 0xff, 0xff, 0xff, 0xff, 1, 1, 1],
        ),
        one(
            "a time of 60 minutes",
            Doing::Span,
            SPAN,
            &[8, 0, 0, 0, 0, 0, 1, 60, 1],
        ),
        one(
            "a time with a sign of 2",
            Doing::Span,
            SPAN,
            &[8, 2, 0, 0, 0, 0, 1, 1, 1],
        ),
        one(
            "a decimal of 100 000 digits",
            Doing::Sum,
            SUM,
            &digits(100_000),
        ),
        one("a decimal of 66 digits", Doing::Sum, SUM, &digits(66)),
        one("a decimal that is none", Doing::Sum, SUM, b"\x0312a"),
        one("a decimal of nothing", Doing::Sum, SUM, &[0]),
        one("a decimal with two points", Doing::Sum, SUM, b"\x051.2.3"),
    ]
}

fn without_end() -> Vec<Case> {
    let good = binary(&[ONE, b"\x03one"]);
    let result = |end: &[u8]| packets([head(&COLUMNS), vec![good.clone(), end.to_vec()]].concat());
    let for_ever =
        |acts: Vec<Act>, packet: &[u8]| [acts, vec![Act::Forever(packet.to_vec())]].concat();
    vec![
        Case::new(
            "endless: results behind the rows",
            At::Execute,
            for_ever(result(&END_AND_MORE), &OK_AND_MORE),
            &[Timeout],
        )
        .waits(),
        Case::new(
            "endless: rows",
            At::Execute,
            for_ever(packets(head(&COLUMNS)), &good),
            &[Timeout],
        )
        .waits()
        .doing(Doing::SlowStream),
        Case::new(
            "endless: a row of many frames",
            At::Execute,
            [packets(head(&COLUMNS)), vec![Act::FrameForever]].concat(),
            &[Protocol],
        )
        .options(|options| options.max_receive(8 << 20)),
        Case::new(
            "endless: a row of a frame by bytes, with a slow reader",
            At::Execute,
            [packets(head(&COLUMNS)), vec![Act::FrameForever]].concat(),
            &[Protocol],
        )
        .options(|options| options.max_receive(8 << 20))
        .doing(Doing::SlowStream),
    ]
}
