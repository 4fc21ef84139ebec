//! Where a reply ends.

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

/// How far a reply has come.
pub(super) struct Follower {
    reply: Reply,
    stage: Stage,
    cached_metadata: bool,
}

enum Stage {
    Head,
    /// So many definitions are to come.
    Definitions(u8),
    Rows,
}

const ERROR: u8 = 0xff;
/// Ends the rows, as long as the packet is shorter than the longest one (`DEPRECATE_EOF`).
const END: u8 = 0xfe;
/// The first byte of a packet that says nothing but OK.
const OK: u8 = 0x00;
/// Counts from here on take more than one byte; no table here has as many columns.
const LONG_COUNT: u8 = 0xfb;

impl Follower {
    pub(super) fn new(cached_metadata: bool) -> Self {
        Self {
            reply: Reply {
                rows: 0,
                last_row: 0..0,
            },
            stage: Stage::Head,
            cached_metadata,
        }
    }

    /// Goes over all packets that are there; the reply, once it is whole.
    #[inline]
    pub(super) fn advance(&mut self, framing: &mut Framing) -> Result<Option<Reply>> {
        while let Some(packet) = framing.packet() {
            match self.stage {
                Stage::Head => {
                    if self.head(framing.bytes(&packet))? {
                        return Ok(Some(self.reply.clone()));
                    }
                }
                Stage::Definitions(1) => self.stage = Stage::Rows,
                Stage::Definitions(left) => self.stage = Stage::Definitions(left.saturating_sub(1)),
                Stage::Rows => match framing.bytes(&packet).first() {
                    Some(&END) => return Ok(Some(self.reply.clone())),
                    Some(&ERROR) => bail!(server_error(framing.bytes(&packet))),
                    _ => {
                        self.reply.rows += 1;
                        self.reply.last_row = packet;
                    }
                },
            }
        }
        Ok(None)
    }

    /// Whether the first packet is the whole reply.
    fn head(&mut self, packet: &[u8]) -> Result<bool> {
        let (columns, definitions) = match *packet {
            [OK, ..] => return Ok(true),
            [columns @ ..LONG_COUNT, follows] if self.cached_metadata => (columns, follows == 1),
            [columns @ ..LONG_COUNT] => (columns, true),
            ref refused => bail!(server_error(refused)),
        };
        self.stage = if definitions {
            Stage::Definitions(columns)
        } else {
            Stage::Rows
        };
        Ok(false)
    }
}

/// The server's words in an ERR packet.
pub(super) fn server_error(packet: &[u8]) -> String {
    match packet {
        [ERROR, low, high, b'#', rest @ ..] => {
            let text = rest.get(5..).unwrap_or_default();
            format!(
                "{} ({})",
                String::from_utf8_lossy(text),
                u16::from_le_bytes([*low, *high])
            )
        }
        _ => "a reply that this client does not follow".to_owned(),
    }
}

/// Fails unless exactly one row came.
///
/// # Errors
/// Says how many came instead.
pub fn one_row(reply: &Reply) -> Result<()> {
    ensure!(
        reply.rows == 1,
        "{} rows came where one was expected",
        reply.rows
    );
    Ok(())
}
