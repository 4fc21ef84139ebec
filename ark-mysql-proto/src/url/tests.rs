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
}

#[test]
fn localhost_is_not_looked_up() {
    let addresses = |text: &str| parse(text).endpoint.literal_addresses();
    assert_eq!(addresses("mysql://a@LocalHost").len(), 2);
    assert_eq!(addresses("mysql://a@[::1]").len(), 1);
    assert!(addresses("mysql://a@db").is_empty());
}

/// Every way of getting it wrong that we know, and a word of the message. `hunter2` is the password wherever there is one.
const MALFORMED: &[(&str, &str)] = &[
    ("", "empty"),
    (" ", "white space"),
    ("mysql://app:hunter2@h/d ", "white space"),
    ("\nmysql://app:hunter2@h/d", "white space"),
    ("mysql://app:hun ter2@h/d", "%20"),
    ("mysql://app:hunter2@h/my db", "%20"),
    (
        "mysql://app:hunter2\u{7}@h/d",
        "control character at byte 19",
    ),
    ("mysql://app:hunter2@h/d\0", "control character"),
    ("app:hunter2@h/d", "does not begin with"),
    ("h", "does not begin with"),
    ("//app:hunter2@h/d", "does not begin with"),
    ("://app:hunter2@h/d", "does not begin with"),
    ("app:hunter2@://h", "does not begin with"),
    ("mysql:app:hunter2@h/d", "two slashes"),
    ("mysql:/app:hunter2@h/d", "two slashes"),
    ("mariadb:app:hunter2@h/d", "two slashes"),
    (
        "postgres://app:hunter2@h/d",
        "`postgres://` is not a scheme",
    ),
    ("mysqlx://app:hunter2@h/d", "`mysqlx://`"),
    ("http://app:hunter2@h/d", "`http://`"),
    ("jdbc:mysql://app:hunter2@h/d", "does not begin with"),
    ("mysql://", "no `@`"),
    ("mysql://h/d", "no `@`"),
    ("mysql://app:hunter2/d", "no `@`"),
    ("mysql://hunter2", "no `@`"),
    ("mysql://@h/d", "user in front of the `@` is empty"),
    ("mysql://:hunter2@h/d", "user in front of the `@` is empty"),
    ("mysql://app:hun@ter2@h/d", "more than one `@`"),
    ("mysql://app@corp:hunter2@h/d", "more than one `@`"),
    ("mysql://app:hunter2@h/d?ssl-ca=/a@b", "more than one `@`"),
    ("mysql://app:hun/ter2@h/d", "as %2F"),
    ("mysql://app:hun?ter2@h/d", "as %3F"),
    ("mysql://app:hun#ter2@h/d", "as %23"),
    ("mysql://app:hunter2%@h/d", "in the password a `%`"),
    ("mysql://app:hunter2%4@h/d", "in the password a `%`"),
    ("mysql://app:hunter2%zz@h/d", "in the password a `%`"),
    ("mysql://app:hunter2%%34@h/d", "in the password a `%`"),
    ("mysql://ap%p:hunter2@h/d", "in the user a `%`"),
    ("mysql://app:hunter2@h/d%", "in the database a `%`"),
    (
        "mysql://app:hunter2@h/d?ssl-ca=%g1",
        "value of option `ssl-ca`",
    ),
    ("mysql://%FF:hunter2@h/d", "user is not UTF-8"),
    ("mysql://app:hunter2@h/%C3", "database is not UTF-8"),
    ("mysql://a%00b:hunter2@h/d", "user holds a NUL"),
    ("mysql://app:hunter2@h/d%00", "database holds a NUL"),
    (
        "mysql://app:hunter2\u{200b}@h/d",
        "password holds an invisible",
    ),
    (
        "mysql://app:hunter2@h/d\u{202e}",
        "database holds an invisible",
    ),
    ("mysql://app:hunter2@", "host is empty"),
    ("mysql://app:hunter2@/d", "host is empty"),
    ("mysql://app:hunter2@:3306/d", "host is empty"),
    ("mysql://app:hunter2@a,b/d", "several hosts"),
    ("mysql://app:hunter2@[::1/d", "not closed"),
    ("mysql://app:hunter2@::1]/d", "in the middle"),
    ("mysql://app:hunter2@h[1]/d", "in the middle"),
    ("mysql://app:hunter2@[::1]x/d", "only `:port`"),
    ("mysql://app:hunter2@::1/d", "in brackets"),
    ("mysql://app:hunter2@fe80::1:3306/d", "in brackets"),
    ("mysql://app:hunter2@h:1:2/d", "in brackets"),
    ("mysql://app:hunter2@[]/d", "not an IPv6 address"),
    ("mysql://app:hunter2@[127.0.0.1]/d", "not an IPv6 address"),
    ("mysql://app:hunter2@[db]/d", "not an IPv6 address"),
    ("mysql://app:hunter2@[fe80::1%25eth0]/d", "zones"),
    ("mysql://app:hunter2@256.0.0.1/d", "looks like an IPv4"),
    ("mysql://app:hunter2@127.1/d", "looks like an IPv4"),
    ("mysql://app:hunter2@127.0.0.01/d", "looks like an IPv4"),
    ("mysql://app:hunter2@%2Frun%2Fmysqld.sock/d", "?socket="),
    ("mysql://app:hunter2@h$st/d", "holds `$`"),
    ("mysql://app:hunter2@bücher.example/d", "xn--"),
    ("mysql://app:hunter2@tcp(h:3306)/d", "holds `(`"),
    ("mysql://app:hunter2@a..b/d", "empty part"),
    ("mysql://app:hunter2@.a/d", "empty part"),
    ("mysql://app:hunter2@h:/d", "no port"),
    ("mysql://app:hunter2@h:0/d", "`0` is not a port"),
    ("mysql://app:hunter2@h:70000/d", "`70000` is not a port"),
    ("mysql://app:hunter2@h:abc/d", "`abc` is not a port"),
    ("mysql://app:hunter2@h:-1/d", "`-1` is not a port"),
    ("mysql://app:hunter2@h:+1/d", "`+1` is not a port"),
    ("mysql://app:hunter2@[::1]:/d", "no port"),
    ("mysql://app:hunter2@h/d#top", "%23"),
    ("mysql://app:hunter2@h#/d", "%23"),
    ("mysql://app:hunter2@h/one/two", "more than one database"),
    ("mysql://app:hunter2@h/one/", "more than one database"),
    ("mysql://app:hunter2@h//d", "more than one database"),
    (
        "mysql://app:hunter2@h/d?compat=proxy?socket=/s",
        "second `?`",
    ),
    ("mysql://app:hunter2@h/d?compat=proxy&", "option is empty"),
    ("mysql://app:hunter2@h/d?&compat=proxy", "option is empty"),
    ("mysql://app:hunter2@h/d?=proxy", "option is empty"),
    ("mysql://app:hunter2@h/d?compat", "`compat` has no value"),
    ("mysql://app:hunter2@h/d?compat=", "`compat` has no value"),
    (
        "mysql://app:hunter2@h/d?ssl_mode=required",
        "did you mean `ssl-mode`?",
    ),
    (
        "mysql://app:hunter2@h/d?SSL-Mode=required",
        "did you mean `ssl-mode`?",
    ),
    (
        "mysql://app:hunter2@h/d?sslmode=required",
        "did you mean `ssl-mode`?",
    ),
    (
        "mysql://app:hunter2@h/d?connect-timeoot=1",
        "did you mean `connect-timeout`?",
    ),
    (
        "mysql://app:hunter2@h/d?charset=latin1",
        "always use utf8mb4",
    ),
    ("mysql://app:hunter2@h/d?user=app", "write it as mysql://"),
    ("mysql://app:hunter2@h/d?useSSL=true", "use ssl-mode"),
    (
        "mysql://app:hunter2@h/d?foo=bar",
        "the options are socket, ssl-mode",
    ),
    (
        "mysql://app:hunter2@h/d?compat=proxy&compat=proxy",
        "`compat` is given twice",
    ),
    (
        "mysql://app:hunter2@h/d?ssl-mode=on",
        "it must be one of disabled",
    ),
    (
        "mysql://app:hunter2@h/d?ssl-mode=REQUIRED",
        "it must be one of disabled",
    ),
    ("mysql://app:hunter2@h/d?connect-timeout=0", "from 1ms"),
    ("mysql://app:hunter2@h/d?connect-timeout=1.5", "from 1ms"),
    ("mysql://app:hunter2@h/d?connect-timeout=-1", "from 1ms"),
    ("mysql://app:hunter2@h/d?connect-timeout=1h", "from 1ms"),
    (
        "mysql://app:hunter2@h/d?connect-timeout=86401",
        "to 24 hours",
    ),
    (
        "mysql://app:hunter2@h/d?connect-timeout=99999999999999999999",
        "to 24 hours",
    ),
    ("mysql://app:hunter2@h/d?acquire-timeout=soon", "from 1ms"),
    (
        "mysql://app:hunter2@h/d?statement-cache-capacity=many",
        "a number from 0",
    ),
    (
        "mysql://app:hunter2@h/d?statement-cache-capacity=100001",
        "a number from 0",
    ),
    (
        "mysql://app:hunter2@h/d?max-connections=0",
        "a number from 1",
    ),
    (
        "mysql://app:hunter2@h/d?compat=maybe",
        "one of direct, proxy",
    ),
    (
        "mysql://app:hunter2@localhost/d?socket=run/s",
        "an absolute path",
    ),
    (
        "mysql://app:hunter2@localhost/d?socket=/a%00b",
        "holds a NUL",
    ),
    (
        "mysql://app:hunter2@db/d?socket=/s",
        "a socket are both named",
    ),
    (
        "mysql://app:hunter2@127.0.0.1/d?socket=/s",
        "a socket are both named",
    ),
    (
        "mysql://app:hunter2@h/d?ssl-ca=/ca.pem&ssl-mode=required",
        "verifies nothing",
    ),
];

#[test]
fn malformed_addresses_say_what_to_do_and_never_the_password() {
    for (text, words) in MALFORMED {
        let error = text.parse::<Url>().expect_err(text);
        let message = error.to_string();
        assert!(message.contains(words), "{text:?}: {message}");
        for part in ["hunter2", "hun", "ter2"] {
            assert!(
                !format!("{message} {error:?}").contains(part),
                "{text:?}: {message}"
            );
        }
    }
    assert!(MALFORMED.len() >= 60);
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

mod round_trip {
    use proptest::prelude::*;

    use super::*;

    fn endpoint() -> impl Strategy<Value = Endpoint> {
        let host = prop_oneof![
            "[a-z][a-z0-9_-]{0,20}(\\.[a-z][a-z0-9-]{0,10}){0,3}",
            any::<Ipv4Addr>().prop_map(|ip| ip.to_string()),
            any::<Ipv6Addr>().prop_map(|ip| ip.to_string()),
        ];
        prop_oneof![
            (host, 1..=u16::MAX).prop_map(|(host, port)| Endpoint::Tcp { host, port }),
            "/[^\0]{0,20}".prop_map(|path| Endpoint::Socket(path.into())),
        ]
    }

    fn options() -> impl Strategy<Value = UrlOptions> {
        let path = || proptest::option::of("[^\0]{1,20}".prop_map(PathBuf::from));
        let time = || proptest::option::of((1..86_400_000u64).prop_map(Duration::from_millis));
        let compat = proptest::option::of(prop_oneof![Just(Compat::Direct), Just(Compat::Proxy)]);
        (
            path(),
            path(),
            time(),
            proptest::option::of(0..=100_000usize),
            compat,
            proptest::option::of(1..=100_000u32),
            time(),
        )
            .prop_map(
                |(
                    ssl_ca,
                    server_public_key,
                    connect_timeout,
                    statement_cache_capacity,
                    compat,
                    max_connections,
                    acquire_timeout,
                )| UrlOptions {
                    ssl_ca,
                    server_public_key,
                    connect_timeout,
                    statement_cache_capacity,
                    compat,
                    max_connections,
                    acquire_timeout,
                },
            )
    }

    fn url() -> impl Strategy<Value = Url> {
        let mode = proptest::option::of(prop_oneof![
            Just(TlsMode::Disabled),
            Just(TlsMode::VerifyCa),
            Just(TlsMode::VerifyIdentity)
        ]);
        let password = proptest::option::of(
            proptest::collection::vec(any::<u8>(), 1..20).prop_map(Secret::new),
        );
        (
            "[^\0]{1,20}",
            password,
            endpoint(),
            proptest::option::of("[^\0]{1,20}"),
            mode,
            options(),
        )
            .prop_map(
                |(user, password, endpoint, database, tls_mode, options)| Url {
                    user,
                    password,
                    endpoint,
                    database,
                    tls_mode,
                    options,
                },
            )
            .prop_filter("a contradiction", |url| {
                url.options.ssl_ca.is_none() || url.tls_mode != Some(TlsMode::Disabled)
            })
            .prop_filter("too long for a socket", |url| match &url.endpoint {
                Endpoint::Socket(path) => path.as_os_str().len() <= 103,
                Endpoint::Tcp { .. } => true,
            })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(url in url()) {
            prop_assert_eq!(url.to_url().parse::<Url>(), Ok(url));
        }

        #[test]
        fn nothing_panics(text in "(mysql://)?[a:@/?#%\\[\\].0-9&=ü -]{0,40}") {
            let _either_way = text.parse::<Url>();
        }

        #[test]
        fn nothing_panics_at_all(text in any::<String>()) {
            let _either_way = format!("mysql://{text}").parse::<Url>();
        }
    }
}
