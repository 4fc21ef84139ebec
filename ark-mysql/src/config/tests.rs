use super::*;

fn parse(text: &str) -> ConnectOptions {
    text.parse().unwrap()
}

#[test]
fn an_address_says_all_that_the_builder_says() {
    let url = "mysql://app:hunter2@db:3307/shop?ssl-ca=/ca.pem&ssl-cert=/cert.pem&ssl-key=/cert-key.pem&server-public-key=/key.pem&connect-timeout=3\
               &statement-cache-capacity=7&compat=proxy&require-verified=true&clear-text-password=true&max-connections=5&acquire-timeout=250ms&kill-abandoned=true";
    let built = ConnectOptions::new("app")
        .password("hunter2")
        .host("db")
        .port(3307)
        .database("shop")
        .ssl_ca("/ca.pem")
        .ssl_cert("/cert.pem")
        .ssl_key("/cert-key.pem")
        .server_public_key("/key.pem")
        .connect_timeout(Duration::from_secs(3))
        .statement_cache_capacity(7)
        .compat(Compat::Proxy)
        .require_verified(true)
        .clear_text_password(true)
        .max_connections(5)
        .acquire_timeout(Duration::from_millis(250))
        .kill_abandoned(true);
    assert_eq!(format!("{:?}", parse(url)), format!("{built:?}"));
    assert_eq!(parse(url).password, built.password);
    assert!(parse(url).kill_abandoned && !parse("mysql://app@db").kill_abandoned);
}

#[test]
fn defaults() {
    let options = ConnectOptions::new("app");
    assert_eq!(
        options.endpoint().unwrap(),
        Endpoint::tcp("localhost", 3306).unwrap()
    );
    assert_eq!(options.effective_tls_mode().unwrap(), TlsMode::Preferred);
    assert_eq!(options.connect_timeout, Duration::from_secs(10));
    assert_eq!(options.statement_cache_capacity, 128);
    assert_eq!(
        (options.max_receive, options.max_send),
        (64 << 20, 64 << 20)
    );
}

/// The softness of this machine must not follow when options are pointed at another one.
#[test]
fn the_tls_mode_follows_the_host() {
    let options = parse("mysql://app@localhost/d").host("db.example.com");
    assert_eq!(
        options.effective_tls_mode().unwrap(),
        TlsMode::VerifyIdentity
    );
    let options = parse("mysql://app@db/d?ssl-mode=required").socket("/s");
    assert_eq!(options.effective_tls_mode().unwrap(), TlsMode::Required);
    assert_eq!(
        options.host("db2").endpoint().unwrap(),
        Endpoint::tcp("db2", 3306).unwrap()
    );
}

/// Where a verified server is required, this machine is a host like every other; by the socket nobody else can answer.
#[test]
fn a_verified_server_can_be_required_here_too() {
    let strict = |text: &str| parse(&format!("mysql://app@{text}require-verified=true")).check();
    let mode = |text| strict(text).unwrap().1;
    assert_eq!(mode("localhost/d?"), TlsMode::VerifyIdentity);
    assert_eq!(mode("127.0.0.1/d?ssl-mode=required&"), TlsMode::Required);
    assert_eq!(mode("localhost/d?socket=/s&"), TlsMode::Preferred);
    let error = strict("localhost/d?ssl-mode=disabled&").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
    assert!(strict("localhost/d?socket=/s&ssl-mode=disabled&").is_ok());
}

#[test]
fn secrets_stay_out_of_sight() {
    let options = ConnectOptions::new("app")
        .password("hunter2")
        .ssl_ca_pem("certificate");
    let shown = format!("{options:?} {options:#?}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("104, 117, 110"),
        "{shown}"
    );
    let error = "mysql://app:hun@ter2@h/d"
        .parse::<ConnectOptions>()
        .unwrap_err();
    assert!(!format!("{error} {error:?}").contains("ter2"));
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

#[test]
fn contradictions() {
    let app = || ConnectOptions::new("app");
    for (options, words) in [
        (ConnectOptions::new(""), "user is empty"),
        (ConnectOptions::new("a\0b"), "user holds a NUL"),
        (app().database(""), "database is empty"),
        (app().database("a\0"), "database holds a NUL"),
        (app().host(""), "host is empty"),
        (app().host("db/d"), "host holds `/`"),
        (app().host("user@db"), "host holds `@`"),
        (app().port(0), "`0` is not a port"),
        (app().socket("relative"), "absolute path"),
        (
            app().ssl_ca("/ca.pem").tls_mode(TlsMode::Required),
            "verifies nothing",
        ),
        (
            app().ssl_ca("/ca.pem").tls_mode(TlsMode::Disabled),
            "verifies nothing",
        ),
        (app().tls_mode(TlsMode::VerifyCa), "any certificate"),
    ] {
        let error = options.check().unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn what_connect_takes() {
    fn take(options: impl IntoConnectOptions) -> String {
        options.into_connect_options().unwrap().user
    }
    let text = "mysql://app@h/d".to_owned();
    assert_eq!(take("mysql://app@h/d"), "app");
    assert_eq!(take(&text), "app");
    assert_eq!(take(text.parse::<Url>().unwrap()), "app");
    assert_eq!(take(text), "app");
    let options = ConnectOptions::new("app");
    assert_eq!(take(&options), options.user);
    assert_eq!(
        take(ConnectOptions::try_from("mysql://app@h/d").unwrap()),
        "app"
    );
}
