use std::{error, fmt};

/// An error that the server answered with. Its text is the server's: bounded, and without control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    /// The number, such as 1062 for a duplicate key.
    pub code: u16,
    /// The five characters of the SQLSTATE, such as `23000`.
    pub sql_state: String,
    /// The server's message.
    pub message: String,
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}, SQLSTATE {})",
            self.message, self.code, self.sql_state
        )
    }
}

impl error::Error for ServerError {}
