//! Words the failures of describing: what, where, what to do; never a secret.

use ark_mysql_proto::{HandshakeError, ServerError};

use super::cache::Cache;
use super::client::ClientError;
use crate::description::DescribeError;
use crate::settings::{CONFIG_FILE, DATABASE_URL, DatabaseUrl, OFFLINE, Source};

/// `ER_UNSUPPORTED_PS`: the server runs the statement, and cannot prepare it.
const UNSUPPORTED_PREPARE: u16 = 1295;

pub(super) fn client_error(error: ClientError, url: &DatabaseUrl) -> DescribeError {
    match error {
        ClientError::Statement(error) => statement(error),
        ClientError::Unreachable(what) => DescribeError::Unreachable(format!(
            "no database server answers at {url}: {what}\n\
             = help: start it\n\
             = help: or build from the cache: set {OFFLINE}=1 for this build, or write `when-unreachable = \"cache\"` into {CONFIG_FILE} for all builds"
        )),
        ClientError::Refused(error) => DescribeError::Unreachable(format!(
            "the database server at {url} does not let us in: {}\n= help: {}",
            refusal(&error),
            or_cache()
        )),
        ClientError::NoTls(mode) => DescribeError::Unreachable(format!(
            "the address {url} asks for TLS (ssl-mode={mode}), which the macros do not speak\n\
             = help: use a development server on this machine or a unix socket\n= help: {}",
            or_cache()
        )),
        ClientError::Conversation(what) => DescribeError::Unreachable(format!(
            "the conversation with the database server at {url} failed: {what}\n= help: {}",
            or_cache()
        )),
    }
}

fn statement(mut error: ServerError) -> DescribeError {
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
    }
}

fn refusal(error: &HandshakeError) -> String {
    error.to_string().trim_end_matches('.').to_owned()
}

fn or_cache() -> String {
    format!("or build from the cache: set {OFFLINE}=1")
}

pub(super) fn not_in_cache(cache: &Cache, sql: &str, source: &Source) -> DescribeError {
    let file = cache.path(sql);
    let file = file.display();
    match source {
        Source::Offline => DescribeError::Cache(format!(
            "the cache has no entry for this statement ({file}), and {OFFLINE}=1 keeps this build away from the server\n\
             = help: run `cargo ark-mysql prepare` where a server is at hand, and commit the file"
        )),
        Source::Server(url) => DescribeError::Cache(format!(
            "no database server answers at {url}, and the cache has no entry for this statement ({file})\n\
             = help: start the server, then run `cargo ark-mysql prepare` and commit the file"
        )),
        Source::NoUrl => DescribeError::NoDatabase(format!(
            "there is nobody to check this statement: {DATABASE_URL} is not set, and the cache has no entry for it ({file})\n\
             = help: set {DATABASE_URL}, in the environment or in a file .env beside Cargo.toml, to a development server, \
             such as mysql://root@127.0.0.1:3306/shop\n\
             = help: or run `cargo ark-mysql prepare` where there is one, and commit the file"
        )),
    }
}
