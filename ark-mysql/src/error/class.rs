//! Which of the server's errors have a kind of their own.

use super::{ErrorKind, ServerError};

impl ErrorKind {
    pub(crate) fn of_server(server: &ServerError) -> Self {
        match server.code {
            1053 | 1927 | 3169 => Self::ConnectionLost,
            1317 => Self::Interrupted,
            1792 | 1836 => Self::ReadOnly,
            // An option prevents the statement: one of many, and the message names it, in whatever language.
            1290 if is_about_read_only(&server.message) => Self::ReadOnly,
            _ => Self::Server,
        }
    }
}

fn is_about_read_only(message: &str) -> bool {
    message.contains("read-only") || message.contains("read_only")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_that_prevents_a_statement_is_told_by_its_name() {
        let kind = |code, message: &str| {
            ErrorKind::of_server(&ServerError {
                code,
                sql_state: "HY000".into(),
                message: message.into(),
            })
        };
        let read_only = "The MySQL server is running with the --super-read-only option so it cannot execute this statement";
        assert_eq!(kind(1290, read_only), ErrorKind::ReadOnly);
        assert_eq!(
            kind(
                1290,
                &read_only.replace("super-read-only", "secure-file-priv")
            ),
            ErrorKind::Server
        );
        assert_eq!(kind(1836, "Running in read-only mode"), ErrorKind::ReadOnly);
        assert_eq!(
            kind(1317, "Query execution was interrupted"),
            ErrorKind::Interrupted
        );
        assert_eq!(
            kind(1927, "Connection was killed"),
            ErrorKind::ConnectionLost
        );
        assert_eq!(kind(1064, "near 'read-only'"), ErrorKind::Server);
    }
}
