//! Which error becomes which HTTP status.
//!
//! What a client is told comes from the error's kind, its outcome and the server's code, never from the server's words: they quote values.

use ark_mysql::{Error, ErrorKind, Outcome};
use axum::Json;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request was not done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the client sent makes no sense here.
    Invalid(String),
    /// It made sense, but things are not so any more.
    Conflict(String),
    /// The database said no, or nothing.
    Database(Error),
}

impl Failure {
    pub(crate) fn invalid(why: impl Into<String>) -> Self {
        Self::Invalid(why.into())
    }

    pub(crate) fn conflict(why: impl Into<String>) -> Self {
        Self::Conflict(why.into())
    }
}

/// So that `?` does, in handlers and in transactions.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

#[derive(Serialize)]
struct Body {
    error: String,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, error) = match self {
            Self::Invalid(why) => (StatusCode::UNPROCESSABLE_ENTITY, why),
            Self::Conflict(why) => (StatusCode::CONFLICT, why),
            Self::Database(error) => {
                let status = status(&error);
                if status.is_server_error() {
                    tracing::error!(%error, kind = ?error.kind(), outcome = ?error.outcome(), "a statement failed");
                }
                (status, told(status).to_owned())
            }
        };
        let response = (status, Json(Body { error }));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => ([(RETRY_AFTER, "1")], response).into_response(),
            _ => response.into_response(),
        }
    }
}

fn status(error: &Error) -> StatusCode {
    if error.kind() == ErrorKind::RowNotFound {
        return StatusCode::NOT_FOUND;
    }
    match error.outcome() {
        // It may have happened, or in part: who sends it again may do it twice. `CommitOutcomeUnknown` is one of these.
        Outcome::Unknown | Outcome::Partial => StatusCode::GATEWAY_TIMEOUT,
        // It happened, but the answer makes no sense to us: a schema that changed, a value that fits no type.
        Outcome::Done => StatusCode::INTERNAL_SERVER_ERROR,
        // Nothing happened.
        Outcome::NotSent | Outcome::Rejected => status_of_nothing(error),
    }
}

fn status_of_nothing(error: &Error) -> StatusCode {
    match error.server().map(|server| server.code) {
        Some(1062) => return StatusCode::CONFLICT, // a duplicate key
        // Too long, out of range, not a date, no such row for a foreign key, against a CHECK (MySQL, MariaDB).
        Some(1406 | 1264 | 1292 | 1452 | 3819 | 4025) => return StatusCode::UNPROCESSABLE_ENTITY,
        _ => {}
    }
    let away = matches!(
        error.kind(),
        ErrorKind::Connect
            | ErrorKind::PoolTimeout
            | ErrorKind::PoolClosed
            | ErrorKind::ReadOnly
            | ErrorKind::Timeout
    );
    if away || error.is_transient() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    StatusCode::INTERNAL_SERVER_ERROR
}

fn told(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "there is no such thing",
        StatusCode::CONFLICT => "somebody has that already",
        StatusCode::UNPROCESSABLE_ENTITY => "a value does not fit",
        StatusCode::SERVICE_UNAVAILABLE => "nothing was done; try again",
        StatusCode::GATEWAY_TIMEOUT => {
            "whether it was done is not known: look before you try again"
        }
        _ => "this is our fault",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_ours_is_our_fault() {
        let error = Error::other("out of cheese");
        assert_eq!(status(&error), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
