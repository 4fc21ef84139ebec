//! What is fuzzed: one function a target, which takes any bytes and panics if a promise is broken.
//!
//! The functions know nothing of a fuzzer. `fuzz/` gives them to libFuzzer, `tests/smoke.rs` runs them on every seed and on mutations of it, so a change that
//! breaks a promise is found by `cargo test`, and a crash that a fuzzer found stays found.
//!
//! A target asserts more than that nothing panics: what it is, stands above each function. Everything goes through public interfaces, so what is fuzzed is
//! what a server, an address or a file can reach.
//!
//! | module | targets |
//! |---|---|
//! | [`framing`] | `framing` |
//! | [`login`] | `greeting`, `auth_switch`, `auth_more`, `public_key`, `handshake` |
//! | [`replies`] | `ok_err_eof`, `prepare_ok`, `infile` |
//! | [`columns`] | `column_definition`, `layout` |
//! | [`rows`] | `lenenc`, `text_row`, `binary_row` |
//! | [`values`] | `decimal`, `date`, `datetime`, `time`, `bits_and_ints`, `strings` |
//! | [`session`] | `session` |
//! | [`address`] | `url` |
//! | [`files`] | `cache_json`, `settings` |
//! | [`statement`] | `sql`, `refusal`, `infer` |
//!
//! The first bytes of an input choose the circumstances (which server, which channel, which limits), the rest is what a peer sends.

pub mod address;
pub mod client;
pub mod columns;
pub mod files;
pub mod framing;
pub mod grammar;
pub mod login;
pub mod mutate;
pub mod replies;
pub mod rows;
pub mod seeds;
pub mod session;
pub mod statement;
pub mod values;

/// One thing to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: of the fuzzer's binary, and of its corpus file.
    pub name: &'static str,
    /// Panics if a promise is broken.
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($module:ident: $($name:ident)*;)*) => {
        /// All of them.
        pub const TARGETS: &[Target] = &[$($(Target { name: stringify!($name), run: $module::$name },)*)*];
    };
}

targets! {
    framing: framing;
    rows: lenenc text_row binary_row;
    login: greeting auth_switch auth_more public_key handshake;
    replies: ok_err_eof prepare_ok infile;
    columns: column_definition layout;
    values: decimal date datetime time bits_and_ints strings;
    session: session;
    address: url;
    files: cache_json settings;
    statement: sql refusal infer;
}

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|target| target.name == name).copied()
}
