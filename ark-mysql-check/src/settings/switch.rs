//! Variables that are on or off.

use std::fmt;

use super::{OFFLINE, Origin};

/// `ARK_MYSQL_OFFLINE` is neither on nor off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchError {
    /// Where it was found.
    pub origin: Origin,
}

impl fmt::Display for SwitchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{OFFLINE} ({}) is neither on nor off: write 1 to build from the cache, 0 to ask the server",
            self.origin
        )
    }
}

impl std::error::Error for SwitchError {}

pub(super) fn is_on(value: &str, origin: &Origin) -> Result<bool, SwitchError> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(SwitchError {
            origin: origin.clone(),
        }),
    }
}
