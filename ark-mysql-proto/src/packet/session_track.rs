//! [Session state changes](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html#sect_protocol_basic_ok_packet_sessinfo)
//! at the end of an OK packet.

use crate::ProtocolError;
use crate::session::Changes;
use crate::wire::Reader;

const SYSTEM_VARIABLE: u8 = 0;
const SCHEMA: u8 = 1;
const STATE: u8 = 2;

/// Reads the block. Kinds that mean nothing here (GTIDs, transaction characteristics, kinds yet unknown) are passed over.
pub(crate) fn parse(block: &[u8]) -> Result<Changes, ProtocolError> {
    let mut reader = Reader::new("session state", block);
    let mut changes = Changes::default();
    while !reader.is_empty() {
        let kind = reader.u8("kind")?;
        let data = reader.lenenc_bytes("data")?;
        match kind {
            SYSTEM_VARIABLE => changes = changes.or(variables(data)?),
            SCHEMA => changes = changes.or(Changes::SCHEMA),
            STATE => changes = changes.or(Changes::STATE),
            _ => {}
        }
    }
    Ok(changes)
}

/// Reads name and value pairs: MySQL sends one, MariaDB may send several.
fn variables(data: &[u8]) -> Result<Changes, ProtocolError> {
    let mut reader = Reader::new("session variable", data);
    let mut changes = Changes::VARIABLES;
    while !reader.is_empty() {
        let name = reader.lenenc_bytes("name")?;
        let value = reader.lenenc_bytes("value")?;
        let charset = name == b"character_set_client" || name == b"character_set_results";
        if charset && value != b"utf8mb4" {
            changes = changes.or(Changes::FOREIGN_CHARSET);
        }
    }
    Ok(changes)
}
