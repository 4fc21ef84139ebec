use super::{HEADER, MAX_FRAME};
use crate::ProtocolError;

/// Turns received bytes into payloads, in place.
///
/// ```text
///      0      keep                next              filled        buffer.len()
///      | old  | header | payload  | frames, unread  | read_buffer |
///                      ^---------^ payload
/// ```
///
/// `keep <= payload.0 <= payload.1 <= next <= filled <= buffer.len()`, except that an empty payload may lie anywhere.
///
/// A payload of 2^24-1 bytes or more comes in several frames. It is joined by moving each later frame's payload down over its
/// header. The buffer is doubled when it is full: memory follows the bytes received, never a length that was announced.
pub(crate) struct Inbox {
    buffer: Vec<u8>,
    keep: usize,
    next: usize,
    filled: usize,
    payload: (usize, usize),
    /// The sequence number that the next frame must have.
    sequence: u8,
    /// Parts of a long payload have been joined, and more must come.
    joining: bool,
    /// How many packets of a run have been seen.
    run: u16,
    /// The last read filled the buffer to the brim: a larger one saves system calls.
    brimful: bool,
    max: usize,
    /// The longest payload that needs no second look: no frame follows it, and it is within `max`.
    short: usize,
}

/// What stands at the head of the unread bytes.
struct Frame {
    length: usize,
    first: Option<u8>,
}

/// How far a run of packets has come.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// More bytes are needed.
    Partial,
    /// All packets are there: the payload is all of them, with their headers.
    Whole,
    /// An ERR packet came in place of the next one: it is unread.
    Error,
}

/// Whether the server said good-bye.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Goodbye {
    /// It may have, but not all of it is there.
    Partial,
    /// It did: the payload is an ERR packet.
    Taken,
    /// It did not.
    None,
}

/// Room for some hundred small rows; costs little when a pool holds many connections.
const INITIAL: usize = 16 << 10;
/// Less than this is not worth a system call.
const MIN_READ: usize = 4 << 10;
/// Reading in larger pieces than this gains nothing.
const EAGER: usize = 128 << 10;
/// A buffer that grew beyond this for one result is given back before the next.
const LARGE: usize = 1 << 20;
/// A packet of a run is a definition: half a dozen names of at most 64 letters, or an alias of 256.
const RUN_LIMIT: usize = 64 << 10;
/// An error message of more bytes than this is none.
const GOODBYE_LIMIT: usize = 64 << 10;

impl Inbox {
    /// Refuses payloads longer than `max` bytes.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            buffer: vec![0; INITIAL],
            keep: 0,
            next: 0,
            filled: 0,
            payload: (0, 0),
            sequence: 0,
            joining: false,
            run: 0,
            brimful: false,
            max,
            short: max.min(MAX_FRAME - 1),
        }
    }

    /// Where received bytes go. Never empty.
    #[inline]
    pub(crate) fn read_buffer(&mut self) -> &mut [u8] {
        if self.keep == self.filled {
            self.rewind();
        }
        if self.buffer.len().saturating_sub(self.filled) < MIN_READ {
            self.make_room();
        }
        self.buffer.get_mut(self.filled..).unwrap_or_default()
    }

    /// Takes note of `n` bytes in the read buffer.
    #[inline]
    pub(crate) fn received(&mut self, n: usize) {
        self.filled = self.filled.saturating_add(n).min(self.buffer.len());
        self.brimful = self.filled == self.buffer.len();
    }

    /// Takes the next payload and returns true, or returns false when more bytes are needed. Then the last payload is gone.
    #[inline]
    pub(crate) fn take(&mut self) -> Result<bool, ProtocolError> {
        let Some(unread) = self.buffer.get(self.next..self.filled) else {
            return Ok(self.starve());
        };
        let Some((header, rest)) = unread.split_first_chunk::<HEADER>() else {
            return Ok(self.starve());
        };
        let length = frame_length(header);
        if self.joining || length > self.short || header[3] != self.sequence || length > rest.len()
        {
            return self.take_slowly();
        }
        // No overflow: header and payload lie inside the buffer.
        self.keep = self.next;
        self.payload = (self.next + HEADER, self.next + HEADER + length);
        self.next += HEADER + length;
        self.sequence = self.sequence.wrapping_add(1);
        Ok(true)
    }

    /// The part of [`take`](Self::take) that is not needed for a short packet which is there.
    #[cold]
    fn take_slowly(&mut self) -> Result<bool, ProtocolError> {
        loop {
            let joined = if self.joining {
                self.payload.1.saturating_sub(self.payload.0)
            } else {
                0
            };
            let Some(Frame { length, .. }) = self.frame(joined)? else {
                return Ok(self.starve());
            };
            let start = self.next + HEADER;
            if self.joining {
                self.buffer
                    .copy_within(start..start + length, self.payload.1);
                self.payload.1 += length;
            } else {
                self.keep = self.next;
                self.payload = (start, start + length);
            }
            self.advance(length);
            self.joining = length == MAX_FRAME;
            if !self.joining {
                return Ok(true);
            }
        }
    }

    /// Collects the next `count` packets, headers included, into one payload.
    pub(crate) fn take_run(&mut self, count: u16) -> Result<Run, ProtocolError> {
        if self.run == 0 {
            self.starve();
        }
        while self.run < count {
            let so_far = self.next.saturating_sub(self.keep);
            if self.announced() > RUN_LIMIT {
                return Err(ProtocolError::TooLarge { limit: RUN_LIMIT });
            }
            let Some(Frame { length, first }) = self.frame(so_far)? else {
                return Ok(Run::Partial);
            };
            if first == Some(0xff) {
                self.run = 0;
                return Ok(Run::Error);
            }
            self.advance(length);
            self.run += 1;
        }
        self.run = 0;
        self.payload = (self.keep, self.next);
        Ok(Run::Whole)
    }

    /// Takes a packet whose payload is the byte `count`, and behind it `count` packets, headers included, if the unread bytes go on with
    /// `known`: those very packets, taken as a run before.
    ///
    /// The first header's sequence number is that of `known`, so it is the one expected only if that is the same; the later ones follow.
    #[inline]
    pub(crate) fn take_known(&mut self, known: &[u8], count: u8) -> bool {
        let unread = self.buffer.get(self.next..self.filled).unwrap_or_default();
        let Some((head, rest)) = unread.split_first_chunk() else {
            return false;
        };
        let first = self.sequence.wrapping_add(1);
        let in_sequence = *head == [1, 0, 0, self.sequence, count] && known.get(3) == Some(&first);
        if !in_sequence || self.joining || self.run > 0 || !rest.starts_with(known) {
            return false;
        }
        self.keep = self.next + head.len();
        self.next = self.keep + known.len();
        self.payload = (self.keep, self.next);
        self.sequence = first.wrapping_add(count); // sequence numbers are counted modulo 256
        true
    }

    /// Takes the next payload if all of it is there and `wanted` says so; otherwise nothing has happened.
    #[inline(always)]
    pub(crate) fn take_if(&mut self, wanted: impl FnOnce(&[u8]) -> bool) -> bool {
        let unread = self.buffer.get(self.next..self.filled).unwrap_or_default();
        let Some((header, rest)) = unread.split_first_chunk::<HEADER>() else {
            return false;
        };
        let length = frame_length(header);
        let Some(payload) = rest.get(..length) else {
            return false;
        };
        if self.joining || length > self.short || header[3] != self.sequence || !wanted(payload) {
            return false;
        }
        // No overflow: header and payload lie inside the buffer.
        self.keep = self.next;
        self.payload = (self.next + HEADER, self.next + HEADER + length);
        self.next += HEADER + length;
        self.sequence = self.sequence.wrapping_add(1);
        true
    }

    /// The frame at `next`, if it is there as a whole; its sequence number and length are right. `joined` bytes belong to the same unit.
    fn frame(&self, joined: usize) -> Result<Option<Frame>, ProtocolError> {
        let unread = self.buffer.get(self.next..self.filled).unwrap_or_default();
        let Some((header, rest)) = unread.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = frame_length(header);
        if header[3] != self.sequence {
            return Err(ProtocolError::OutOfSequence {
                expected: self.sequence,
                received: header[3],
            });
        }
        if length.saturating_add(joined) > self.max {
            return Err(ProtocolError::TooLarge { limit: self.max });
        }
        Ok(rest.get(..length).map(|payload| Frame {
            length,
            first: payload.first().copied(),
        }))
    }

    /// The length in the header at `next`, before any of its payload is waited for; 0 where the header is not there.
    fn announced(&self) -> usize {
        let unread = self.buffer.get(self.next..self.filled).unwrap_or_default();
        unread.first_chunk::<HEADER>().map_or(0, frame_length)
    }

    fn advance(&mut self, length: usize) {
        self.next += HEADER + length;
        self.sequence = self.sequence.wrapping_add(1);
    }

    /// The payload that was taken last.
    #[inline]
    pub(crate) fn payload(&self) -> &[u8] {
        self.buffer
            .get(self.payload.0..self.payload.1)
            .unwrap_or_default()
    }

    /// Takes the next packet if it is an error, whatever its sequence number is: that is how a server says good-bye. MySQL numbers it 0 when
    /// it gives up an idle connection; one that refuses a long packet does not count the frames which it has not read.
    #[cold]
    pub(crate) fn take_goodbye(&mut self) -> Goodbye {
        let unread = self.buffer.get(self.next..self.filled).unwrap_or_default();
        let Some((header, rest)) = unread.split_first_chunk::<HEADER>() else {
            return Goodbye::Partial;
        };
        let length = frame_length(header);
        if length == 0 || length > GOODBYE_LIMIT || rest.first().is_some_and(|first| *first != 0xff)
        {
            return Goodbye::None;
        }
        if length > rest.len() {
            return Goodbye::Partial;
        }
        self.sequence = header[3];
        match self.take() {
            Ok(true) => Goodbye::Taken,
            Ok(false) | Err(_) => Goodbye::None,
        }
    }

    /// Whether there is nothing at all to be taken. Then the last payload is gone.
    #[inline]
    pub(crate) fn is_starved(&mut self) -> bool {
        self.next == self.filled && !self.starve()
    }

    /// Whether a payload of more than one frame has begun, and is not there as a whole.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        self.joining || self.announced() == MAX_FRAME
    }

    /// Its beginning, as far as it is there.
    #[cold]
    pub(crate) fn begun(&self) -> &[u8] {
        match self.joining {
            true => self.payload(),
            false => self
                .buffer
                .get(self.next.saturating_add(HEADER)..self.filled)
                .unwrap_or_default(),
        }
    }

    /// The limit for payloads.
    pub(crate) fn max(&self) -> usize {
        self.max
    }

    /// Sets the sequence number that the next frame must have.
    pub(crate) fn expect(&mut self, sequence: u8) {
        self.sequence = sequence;
    }

    /// The sequence number that the next frame must have.
    pub(crate) fn sequence(&self) -> u8 {
        self.sequence
    }

    /// Bytes received and not yet taken.
    pub(crate) fn unread(&self) -> usize {
        self.filled.saturating_sub(self.next)
    }

    /// Changes the limit for payloads.
    pub(crate) fn set_max(&mut self, max: usize) {
        self.max = max;
        self.short = max.min(MAX_FRAME - 1);
    }

    /// Gives a large buffer back, if nothing is in it. The last payload is gone then.
    #[inline]
    pub(crate) fn relax(&mut self) {
        if self.buffer.len() > LARGE && self.next == self.filled {
            self.rewind();
            self.buffer.truncate(INITIAL);
            self.buffer.shrink_to_fit();
        }
    }

    /// More bytes are needed: the last payload is done with, unless parts of a larger unit are held.
    fn starve(&mut self) -> bool {
        if !self.joining && self.run == 0 {
            self.keep = self.next;
            self.payload = (self.next, self.next);
        }
        false
    }

    /// Starts at the front again; nothing is in the buffer.
    #[inline]
    fn rewind(&mut self) {
        (self.keep, self.next, self.filled, self.payload) = (0, 0, 0, (0, 0));
        if self.brimful && self.buffer.len() < EAGER {
            self.buffer.resize(self.buffer.len().saturating_mul(2), 0);
        }
        self.brimful = false;
    }

    /// To twice the size; no further than the longest payload needs.
    fn grow(&mut self) {
        let doubled = self.buffer.len().saturating_mul(2).max(INITIAL);
        let most = self.max.saturating_add(EAGER);
        let least = self.filled.saturating_add(MIN_READ);
        let size = doubled.min(most).max(least);
        self.buffer
            .reserve_exact(size.saturating_sub(self.buffer.len()));
        self.buffer.resize(size, 0);
    }

    /// Moves what is needed to the front; doubles the buffer if that is not enough.
    #[cold]
    fn make_room(&mut self) {
        if self.keep > 0 {
            self.buffer.copy_within(self.keep..self.filled, 0);
            self.payload = (
                self.payload.0.saturating_sub(self.keep),
                self.payload.1.saturating_sub(self.keep),
            );
            self.next -= self.keep;
            self.filled -= self.keep;
            self.keep = 0;
        }
        if self.buffer.len().saturating_sub(self.filled) < MIN_READ {
            self.grow();
        }
    }
}

fn frame_length(&[a, b, c, _]: &[u8; HEADER]) -> usize {
    usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16
}
