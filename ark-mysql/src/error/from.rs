//! How the errors of the rooms below become ours.

use ark_mysql_proto::params::{EncodeError, SpliceError};
use ark_mysql_proto::row::{DecodeError, DecodeErrorKind};
use ark_mysql_proto::{CommandError, ProtocolError};

use super::{Error, ErrorKind, Outcome, ServerError};
use crate::value::{ColumnSpec, labels};

impl From<ProtocolError> for Error {
    #[cold]
    fn from(error: ProtocolError) -> Self {
        let this = Self::new(ErrorKind::Protocol, Outcome::Unknown, error.to_string());
        let this = match &error {
            ProtocolError::ServerClosing(server) => this
                .with_kind(ErrorKind::ConnectionLost)
                .with_server(ServerError::clone(server)),
            ProtocolError::TooLarge { .. } => {
                this.with_advice("raise `ConnectOptions::max_receive` if such rows are wanted")
            }
            _ => this,
        };
        this.with_source(error)
    }
}

impl From<CommandError> for Error {
    #[cold]
    fn from(error: CommandError) -> Self {
        let kind = match &error {
            CommandError::TooLarge { .. } => ErrorKind::TooLarge,
            CommandError::Encode(_) => ErrorKind::Encode,
            _ => ErrorKind::ConnectionClosed,
        };
        Self::new(kind, Outcome::NotSent, error.to_string()).with_source(error)
    }
}

impl From<EncodeError> for Error {
    #[cold]
    fn from(error: EncodeError) -> Self {
        Self::new(ErrorKind::Encode, Outcome::NotSent, error.to_string())
    }
}

impl From<SpliceError> for Error {
    #[cold]
    fn from(error: SpliceError) -> Self {
        Self::new(ErrorKind::Encode, Outcome::NotSent, error.to_string())
    }
}

impl Error {
    /// A row that could not be read: names the column and the row. The statement itself was carried out.
    #[cold]
    pub(crate) fn from_row(error: DecodeError, columns: Option<&[ColumnSpec]>, row: u64) -> Self {
        let kind = match error.kind {
            DecodeErrorKind::UnexpectedNull => ErrorKind::UnexpectedNull,
            _ => ErrorKind::Decode,
        };
        let spec = columns.and_then(|columns| columns.get(usize::from(error.column)));
        let detail = match spec {
            Some(spec) => format!(
                "column `{}` ({}) of row {row} {}",
                spec.name,
                spec.kind,
                error.kind.reason()
            ),
            None => format!("{error}, in row {row}"),
        };
        let detail = detail + &known_labels(error.kind);
        let this = Self::new(kind, Outcome::Done, detail).with_source(error);
        match kind {
            ErrorKind::UnexpectedNull => this.with_advice(
                "if the schema has changed, check the crate against it again (`cargo ark-mysql check`)",
            ),
            _ => this,
        }
    }
}

/// What a text could have been that was none of the labels of its type.
fn known_labels(kind: DecodeErrorKind) -> String {
    match kind {
        DecodeErrorKind::UnknownLabel => match labels::known() {
            [] => String::new(),
            known => format!(": `{}`", known.join("`, `")),
        },
        _ => String::new(),
    }
}
