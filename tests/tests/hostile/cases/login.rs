//! The login, from what the server answers to it up to OK.

use ark_mysql::ErrorKind::{Authentication, Connect, ConnectionClosed, Protocol, Timeout, Tls};

use crate::case::{Act, At, Case, Link, Sent, packet, packets};
use crate::packets::{Hello, OK, error, switch};

pub(crate) fn cases() -> Vec<Case> {
    let case = |name: &str, acts, fails| {
        Case::new(format!("login: {name}"), At::Login, acts, fails).hello(Hello::undecided())
    };
    let mut cases = vec![
        case("silence", vec![], &[Timeout]).waits(),
        case("hung up", vec![Act::Close], &[Connect]),
        case("an empty packet", packet([]), &[Protocol]),
        case("an error of one byte", packet([0xff]), &[Protocol]),
        case(
            "an error without SQLSTATE",
            packet(b"\xff\x15\x04no"),
            &[Authentication],
        ),
        case(
            "an error of 60 000 bytes",
            packet(error(1045, &"\u{7f}".repeat(60_000))),
            &[Authentication],
        ),
        case("a step that there is not", packet([2]), &[Protocol]),
        case("more data of one byte", packet([1]), &[Protocol]),
        case(
            "more data without end",
            vec![Act::Forever(vec![1, 3])],
            &[Protocol],
        ),
        case(
            "a chain of frames without end",
            vec![Act::FrameForever],
            &[Protocol],
        ),
        case(
            "a plugin of 60 000 bytes",
            packet(switch(&"\u{1b}".repeat(60_000), b"")),
            &[Authentication],
        ),
        case(
            "a switch without the end of its name",
            packet(b"\xfemysql_native_password"),
            &[Protocol],
        ),
        case(
            "a challenge of 1 MB",
            packet(switch("caching_sha2_password", &vec![7; 1 << 20])),
            &[Protocol],
        ),
        case(
            "a challenge of 60 000 bytes",
            packet(switch("client_ed25519", &[7; 60_000])),
            &[Protocol],
        ),
        case(
            "OK and a packet more",
            packets([OK.to_vec(), OK.to_vec()]),
            &[Protocol, ConnectionClosed],
        )
        .sending(Sent::Scrambles), // a ping, or none where the second one came in time
        case(
            "OK with changes that are cut",
            packet([&[0, 0, 0, 2, 0x40, 0, 0, 0, 9, 0, 7][..], b"redirec"].concat()),
            &[Protocol],
        ),
        case(
            "OK that redirects to another host",
            vec![Act::Packet(redirection()), Act::GoOn],
            &[],
        )
        .sending(Sent::Scrambles),
    ];
    for plugin in [
        "caching_sha2_password",
        "client_ed25519",
        "parsec",
        "sha256_password",
    ] {
        cases.push(case(
            &format!("an empty challenge for {plugin}"),
            packet(switch(plugin, b"")),
            &[Protocol],
        ));
        cases.push(case(
            &format!("a challenge of zeros and one byte too many for {plugin}"),
            packet(switch(plugin, &[0; 33])),
            &[Protocol],
        ));
    }
    cases.push(
        case(
            "an empty challenge for mysql_native_password",
            packet(switch("mysql_native_password", b"")),
            &[Protocol],
        )
        .on(&[Link::Tls]),
    );
    for length in 1..7 {
        cases.push(case(
            &format!("OK of {length} bytes"),
            packet(&OK[..length]),
            &[Protocol],
        ));
    }
    let turn = |plugin: &str, challenge: &[u8]| [Act::Packet(switch(plugin, challenge)), Act::Read];
    let turns = [
        turn("caching_sha2_password", &[b'x'; 20]),
        turn("client_ed25519", &[b'x'; 32]),
        turn("parsec", &[b'x'; 32]),
    ];
    cases.push(
        case(
            "one switch after the other",
            turns.concat(),
            &[Authentication],
        )
        .sending(Sent::Scrambles),
    );
    let flood = vec![Act::Forever(switch("client_ed25519", &[b'x'; 32]))];
    cases.push(
        case(
            "switches without waiting for answers",
            flood,
            &[Protocol, Authentication],
        )
        .sending(Sent::Scrambles),
    );
    let ok = |text: &str| {
        [
            &[0, 0, 0, 2, 0, 0, 0, u8::try_from(text.len()).unwrap()],
            text.as_bytes(),
        ]
        .concat()
    };
    let proof = |name: &str, text: &str| {
        let acts = [&turn("client_ed25519", &[b'x'; 32])[..], &packet(ok(text))].concat();
        case(name, acts, &[Tls])
            .hello(Hello::mariadb())
            .sending(Sent::Scrambles)
            .on(&[Link::Tls])
    };
    cases.push(proof(
        "a false proof of the certificate",
        &format!("\u{1}{}", "0".repeat(64)),
    ));
    cases.push(
        proof("a proof of the wrong length", "\u{1}0123")
            .options(|options| options.require_verified(true)),
    );
    cases.push(
        proof("no proof where one is required", "")
            .options(|options| options.require_verified(true)),
    );
    cases
}

/// MariaDB's `redirect_url`: to where nobody is, so that whoever follows fails.
fn redirection() -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let variable = [text("redirect_url"), text("mysql://app@127.0.0.1:1/")].concat();
    let change = [&[0, u8::try_from(variable.len()).unwrap()], &variable[..]].concat();
    [
        &[
            0,
            0,
            0,
            2,
            0x40,
            0,
            0,
            0,
            u8::try_from(change.len()).unwrap(),
        ],
        &change[..],
    ]
    .concat()
}
