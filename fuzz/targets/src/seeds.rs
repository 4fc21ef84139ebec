//! Where the search begins: recorded conversations taken apart, values as servers send them, the statements and cache files of this repository, and what a fuzzer
//! found worth keeping (`fuzz/corpus`).

use std::fs;
use std::path::{Path, PathBuf};

use ark_mysql_check::describe::cache::read_entry;
use ark_mysql_proto::{ColumnDefinition, Kind};

use crate::session::Operation;

#[path = "../../../ark-mysql-proto/tests/support/mod.rs"]
mod support;

use support::{Line, Script, unhex};

/// The input of a target, with a name.
pub type Seed = (String, Vec<u8>);

/// All seeds of a target, in the same order everywhere.
///
/// # Panics
/// The repository is not as it should be.
pub fn seeds(target: &str) -> Vec<Seed> {
    let mut seeds: Vec<Seed> = match target {
        "cache_json" => entries()
            .into_iter()
            .map(|(name, text, _)| (name, text.into_bytes()))
            .collect(),
        "sql" => entries()
            .into_iter()
            .map(|(name, _, sql)| (name, sql.into_bytes()))
            .collect(),
        "infer" => entries()
            .into_iter()
            .map(|(name, _, sql)| (name, described(sql)))
            .collect(),
        "public_key" => vec![
            (
                "der".to_owned(),
                [b"\0", &include_bytes!("key.der")[..]].concat(),
            ),
            (
                "pem".to_owned(),
                [b"\x01", &include_bytes!("key.pem")[..]].concat(),
            ),
        ],
        _ => conversations()
            .iter()
            .flat_map(|talk| of_conversation(target, talk))
            .collect(),
    };
    seeds.extend(written(target));
    seeds.extend(kept(target));
    seeds.sort();
    seeds.dedup_by(|one, other| one.1 == other.1);
    seeds
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The file of what a fuzzer found worth keeping: lines of a name and hexadecimal digits.
pub fn corpus_file(target: &str) -> PathBuf {
    repository()
        .join("fuzz/corpus")
        .join(format!("{target}.txt"))
}

fn kept(target: &str) -> Vec<Seed> {
    let text = fs::read_to_string(corpus_file(target)).unwrap_or_default();
    let line = |line: &str| {
        let (name, digits) = line.split_once(' ').unwrap_or((line, ""));
        (name.to_owned(), unhex(digits))
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(line)
        .collect()
}

/// A recorded or hand-made conversation, with what is known about its server.
struct Talk {
    script: Script,
    /// As [`Server`](crate::client::Server) has it.
    server: u8,
}

fn conversations() -> Vec<Talk> {
    let tests = repository().join("ark-mysql-proto/tests");
    let mut files: Vec<PathBuf> = ["recorded", "recorded_logins", "handmade"]
        .iter()
        .flat_map(|folder| fs::read_dir(tests.join(folder)).expect("the conversations are there"))
        .map(|file| file.expect("it can be listed").path())
        .collect();
    files.sort();
    files.iter().map(|file| talk(file)).collect()
}

fn talk(file: &Path) -> Talk {
    let name = file.file_stem().expect("a file").to_string_lossy();
    let script = Script::parse(&name, &fs::read_to_string(file).expect("a text"));
    let mariadb = name.contains("mariadb");
    let has = |word: &str, bit: u8| {
        if script.options.split(' ').any(|has| has == word) {
            bit
        } else {
            0
        }
    };
    let eof = if name.contains("with_eof") { 2 } else { 0 };
    let server = u8::from(mariadb) | eof | has("extended", 8) | has("cached", 16);
    Talk { script, server }
}

impl Talk {
    fn seed(&self, number: usize, bytes: Vec<u8>) -> Seed {
        (format!("{}_{number}", self.script.name), bytes)
    }

    /// The script up to the end of the login, and what is behind it.
    fn parts(&self) -> (&[Line], &[Line]) {
        let ready = Line::Expect("Ready".to_owned());
        let end = self.script.lines.iter().position(|line| *line == ready);
        self.script
            .lines
            .split_at(end.unwrap_or(self.script.lines.len()))
    }
}

fn payload(line: &Line) -> Option<&[u8]> {
    match line {
        Line::Server(_, payload) => Some(payload),
        Line::Client(..) | Line::Do(_) | Line::Expect(_) => None,
    }
}

fn of_conversation(target: &str, talk: &Talk) -> Vec<Seed> {
    let (login, session) = talk.parts();
    let replies = session.iter().filter_map(payload);
    let inputs: Vec<Vec<u8>> = match target {
        "greeting" => login
            .iter()
            .filter_map(payload)
            .take(1)
            .flat_map(greetings)
            .collect(),
        "auth_switch" => steps(login, 0xfe)
            .map(|step| [&[talk.server, 0, 7], &*sized(step)].concat())
            .collect(),
        "auth_more" => steps(login, 1)
            .flat_map(|step| {
                (0..6).map(move |plugin| [&[talk.server, 1, plugin], &*sized(step)].concat())
            })
            .collect(),
        "handshake" => vec![handshake(talk.server, login)],
        "session" => vec![operations(talk.server, session)],
        "ok_err_eof" => replies
            .filter(|packet| matches!(packet.first(), Some(0 | 0xfe | 0xff)) && packet.len() < 600)
            .flat_map(|packet| [0, 1].map(|rows| [&[talk.server, rows], packet].concat()))
            .collect(),
        "prepare_ok" => vec![
            [
                &[talk.server, 0],
                &*replies.take(40).flat_map(sized).collect::<Vec<_>>(),
            ]
            .concat(),
        ],
        "infile" => vec![
            [
                &[talk.server, 0, 0],
                &*replies.take(40).flat_map(sized).collect::<Vec<_>>(),
            ]
            .concat(),
        ],
        "column_definition" => replies
            .filter(|packet| packet.starts_with(b"\x03def"))
            .map(|packet| [&[u8::from(talk.server & 8 != 0)], packet].concat())
            .collect(),
        "binary_row" | "text_row" => rows(talk, session, target == "binary_row"),
        _ => Vec::new(),
    };
    inputs
        .into_iter()
        .enumerate()
        .map(|(number, input)| talk.seed(number, input))
        .collect()
}

/// A greeting, to somebody over each channel.
fn greetings(packet: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    [0, 1, 2, 6, 0x32]
        .into_iter()
        .map(move |who| [&[0, who], packet].concat())
}

/// The packets of a login that begin with this byte, without it.
fn steps(login: &[Line], first: u8) -> impl Iterator<Item = &[u8]> {
    login
        .iter()
        .skip(1)
        .filter_map(payload)
        .filter_map(move |packet| packet.strip_prefix(&[first]))
}

/// Two bytes of length in front.
fn sized(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    [&length.to_le_bytes(), &bytes[..usize::from(length)]].concat()
}

fn handshake(server: u8, login: &[Line]) -> Vec<u8> {
    let mut out = vec![server, 0];
    for line in login {
        match line {
            Line::Server(_, payload) => {
                out.push(3);
                out.extend(sized(payload));
            }
            Line::Do(_) => out.push(0),
            Line::Client(..) | Line::Expect(_) => {}
        }
    }
    out
}

fn operations(server: u8, session: &[Line]) -> Vec<u8> {
    let mut out = vec![server, 3];
    for line in session {
        match line {
            Line::Server(_, payload) => Operation::Packet(payload.clone()).write(&mut out),
            Line::Do(command) => {
                operation(command).write(&mut out);
                Operation::Written(u16::MAX).write(&mut out);
            }
            Line::Client(..) | Line::Expect(_) => {}
        }
    }
    out
}

fn operation(command: &str) -> Operation {
    match command.split(' ').next().unwrap_or_default() {
        "prepare" => Operation::Prepare(1),
        "execute" => Operation::Execute(1),
        "ping" => Operation::Ping,
        "reset" => Operation::Reset,
        "init_db" => Operation::InitDb,
        "close" => Operation::Close,
        _ => Operation::Query(9),
    }
}

/// The rows of a conversation, with the kinds of the definitions in front of them.
fn rows(talk: &Talk, session: &[Line], binary: bool) -> Vec<Vec<u8>> {
    let (mut kinds, mut is_binary, mut in_definitions, mut out) =
        (Vec::new(), false, false, Vec::new());
    for line in session {
        match line {
            Line::Do(command) => is_binary = command.starts_with("execute"),
            Line::Server(_, packet) => {
                let definition = ColumnDefinition::parse(packet, talk.server & 8 != 0).ok();
                if let Some(kind) = definition.and_then(|definition| Kind::of(&definition).ok()) {
                    if !in_definitions {
                        kinds.clear();
                    }
                    kinds.push(Kind::ALL.iter().position(|known| *known == kind));
                    in_definitions = true;
                    continue;
                }
                in_definitions = false;
                let count = u8::try_from(kinds.len()).unwrap_or(0);
                let kinds = kinds
                    .iter()
                    .flatten()
                    .filter_map(|kind| u8::try_from(*kind).ok());
                if is_binary == binary && count <= 40 && packet.len() < 600 {
                    out.push(
                        [count]
                            .into_iter()
                            .chain(kinds)
                            .chain(packet.iter().copied())
                            .collect(),
                    );
                }
            }
            Line::Client(..) | Line::Expect(_) => {}
        }
    }
    out
}

/// The cache entries of the examples and tests: name, text, SQL.
fn entries() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for folder in ["examples/.ark-mysql", "tests/.ark-mysql"] {
        let mut files: Vec<_> = fs::read_dir(repository().join(folder))
            .expect("the caches are committed")
            .map(|file| file.expect("it can be listed").path())
            .collect();
        files.sort();
        for file in files.iter().step_by(3) {
            let name = file
                .file_stem()
                .expect("a file")
                .to_string_lossy()
                .into_owned();
            let text = fs::read_to_string(file).expect("a text");
            let sql = read_entry(file)
                .expect("it is in order")
                .expect("it is there")
                .sql;
            out.push((name, text, sql));
        }
    }
    out
}

/// A statement, and columns and views that are said to belong to it.
fn described(sql: String) -> Vec<u8> {
    let columns = [3, 1, 8, 1, 3, 3, 1, 2, 14, 0, 3, 3, 2, 4, 20, 1, 4, 4, 1, 1];
    [sql.as_bytes(), &[0], &columns].concat()
}

/// Inputs that no conversation has.
fn written(target: &str) -> Vec<Seed> {
    let texts: &[&[u8]] = match target {
        "framing" => &[
            b"\x00\x06\xff\x01\x00a\xff\x00b\x00\x04c\x10\x00\xfb",
            b"\x20\x00\xff\x2a\x01x\x2b\x01y\x2c\x01z",
            b"\x00\xff\x03\x00\x00a\x00\x00b\x00\x00c",
        ],
        "lenenc" => &[b"\x03abc", b"\xfb\x00\xfc\x02\x00ab", b"\xfd\x01\x00\x00a", b"\xfe\x01\0\0\0\0\0\0\0a", b"\xff", b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff"],
        "decimal" => &[b"0", b"-0.00", b"12.50\x0012.5", b".5", b"5.", b"+7\x00-7", b"99999999999999999999999999999999999999999999999999999999999999999", b"0.000000000000000000000000000001"],
        "date" => &[b"\x04\xe8\x07\x02\x1d", b"\x00", b"\x07\xe8\x07\x02\x1d\0\0\0", b"2024-02-29", b"0000-00-00", b"2024-02-31"],
        "datetime" => &[b"\x0b\xe8\x07\x02\x1d\x17\x3b\x3b\x3f\x42\x0f\x00", b"\x07\xe8\x07\x02\x1d\x17\x3b\x3b", b"2024-02-29 23:59:59.999999", b"2024-01-01", b"0000-00-00 00:00:00"],
        "time" => &[b"\x0c\x01\x22\0\0\0\x16\x3b\x3b\x3f\x42\x0f\0", b"\x08\x00\0\0\0\0\x01\x02\x03", b"\x00", b"-838:59:59", b"00:00:00.000001", b"838:59:59.999999"],
        "bits_and_ints" => &[b"0", b"1", b"-128", b"18446744073709551615", b"-9223372036854775808", b"\x00", b"\x01", b"\x7f\xff\xff\xff\xff\xff\xff\xff"],
        "strings" => &[b"", b"text", "gr\u{fc}n \u{1f600}".as_bytes(), b"\xff\xfe", b"\0\0\0\0\x01\x01\0\0\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40"],
        "layout" => &[b"\x01\x09\x02\0\0\x07\0\0\0", b"\x02\x0c\x90\x2a\0\0\x02\x31\x2e\0\0\0\0\0\0\xf0\x3f", b"\x01\x00\x3a\0\0\x05"],
        "session" => &[
            b"\x00\x03\x0b\x07\xff\xff\x0a\x05\x00\xfbfile\x0c\x04\x07\xff\xff\x0c\x00\x0d\x07\xff\xff\x0a\x07\x00\0\0\0\x02\0\0\0",
            b"\x01\x00\x0b\x07\xff\xff\x0a\x02\x00\xfbf\x0d\x07\xff\xff\x0a\x07\x00\0\0\0\x0a\0\0\0\x0a\x02\x00\xfbg",
        ],
        "refusal" => &[
            b"SELECT a FORM t\0\x28\x04You have an error in your SQL syntax near 'FORM t' at line 1",
            b"SELECT \xd3\x80\xd3\x80x FROM t\0\x28\x04syntax near '\xd3\x80x FROM t' at line 1",
            b"SELECT a, :b\nFROM t\0\x1e\x04Unknown column 'a' in 'field list'",
            b"CALL p(?)\0\x19\x05PROCEDURE d.p does not exist",
            b"SELECT 1\0\x28\x04near '' at line 1",
        ],
        "public_key" => &[b"\x01A key:\r\n-----BEGIN PUBLIC KEY-----\r\nMAcCAQ8CAgEB\r\n-----END PUBLIC KEY-----\r\n"],
        "url" => &[
            b"mysql://app:secret@db.example:3306/shop?ssl-mode=verify-identity&connect-timeout=10s",
            b"mariadb://root@[::1]:3307", b"mysql://u:p%40ss@localhost/d?socket=/run/mysqld.sock&compat=proxy",
            b"mysql://u@h?max-connections=5&acquire-timeout=500ms&require-verified=true", b"user|host/db?x=1", b"u|:3306/",
            b"mysql://u@h?ssl-ca=/a/b.pem&server-public-key=/k&clear-text-password=true&kill-abandoned=true&statement-cache-capacity=0",
        ],
        "settings" => &[b"when-unreachable = \"cache\"\n", b"# nothing\n\nwhen-unreachable = 'error' # so\n", b"when-unreachable", b"a = \"\\u0041\"", b"[types.columns]\n\"users.id\" = \"crate::UserId\"\n[types.sql]\n\"tinyint(1)\" = 'i8' # x\n"],
        "sql" => &[
            b"SELECT :a, ':b', `:c` -- :d\n FROM t /*! WHERE a = :e */ /* :f */ # g",
            b"WITH c AS (SELECT COUNT(*) n FROM t) SELECT * FROM c LEFT JOIN (SELECT ? x) d ON d.x = c.n WHERE a IN (SELECT 1) ORDER BY n",
            b"INSERT INTO t (a, b) VALUES (?, CASE WHEN ? THEN 1 ELSE NULL END) ON DUPLICATE KEY UPDATE a = @x := 5--3",
        ],
        _ => &[],
    };
    texts
        .iter()
        .enumerate()
        .map(|(number, text)| (format!("written_{number}"), text.to_vec()))
        .collect()
}
