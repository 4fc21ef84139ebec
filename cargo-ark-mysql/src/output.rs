//! Standard output, whose reader may leave before the end, as `head` does.

use std::io::{self, ErrorKind, Stdout, Write};

/// Standard output. When nobody reads it any more, what is written is dropped: the command's work is done all the same.
pub(crate) struct Output(Stdout);

impl Output {
    pub(crate) fn new() -> Self {
        Self(io::stdout())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
