//! Reads an address from left to right, each part by its own function.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use percent_encoding::percent_decode_str;

use super::error::{Part, Problem};
use super::query::{self, Given};
use super::{DEFAULT_PORT, Endpoint, Url, UrlError};
use crate::Secret;

/// The pieces of an address, still encoded.
struct Pieces<'a> {
    user: &'a str,
    password: Option<&'a str>,
    host: &'a str,
    database: &'a str,
    query: Option<&'a str>,
}

pub(super) fn url(text: &str) -> Result<Url, UrlError> {
    read(text).map_err(UrlError)
}

fn read(text: &str) -> Result<Url, Problem> {
    refuse_blanks(text)?;
    let pieces = split(after_scheme(text)?)?;
    let user = name(pieces.user, Part::User)?;
    if user.is_empty() {
        return Err(Problem::EmptyUser);
    }
    let password = pieces
        .password
        .map(|text| decode(text, Part::Password))
        .transpose()?;
    let database = name(pieces.database, Part::Database)?;
    let Given {
        socket,
        tls_mode,
        options,
    } = query::read(pieces.query)?;
    if let (Some(mode), Some(_)) = (tls_mode.filter(|mode| !mode.verifies()), &options.ssl_ca) {
        return Err(Problem::CaWithoutVerification { mode });
    }
    Ok(Url {
        user,
        password: password
            .filter(|bytes| !bytes.is_empty())
            .map(|bytes| Secret::new(bytes.into_owned())),
        endpoint: endpoint(pieces.host, socket)?,
        database: Some(database).filter(|name| !name.is_empty()),
        tls_mode,
        options,
    })
}

fn refuse_blanks(text: &str) -> Result<(), Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    for (offset, character) in text.char_indices() {
        if character.is_whitespace() && !character.is_control() || text.trim() != text {
            return Err(Problem::Space);
        }
        if character.is_control() {
            return Err(Problem::Control { offset });
        }
    }
    Ok(())
}

fn after_scheme(text: &str) -> Result<&str, Problem> {
    let Some((scheme, rest)) = text.split_once("://") else {
        let one_slash = ["mysql:", "mariadb:"]
            .iter()
            .any(|scheme| starts_with_ignore_case(text, scheme));
        return Err(if one_slash {
            Problem::OneSlash
        } else {
            Problem::NoScheme
        });
    };
    match scheme.to_ascii_lowercase() {
        scheme if scheme == "mysql" || scheme == "mariadb" => Ok(rest),
        // What stands here may be `user:password@host` of an address without scheme: only a word may be repeated.
        scheme if is_word(&scheme) => Err(Problem::WrongScheme { scheme }),
        _ => Err(Problem::NoScheme),
    }
}

/// Cuts the address at its one `@`. Where that is not the separator, user or password hold a raw one.
fn split(rest: &str) -> Result<Pieces<'_>, Problem> {
    let (login, place) = rest.split_once('@').ok_or(Problem::NoUser)?;
    if place.contains('@') {
        return Err(Problem::ExtraAt);
    }
    if let Some(separator) = login
        .chars()
        .find(|character| matches!(character, '/' | '?' | '#'))
    {
        return Err(Problem::RawSeparator { separator });
    }
    if place.contains('#') {
        return Err(Problem::Fragment);
    }
    let (user, password) = cut(login, ':');
    let (place, query) = cut(place, '?');
    let (host, database) = cut(place, '/');
    let database = database.unwrap_or_default();
    match database.contains('/') {
        true => Err(Problem::SecondDatabase),
        false => Ok(Pieces {
            user,
            password,
            host,
            database,
            query,
        }),
    }
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator)
        .map_or((text, None), |(head, tail)| (head, Some(tail)))
}

/// Percent-decodes once. `+` stays a plus: this is no web form.
pub(super) fn decode(text: &str, part: Part) -> Result<Cow<'_, [u8]>, Problem> {
    let escapes = text.split('%').skip(1);
    if escapes.map(str::as_bytes).any(
        |digits| !matches!(digits, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()),
    ) {
        return Err(Problem::Percent { part });
    }
    // Zero-width and direction marks come with copy and paste; nobody sees them, and no server expects them.
    if text
        .chars()
        .any(|character| !character.is_ascii() && !character.is_alphanumeric())
    {
        return Err(Problem::Unprintable { part });
    }
    Ok(Cow::from(percent_decode_str(text)))
}

/// Decodes what must be text without NUL, because it travels NUL-terminated or names a file.
pub(super) fn name(text: &str, part: Part) -> Result<String, Problem> {
    let bytes = decode(text, part)?.into_owned();
    let name = String::from_utf8(bytes).map_err(|_| Problem::NotUtf8 { part })?;
    match name.contains('\0') {
        true => Err(Problem::Nul { part }),
        false => Ok(name),
    }
}

fn endpoint(text: &str, socket: Option<PathBuf>) -> Result<Endpoint, Problem> {
    if text.is_empty() {
        return socket.map(Endpoint::Socket).ok_or(Problem::EmptyHost);
    }
    let (host, port) = host_and_port(text)?;
    match socket {
        // Other programs write `localhost:3306` in front of a socket; it names the same machine, so it is let pass.
        Some(path) if host == "localhost" => Ok(Endpoint::Socket(path)),
        Some(_) => Err(Problem::HostAndSocket { host }),
        None => Ok(Endpoint::Tcp { host, port }),
    }
}

fn host_and_port(text: &str) -> Result<(String, u16), Problem> {
    if let Some(rest) = text.strip_prefix('[') {
        let (address, rest) = rest.split_once(']').ok_or(Problem::UnclosedBracket)?;
        let port = match rest.strip_prefix(':') {
            Some(port) => Some(port),
            None if rest.is_empty() => None,
            None => return Err(Problem::AfterBracket),
        };
        return Ok((ipv6(address)?, self::port(port)?));
    }
    if text.contains(['[', ']']) {
        return Err(Problem::StrayBracket);
    }
    if text.contains(',') {
        return Err(Problem::SeveralHosts);
    }
    match text.matches(':').count() {
        0 | 1 => {
            let (host, port) = cut(text, ':');
            Ok((self::host(host)?, self::port(port)?))
        }
        _ => Err(Problem::BareIpv6),
    }
}

pub(super) fn tcp(host: &str, port: u16) -> Result<Endpoint, Problem> {
    let bare = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    let host = if bare.contains(':') {
        ipv6(bare)?
    } else {
        self::host(host)?
    };
    match port {
        0 => Err(Problem::Port {
            text: "0".to_owned(),
        }),
        port => Ok(Endpoint::Tcp { host, port }),
    }
}

fn ipv6(text: &str) -> Result<String, Problem> {
    match text.parse::<Ipv6Addr>() {
        Ok(address) => Ok(address.to_string()),
        Err(_) if text.contains('%') => Err(Problem::Zone),
        Err(_) => Err(Problem::Ipv6 {
            text: text.to_owned(),
        }),
    }
}

fn host(text: &str) -> Result<String, Problem> {
    if text.is_empty() {
        return Err(Problem::EmptyHost);
    }
    check_host(text)?;
    Ok(text.to_ascii_lowercase())
}

/// The longest name and label that DNS can carry.
const NAME_LIMIT: usize = 253;
const LABEL_LIMIT: usize = 63;

pub(super) fn check_host(text: &str) -> Result<(), Problem> {
    if text.contains('%') {
        return Err(Problem::HostPercent);
    }
    if let Some(character) = text.chars().find(|character| {
        !character.is_ascii_alphanumeric() && !matches!(character, '-' | '_' | '.')
    }) {
        return Err(Problem::HostCharacter { character });
    }
    // The resolver would read `127.1` or `010.0.0.1` in its own way; an address has one spelling here.
    if text
        .chars()
        .all(|character| character.is_ascii_digit() || character == '.')
    {
        return text
            .parse::<Ipv4Addr>()
            .map(drop)
            .map_err(|_| Problem::Ipv4 {
                text: text.to_owned(),
            });
    }
    let absolute = text.strip_suffix('.').unwrap_or(text);
    let fits = absolute.len() <= NAME_LIMIT
        && absolute
            .split('.')
            .all(|label| (1..=LABEL_LIMIT).contains(&label.len()));
    if fits {
        Ok(())
    } else {
        Err(Problem::HostLabel {
            host: text.to_owned(),
        })
    }
}

fn port(text: Option<&str>) -> Result<u16, Problem> {
    let Some(text) = text else {
        return Ok(DEFAULT_PORT);
    };
    if text.is_empty() {
        return Err(Problem::EmptyPort);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|port| digits && *port != 0);
    number.ok_or_else(|| Problem::Port {
        text: text.to_owned(),
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}
