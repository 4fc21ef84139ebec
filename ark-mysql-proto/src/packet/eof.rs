//! [EOF packet](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_eof_packet.html):
//! the end of definitions and rows where `DEPRECATE_EOF` was not negotiated.

use crate::wire::Reader;
use crate::{ProtocolError, Status, Summary};

/// Reads the packet.
pub(crate) fn parse(payload: &[u8]) -> Result<Summary, ProtocolError> {
    let mut reader = Reader::new("EOF", payload);
    if reader.u8("header")? != 0xfe {
        return Err(ProtocolError::Unexpected {
            expected: "the end of the definitions or rows",
            first: payload.first().copied(),
        });
    }
    let warnings = reader.u16("warning count")?;
    let status = Status::from_bits(reader.u16("status")?);
    reader.finish()?;
    Ok(Summary {
        warnings,
        status,
        ..Summary::default()
    })
}
