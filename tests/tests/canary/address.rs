//! Addresses that are right, and all that can be mistyped in one.

use ark_mysql::{ConnectOptions, Pool, Url};
use ark_mysql_check::settings::{DatabaseUrl, Origin};

use crate::encoding::url_coded;
use crate::{Canary, show, show_error};

/// What a slip of the finger puts somewhere.
const SLIPS: [&str; 14] = [
    "@", ":", "/", "?", "#", "[", "]", "%", " ", "\0", "é", "&", "=", "%zz",
];

/// Each slip at every `step`th place.
pub(crate) fn all(canary: &Canary, step: usize) {
    let (raw, coded) = (canary.whole(), url_coded(&canary.whole()));
    for password in [&coded, &raw] {
        for address in kinds(password) {
            tried(&address);
            let places: Vec<usize> = address.char_indices().map(|(place, _)| place).collect();
            for (number, place) in places.iter().enumerate().step_by(step) {
                let (before, behind) = address.split_at(*place);
                let slip = SLIPS[number % SLIPS.len()];
                tried(&format!("{before}{slip}{behind}"));
                tried(&format!(
                    "{before}{}",
                    behind.chars().skip(1).collect::<String>()
                ));
                tried(before);
            }
        }
    }
    options(&raw);
}

fn kinds(password: &str) -> Vec<String> {
    vec![
        format!("mysql://app:{password}@db.example.org:3306/shop?ssl-mode=required"),
        format!("mariadb://app:{password}@[::1]/shop?connect-timeout=3"),
        format!("mysql://app:{password}@localhost/?socket=/run/mysqld.sock"),
        format!("mysqll://app:{password}@localhost/shop"),
        format!("mysql:app:{password}@localhost/shop"),
        format!("//app:{password}@localhost/shop"),
        format!("app:{password}@localhost/shop"),
        format!("mysql://{password}@localhost/shop"),
        format!("mysql://app:{password}"),
        format!("mysql://app:{password}@"),
        format!("mysql://app@localhost/shop?password={password}"),
        format!("mysql://app@localhost/shop#{password}"),
        format!("mysql://app:{password}@localhost/shop?ssl-mode=verify&ssl-mode=verify"),
        format!("  mysql://app:{password}@localhost/shop"),
        format!("'mysql://app:{password}@localhost/shop'"),
        format!("DATABASE_URL=mysql://app:{password}@localhost/shop"),
    ]
}

/// A password that stands where a host, a port or a database does is one, and is shown as such; one with a raw `@` in it stands there if no other
/// follows.
fn is_where_passwords_are(address: &str) -> bool {
    let canary = std::env::var(crate::CANARY).unwrap().to_lowercase();
    let place = address
        .split_once('@')
        .map_or("", |(_, place)| place)
        .to_lowercase();
    let secret = canary.split(' ').any(|part| place.contains(part));
    place.contains('@') || !secret
}

fn tried(address: &str) {
    if !is_where_passwords_are(address) {
        return;
    }
    match address.parse::<Url>() {
        Ok(url) => secret_at_its_place(address, || show("shown", format_args!("{url:?}"))),
        Err(error) => show_error(&error),
    }
    match address.parse::<ConnectOptions>() {
        Ok(options) => secret_at_its_place(address, || {
            show(
                "shown",
                format_args!("{options:?} {:?}", options.effective_tls_mode()),
            );
            show(
                "shown",
                format_args!("{:?}", Pool::builder().connect_lazy(&options)),
            );
        }),
        Err(error) => show_error(&error),
    }
    match DatabaseUrl::parse(address.to_owned(), Origin::Given) {
        Ok(url) => secret_at_its_place(address, || {
            show("shown", format_args!("{url:?} {}", url.origin()))
        }),
        Err(error) => show_error(&error),
    }
}

/// What was read as a user (the `:` was lost), a host or a database is no password to anybody.
fn secret_at_its_place(address: &str, show: impl FnOnce()) {
    let placed = address.parse::<Url>().is_ok_and(|url| {
        let parts = format!("{:?} {:?} {:?}", url.user, url.endpoint, url.database).to_lowercase();
        let canary = std::env::var(crate::CANARY).unwrap().to_lowercase();
        !canary.split(' ').any(|part| parts.contains(part))
    });
    if placed {
        show();
    }
}

fn options(password: &str) {
    let options = ConnectOptions::new("app")
        .password(password)
        .host("db.example.org")
        .clear_text_password(true);
    show("shown", format_args!("{options:?} {options:#?}"));
    show(
        "shown",
        format_args!("{:?}", options.clone().server_public_key("/nowhere")),
    );
    show("shown", format_args!("{:?}", Pool::builder()));
}
