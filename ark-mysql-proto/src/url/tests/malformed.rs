use super::*;

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
        "mysql://app:hunter2@h/d?kill-abandonned=true",
        "did you mean `kill-abandoned`?",
    ),
    (
        "mysql://app:hunter2@h/d?kill-query=true",
        "use kill-abandoned",
    ),
    (
        "mysql://app:hunter2@h/d?kill-abandoned=1",
        "it must be one of true, false",
    ),
    (
        "mysql://app:hunter2@h/d?clientcert=/c.pem",
        "use ssl-cert and ssl-key",
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
        "mysql://app:hunter2@h/d?ssl-mode=REQUIRE",
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
