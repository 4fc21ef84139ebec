//! What is wrong with an address: one message a mistake, and never the password in it.

use std::fmt;

use super::UrlOption;

/// Why a text is not a database address. `Display` says what is wrong, where, and what to do.
///
/// No variant carries text from in front of the `@`, nor any text of an address without `@`: the password may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlError(pub(super) Problem);

/// A part of an address, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    User,
    Password,
    Database,
    Option(UrlOption),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Empty,
    Space,
    Control { offset: usize },
    NoScheme,
    OneSlash,
    WrongScheme { scheme: String },
    NoUser,
    ExtraAt,
    RawSeparator { separator: char },
    EmptyUser,
    Percent { part: Part },
    Unprintable { part: Part },
    NotUtf8 { part: Part },
    Nul { part: Part },
    TooLong { part: Part, limit: usize },
    EmptyHost,
    SeveralHosts,
    UnclosedBracket,
    StrayBracket,
    AfterBracket,
    BareIpv6,
    Ipv6 { text: String },
    Zone,
    Ipv4 { text: String },
    HostCharacter { character: char },
    HostPercent,
    HostLabel { host: String },
    EmptyPort,
    Port { text: String },
    Fragment,
    SecondDatabase,
    SecondQuestionMark,
    EmptyOption,
    NoValue { key: String },
    UnknownOption { key: String, hint: String },
    Repeated { option: UrlOption },
    Value { option: UrlOption, value: String },
    HostAndSocket { host: String },
    CaWithoutVerification { mode: super::TlsMode },
}

impl std::error::Error for UrlError {}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed database address: ")?;
        self.0.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it is empty; write {SHAPE}"),
            Self::Space => f.write_str("it begins or ends with white space, or holds some; remove it, or write a space that belongs to a name or password as %20"),
            Self::Control { offset } => write!(f, "there is a control character at byte {offset}; remove it, or percent-encode it if it belongs there"),
            Self::NoScheme => write!(f, "it does not begin with mysql:// or mariadb://; write {SHAPE}"),
            Self::OneSlash => write!(f, "two slashes must follow the scheme; write {SHAPE}"),
            Self::WrongScheme { scheme } => write!(f, "`{scheme}://` is not a scheme of this driver; write mysql:// or mariadb://"),
            Self::NoUser => write!(f, "it has no `@`, so no user; write {SHAPE}"),
            Self::ExtraAt => f.write_str("there is more than one `@`; write the one that separates user and host as it is, every other as %40 (in the password too)"),
            Self::RawSeparator { separator } => {
                write!(f, "there is a raw `{separator}` in front of the `@`; in a user or password write it as {}", encoded(*separator))
            }
            Self::EmptyUser => write!(f, "the user in front of the `@` is empty; write {SHAPE}"),
            Self::Percent { part } => write!(f, "in the {part} a `%` is not followed by two hexadecimal digits; write the percent sign itself as %25"),
            Self::Unprintable { part } => write!(f, "the {part} holds an invisible or unusual character; if it belongs there, percent-encode its UTF-8 bytes"),
            Self::NotUtf8 { part } => write!(f, "the {part} is not UTF-8 after percent-decoding; percent-encode the UTF-8 bytes of the name"),
            Self::Nul { part } => write!(f, "the {part} holds a NUL byte (%00), which no server accepts; remove it"),
            Self::TooLong { part, limit } => write!(f, "the {part} is longer than the {limit} bytes that can be used; shorten it"),
            Self::EmptyHost => f.write_str("the host is empty; name one behind the `@`, or give the path of a unix socket with ?socket=/path"),
            Self::SeveralHosts => f.write_str("several hosts are named; a connection goes to one: name one, or a DNS name with several addresses"),
            Self::UnclosedBracket => f.write_str("the `[` of an IPv6 address is not closed; write it as [::1]"),
            Self::StrayBracket => f.write_str("there is a `]` or `[` in the middle of the host; only an IPv6 address stands in brackets, as in [::1]:3306"),
            Self::AfterBracket => f.write_str("behind the `]` of an IPv6 address only `:port` may follow, as in [::1]:3306"),
            Self::BareIpv6 => f.write_str("the host has several `:`; write an IPv6 address in brackets, as in [::1]:3306"),
            Self::Ipv6 { text } => write!(f, "`{text}` in brackets is not an IPv6 address; write one such as [::1], and names and IPv4 addresses without brackets"),
            Self::Zone => f.write_str("IPv6 zones (`%eth0`) are not supported; use a global or unique local address, or a host name"),
            Self::Ipv4 { text } => write!(f, "`{text}` looks like an IPv4 address but is none; write four numbers from 0 to 255, as in 192.0.2.7"),
            Self::HostCharacter { character } => write!(
                f,
                "the host holds `{}`; letters, digits, `-`, `_` and `.` make a host name (an international name in its xn-- form)",
                character.escape_debug()
            ),
            Self::HostPercent => f.write_str("the host is percent-encoded; write a host name as it is, and a unix socket as ?socket=/path"),
            Self::HostLabel { host } => {
                write!(f, "the host `{host}` has an empty part, a part of more than 63 or in all more than 253 characters; correct the name")
            }
            Self::EmptyPort => f.write_str("there is no port behind the `:` of the host; write one such as :3306 or leave the `:` out"),
            Self::Port { text } => write!(f, "`{text}` is not a port; write a number from 1 to 65535, or leave it out for 3306"),
            Self::Fragment => f.write_str("there is a `#`, which means nothing here; write it as %23 if it belongs to a name"),
            Self::SecondDatabase => f.write_str("more than one database is named behind the host; name one, and write a `/` in its name as %2F"),
            Self::SecondQuestionMark => f.write_str("there is a second `?`; separate options by `&`, and write a `?` in a value as %3F"),
            Self::EmptyOption => f.write_str("an option is empty; write options as ?key=value&key=value"),
            Self::NoValue { key } => write!(f, "option `{key}` has no value; write {key}=value"),
            Self::UnknownOption { key, hint } => write!(f, "unknown option `{key}`; {hint}"),
            Self::Repeated { option } => write!(f, "option `{}` is given twice; give it once", option.key()),
            Self::Value { option, value } => write!(f, "option `{}` is `{value}`; it must be {}", option.key(), option.expects()),
            Self::HostAndSocket { host } => write!(f, "host `{host}` and a socket are both named; remove one of them (beside a socket the host may be localhost or empty)"),
            Self::CaWithoutVerification { mode } => {
                write!(f, "ssl-ca is given, but ssl-mode={mode} verifies nothing; use ssl-mode=verify-identity or verify-ca, or leave ssl-ca out")
            }
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("user"),
            Self::Password => f.write_str("password"),
            Self::Database => f.write_str("database"),
            Self::Option(option) => write!(f, "value of option `{}`", option.key()),
        }
    }
}

fn encoded(separator: char) -> String {
    separator
        .to_string()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect()
}

const SHAPE: &str = "mysql://user:password@host:3306/database";
