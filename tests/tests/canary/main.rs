//! B18: a password, in everything that this library lets others see: errors, `Debug` and `Display`, traces at every level, panics, messages of the
//! checker. A process of its own does everything that can be done with it and prints all of it; whatever comes out is searched.

mod address;
mod build;
mod driver;
mod encoding;
mod listener;

use std::process::Command;

use tests::Server;
use tests::bars::{reached, times};

/// Two parts that are looked for each by itself, with everything between them that an address could trip over.
const BETWEEN: &str = "@:/?#[ %é\\'\"&=";
const LENGTH: usize = 14;
/// In the environment, not on a command line that everybody sees.
const CANARY: &str = "ARK_MYSQL_TEST_CANARY";

/// Letters and digits that come nowhere by chance.
fn part() -> String {
    const LETTERS: &[u8] = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let mut random = std::fs::File::open("/dev/urandom").unwrap();
    let mut bytes = [0; LENGTH];
    std::io::Read::read_exact(&mut random, &mut bytes).unwrap();
    bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]))
        .collect()
}

/// What both processes call the password.
pub(crate) struct Canary {
    pub(crate) first: String,
    pub(crate) second: String,
}

impl Canary {
    pub(crate) fn whole(&self) -> String {
        format!("{}{BETWEEN}{}", self.first, self.second)
    }

    /// Where it is in a text, in whatever form.
    fn seen(&self, text: &[u8]) -> Option<(&'static str, usize)> {
        let lower = text.to_ascii_lowercase();
        [&self.first, &self.second].into_iter().find_map(|part| {
            encoding::forms(part)
                .into_iter()
                .find_map(|(form, wanted)| {
                    let place = |text: &[u8], wanted: &[u8]| {
                        text.windows(wanted.len())
                            .position(|window| window == wanted)
                    };
                    let found = match form {
                        "in base64" => place(text, wanted.as_bytes()),
                        _ => place(&lower, wanted.to_ascii_lowercase().as_bytes()),
                    };
                    found.map(|place| (form, place))
                })
        })
    }
}

#[test]
fn is_never_seen() {
    let canary = Canary {
        first: part(),
        second: part(),
    };
    is_found_where_it_is(&canary);
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "all_that_can_be_done_with_it",
            "--exact",
            "--ignored",
            "--nocapture",
        ])
        .env(CANARY, format!("{} {}", canary.first, canary.second))
        .env("RUST_BACKTRACE", "full")
        .env("RUST_LOG", "trace")
        .output()
        .unwrap();
    let all = [output.stdout, output.stderr].concat();
    if let Some((form, place)) = canary.seen(&all) {
        // Around it, and without it: this text is seen, too.
        let around = |range: std::ops::Range<usize>| {
            String::from_utf8_lossy(all.get(range).unwrap_or_default()).into_owned()
        };
        panic!(
            "it was seen, {form}, behind: {}",
            around(place.saturating_sub(600)..place)
        );
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&all));
    let text = String::from_utf8_lossy(&all);
    let count = |what: &str| text.lines().filter(|line| line.starts_with(what)).count();
    let (shown, traced, panics) = (
        count("shown:"),
        count("traced:"),
        text.matches("panicked at").count(),
    );
    assert!(
        shown > 500 && traced > 100 && panics >= driver::PANICS,
        "too little was done: {shown} texts, {traced} traces, {panics} panics"
    );
    reached(
        "B18",
        format_args!(
            "0 occurrences (as it is, hex, base64, URL-coded, lists of bytes; either half of it) in {shown} texts of errors and Debug, {traced} traces and {panics} panics, {} KiB, on {} servers",
            all.len() / 1024,
            Server::ALL.len()
        ),
    );
}

/// What is looked for is found, in every form, or nothing was shown above.
fn is_found_where_it_is(canary: &Canary) {
    for part in [&canary.first, &canary.second] {
        let hidden = [
            format!("x {part}"),
            part.to_uppercase(),
            format!("{:x?}", part.as_bytes()).replace(", ", ""),
            format!("{:?}", part.as_bytes()),
            encoding::base64(part.as_bytes()),
            encoding::base64(format!("y{part}zz").as_bytes()),
            encoding::base64(format!("yy{part}z").as_bytes()),
        ];
        for text in hidden {
            assert!(
                canary.seen(text.as_bytes()).is_some(),
                "not found where it is"
            );
        }
    }
    assert_eq!(encoding::url_coded("a@é"), "a%40%C3%A9");
    assert!(canary.seen(b"nothing of it").is_none());
}

/// Prints a text, so that it is searched.
#[expect(
    clippy::print_stdout,
    reason = "what is printed here is what is searched"
)]
pub(crate) fn show(what: &str, text: impl std::fmt::Display) {
    for line in text.to_string().split('\n') {
        println!("{what}: {line}");
    }
}

/// An error with all that it says, and its causes.
pub(crate) fn show_error(error: &(dyn std::error::Error + 'static)) {
    show("shown", format_args!("{error} {error:?} {error:#?}"));
    let mut cause = error.source();
    while let Some(error) = cause {
        show("shown", format_args!("{error} {error:?}"));
        cause = error.source();
    }
}

#[test]
#[ignore = "run by name, in a process of its own, by the test above"]
fn all_that_can_be_done_with_it() {
    let parts = std::env::var(CANARY).unwrap();
    let (first, second) = parts.split_once(' ').unwrap();
    let canary = Canary {
        first: first.to_owned(),
        second: second.to_owned(),
    };
    tracing::subscriber::set_global_default(listener::Listener).unwrap();
    address::all(&canary, times(7, 1));
    build::all(&canary);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    for server in Server::ALL {
        runtime.block_on(driver::all(&canary, server));
    }
}
