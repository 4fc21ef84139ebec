//! What stands in for TLS, and certificates that prove nothing.

use ark_mysql::ErrorKind::{Protocol, Timeout, Tls};

use crate::case::{Act, At, Case, Certificate, Link, packet, packets, raw};
use crate::packets::{Hello, OK, switch};

pub(crate) fn cases() -> Vec<Case> {
    let case = |name: &str, acts, fails| Case::new(format!("tls: {name}"), At::Tls, acts, fails);
    let certificate = |name: &str, certificate| {
        Case::new(format!("tls: {name}"), At::Login, packet(OK), &[Tls])
            .on(&[Link::Tls])
            .verified(certificate)
    };
    vec![
        Case::new(
            "tls: not offered",
            At::Greeting,
            packet(Hello::default().bytes()),
            &[Tls],
        )
        .on(&[Link::Tls]),
        case("offered, then a packet in clear", packet(OK), &[Tls]),
        case(
            "offered, then a switch to clear text in clear",
            packet(switch("mysql_clear_password", b"")),
            &[Tls],
        ),
        case(
            "offered, then an alert",
            raw([0x15, 3, 3, 0, 2, 2, 40]),
            &[Tls],
        ),
        case("offered, then hung up", vec![Act::Close], &[Tls]),
        case("offered, then silence", vec![], &[Timeout]).waits(),
        case(
            "offered, then HTTP",
            raw("HTTP/1.1 400 Bad Request\r\n\r\n"),
            &[Tls],
        ),
        case(
            "offered, then zeros without end",
            vec![Act::RawForever(vec![0; 4096])],
            &[Tls],
        ),
        case(
            "a record of the largest size, and silence",
            raw([0x16, 3, 3, 0xff, 0xff]),
            &[Tls],
        ),
        certificate("for another host", Certificate::OtherHost),
        certificate("expired", Certificate::Expired),
        certificate("signed by itself", Certificate::SelfSigned),
        // Right certificate, and still no server.
        Case::new(
            "tls: verified, then nonsense",
            At::Login,
            packets([vec![7; 100]]),
            &[Protocol],
        )
        .on(&[Link::Tls])
        .verified(Certificate::Good)
        .hello(Hello::undecided()),
    ]
}
