//! Packets out of a stream, by their lengths alone.

use std::io::{self, Read};
use std::net::TcpStream;
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
        Self { bytes: vec![0; FIRST_SIZE], start: 0, end: 0 }
    }

    /// Forgets the reply before: a new one begins.
    pub(super) fn restart(&mut self) {
        self.start = 0;
        self.end = 0;
    }

    /// The place of the next packet's payload.
    #[inline]
    pub(super) fn packet(&mut self, stream: &mut TcpStream) -> io::Result<Range<usize>> {
        loop {
            if let [a, b, c, _, ..] = self.bytes[self.start..self.end] {
                let payload = self.start + HEADER;
                let end = payload + u32::from_le_bytes([a, b, c, 0]) as usize;
                if end <= self.end {
                    self.start = end;
                    return Ok(payload..end);
                }
            }
            self.read(stream)?;
        }
    }

    pub(super) fn bytes(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    fn read(&mut self, stream: &mut TcpStream) -> io::Result<()> {
        if self.end == self.bytes.len() {
            self.make_room();
        }
        match stream.read(&mut self.bytes[self.end..])? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection")),
            count => {
                self.end += count;
                Ok(())
            }
        }
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
