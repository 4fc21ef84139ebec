//! Packets out of a stream, by their lengths alone.

use std::io;
use std::ops::Range;

/// A buffer with the bytes of one reply: `..start` were handed out, `start..end` are to be read.
pub(super) struct Framing {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

/// Holds every small reply whole, so that one read suffices.
const FIRST_SIZE: usize = 32 * 1024;
const HEADER: usize = 4;

impl Framing {
    pub(super) fn new() -> Self {
        Self {
            bytes: vec![0; FIRST_SIZE],
            start: 0,
            end: 0,
        }
    }

    /// Forgets the reply before: a new one begins.
    pub(super) fn restart(&mut self) {
        self.start = 0;
        self.end = 0;
    }

    /// The place of the next packet's payload, if it is there as a whole.
    #[inline]
    pub(super) fn packet(&mut self) -> Option<Range<usize>> {
        let [a, b, c, _, ..] = *self.bytes.get(self.start..self.end)? else {
            return None;
        };
        let payload = self.start + HEADER;
        let end = payload + u32::from_le_bytes([a, b, c, 0]) as usize;
        if end > self.end {
            return None;
        }
        self.start = end;
        Some(payload..end)
    }

    pub(super) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// All that was received since the last restart, if it fits the first buffer.
    pub(super) fn received_bytes(&self) -> &[u8] {
        self.bytes.get(..self.end).unwrap_or_default()
    }

    /// Where received bytes go.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.end == self.bytes.len() {
            self.make_room();
        }
        self.bytes.get_mut(self.end..).unwrap_or_default()
    }

    /// Takes note of bytes in that room.
    pub(super) fn received(&mut self, count: usize) -> io::Result<()> {
        if count == 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the server closed the connection",
            ));
        }
        self.end += count;
        Ok(())
    }

    fn make_room(&mut self) {
        if self.start == 0 {
            self.bytes.resize(self.bytes.len() * 2, 0);
        } else {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
    }
}
