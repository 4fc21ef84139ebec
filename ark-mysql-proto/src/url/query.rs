//! Reads the options behind the `?`.

use std::path::PathBuf;
use std::time::Duration;

use super::error::{Part, Problem};
use super::parse::name;
use super::{Compat, TlsMode, UrlOption, UrlOptions, suggest};

/// What the options of an address say.
#[derive(Default)]
pub(super) struct Given {
    pub(super) socket: Option<PathBuf>,
    pub(super) tls_mode: Option<TlsMode>,
    pub(super) options: UrlOptions,
}

pub(super) fn read(query: Option<&str>) -> Result<Given, Problem> {
    let mut given = Given::default();
    let Some(query) = query.filter(|query| !query.is_empty()) else {
        return Ok(given);
    };
    if query.contains('?') {
        return Err(Problem::SecondQuestionMark);
    }
    let mut seen = Vec::new();
    for pair in query.split('&') {
        let (option, value) = pair_of(pair)?;
        if seen.contains(&option) {
            return Err(Problem::Repeated { option });
        }
        seen.push(option);
        given.set(option, name(value, Part::Option(option))?)?;
    }
    Ok(given)
}

fn pair_of(pair: &str) -> Result<(UrlOption, &str), Problem> {
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    if key.is_empty() {
        return Err(Problem::EmptyOption);
    }
    let option = UrlOption::from_key(key).ok_or_else(|| Problem::UnknownOption {
        key: shown(key),
        hint: suggest::hint(key),
    })?;
    match value {
        "" => Err(Problem::NoValue {
            key: key.to_owned(),
        }),
        value => Ok((option, value)),
    }
}

/// Keys come from outside: a message repeats a word, not a page.
fn shown(key: &str) -> String {
    key.chars().take(40).flat_map(char::escape_debug).collect()
}

impl Given {
    fn set(&mut self, option: UrlOption, value: String) -> Result<(), Problem> {
        let options = &mut self.options;
        let read = match option {
            UrlOption::Socket => put(&mut self.socket, Some(socket(PathBuf::from(&value))?)),
            UrlOption::SslMode => put(&mut self.tls_mode, TlsMode::from_name(&value)),
            UrlOption::SslCa => put(&mut options.ssl_ca, Some(PathBuf::from(&value))),
            UrlOption::SslCert => put(&mut options.ssl_cert, Some(PathBuf::from(&value))),
            UrlOption::SslKey => put(&mut options.ssl_key, Some(PathBuf::from(&value))),
            UrlOption::ServerPublicKey => {
                put(&mut options.server_public_key, Some(PathBuf::from(&value)))
            }
            UrlOption::RequireVerified => put(&mut options.require_verified, yes_or_no(&value)),
            UrlOption::ClearTextPassword => {
                put(&mut options.clear_text_password, yes_or_no(&value))
            }
            UrlOption::ConnectTimeout => put(&mut options.connect_timeout, time(&value)),
            UrlOption::StatementCacheCapacity => {
                put(&mut options.statement_cache_capacity, count(&value, 0))
            }
            UrlOption::Compat => put(&mut options.compat, Compat::from_name(&value)),
            UrlOption::MaxConnections => put(&mut options.max_connections, count(&value, 1)),
            UrlOption::AcquireTimeout => put(&mut options.acquire_timeout, time(&value)),
            UrlOption::KillAbandoned => put(&mut options.kill_abandoned, yes_or_no(&value)),
        };
        if read {
            Ok(())
        } else {
            Err(Problem::Value {
                option,
                value: shown(&value),
            })
        }
    }
}

fn put<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    *place = value;
    place.is_some()
}

fn yes_or_no(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The longest path that a socket address holds on every system we know (macOS; Linux has four more).
const SOCKET_LIMIT: usize = 103;

pub(super) fn socket(path: PathBuf) -> Result<PathBuf, Problem> {
    let option = UrlOption::Socket;
    if path.as_os_str().len() > SOCKET_LIMIT {
        return Err(Problem::TooLong {
            part: Part::Option(option),
            limit: SOCKET_LIMIT,
        });
    }
    match path.has_root() {
        true => Ok(path),
        false => Err(Problem::Value {
            option,
            value: shown(&path.to_string_lossy()),
        }),
    }
}

/// The largest number that makes sense for anything countable here; more is a typing mistake.
const COUNT_LIMIT: u32 = 100_000;

fn count<N: TryFrom<u32>>(value: &str, least: u32) -> Option<N> {
    let number = digits(value).and_then(|number| u32::try_from(number).ok())?;
    (least..=COUNT_LIMIT)
        .contains(&number)
        .then(|| N::try_from(number).ok())
        .flatten()
}

/// A day: nobody waits longer for a connection.
const TIME_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

fn time(value: &str) -> Option<Duration> {
    let duration = match value.strip_suffix("ms") {
        Some(millis) => Duration::from_millis(digits(millis)?),
        None => Duration::from_secs(digits(value.strip_suffix('s').unwrap_or(value))?),
    };
    (!duration.is_zero() && duration <= TIME_LIMIT).then_some(duration)
}

fn digits(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}
