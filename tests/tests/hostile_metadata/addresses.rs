//! Hostile addresses.

use ark_mysql::ConnectOptions;
use ark_mysql_check::settings::{DatabaseUrl, Origin};

/// The secret of all of them.
const SECRET: &str = "hunter2";

const ADDRESSES: &[&str] = &[
    "",
    " ",
    ":",
    "//",
    "mysql",
    "mysql:",
    "mysql:/",
    "mysql://",
    "mysql:///",
    "mysql://@",
    "mysql://:@",
    "mysql://u:hunter2@",
    "mysql://u:hunter2@:3306/d",
    "u:hunter2@h/d",
    "//u:hunter2@h/d",
    "postgres://u:hunter2@h/d",
    "http://u:hunter2@h/d",
    "file:///etc/passwd",
    "javascript:hunter2",
    "mysql ://u:hunter2@h/d",
    "mysql://u:hunter2@h:0/d",
    "mysql://u:hunter2@h:-1/d",
    "mysql://u:hunter2@h:65536/d",
    "mysql://u:hunter2@h:99999999999/d",
    "mysql://u:hunter2@h:3306:3306/d",
    "mysql://u:hunter2@h:0x50/d",
    "mysql://u:hunter2@h:33 06/d",
    "mysql://u:hunter2@h:+1/d",
    "mysql://u:hunter2@[::1/d",
    "mysql://u:hunter2@::1]/d",
    "mysql://u:hunter2@[]/d",
    "mysql://u:hunter2@[zz]/d",
    "mysql://u:hunter2@[::1]x/d",
    "mysql://u:hunter2@h h/d",
    "mysql://u:hunter2@h\n/d",
    "mysql://u:hunter2@h\0/d",
    "mysql://u:hunter2@h\r\nX: y/d",
    "mysql://u:hunter2%@h/d",
    "mysql://u:hunter2%z@h/d",
    "mysql://u:hunter2%zz@h/d",
    "mysql://u:hunter2%ff@h/d?x",
    "mysql://u:hunter2@h/d%",
    "mysql://u:hunter2@h/d%0",
    "mysql://u:hunter2@h/d/e",
    "mysql://u:hunter2@h/d/../e",
    "mysql://u:hun/ter2@h/d",
    "mysql://u:hun?ter2@h/d",
    "mysql://u:hun#ter2@h/d",
    "mysql://u:hunter2@h/d#x",
    "mysql://u:hunter2@h/d?=",
    "mysql://u:hunter2@h/d?a",
    "mysql://u:hunter2@h/d?a=b",
    "mysql://u:hunter2@h/d?ssl-mode",
    "mysql://u:hunter2@h/d?ssl-mode=",
    "mysql://u:hunter2@h/d?ssl-mode=off",
    "mysql://u:hunter2@h/d?ssl-mode=required&ssl-mode=disabled",
    "mysql://u:hunter2@h/d?SSL-MODE=disabled",
    "mysql://u:hunter2@h/d?ssl_mode=disabled",
    "mysql://u:hunter2@h/d?connect-timeout=1e9",
    "mysql://u:hunter2@h/d?connect-timeout=-1",
    "mysql://u:hunter2@h/d?connect-timeout=99999999999999999999",
    "mysql://u:hunter2@h/d?compat=on",
    "mysql://u:hunter2@h/d?password=hunter2",
    "mysql://u:hunter2@h/d?allow-everything=1",
    "mysql://u:hunter2@h/d?&&",
    "mysql://u:hunter2@h/d?%zz=1",
    "mysql://u:hunter2@h/d?ssl-mode=%zz",
    "mysql://u:hunter2@h/d?ssl-ca",
    "mysql://:hunter2@h/d",
    "mysql://u:hunter2@h/d?statement-cache-capacity=x",
];

/// How many there are: each is refused by the driver and by the checker, and no message shows its secret.
pub(crate) fn all() -> usize {
    let accepted: Vec<&str> = ADDRESSES
        .iter()
        .copied()
        .filter(|address| !is_refused(address))
        .collect();
    assert!(accepted.is_empty(), "accepted: {accepted:?}");
    ADDRESSES.len()
}

fn is_refused(address: &str) -> bool {
    let driver = address
        .parse::<ConnectOptions>()
        .map(|_| ())
        .map_err(|error| format!("{error} {error:?}"));
    let checker = DatabaseUrl::parse(address.to_owned(), Origin::Environment);
    let checker = checker
        .map(|_| ())
        .map_err(|error| format!("{error} {error:?}"));
    assert_eq!(
        driver.is_err(),
        checker.is_err(),
        "{address}: {driver:?} {checker:?}"
    );
    for message in [&driver, &checker]
        .into_iter()
        .filter_map(|result| result.as_ref().err())
    {
        assert!(
            !message.contains(SECRET) && !message.contains("ter2"),
            "{message}"
        );
    }
    driver.is_err()
}
