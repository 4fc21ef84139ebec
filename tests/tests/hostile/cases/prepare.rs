//! Prepared statements.

use ark_mysql::ErrorKind::{ConnectionLost, Encode, Protocol, SchemaChanged, Server, Timeout};

use crate::case::{Act, At, Case, Doing, packet, packets};
use crate::packets::{Column, END, ID, NAME, OK, binary, error, head, prepared};

pub(crate) fn cases() -> Vec<Case> {
    let case =
        |name: &str, acts, fails| Case::new(format!("prepare: {name}"), At::Prepare, acts, fails);
    let ok = prepared(1, 0, &[])[0].clone();
    let columns: &[Column] = &[ID, NAME];
    let twice = |name: &str, acts, fails| {
        Case::new(format!("prepare: {name}"), At::Execute, acts, fails).doing(Doing::Twice)
    };
    let again = |code| {
        let reply = [
            packets(prepared(2, 0, columns)),
            vec![Act::Read, Act::Packet(error(code, "once more"))],
        ]
        .concat();
        [
            vec![Act::Packet(error(code, "once more")), Act::Read, Act::Read],
            reply,
        ]
        .concat()
    };
    vec![
        case("silence", vec![], &[Timeout]).waits(),
        case("hung up", vec![Act::Close], &[ConnectionLost]),
        case("OK of a text query", packet(OK), &[Protocol]),
        case("a result", packets(head(columns)), &[Protocol]),
        case("OK cut", packet(&ok[..7]), &[Protocol]),
        case(
            "OK with something behind it",
            packet([&ok[..], &[0]].concat()),
            &[Protocol],
        ),
        case("a file is wanted", packet(b"\xfb/etc/passwd"), &[Protocol]),
        case(
            "65 535 columns",
            packet([&[0, 1, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0][..], &[]].concat()),
            &[Protocol],
        ),
        case(
            "65 535 parameters of which none come",
            packets(prepared(1, 65_535, &[])),
            &[Timeout],
        )
        .waits(),
        case(
            "65 535 parameters and an error",
            packets([prepared(1, 65_535, &[]), vec![error(1390, "x")]].concat()),
            &[Server],
        ),
        case(
            "a parameter that the statement has not",
            packets([prepared(1, 1, &[])[0].clone(), ID.bytes()]),
            &[Encode],
        ),
        case(
            "definitions of nonsense",
            packets([prepared(1, 0, &[ID])[0].clone(), vec![7; 30]]),
            &[Timeout],
        )
        .waits(),
        case(
            "no room, and no room",
            vec![
                Act::Packet(error(1461, "x")),
                Act::Read,
                Act::Packet(error(1461, "x")),
            ],
            &[Server],
        ),
        Case::new(
            "prepare: an id that another statement has",
            At::Prepare,
            packets(prepared(1, 0, columns)),
            &[Protocol],
        )
        .doing(Doing::Two),
        twice(
            "other columns at the second execution",
            packets(
                [
                    head(&[NAME, ID]),
                    vec![binary(&[b"\x03one", &[1, 0, 0, 0]]), END.to_vec()],
                ]
                .concat(),
            ),
            &[SchemaChanged],
        ),
        twice(
            "a wider type at the second execution, and rows of the old one",
            packets(
                [
                    head(&[
                        Column {
                            code: 8,
                            length: 20,
                            ..ID
                        },
                        NAME,
                    ]),
                    vec![binary(&[&[1, 0, 0, 0], b"\x03one"])],
                    vec![END.to_vec()],
                ]
                .concat(),
            ),
            &[ark_mysql::ErrorKind::Decode, Protocol],
        ),
        twice(
            "to be prepared again, for ever (1615)",
            again(1615),
            &[Server],
        ),
        twice("unknown, for ever (1243)", again(1243), &[Server]),
    ]
}
