//! Words the failures of describing: what, where, what to do; never a secret.

use ark_mysql_proto::HandshakeError;
use ark_mysql_proto::url::TlsMode;

use super::cache::Cache;
use super::client::{ClientError, Refused};
use crate::description::{DescribeError, Words};
use crate::settings::{DATABASE_URL, DatabaseUrl, OFFLINE, SettingsError, Source};

/// `ER_UNSUPPORTED_PS`: the server runs the statement, and cannot prepare it.
const UNSUPPORTED_PREPARE: u16 = 1295;

/// `ER_BAD_DB_ERROR`.
const UNKNOWN_DATABASE: u16 = 1049;

/// Who asked: a way out that is one for builds is none for a tool that wants a server.
#[derive(Clone, Copy)]
pub(super) enum Asker {
    Build,
    Tool,
}

impl Asker {
    fn or_cache(self, more: &str) -> String {
        match self {
            Self::Build => {
                format!("\n= help: or build from the cache: set {OFFLINE}=1 for this build{more}")
            }
            Self::Tool => String::new(),
        }
    }
}

pub(super) fn client_error(error: ClientError, url: &DatabaseUrl, asker: Asker) -> DescribeError {
    let at = &url.url().endpoint;
    let (whole, again) = match error {
        ClientError::Statement(error) => return statement(error),
        ClientError::Unreachable(what) => (
            format!(
                "no database server answers at {url}: {what}\n\
                 = help: start it (one of `cargo ark-mysql dev` by `cargo ark-mysql dev start`){}",
                asker.or_cache(
                    ", or write `when-unreachable = \"cache\"` into ark-mysql.toml for all builds"
                )
            ),
            Some(format!("no database server answers at {at}")),
        ),
        ClientError::Refused(error) => (
            format!(
                "the database server at {url} does not let us in: {}{}{}",
                refusal(&error),
                creation(&error),
                asker.or_cache("")
            ),
            Some(format!("the database server at {at} does not let us in")),
        ),
        ClientError::NoTls(mode) => (
            no_tls(mode, url, asker),
            Some(format!("the address {at} asks for TLS")),
        ),
        ClientError::Conversation(what) => (
            format!(
                "the conversation with the database server at {url} failed: {what}{}",
                asker.or_cache("")
            ),
            None,
        ),
    };
    DescribeError::Unreachable(Words {
        whole,
        again: again.map(not_checked),
    })
}

fn no_tls(mode: TlsMode, url: &DatabaseUrl, asker: Asker) -> String {
    let address = url.url();
    let options = &address.options;
    let is_default = address.tls_mode.is_none()
        && options.ssl_ca.is_none()
        && options.require_verified != Some(true);
    let (why, how) = match is_default {
        true => (
            ", the default for every host but this machine",
            "add ?ssl-mode=disabled to the address",
        ),
        false => (
            "",
            "write ssl-mode=disabled into the address in place of its TLS options",
        ),
    };
    format!(
        "the address {url} asks for TLS (ssl-mode={mode}{why}), which the check of statements does not speak\n\
         = help: for a development server in a network that you trust, such as a container of docker compose or of a CI job, {how}\n\
         = help: or use a server on this machine, a unix socket, or a tunnel that ends at 127.0.0.1{}",
        asker.or_cache("")
    )
}

pub(super) fn settings(error: &SettingsError) -> DescribeError {
    let what = match error {
        SettingsError::DatabaseUrl(_) => "DATABASE_URL is malformed",
        SettingsError::ConfigFile(_) => "ark-mysql.toml has a mistake",
        SettingsError::Dotenv(_) => "the file .env has a mistake",
        SettingsError::Switch(_) | SettingsError::NotUtf8(_) | SettingsError::Unreadable { .. } => {
            "the settings cannot be used"
        }
    };
    DescribeError::Settings(Words {
        whole: error.to_string(),
        again: Some(not_checked(what.to_owned())),
    })
}

fn not_checked(what: String) -> String {
    format!("not checked either: {what}")
}

fn statement(refused: Refused) -> DescribeError {
    let Refused { mut error, nearest } = refused;
    if error.code == UNSUPPORTED_PREPARE {
        error.message.push_str(
            ". A statement is checked by preparing it, and the server cannot prepare this one: run it unchecked, \
             by `Connection::run_script`",
        );
    }
    DescribeError::Server {
        code: error.code,
        sql_state: error.sql_state,
        message: error.message,
        nearest,
    }
}

/// How a database that is not there comes to be.
fn creation(error: &HandshakeError) -> &'static str {
    match error {
        HandshakeError::Server(error) if error.code == UNKNOWN_DATABASE => {
            "\n= help: create it, with the tables of the migrations, by `cargo ark-mysql migrate run --create-database`"
        }
        _ => "",
    }
}

fn refusal(error: &HandshakeError) -> String {
    error.to_string().trim_end_matches('.').to_owned()
}

pub(super) fn not_in_cache(cache: &Cache, sql: &str, source: &Source) -> DescribeError {
    let file = cache.path(sql);
    let file = file.display();
    match source {
        Source::Offline => DescribeError::Cache(Words {
            whole: format!(
                "the cache has no entry for this statement ({file}), and {OFFLINE}=1: this build asks no server\n\
                 = help: run `cargo ark-mysql prepare` where a server is at hand, and commit the file"
            ),
            again: Some(NOT_CACHED.to_owned()),
        }),
        Source::Server(url) => DescribeError::Cache(Words {
            whole: format!(
                "no database server answers at {url}, and the cache has no entry for this statement ({file})\n\
                 = help: start the server, then run `cargo ark-mysql prepare` and commit the file"
            ),
            again: Some(NOT_CACHED.to_owned()),
        }),
        Source::NoUrl => DescribeError::NoDatabase(Words {
            whole: format!(
                "there is nobody to check this statement: {DATABASE_URL} is not set, and the cache has no entry for it ({file})\n\
                 = help: set {DATABASE_URL}, in the environment or in a file .env beside Cargo.toml, to a development server, \
                 such as mysql://root@127.0.0.1:3306/shop; `cargo ark-mysql dev start` starts one\n\
                 = help: or run `cargo ark-mysql prepare` where there is one, and commit the file"
            ),
            again: Some(NOT_CACHED.to_owned()),
        }),
    }
}

const NOT_CACHED: &str = "this statement is not in the cache either: run `cargo ark-mysql prepare`";
