//! Writes an address so that reading it gives the same value.

use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use super::{Endpoint, Url, UrlOption};

/// Everything but letters, digits and the four marks that no part of the grammar uses.
const NAME: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// A path stays readable: `/` needs no encoding in an option.
const PATH: &AsciiSet = &NAME.remove(b'/');

pub(super) fn url(url: &Url) -> String {
    let mut out = String::from("mysql://");
    out.extend(percent_encode(url.user.as_bytes(), NAME));
    if let Some(password) = &url.password {
        out.push(':');
        out.extend(percent_encode(password.expose(), NAME));
    }
    out.push('@');
    match &url.endpoint {
        Endpoint::Tcp { .. } => out.push_str(&url.endpoint.to_string()),
        Endpoint::Socket(_) => out.push_str("localhost"),
    }
    if let Some(database) = &url.database {
        out.push('/');
        out.extend(percent_encode(database.as_bytes(), NAME));
    }
    for (place, (option, value)) in options(url).into_iter().enumerate() {
        out.push(if place == 0 { '?' } else { '&' });
        out.push_str(option.key());
        out.push('=');
        out.extend(percent_encode(&value, PATH));
    }
    out
}

fn options(url: &Url) -> Vec<(UrlOption, Vec<u8>)> {
    let options = &url.options;
    let socket = match &url.endpoint {
        Endpoint::Socket(path) => Some(path),
        Endpoint::Tcp { .. } => None,
    };
    let value = |option| match option {
        UrlOption::Socket => socket.map(|path| path_bytes(path)),
        UrlOption::SslMode => url.tls_mode.map(|mode| mode.name().into()),
        UrlOption::SslCa => options.ssl_ca.as_deref().map(path_bytes),
        UrlOption::SslCert => options.ssl_cert.as_deref().map(path_bytes),
        UrlOption::SslKey => options.ssl_key.as_deref().map(path_bytes),
        UrlOption::ServerPublicKey => options.server_public_key.as_deref().map(path_bytes),
        UrlOption::RequireVerified => options.require_verified.map(yes_or_no),
        UrlOption::ClearTextPassword => options.clear_text_password.map(yes_or_no),
        UrlOption::ConnectTimeout => options.connect_timeout.map(time),
        UrlOption::StatementCacheCapacity => options
            .statement_cache_capacity
            .map(|count| count.to_string().into()),
        UrlOption::Compat => options.compat.map(|compat| compat.name().into()),
        UrlOption::MaxConnections => options
            .max_connections
            .map(|count| count.to_string().into()),
        UrlOption::AcquireTimeout => options.acquire_timeout.map(time),
        UrlOption::KillAbandoned => options.kill_abandoned.map(yes_or_no),
    };
    UrlOption::ALL
        .into_iter()
        .filter_map(|option| Some((option, value(option)?)))
        .collect()
}

fn yes_or_no(value: bool) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// Seconds where they are whole, else milliseconds (rounded up: a deadline must not become zero).
fn time(duration: Duration) -> Vec<u8> {
    let millis = duration.as_nanos().div_ceil(1_000_000);
    let text = if millis.is_multiple_of(1000) {
        (millis / 1000).to_string()
    } else {
        format!("{millis}ms")
    };
    text.into_bytes()
}

fn path_bytes(path: &std::path::Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}
