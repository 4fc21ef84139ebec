//! [The head of a result set](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset.html):
//! how many columns it has, and, where MariaDB's metadata cache was negotiated, whether their definitions follow.
//! (The published text puts the flag in front of the count; servers send it behind.)

use crate::wire::Reader;
use crate::{Capabilities, ProtocolError};

/// MySQL's own limit for a table; a select list may be longer, and nobody reads that.
const MAX_COLUMNS: u16 = 4096;

/// Checks a column count against the limit.
pub(crate) fn columns(count: u64) -> Result<u16, ProtocolError> {
    match u16::try_from(count) {
        Ok(columns) if columns <= MAX_COLUMNS => Ok(columns),
        Ok(_) | Err(_) => Err(ProtocolError::TooManyColumns {
            columns: count,
            limit: MAX_COLUMNS,
        }),
    }
}

/// Reads the packet: the number of columns, and whether definitions follow.
pub(crate) fn parse(
    payload: &[u8],
    capabilities: Capabilities,
) -> Result<(u16, bool), ProtocolError> {
    if let [count @ 1..=250] = *payload
        && !capabilities.contains(Capabilities::MARIADB_CACHE_METADATA)
    {
        return Ok((u16::from(count), true));
    }
    let mut reader = Reader::new("result set", payload);
    let count = columns(reader.lenenc("column count")?)?;
    if count == 0 {
        return Err(reader.invalid("column count"));
    }
    let definitions = if capabilities.contains(Capabilities::MARIADB_CACHE_METADATA) {
        match reader.u8("metadata flag")? {
            0 => false,
            1 => true,
            _ => return Err(reader.invalid("metadata flag")),
        }
    } else {
        true
    };
    reader.finish()?;
    Ok((count, definitions))
}
