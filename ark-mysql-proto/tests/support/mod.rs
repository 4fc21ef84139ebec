//! Conversations as scripts: what the server sends, what the client must send, what the caller does, which events come of it.
//!
//! ```text
//! # a remark
//! options user=root password=secret channel=loopback cached
//! S0 0a382e…        a packet from the server: sequence number, payload in hex
//! C1 8da2…          a packet that the client must have sent
//! > query SELECT 1  what the caller does
//! = Row 0131        an event
//! ```
//! Recorded ones are written by `examples/record.rs` and kept in `tests/recorded`.

// Each test and the recorder use a part of this.
#![allow(
    dead_code,
    reason = "every user of this module needs another part of it"
)]

pub(crate) mod player;

use std::fmt::Write;

use ark_mysql_proto::params::{ParamSink, ParamType};
use ark_mysql_proto::{
    Channel, Event, HandshakeOptions, Secret, Session, StatementId, TlsRequest, definitions,
};

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Server(u8, Vec<u8>),
    Client(u8, Vec<u8>),
    Do(String),
    Expect(String),
}

pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) options: String,
    pub(crate) lines: Vec<Line>,
}

impl Script {
    pub(crate) fn parse(name: &str, text: &str) -> Self {
        let mut script = Self {
            name: name.to_owned(),
            options: String::new(),
            lines: Vec::new(),
        };
        for line in text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
            match tag.split_at(1) {
                ("o", "ptions") => rest.clone_into(&mut script.options),
                ("S", number) => script
                    .lines
                    .push(Line::Server(number.parse().unwrap(), unhex(rest))),
                ("C", number) => script
                    .lines
                    .push(Line::Client(number.parse().unwrap(), unhex(rest))),
                (">", "") => script.lines.push(Line::Do(rest.to_owned())),
                ("=", "") => script.lines.push(Line::Expect(rest.to_owned())),
                _ => panic!("{name}: what is {line:?}?"),
            }
        }
        script
    }

    /// How many bytes the server sends in all.
    pub(crate) fn server_bytes(&self) -> usize {
        self.lines
            .iter()
            .map(|line| {
                if let Line::Server(_, payload) = line {
                    payload.len() + 4
                } else {
                    0
                }
            })
            .sum()
    }

    /// How many packets the server sends.
    pub(crate) fn server_packets(&self) -> usize {
        self.lines
            .iter()
            .filter(|line| matches!(line, Line::Server(..)))
            .count()
    }
}

/// Puts the header in front; for payloads of one frame.
pub(crate) fn frame(sequence: u8, payload: &[u8]) -> Vec<u8> {
    let [a, b, c, ..] = payload.len().to_le_bytes();
    [&[a, b, c, sequence], payload].concat()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

pub(crate) fn options(text: &str) -> HandshakeOptions {
    let mut options = HandshakeOptions {
        user: "root".to_owned(),
        password: Secret::default(),
        database: None,
        tls: TlsRequest::Never,
        channel: Channel::Loopback,
        attributes: Vec::new(),
        max_receive: 64 << 20,
        max_send: 64 << 20,
        mariadb_extended_metadata: false,
        mariadb_cache_metadata: false,
        random: |bytes| {
            bytes.fill(0x42);
            true
        },
        server_public_key: None,
        require_verified: false,
        clear_text_password: false,
        local_infile: false,
    };
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        match (key, value) {
            ("user", value) => value.clone_into(&mut options.user),
            ("password", value) => options.password = Secret::new(value),
            ("database", value) => options.database = Some(value.to_owned()),
            ("tls", "required") => options.tls = TlsRequest::Require,
            ("tls", "preferred") => options.tls = TlsRequest::IfOffered,
            ("tls", "never") => options.tls = TlsRequest::Never,
            ("channel", "socket") => options.channel = Channel::Socket,
            ("channel", "loopback") => options.channel = Channel::Loopback,
            ("channel", "network") => options.channel = Channel::Network,
            ("attribute", value) => options
                .attributes
                .push(("_client_name".to_owned(), value.to_owned())),
            ("extended", "") => options.mariadb_extended_metadata = true,
            ("cached", "") => options.mariadb_cache_metadata = true,
            ("no-random", "") => options.random = |_| false,
            ("key", value) => options.server_public_key = Some(unhex(value)),
            ("require-verified", "") => options.require_verified = true,
            ("clear-text-password", "") => options.clear_text_password = true,
            ("max-receive", value) => options.max_receive = value.parse().unwrap(),
            _ => panic!("what is {word:?}?"),
        }
    }
    options
}

/// Gives the session a command in words. `last` is the statement prepared last.
pub(crate) fn perform(session: &mut Session, command: &str, last: StatementId) {
    let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
    match verb {
        // A query of so many bytes.
        "long" => {
            let (head, tail) = ("SELECT LENGTH('", "')");
            let filling = rest.parse::<usize>().unwrap() - 1 - head.len() - tail.len();
            session
                .query(&[head, &"x".repeat(filling), tail].concat())
                .unwrap();
        }
        "query" => session.query(rest).unwrap(),
        "prepare" => session.prepare(rest).unwrap(),
        "init_db" => session.init_db(rest).unwrap(),
        "ping" => session.ping(),
        "reset" => session.reset_connection(),
        "quit" => session.quit(),
        "close" => session.close_statement(statement(rest, last)),
        "execute" => execute(session, rest, last),
        _ => panic!("what is {command:?}?"),
    }
}

fn statement(word: &str, last: StatementId) -> StatementId {
    match word {
        "last" => last,
        "next" => StatementId::new(last.get() + 1),
        "prepared" => StatementId::LAST_PREPARED,
        number => StatementId::new(number.parse().unwrap()),
    }
}

fn execute(session: &mut Session, words: &str, last: StatementId) {
    let mut words = words.split(' ');
    let id = statement(words.next().unwrap(), last);
    let values: Vec<&str> = words.collect();
    let types: Vec<ParamType> = values
        .iter()
        .map(|value| {
            if value.starts_with("text:") {
                ParamType::TEXT
            } else {
                ParamType::I64
            }
        })
        .collect();
    session
        .execute(id, &types, true, |out| {
            values
                .iter()
                .try_for_each(|value| match value.strip_prefix("text:") {
                    Some(text) => out.text(text),
                    None if *value == "null" => out.null(),
                    None => out.i64(value.parse().unwrap()),
                })
        })
        .unwrap();
}

/// An event in words, with what belongs to it.
pub(crate) fn describe(event: Event, session: &Session) -> String {
    let payload = session.payload();
    match event {
        Event::Row if payload.len() > 256 => format!("Row of {} bytes", payload.len()),
        Event::Row => format!("Row {}", hex(payload)),
        Event::ColumnDefinitions { .. } | Event::ParamDefinitions { .. } => {
            format!("{event:?} {}", names(payload, session))
        }
        Event::Failed => {
            let error = session.server_error();
            format!(
                "Failed {} {} {}",
                error.code, error.sql_state, error.message
            )
        }
        event => format!("{event:?}"),
    }
}

fn names(raw: &[u8], session: &Session) -> String {
    let extended = session
        .capabilities()
        .contains(ark_mysql_proto::Capabilities::MARIADB_EXTENDED_METADATA);
    let names: Vec<String> = definitions(raw, extended)
        .map(|definition| match definition {
            Ok(definition) => format!("{}:{:?}", definition.name, definition.column_type),
            Err(error) => format!("({error})"),
        })
        .collect();
    names.join(" ")
}
