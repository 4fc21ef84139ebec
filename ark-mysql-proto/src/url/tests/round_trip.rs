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
        (path(), path(), path()),
        path(),
        any::<[Option<bool>; 3]>(),
        time(),
        proptest::option::of(0..=100_000usize),
        compat,
        proptest::option::of(1..=100_000u32),
        time(),
    )
        .prop_map(
            |(
                (ssl_ca, ssl_cert, ssl_key),
                server_public_key,
                [require_verified, clear_text_password, kill_abandoned],
                connect_timeout,
                statement_cache_capacity,
                compat,
                max_connections,
                acquire_timeout,
            )| UrlOptions {
                ssl_ca,
                ssl_cert,
                ssl_key,
                server_public_key,
                require_verified,
                clear_text_password,
                connect_timeout,
                statement_cache_capacity,
                compat,
                max_connections,
                acquire_timeout,
                kill_abandoned,
            },
        )
}

fn url() -> impl Strategy<Value = Url> {
    let mode = proptest::option::of(prop_oneof![
        Just(TlsMode::Disabled),
        Just(TlsMode::VerifyCa),
        Just(TlsMode::VerifyIdentity)
    ]);
    let password =
        proptest::option::of(proptest::collection::vec(any::<u8>(), 1..20).prop_map(Secret::new));
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
