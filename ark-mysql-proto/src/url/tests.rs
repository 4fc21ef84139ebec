mod malformed;
mod round_trip;

use super::*;

fn parse(text: &str) -> Url {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn tcp(host: &str, port: u16) -> Endpoint {
    let host = host.to_owned();
    Endpoint::Tcp { host, port }
}

#[test]
fn reads_every_part() {
    let url = parse(
        "mysql://app:pw@db.Example.com:3307/shop?ssl-mode=required&connect-timeout=500ms&compat=proxy",
    );
    assert_eq!(url.user, "app");
    assert_eq!(url.password, Some(Secret::new("pw")));
    assert_eq!(url.endpoint, tcp("db.example.com", 3307));
    assert_eq!(url.database.as_deref(), Some("shop"));
    assert_eq!(url.tls_mode(), TlsMode::Required);
    assert_eq!(
        url.options.connect_timeout,
        Some(Duration::from_millis(500))
    );
    assert_eq!(url.options.compat, Some(Compat::Proxy));
}

#[test]
fn short_forms() {
    let url = parse("mariadb://root@localhost");
    assert_eq!((url.password, url.database), (None, None));
    assert_eq!(url.endpoint, tcp("localhost", 3306));
    assert_eq!(
        parse("MySQL://root:@localhost/?"),
        parse("mysql://root@localhost:3306")
    );
}

#[test]
fn passwords_are_decoded_once_and_may_be_any_bytes() {
    let password = |text: &str| parse(text).password.unwrap().expose().to_vec();
    assert_eq!(password("mysql://a:p%40%2F%3A%23%3F%25@h/d"), b"p@/:#?%");
    assert_eq!(password("mysql://a:%2540@h/d"), b"%40");
    assert_eq!(password("mysql://a:%FF%00%fe@h/d"), b"\xff\0\xfe");
    assert_eq!(
        password("mysql://a:a:b+c&=;{}[]'\"@h/d"),
        b"a:b+c&=;{}[]'\""
    );
    assert_eq!(password("mysql://a:grün@h/d"), "grün".as_bytes());
}

#[test]
fn names_are_decoded() {
    let url = parse("mysql://a%40b@h/od%2Fd%20%C3%BC");
    assert_eq!(
        (url.user.as_str(), url.database.as_deref()),
        ("a@b", Some("od/d ü"))
    );
}

#[test]
fn ip_addresses() {
    assert_eq!(parse("mysql://a@[::1]:3307/d").endpoint, tcp("::1", 3307));
    assert_eq!(
        parse("mysql://a@[2001:DB8:0:0::7]").endpoint,
        tcp("2001:db8::7", 3306)
    );
    assert_eq!(
        parse("mysql://a@192.0.2.7").endpoint,
        tcp("192.0.2.7", 3306)
    );
}

#[test]
fn sockets() {
    let socket = Endpoint::Socket("/run/my sql.sock".into());
    for host in ["", "localhost", "localhost:3306", "LOCALHOST"] {
        let text = format!("mysql://a@{host}/d?socket=/run/my%20sql.sock");
        assert_eq!(parse(&text).endpoint, socket, "{text}");
    }
}

#[test]
fn times() {
    let time = |text: &str| {
        parse(&format!("mysql://a@h?connect-timeout={text}"))
            .options
            .connect_timeout
            .unwrap()
    };
    assert_eq!(time("10"), Duration::from_secs(10));
    assert_eq!(time("10s"), Duration::from_secs(10));
    assert_eq!(time("1ms"), Duration::from_millis(1));
    assert_eq!(time("86400"), Duration::from_secs(86_400));
}

#[test]
fn tls_mode_follows_the_endpoint() {
    let mode = |text: &str| parse(text).tls_mode();
    for near in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"] {
        assert_eq!(
            mode(&format!("mysql://a@{near}")),
            TlsMode::Preferred,
            "{near}"
        );
    }
    for far in [
        "db",
        "localhost.example.com",
        "192.0.2.1",
        "[::2]",
        "0.0.0.0",
        "[::ffff:10.0.0.1]",
    ] {
        assert_eq!(
            mode(&format!("mysql://a@{far}")),
            TlsMode::VerifyIdentity,
            "{far}"
        );
    }
    assert_eq!(mode("mysql://a@?socket=/s"), TlsMode::Preferred);
    assert_eq!(
        mode("mysql://a@localhost?ssl-ca=/ca.pem"),
        TlsMode::VerifyIdentity
    );
    assert_eq!(mode("mysql://a@db?ssl-mode=disabled"), TlsMode::Disabled);
    // As MySQL's own tools spell it.
    assert_eq!(mode("mysql://a@db?ssl-mode=DISABLED"), TlsMode::Disabled);
    assert_eq!(mode("mysql://a@db?ssl-mode=VERIFY_CA"), TlsMode::VerifyCa);
}

#[test]
fn localhost_is_not_looked_up() {
    let addresses = |text: &str| parse(text).endpoint.literal_addresses();
    assert_eq!(addresses("mysql://a@LocalHost").len(), 2);
    assert_eq!(addresses("mysql://a@[::1]").len(), 1);
    assert!(addresses("mysql://a@db").is_empty());
}

#[test]
fn long_parts() {
    let long = "x".repeat(1000);
    for text in [
        format!("mysql://a@{long}"),
        format!("mysql://a@{}", "abcdefgh.".repeat(40)),
        format!("mysql://a@?socket=/{long}"),
        format!("mysql://a@h?{long}=1"),
        format!("mysql://a@h?compat={long}"),
        format!("mysql://a@h:{long}"),
    ] {
        text.parse::<Url>().expect_err(&text);
    }
    assert_eq!(
        parse(&format!("mysql://a:{long}@h/{long}")).database,
        Some(long)
    );
}

#[test]
fn debug_hides_the_password() {
    assert!(!format!("{:?}", parse("mysql://a:hunter2@h")).contains("hunter2"));
}

#[test]
fn endpoints_by_hand() {
    assert_eq!(Endpoint::tcp("[::1]", 3306), Endpoint::tcp("::1", 3306));
    assert_eq!(Endpoint::tcp("DB", 1), Ok(tcp("db", 1)));
    for (host, port) in [
        ("", 1),
        ("a b", 1),
        ("a:1", 1),
        ("h", 0),
        ("[h]", 1),
        ("a@b", 1),
    ] {
        Endpoint::tcp(host, port).expect_err(host);
    }
    Endpoint::unix("relative").unwrap_err();
    assert_eq!(tcp("::1", 1).to_string(), "[::1]:1");
}
