//! Frames: what stands between the bytes of a socket and the payload of a packet.

mod inbox;
mod outbox;
mod reader;
mod writer;

pub(crate) use inbox::{Goodbye, Inbox, Run};
pub(crate) use outbox::Outbox;
pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// The longest payload of one frame. A frame of exactly this length is continued by the next one, which may be empty.
pub(crate) const MAX_FRAME: usize = 0xff_ffff;
/// Three bytes of length, one of sequence.
pub(crate) const HEADER: usize = 4;
