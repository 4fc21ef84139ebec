//! The places in the grammar of replies: what may come next.

use crate::wire::MAX_FRAME;

/// What a command will be answered with, if not with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// An OK packet.
    Ok,
    /// Results with rows in text.
    TextResult,
    /// Results with binary rows.
    BinaryResult,
    /// A statement handle and definitions.
    Prepare,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Binary,
}

/// What comes next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    /// Nothing: any packet is one too many.
    Idle,
    /// The first packet of a result of the first reply in the queue.
    Head(Expected),
    /// Nothing: it is for the client to send its file.
    File,
    /// The answer to the file.
    AfterInfile,
    ParamDefinitions {
        params: u16,
        columns: u16,
    },
    ParamEnd {
        columns: u16,
    },
    ColumnDefinitions {
        columns: u16,
        then: Then,
    },
    ColumnEnd {
        then: Then,
    },
    PreparedEnd,
    Rows(Format),
    /// Nothing ever again.
    Broken,
}

/// What follows the column definitions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    PreparedEnd,
    Rows(Format),
}

impl Format {
    /// Whether a packet is a row: a binary row starts with 0; a text row with a length, which is 0xfe only for more than a frame, or with 0xfb for NULL.
    #[inline]
    pub(super) fn is_row(self, payload: &[u8]) -> bool {
        match (self, payload.first()) {
            (Self::Binary, Some(first)) => *first == 0x00,
            (Self::Text, Some(first)) => {
                *first < 0xfe || *first == 0xfe && payload.len() >= MAX_FRAME
            }
            (_, None) => false,
        }
    }
}

impl Then {
    #[inline]
    pub(super) fn stage(self) -> Stage {
        match self {
            Self::PreparedEnd => Stage::PreparedEnd,
            Self::Rows(format) => Stage::Rows(format),
        }
    }
}
