//! Where a reply ends.

use std::net::TcpStream;
use std::ops::Range;

use anyhow::{Result, bail, ensure};

use super::framing::Framing;

/// One reply, followed to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    /// How many rows came.
    pub rows: u64,
    pub(super) last_row: Range<usize>,
}

const ERROR: u8 = 0xff;
/// Ends the rows, as long as the packet is shorter than the longest one (`DEPRECATE_EOF`).
const END: u8 = 0xfe;
/// The first byte of a packet that says nothing but OK.
const OK: u8 = 0x00;
/// Counts from here on take more than one byte; no table here has as many columns.
const LONG_COUNT: u8 = 0xfb;

#[inline]
pub(super) fn follow(framing: &mut Framing, stream: &mut TcpStream, cached_metadata: bool) -> Result<Reply> {
    let first = framing.packet(stream)?;
    let mut reply = Reply { rows: 0, last_row: 0..0 };
    let (columns, definitions) = match *framing.bytes(&first) {
        [OK, ..] => return Ok(reply),
        [columns @ ..LONG_COUNT, follows] if cached_metadata => (columns, follows == 1),
        [columns @ ..LONG_COUNT] => (columns, true),
        ref refused => bail!(server_error(refused)),
    };
    if definitions {
        for _ in 0..columns {
            framing.packet(stream)?;
        }
    }
    loop {
        let packet = framing.packet(stream)?;
        match framing.bytes(&packet).first() {
            Some(&END) => return Ok(reply),
            Some(&ERROR) => bail!(server_error(framing.bytes(&packet))),
            _ => {
                reply.rows += 1;
                reply.last_row = packet;
            }
        }
    }
}

/// The server's words in an ERR packet.
pub(super) fn server_error(packet: &[u8]) -> String {
    match packet {
        [ERROR, low, high, b'#', rest @ ..] => {
            let text = rest.get(5..).unwrap_or_default();
            format!("{} ({})", String::from_utf8_lossy(text), u16::from_le_bytes([*low, *high]))
        }
        _ => "a reply that this client does not follow".to_owned(),
    }
}

/// Fails unless exactly one row came.
///
/// # Errors
/// Says how many came instead.
pub fn one_row(reply: &Reply) -> Result<()> {
    ensure!(reply.rows == 1, "{} rows came where one was expected", reply.rows);
    Ok(())
}
