//! What can be wrong.

use std::path::PathBuf;

use ark_mysql_check::description::Place;

use crate::difference::Change;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) package: String,
    pub(super) what: What,
    /// Where the statement stands; nothing for what is no statement.
    pub(super) places: Vec<Place>,
    pub(super) sql: Option<String>,
    /// The file of the cache.
    pub(super) entry: PathBuf,
    /// Whether `prepare` puts it right.
    pub(super) repairable: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The entry says something else than the server. Without a statement: the settings do.
    Changed(Vec<Change>),
    /// There is no entry.
    Missing,
    /// There is no statement.
    LeftOver,
    /// The file cannot be used.
    Damaged(String),
    /// There is no description of the statement: the server's words, or why it was not asked.
    Refused(String),
}

impl What {
    /// Its name in `--json`.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Changed(_) => "changed",
            Self::Missing => "missing",
            Self::LeftOver => "left-over",
            Self::Damaged(_) => "damaged",
            Self::Refused(_) => "refused",
        }
    }
}
