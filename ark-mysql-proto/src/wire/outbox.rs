use super::{HEADER, MAX_FRAME};
use crate::CommandError;

/// Packets waiting to be sent.
///
/// ```text
///      0      head              committed         buffer.len()
///      | sent | whole packets   | being written   |
///             ^- outgoing() ---^
/// ```
///
/// `head <= committed <= buffer.len()`. A packet counts only when [`finish`](Self::finish) has accepted it, so one that was given up in the middle leaves no
/// trace.
pub(crate) struct Outbox {
    buffer: Vec<u8>,
    head: usize,
    committed: usize,
    max: usize,
}

/// A buffer that grew beyond this for one command is given back when it is sent.
const LARGE: usize = 1 << 20;
/// Bytes already sent are dropped from the front when there are more than this.
const STALE: usize = 64 << 10;

impl Outbox {
    /// Refuses payloads longer than `max` bytes.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            buffer: Vec::with_capacity(1024),
            head: 0,
            committed: 0,
            max,
        }
    }

    /// What has to be written to the socket.
    #[inline]
    pub(crate) fn outgoing(&self) -> &[u8] {
        self.buffer
            .get(self.head..self.committed)
            .unwrap_or_default()
    }

    /// Takes note of `n` bytes written.
    #[inline]
    pub(crate) fn sent(&mut self, n: usize) {
        self.head = self.head.saturating_add(n).min(self.committed);
        if self.head == self.committed {
            self.buffer.clear();
            if self.buffer.capacity() > LARGE {
                self.buffer.shrink_to(LARGE);
            }
            (self.head, self.committed) = (0, 0);
        }
    }

    /// Starts a packet: its payload is to be appended to the buffer returned.
    #[inline]
    pub(crate) fn begin(&mut self) -> &mut Vec<u8> {
        if self.head > STALE {
            self.buffer.drain(..self.head);
            self.committed -= self.head;
            self.head = 0;
        }
        self.buffer.truncate(self.committed);
        self.buffer.extend_from_slice(&[0; HEADER]);
        &mut self.buffer
    }

    /// Accepts the packet begun last, or drops it if it is too long. Returns the sequence number after it.
    #[inline]
    pub(crate) fn finish(&mut self, sequence: u8) -> Result<u8, CommandError> {
        let start = self.committed;
        let size = self
            .buffer
            .len()
            .saturating_sub(start)
            .saturating_sub(HEADER);
        if size > self.max {
            self.buffer.truncate(start);
            return Err(CommandError::TooLarge {
                size,
                limit: self.max,
            });
        }
        Ok(self.commit(start, size, sequence))
    }

    /// Accepts the packet begun last, of a few bytes: it may pass whatever limit there is.
    pub(crate) fn finish_small(&mut self, sequence: u8) -> u8 {
        let start = self.committed;
        let size = self
            .buffer
            .len()
            .saturating_sub(start)
            .saturating_sub(HEADER);
        self.commit(start, size, sequence)
    }

    #[inline]
    fn commit(&mut self, start: usize, size: usize, sequence: u8) -> u8 {
        let next = if size < MAX_FRAME {
            self.header(start, size, sequence);
            sequence.wrapping_add(1)
        } else {
            self.frame(start, size, sequence)
        };
        self.committed = self.buffer.len();
        next
    }

    #[inline]
    fn header(&mut self, at: usize, length: usize, sequence: u8) {
        let [a, b, c, ..] = length.to_le_bytes();
        let rest = self.buffer.get_mut(at..);
        if let Some(header) = rest.and_then(<[u8]>::first_chunk_mut::<HEADER>) {
            *header = [a, b, c, sequence];
        }
    }

    /// Writes the headers of a packet of several frames: one, and for each further 2^24-1 bytes another one in between.
    fn frame(&mut self, start: usize, size: usize, sequence: u8) -> u8 {
        let further = size / MAX_FRAME;
        self.buffer.resize(self.buffer.len() + further * HEADER, 0);
        for index in (1..=further).rev() {
            let from = start + HEADER + index * MAX_FRAME;
            let length = MAX_FRAME.min(size - index * MAX_FRAME);
            self.buffer
                .copy_within(from..from + length, from + index * HEADER);
        }
        let mut sequence = sequence;
        for index in 0..=further {
            let at = start + index * (HEADER + MAX_FRAME);
            self.header(at, MAX_FRAME.min(size - index * MAX_FRAME), sequence);
            sequence = sequence.wrapping_add(1);
        }
        sequence
    }

    /// The limit for payloads.
    pub(crate) fn max(&self) -> usize {
        self.max
    }

    /// Changes the limit for payloads.
    pub(crate) fn set_max(&mut self, max: usize) {
        self.max = max;
    }

    /// Overwrites the memory of packets that were sent: there were secrets in it. What is not sent yet stays.
    pub(crate) fn wipe(&mut self) {
        if self.outgoing().is_empty() {
            let capacity = self.buffer.capacity();
            self.buffer.clear();
            self.buffer.resize(capacity, 0);
            crate::secret::wipe(&mut self.buffer);
            self.buffer.clear();
            (self.head, self.committed) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_given_up_in_the_middle_leaves_no_trace() {
        let mut outbox = Outbox::new(10);
        outbox.begin().extend_from_slice(b"abc");
        assert_eq!(outbox.outgoing(), b"");
        outbox.begin().push(0x0e);
        assert_eq!(outbox.finish(0), Ok(1));
        outbox.begin().extend_from_slice(b"eleven byte");
        assert_eq!(
            outbox.finish(0),
            Err(CommandError::TooLarge {
                size: 11,
                limit: 10
            })
        );
        assert_eq!(outbox.outgoing(), [1, 0, 0, 0, 0x0e]);
    }

    #[test]
    fn sent_in_pieces() {
        let mut outbox = Outbox::new(10);
        outbox.begin().push(0x0e);
        outbox.finish_small(0);
        outbox.sent(2);
        assert_eq!(outbox.outgoing(), [0, 0, 0x0e]);
        outbox.begin().push(0x01);
        outbox.finish_small(5);
        outbox.sent(3);
        assert_eq!(outbox.outgoing(), [1, 0, 0, 5, 1]);
        outbox.sent(usize::MAX);
        assert_eq!(outbox.outgoing(), b"");
    }

    #[test]
    fn what_was_sent_is_dropped_while_more_comes() {
        let mut outbox = Outbox::new(usize::MAX);
        for _ in 0..1000 {
            outbox.begin().extend_from_slice(&[7; 1000]);
            outbox.finish_small(0);
            outbox.sent(1003); // never quite all of it
        }
        assert_eq!(outbox.outgoing().len(), 1000);
        assert!(outbox.buffer.capacity() < 1 << 20);
    }

    #[test]
    fn wiped() {
        let mut outbox = Outbox::new(100);
        outbox.begin().extend_from_slice(b"secret");
        outbox.finish_small(0);
        outbox.wipe();
        assert_eq!(outbox.outgoing().len(), 10, "not sent yet");
        outbox.sent(10);
        outbox.wipe();
        assert_eq!(outbox.outgoing(), b"");
    }
}
