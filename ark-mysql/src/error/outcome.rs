use std::fmt;

/// Did the statement happen?
///
/// Every [`Error`](super::Error) answers this, so that code which wrote something knows whether it may write it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No byte of the command left this process.
    NotSent,
    /// The server refused it: nothing of it stays on a transactional engine.
    Rejected,
    /// A part may have happened: several statements, `CALL`, bulk commands.
    Partial,
    /// It happened and was confirmed; the error came afterwards (decoding, a later result set).
    Done,
    /// At least one byte left and no final answer came.
    Unknown,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSent => "it was not sent",
            Self::Rejected => "the server refused it, nothing of it was done",
            Self::Partial => "a part of it may have been done",
            Self::Done => "it was done before this error came",
            Self::Unknown => "whether it was done is unknown",
        })
    }
}
