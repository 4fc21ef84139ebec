//! Servers that are after the password.

use ark_mysql::ConnectOptions;
use ark_mysql::ErrorKind::{Authentication, Protocol};

use crate::case::{Act, At, Case, Link, Sent, packet};
use crate::encoding::base64;
use crate::packets::{Hello, PLUGIN_AUTH, switch};

pub(crate) fn cases() -> Vec<Case> {
    let case = |name: &str, acts, fails| {
        Case::new(format!("secrets: {name}"), At::Login, acts, fails).hello(Hello::undecided())
    };
    let challenge = [b'x'; 20];
    let ask = |plugin: &str| packet(switch(plugin, &challenge));
    let full = |then: &[Act]| {
        [
            &[
                Act::Packet(switch("caching_sha2_password", &challenge)),
                Act::Read,
                Act::Packet(vec![1, 4]),
            ][..],
            then,
        ]
        .concat()
    };
    let mut cases = vec![
        case("clear text", ask("mysql_clear_password"), &[Authentication]),
        case(
            "clear text where it is allowed",
            ask("mysql_clear_password"),
            &[Authentication],
        )
        .options(|options| options.clear_text_password(true)),
        case(
            "clear text on this machine where it is allowed",
            ask("mysql_clear_password"),
            &[Authentication],
        )
        .options(|options| on_this_machine(options.clear_text_password(true))),
        case(
            "the native scramble in clear",
            ask("mysql_native_password"),
            &[Authentication],
        )
        .on(&[Link::Plain]),
        case(
            "the old scramble",
            ask("mysql_old_password"),
            &[Authentication],
        ),
        case(
            "the old scramble by one byte",
            packet([0xfe]),
            &[Authentication],
        ),
        case(
            "a plugin that nobody speaks",
            ask("authentication_oci_client"),
            &[Authentication],
        ),
        case(
            "the password by sha256",
            ask("sha256_password"),
            &[Authentication],
        ),
        case("the password by caching_sha2", full(&[]), &[Authentication]).sending(Sent::Scrambles),
        case(
            "a key unasked",
            packet([&[1][..], pem(&small_key(2048)).as_bytes()].concat()),
            &[Protocol],
        ),
        case("the full login unasked", packet([1, 4]), &[Protocol]),
    ];
    for plugin in [
        "mysql_clear_password",
        "mysql_native_password",
        "sha256_password",
    ] {
        let named = Case::new(
            format!("secrets: {plugin} in the greeting"),
            At::Login,
            packet([1, 4]),
            &[Protocol],
        );
        cases.push(named.hello(Hello::naming(plugin)).on(&[Link::Plain]));
    }
    let native_only = Hello {
        capabilities: Hello::default().capabilities & !PLUGIN_AUTH,
        ..Hello::default()
    };
    cases.push(
        Case::new(
            "secrets: a greeting that knows no plugins",
            At::Login,
            packet([1, 4]),
            &[Authentication],
        )
        .hello(native_only)
        .on(&[Link::Plain]),
    );
    let keys = [
        (
            "that is no key",
            b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n".to_vec(),
        ),
        ("that is not even text", vec![0xfe; 300]),
        ("that is empty", Vec::new()),
        ("of 16 bits", pem(&small_key(16)).into_bytes()),
        ("of 512 bits", pem(&small_key(512)).into_bytes()),
        ("of 16 384 bits", pem(&small_key(16_384)).into_bytes()),
        ("of 60 000 bytes", pem(&vec![0x30; 44_000]).into_bytes()),
    ];
    for (name, key) in keys {
        let acts = full(&[Act::Read, Act::Packet([&[1], &key[..]].concat())]);
        // Elsewhere it is not even asked for.
        cases.push(
            case(&format!("an RSA key {name}"), acts, &[Authentication])
                .options(on_this_machine)
                .sending(Sent::Scrambles)
                .on(&[Link::Plain]),
        );
    }
    for (name, stretching) in [
        ("2^41 rounds", vec![b'P', 31]),
        ("2^265 rounds", vec![b'P', 255]),
        ("another way", vec![b'Q', 0]),
    ] {
        let acts = vec![
            Act::Packet(switch("parsec", &[b'x'; 32])),
            Act::Read,
            Act::Packet([&[1], &stretching[..], &[7; 18]].concat()),
        ];
        let fails = if name == "another way" {
            &[Protocol]
        } else {
            &[Authentication]
        };
        cases.push(case(&format!("parsec stretched by {name}"), acts, fails));
    }
    let acts = vec![
        Act::Packet(switch("parsec", &[b'x'; 32])),
        Act::Read,
        Act::Packet(vec![1, b'P', 0, 7]),
    ];
    cases.push(case("parsec with a salt of one byte", acts, &[Protocol]));
    cases
}

fn on_this_machine(options: ConnectOptions) -> ConnectOptions {
    options.host("127.0.0.1")
}

fn pem(der: &[u8]) -> String {
    format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        base64(der)
    )
}

/// A well-formed RSA key (SubjectPublicKeyInfo) of so many bits, and the exponent 65,537.
fn small_key(bits: usize) -> Vec<u8> {
    let mut modulus = vec![0xc5; bits / 8];
    modulus.insert(0, 0); // it is not negative
    let number = |bytes: &[u8]| element(0x02, bytes);
    let key = element(0x30, &[number(&modulus), number(&[1, 0, 1])].concat());
    let rsa = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00";
    element(
        0x30,
        &[
            element(0x30, rsa),
            element(0x03, &[&[0], &key[..]].concat()),
        ]
        .concat(),
    )
}

/// Its length as short as it may be: nothing else is wrong with it.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
    let length: &[u8] = match (high, low) {
        (0, 0..0x80) => &[low],
        (0, _) => &[0x81, low],
        _ => &[0x82, high, low],
    };
    [&[tag], length, content].concat()
}
