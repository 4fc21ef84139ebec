//! How the errors of the rooms below become ours.

use ark_mysql_proto::ProtocolError;

use super::{Error, ErrorKind, Outcome};

impl From<ProtocolError> for Error {
    #[cold]
    fn from(error: ProtocolError) -> Self {
        Self::new(ErrorKind::Protocol, Outcome::Unknown, error.to_string()).with_source(error)
    }
}
