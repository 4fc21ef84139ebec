//! A server that asks for every login method, by its greeting and by a switch, on every kind of link: what of the password it gets to see.
//!
//! Each conversation is held twice, with two passwords. Whatever was derived from the password differs; if all that the client sent is the same, nothing was.

#![expect(clippy::print_stdout, reason = "the tables are what the tests show")]

mod support;

use ark_mysql_proto::{Handshake, HandshakeError, Step};
use support::player::Player;
use support::{Script, frame, options, unhex};

/// A way to a server, as words for `options`, and whether TLS then verifies the certificate.
const LINKS: [(&str, &str, Option<bool>); 8] = [
    ("plain, network", "channel=network", None),
    ("plain, loopback", "channel=loopback", None),
    (
        "tls unverified, network",
        "channel=network tls=required",
        Some(false),
    ),
    (
        "tls unverified, loopback",
        "channel=loopback tls=required",
        Some(false),
    ),
    (
        "the same, strict",
        "channel=loopback tls=required require-verified",
        Some(false),
    ),
    ("tls verified", "channel=network tls=required", Some(true)),
    ("socket", "channel=socket", None),
    (
        "tls on a socket",
        "channel=socket tls=required",
        Some(false),
    ),
];

/// What the server asks for, and what it says next, whatever the answer was. For each link: may anything be sent that the password makes different?
struct Demand {
    plugin: &'static str,
    challenge: usize,
    then: &'static [Then],
    sent: [u8; 8],
}

#[derive(Clone, Copy)]
enum Then {
    Full,
    Key,
    Salt(u8),
}

const fn demand(
    plugin: &'static str,
    challenge: usize,
    then: &'static [Then],
    sent: [u8; 8],
) -> Demand {
    Demand {
        plugin,
        challenge,
        then,
        sent,
    }
}

const NOWHERE: [u8; 8] = [0; 8];
const EVERYWHERE: [u8; 8] = [1; 8];
/// MySQL cannot prove that a certificate is its own: where that is wanted, it sees nothing.
const UNLESS_STRICT: [u8; 8] = [1, 1, 1, 1, 0, 1, 1, 1];

/// By a switch: the columns are the links above.
const SWITCHES: [Demand; 9] = [
    demand("mysql_native_password", 20, &[], [0, 1, 1, 1, 1, 1, 1, 1]),
    demand("caching_sha2_password", 20, &[], UNLESS_STRICT),
    demand(
        "sha256_password",
        20,
        &[Then::Key],
        [0, 1, 0, 1, 0, 1, 1, 1],
    ),
    demand("client_ed25519", 32, &[], EVERYWHERE),
    demand("parsec", 32, &[Then::Salt(0)], EVERYWHERE),
    demand("parsec", 32, &[Then::Salt(4)], NOWHERE),
    demand("mysql_clear_password", 0, &[], NOWHERE),
    demand("mysql_old_password", 8, &[], NOWHERE),
    demand("auth_gssapi_client", 0, &[], NOWHERE),
];

/// The password itself and its encryption, after the scramble of `caching_sha2_password`, which may go anywhere.
const FULL: Demand = demand(
    "caching_sha2_password",
    20,
    &[Then::Full, Then::Key],
    [0, 1, 0, 1, 0, 1, 1, 1],
);

/// With the option `clear-text-password`.
const CLEAR: Demand = demand("mysql_clear_password", 0, &[], [0, 0, 0, 0, 0, 1, 1, 1]);

#[test]
fn what_a_switch_gets_to_see() {
    println!(
        "{:38} {}",
        "by a switch",
        LINKS.map(|(name, ..)| name).join(" | ")
    );
    for wanted in &SWITCHES {
        let seen = by_link(|link| differs(link, "", "auth_gssapi_client", wanted, 0));
        tell(wanted, &seen);
        assert_eq!(seen, wanted.sent, "{}", wanted.plugin);
    }
    let seen = by_link(|link| differs(link, "", "caching_sha2_password", &FULL, 1));
    tell(&FULL, &seen);
    assert_eq!(seen, FULL.sent, "full caching_sha2_password");
    let seen = by_link(|link| differs(link, "clear-text-password", "", &CLEAR, 0));
    tell(&CLEAR, &seen);
    assert_eq!(seen, CLEAR.sent, "mysql_clear_password, allowed");
}

/// With real servers, by every login that is too slow to be cut at every byte as in `conversations.rs`.
#[test]
fn recorded() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded_logins");
    let mut played = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let script = Script::parse(path.file_stem().unwrap().to_str().unwrap(), &text);
        Player::play(&script, usize::MAX, 0);
        Player::play(&script, 1, 0);
        played += 1;
    }
    assert!(played >= 9, "the scripts are there: {played}");
}

/// The server only greets and then refuses.
#[test]
fn what_a_greeting_gets_to_see() {
    println!(
        "{:38} {}",
        "by the greeting",
        LINKS.map(|(name, ..)| name).join(" | ")
    );
    let greetings = [
        demand("mysql_native_password", 20, &[], [0, 1, 1, 1, 1, 1, 1, 1]),
        demand("caching_sha2_password", 20, &[], UNLESS_STRICT),
        // In clear where there is TLS that may carry it; else the first word only asks for the key.
        demand("sha256_password", 20, &[], [0, 0, 0, 1, 0, 1, 0, 1]),
        demand("client_ed25519", 20, &[], NOWHERE),
        demand("parsec", 20, &[], NOWHERE),
        demand("mysql_clear_password", 20, &[], NOWHERE),
        demand("mysql_old_password", 20, &[], NOWHERE),
        demand("auth_gssapi_client", 20, &[], NOWHERE),
        demand("", 20, &[], NOWHERE),
    ];
    for wanted in &greetings {
        let seen = by_link(|link| {
            let sent =
                |password| converse(link, "clear-text-password", password, wanted.plugin, &[]).1;
            sent("secret") != sent("hunter")
        });
        tell(wanted, &seen);
        assert_eq!(seen, wanted.sent, "{}", wanted.plugin);
    }
}

/// The password can be sent encrypted for a key that is known, wherever the server would take it so.
#[test]
fn a_pinned_key() {
    let pinned = format!(
        "key={}",
        PEM.bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let sent = by_link(|link| {
        differs(
            link,
            &pinned,
            "",
            &demand("sha256_password", 20, &[], NOWHERE),
            0,
        )
    });
    assert_eq!(sent, [1, 1, 0, 1, 0, 1, 1, 1]);
    let sent = by_link(|link| differs(link, &pinned, "caching_sha2_password", &FULL, 1));
    assert_eq!(sent, [1, 1, 0, 1, 0, 1, 1, 1]);
}

#[test]
fn a_verified_server_can_be_required() {
    let sent = |words: &str, tls| {
        let (end, sent) = converse(
            ("", words, tls),
            "require-verified",
            "secret",
            "caching_sha2_password",
            &[OK.to_vec()],
        );
        (end.err(), sent.len())
    };
    let not_verified =
        |end: &Option<HandshakeError>| matches!(end, Some(HandshakeError::NotVerified { .. }));
    for channel in ["channel=loopback", "channel=network"] {
        let (end, packets) = sent(channel, None);
        assert!(
            not_verified(&end) && packets == 0,
            "plain: nothing is said at all"
        );
        let (end, _) = sent(&format!("{channel} tls=required"), Some(false));
        assert!(not_verified(&end), "{end:?}");
        assert_eq!(sent(&format!("{channel} tls=required"), Some(true)).0, None);
    }
    assert_eq!(sent("channel=socket", None).0, None);
}

/// As MariaDB 11.8 said it, with this certificate.
#[test]
fn mariadb_proves_that_the_certificate_is_its_own() {
    let greeting = unhex(MARIADB_GREETING);
    let log_in = |password: &str, certificate: Option<&[u8]>, text: &[u8], words: &str| {
        let words = format!("channel=network tls=required password={password} {words}");
        let mut handshake = Handshake::new(options(&words));
        hand(&mut handshake, &frame(0, &greeting));
        assert_eq!(handshake.poll().unwrap(), Step::StartTls);
        if let Some(certificate) = certificate {
            handshake.tls_certificate(certificate);
        }
        handshake.tls_established(false);
        assert_eq!(handshake.poll().unwrap(), Step::Read);
        let length = u8::try_from(text.len()).unwrap();
        hand(
            &mut handshake,
            &frame(3, &[b"\0\0\0\x02\0\0\0", &[length][..], text].concat()),
        );
        handshake.poll()
    };
    let certificate = unhex(MARIADB_CERTIFICATE);
    let another = [&certificate[..], b"!"].concat();
    let text = [b"\x01", MARIADB_PROOF].concat();
    let wrong = |end: Result<Step, HandshakeError>, words: &str| match end {
        Err(HandshakeError::NotVerified { reason }) => assert!(reason.contains(words), "{reason}"),
        other => panic!("{other:?}"),
    };
    for words in ["", "require-verified"] {
        assert_eq!(
            log_in("secret", Some(&certificate), &text, words),
            Ok(Step::Ready)
        );
        wrong(log_in("secret", Some(&another), &text, words), "is false");
        wrong(
            log_in("hunter", Some(&certificate), &text, words),
            "is false",
        );
        wrong(
            log_in("secret", Some(&certificate), &text[..64], words),
            "is false",
        );
    }
    // Where nobody asks for it, it may be missing, as at every older server; and without a password it proves nothing.
    assert_eq!(
        log_in("secret", Some(&certificate), b"", ""),
        Ok(Step::Ready)
    );
    wrong(
        log_in("secret", Some(&certificate), b"", "require-verified"),
        "gave no proof",
    );
    wrong(
        log_in("secret", None, &text, "require-verified"),
        "gave no proof",
    );
    assert_eq!(log_in("", Some(&certificate), &text, ""), Ok(Step::Ready));
    wrong(
        log_in("", Some(&certificate), &text, "require-verified"),
        "gave no proof",
    );
}

type Link = (&'static str, &'static str, Option<bool>);

fn by_link(test: impl Fn(Link) -> bool) -> [u8; 8] {
    LINKS.map(|link| u8::from(test(link)))
}

fn tell(demand: &Demand, seen: &[u8; 8]) {
    let steps = if demand.then.is_empty() {
        ""
    } else {
        ", all of it"
    };
    println!(
        "{:38} {}",
        format!("{}{steps}", demand.plugin),
        seen.map(|seen| if seen == 1 { "sent" } else { "-" })
            .join(" | ")
    );
}

/// Whether anything sent behind the first `skip` answers to the server (the login and TLS request aside) hangs on the password.
fn differs(link: Link, words: &str, greeting: &str, wanted: &Demand, skip: usize) -> bool {
    let mut script = vec![switch(wanted)];
    script.extend(wanted.then.iter().map(|then| match then {
        Then::Full => vec![1, 4],
        Then::Key => [b"\x01", PEM.as_bytes()].concat(),
        Then::Salt(exponent) => [b"\x01P", &[*exponent][..], &[7; 18]].concat(),
    }));
    let tls = usize::from(link.2.is_some());
    let sent = |password| {
        let (_, sent) = converse(link, words, password, greeting, &script);
        sent.into_iter()
            .skip(if skip == 0 { 0 } else { 1 + tls + skip })
            .collect::<Vec<_>>()
    };
    sent("secret") != sent("hunter")
}

fn switch(wanted: &Demand) -> Vec<u8> {
    let mut packet = [b"\xfe", wanted.plugin.as_bytes(), b"\0"].concat();
    packet.extend(vec![9; wanted.challenge]);
    if wanted.challenge == 20 {
        packet.push(0);
    }
    packet
}

/// Gives the client the greeting and the script, one packet after each of its own; returns how it ended and all packets that it sent.
fn converse(
    (_, link, tls): (&str, &str, Option<bool>),
    words: &str,
    password: &str,
    plugin: &str,
    script: &[Vec<u8>],
) -> (Result<Step, HandshakeError>, Vec<Vec<u8>>) {
    let words = format!("user=ada password={password} {link} {words}");
    let mut handshake = Handshake::new(options(&words));
    let mut sent: Vec<Vec<u8>> = Vec::new();
    hand(&mut handshake, &frame(0, &greeting(plugin)));
    let mut script = script.iter();
    loop {
        let step = handshake.poll();
        let packet = handshake.outgoing().to_vec();
        handshake.sent(packet.len());
        let sequence = packet.get(3).copied();
        if !packet.is_empty() {
            sent.push(packet);
        }
        match step {
            Ok(Step::StartTls) => handshake.tls_established(tls.unwrap()),
            Ok(Step::Read) => match (script.next(), sequence) {
                (Some(payload), Some(sequence)) => {
                    hand(&mut handshake, &frame(sequence + 1, payload))
                }
                _ => return (step, sent),
            },
            end => return (end, sent),
        }
    }
}

fn hand(handshake: &mut Handshake, bytes: &[u8]) {
    handshake.read_buffer()[..bytes.len()].copy_from_slice(bytes);
    handshake.received(bytes.len());
}

fn greeting(plugin: &str) -> Vec<u8> {
    let mut body = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0".to_vec();
    body.extend([0xff, 0xff, 255, 2, 0, 0xff, 0xdf, 21]);
    body.extend([0; 10]);
    body.extend(b"ijklmnopqrst\0");
    body.extend(plugin.as_bytes());
    body.push(0);
    body
}

const OK: &[u8] = b"\0\0\0\x02\0\0\0";

const PEM: &str = "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAyAUcniXq9e3vZOxjxaQS\nP0Gx82YLViqOTWUe1VOA0HNN5TqRODv3+wXClrwZxTbMdAQ//3aLhsfVpn/hPkmC\nj6MhGt+PuX4DEWvSd2dE+ZGUSot3eAPWeJM/fAtMu7Cc7LZGvZtzJeVbVcBHihY4\nx53dnT4C83MFKlDuk5qSXUz/NvxGuE5zBpdOyjC/xoDsal6hydXtizu/SGKhgBZK\nfafrDDWUhS7YBx8ThivaCuu125XCMxTxB48IDWNbnLaUC0zPjjqMencOhlyvHDEG\n1v2CMk3rAeza9dzuXYAc9Yq1stKiKxOK9RooHd2L6J/K+x6jfDJoADZXhlUkpQpW\n2wIDAQAB\n-----END PUBLIC KEY-----\n";

const MARIADB_GREETING: &str = "0a31312e382e392d4d6172696144422d302b646562313375312066726f6d2044656269616e000d0000005a493f3f5c35323900feff2d0200ff81150000000000003d00000068226c7b4527305a567e3942006d7973716c5f6e61746976655f70617373776f726400";
const MARIADB_PROOF: &[u8] = b"EE9EB6902B6A237371651220E4727EF16B903D55FB71EAEB1066FB80294B526C";
const MARIADB_CERTIFICATE: &str = "308204ab30820293a003020102020100300d06092a864886f70d01010b050030193117301506035504030c0e4d61726961444220536572766572301e170d3236313133303130343132365a170d3336313132373130343132365a30193117301506035504030c0e4d6172696144422053657276657230820222300d06092a864886f70d01010105000382020f003082020a0282020100c69d2ba43d25d1e152eb8a3be351d770177b0dc15bdb8d76570e41f3fb2151f1c3cc6169e71044124a5940f6ef522b79bfabdba5331b1bcbd2e8560f19f281d5d32e5d6a52432053142984918a6a9d2045bde58745190bac0288e535596c6f5ae78d5bdb8a618946609ddb3829a396ab13f383e7b09788f370ac813b6de6e4189b5ffa3237746220bfde9e359052251e06cd627cd0d171df1b50ec5537df76a9af7fbde9572ab2bb8ea002273ce7cee545d14f628bee723bbcc8791e552a14a29e4e570aaf28ed9ff5c95f70994a522018340c169dcf9bc64c886865dda3e81cdfd6bfeb08823c033d2f0cb25348dfec29c9dcc4366efc185462420aa990df83fe29b683b763850b3240753ea05b32596ffed6fa99702301e0943f9b4f3b4f82d6846a4a88e2d9835c6aa52c0be46b2a9a4e9d9ab99d107b224b2935e6c15d6c38edf564cd345faa5adc640982c2510e365f62cac6905b022adbc390adb1a2d84b3da3a6149c46c32a0840b8726f3cef71599123b61aa06daee381ab2557f6d3c32219cada2d445b9f73d84905e9a6d55498b140a5bebacdba6dac27ce3141b599ed09844b4a16dc354ebf0ff6a8c3b5100162b1209db39c93bd56717d3a6c636d419fb42649da3a1fb417c35772ab26b3e8c4bb26520c82405f948fac8b97f555542fcbcbc81ae0d720918ac271bd3d2fbdd3f1ffacc71cbfa239128400a8510203010001300d06092a864886f70d01010b050003820201005dfc6e0cfde7db958b4d30056451c80c462753be921d2cf75585f5344b7b045c8b078e99689934b957210f886cdaa9cbc5225681db8e2f5641b124fddc65aabf4c2763d1e957d66335bf2e473b9192e10cdc2c9e742eeb0b8160a85a0a9c0651d8ecb1bf2783665e5ad2e3c88558e25c35736763d0dbbea4172324a9620c34ead1dbd6c60160c9eb00c2684021f849651a7f837e1be91e8da2eb6d8e19e0a866436b3b43bbcd536f1a109d77bcbb12a507ba3dbb81393b396d76eb6671529d96cb0245764e401e93da622422cb94094d3c0e3a347d3e2675abe78df22655feb9e4ad413e3745b78b310df6159b19a293e302b81bb18481d01e4d63e946897217352eab8734e59df66619271d7d03bb2a509e9fba436382ff63e6f34ae6877cab3a081e2e12bdcac1eda3e158c8d381f78a4e9e6525476e493a796d1db78f3e7dcf6b8da956c307f0386082d8d9f16616ea5e873c8e6683dbdd9986de214d95dc0cdb867057e4db076c025bd21344cc2110a6ce9e93030ed4b80d743c56865783b986401be8d9b78b2b7dd103c0d84d756bd84d4ab8e39c6b6689e281ff4120362bd27a1c8869f51936c87f1939a4c5fa3bb80277d748b5b6af7bdcef88343eac8382825a421cf3f41589a4e8bb1565bef47a134acbc4c9a70a1111529743b3be4b243a2e7809f760c860da1b7de98af2edb01725dac63d222992d4b30d2feafe";

/// A server offers all there is; files, several statements in one, and compression are not taken, and the character set is utf8mb4.
#[test]
fn what_is_offered_is_taken_only_where_it_is_wanted() {
    const NEVER: [(&str, u32); 5] = [
        ("COMPRESS", 1 << 5),
        ("LOCAL_FILES", 1 << 7),
        ("TLS, where none is wanted", 1 << 11),
        ("MULTI_STATEMENTS", 1 << 16),
        ("ZSTD", 1 << 26),
    ];
    let mut greeting = b"\x0a9.7.4\0\x07\0\0\0abcdefgh\0\xff\xff\xff\x02\0\xff\xff\x15".to_vec();
    greeting.extend([0; 10]);
    greeting.extend(b"ijklmnopqrst\0caching_sha2_password\0");
    let mut handshake = Handshake::new(options("channel=network tls=never"));
    let bytes = frame(0, &greeting);
    handshake.read_buffer()[..bytes.len()].copy_from_slice(&bytes);
    handshake.received(bytes.len());
    assert_eq!(handshake.poll(), Ok(Step::Read));
    let login = handshake.outgoing();
    let taken = u32::from_le_bytes(login[4..8].try_into().unwrap());
    for (name, bit) in NEVER {
        assert_eq!(taken & bit, 0, "{name}");
    }
    assert_eq!(login[12], 45, "utf8mb4_general_ci");
}
