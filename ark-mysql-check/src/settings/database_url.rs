//! The database's address as it was found, with where it was found.

use std::fmt;

use ark_mysql_proto::url::{Url, UrlError};

use super::{DATABASE_URL, Origin};

/// A parsed `DATABASE_URL`. `Debug` and `Display` show where it points, never the password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl {
    text: String,
    url: Url,
    origin: Origin,
}

/// `DATABASE_URL` is no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseUrlError {
    /// Where it was found.
    pub origin: Origin,
    /// What is wrong; never contains the password.
    pub error: UrlError,
}

impl fmt::Display for DatabaseUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Given => self.error.fmt(f),
            origin => write!(f, "{DATABASE_URL} ({origin}): {}", self.error),
        }
    }
}

impl std::error::Error for DatabaseUrlError {}

impl DatabaseUrl {
    /// Parses an address.
    ///
    /// # Errors
    /// Names the malformed part, never the password.
    pub fn parse(text: String, origin: Origin) -> Result<Self, DatabaseUrlError> {
        match text.parse() {
            Ok(url) => Ok(Self { text, url, origin }),
            Err(error) => Err(DatabaseUrlError { origin, error }),
        }
    }

    /// Returns the address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns where it was found.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the text as found. **The password stands in it.**
    pub fn expose(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Given => write!(f, "{}", self.url.endpoint),
            origin => write!(f, "{} ({DATABASE_URL} {origin})", self.url.endpoint),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatabaseUrl")
            .field("url", &self.url)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
