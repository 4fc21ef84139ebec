//! [Session state changes](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html#sect_protocol_basic_ok_packet_sessinfo)
//! at the end of an OK packet.

use crate::ProtocolError;
use crate::session::{Changes, Tracked};
use crate::wire::Reader;

const SYSTEM_VARIABLE: u8 = 0;
const SCHEMA: u8 = 1;
const STATE: u8 = 2;
const GTIDS: u8 = 3;
const CHARACTERISTICS: u8 = 4;
const TRANSACTION_STATE: u8 = 5;

/// A name has 64 characters.
const SCHEMA_LIMIT: usize = 256;
/// `SET TRANSACTION …; START TRANSACTION …;`, and no user's text.
const CHARACTERISTICS_LIMIT: usize = 1024;
/// One transaction's is some forty bytes. A whole set (`ALL_GTIDS`) of an old cluster may have more than this; then it is not kept.
const GTIDS_LIMIT: usize = 16 << 10;

/// Reads the block. Kinds that are unknown yet are passed over.
pub(crate) fn parse(block: &[u8], tracked: &mut Tracked) -> Result<Changes, ProtocolError> {
    let mut reader = Reader::new("session state", block);
    let mut changes = Changes::default();
    while !reader.is_empty() {
        let kind = reader.u8("kind")?;
        let data = reader.lenenc_bytes("data")?;
        match kind {
            SYSTEM_VARIABLE => changes = changes.or(variables(data, tracked)?),
            SCHEMA => {
                tracked.schema = schema(data)?;
                changes = changes.or(Changes::SCHEMA);
            }
            STATE if data == b"1" => changes = changes.or(Changes::STATE),
            GTIDS => tracked.gtid = gtids(data)?,
            CHARACTERISTICS => tracked.characteristics = characteristics(data)?,
            TRANSACTION_STATE => tracked.transaction = Some(transaction(data)?),
            _ => {}
        }
    }
    Ok(changes)
}

/// Reads name and value pairs: MySQL sends one, MariaDB may send several.
fn variables(data: &[u8], tracked: &mut Tracked) -> Result<Changes, ProtocolError> {
    let mut reader = Reader::new("session variable", data);
    let mut changes = Changes::default();
    while !reader.is_empty() {
        let name = reader.lenenc_bytes("name")?;
        let value = reader.lenenc_bytes("value")?;
        match name {
            // MariaDB's way to report transactions: nobody has set it.
            b"last_gtid" => {
                tracked.gtid = kept(value, GTIDS_LIMIT);
                continue;
            }
            b"character_set_client" | b"character_set_results" | b"character_set_connection"
                if value != b"utf8mb4" =>
            {
                changes = changes.or(Changes::FOREIGN_CHARSET);
            }
            _ => {}
        }
        changes = changes.or(Changes::VARIABLES);
    }
    Ok(changes)
}

/// An empty name: there is none any more, because the database was dropped.
fn schema(data: &[u8]) -> Result<Option<Box<str>>, ProtocolError> {
    let mut reader = Reader::new("session schema", data);
    let name = reader.lenenc_bytes("name")?;
    if name.len() > SCHEMA_LIMIT {
        return Err(reader.invalid("name"));
    }
    reader.finish()?;
    Ok(kept(name, SCHEMA_LIMIT))
}

fn gtids(data: &[u8]) -> Result<Option<Box<str>>, ProtocolError> {
    let mut reader = Reader::new("session GTIDs", data);
    reader.u8("encoding")?; // always 0, and no other has a meaning yet
    let text = reader.lenenc_bytes("GTIDs")?;
    reader.finish()?;
    Ok(kept(text, GTIDS_LIMIT))
}

fn characteristics(data: &[u8]) -> Result<Option<Box<str>>, ProtocolError> {
    let mut reader = Reader::new("transaction characteristics", data);
    let text = reader.lenenc_bytes("text")?;
    reader.finish()?;
    Ok(kept(text, CHARACTERISTICS_LIMIT))
}

/// Eight characters, such as `T_R_W_S_`.
fn transaction(data: &[u8]) -> Result<[u8; 8], ProtocolError> {
    let mut reader = Reader::new("transaction state", data);
    let text = reader.lenenc_bytes("text")?;
    let state = <[u8; 8]>::try_from(text).ok();
    let state = state.filter(|state| state.is_ascii());
    let state = state.ok_or_else(|| reader.invalid("text"))?;
    reader.finish()?;
    Ok(state)
}

/// A text that is of use only as a whole: nothing, where it is empty, too long to be kept, or no UTF-8.
fn kept(text: &[u8], limit: usize) -> Option<Box<str>> {
    if text.is_empty() || text.len() > limit {
        return None;
    }
    str::from_utf8(text).ok().map(Box::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind, length, data.
    fn entry(kind: u8, data: &[u8]) -> Vec<u8> {
        let mut block = vec![kind, 0xfd];
        block.extend_from_slice(&data.len().to_le_bytes()[..3]);
        block.extend_from_slice(data);
        block
    }

    fn lenenc(text: &[u8]) -> Vec<u8> {
        let mut data = vec![0xfd];
        data.extend_from_slice(&text.len().to_le_bytes()[..3]);
        data.extend_from_slice(text);
        data
    }

    fn read(blocks: &[Vec<u8>]) -> (Result<Changes, ProtocolError>, Tracked) {
        let mut tracked = Tracked::default();
        let changes = parse(&blocks.concat(), &mut tracked);
        (changes, tracked)
    }

    #[test]
    fn as_recorded() {
        let (changes, tracked) = read(&[b"\x01\x06\x05mysql\x02\x011".to_vec()]);
        let changes = changes.unwrap();
        assert!(changes.schema() && changes.state());
        assert_eq!(tracked.schema.as_deref(), Some("mysql"));
        let (changes, tracked) = read(&[b"\x05\x09\x08T_R___S_\x04\x01\0".to_vec()]);
        assert!(changes.unwrap().is_empty());
        assert_eq!(tracked.transaction.as_ref(), Some(b"T_R___S_"));
        assert_eq!(tracked.characteristics, None);
        let (_, tracked) = read(&[b"\x01\x01\0".to_vec()]);
        assert_eq!(tracked.schema, None, "the database was dropped");
        assert!(read(&[b"\x02\x010".to_vec()]).0.unwrap().is_empty());
    }

    #[test]
    fn gtids_of_both_families_change_nothing() {
        let gtid = b"8c9e6d0a-aaaa-11ee-8c99-0242ac120002:7";
        let (changes, tracked) = read(&[entry(GTIDS, &[b"\0".to_vec(), lenenc(gtid)].concat())]);
        assert!(changes.unwrap().is_empty());
        assert_eq!(tracked.gtid.as_deref().map(str::as_bytes), Some(&gtid[..]));
        let pair = [lenenc(b"last_gtid"), lenenc(b"0-3-1")].concat();
        let (changes, tracked) = read(&[entry(SYSTEM_VARIABLE, &pair)]);
        assert!(changes.unwrap().is_empty());
        assert_eq!(tracked.gtid.as_deref(), Some("0-3-1"));
    }

    #[test]
    fn every_character_set_counts() {
        for (value, foreign) in [(&b"utf8mb4"[..], false), (b"gbk", true), (b"", true)] {
            for name in [
                &b"character_set_client"[..],
                b"character_set_results",
                b"character_set_connection",
            ] {
                let pair = [lenenc(name), lenenc(value)].concat();
                let changes = read(&[entry(SYSTEM_VARIABLE, &pair)]).0.unwrap();
                assert!(changes.variables());
                assert_eq!(changes.foreign_charset(), foreign);
            }
        }
    }

    #[test]
    fn hostile_blocks_are_refused_or_forgotten_and_never_kept() {
        let long = vec![b'x'; GTIDS_LIMIT + 1];
        for (kind, data) in [
            (SCHEMA, lenenc(&long)),
            (SCHEMA, b"\x05mysqlx".to_vec()),
            (SCHEMA, b"\x06mysql".to_vec()),
            (SCHEMA, Vec::new()),
            (GTIDS, Vec::new()),
            (GTIDS, b"\0\xff".to_vec()),
            (GTIDS, b"\0\x01xx".to_vec()),
            (CHARACTERISTICS, b"\x02x".to_vec()),
            (TRANSACTION_STATE, b"\x07T______".to_vec()),
            (TRANSACTION_STATE, b"\x08T______\xff".to_vec()),
            (SYSTEM_VARIABLE, b"\x01x".to_vec()),
        ] {
            assert!(read(&[entry(kind, &data)]).0.is_err(), "{kind} {data:?}");
        }
        for text in [&long[..], b"\xff\xfe"] {
            let (_, tracked) = read(&[
                entry(GTIDS, &[b"\0".to_vec(), lenenc(text)].concat()),
                entry(CHARACTERISTICS, &lenenc(text)),
            ]);
            assert_eq!((tracked.gtid, tracked.characteristics), (None, None));
        }
    }
}
