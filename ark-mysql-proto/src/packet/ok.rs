//! [OK packet](https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_ok_packet.html),
//! [at MariaDB](https://mariadb.com/docs/server/reference/clientserver-protocol/4-server-response-packets/ok_packet).
//! Also the end of rows where `DEPRECATE_EOF` was negotiated: then its first byte is `0xfe`, and it may be longer than an EOF packet.

use super::session_track;
use crate::session::{Changes, Tracked};
use crate::wire::Reader;
use crate::{Capabilities, ProtocolError, Status, Summary};

/// Reads the packet, and what it says about the session's state.
#[inline]
pub(crate) fn parse(
    payload: &[u8],
    capabilities: Capabilities,
    tracked: &mut Tracked,
) -> Result<(Summary, Changes), ProtocolError> {
    // The end of nearly all rows: nothing was changed, and there is nothing to tell.
    if let [_, 0, 0, status @ .., low, high] = payload
        && let [first, second] = *status
    {
        let summary = Summary {
            status: Status::from_bits(u16::from_le_bytes([first, second])),
            warnings: u16::from_le_bytes([*low, *high]),
            ..Summary::default()
        };
        return Ok((summary, Changes::default()));
    }
    parse_fields(payload, capabilities, tracked)
}

fn parse_fields(
    payload: &[u8],
    capabilities: Capabilities,
    tracked: &mut Tracked,
) -> Result<(Summary, Changes), ProtocolError> {
    let mut reader = Reader::new("OK", payload);
    reader.u8("header")?;
    let summary = Summary {
        affected_rows: reader.lenenc("affected rows")?,
        last_insert_id: reader.lenenc("last insert id")?,
        status: Status::from_bits(reader.u16("status")?),
        warnings: reader.u16("warning count")?,
    };
    if !capabilities.contains(Capabilities::SESSION_TRACK) {
        reader.rest(); // the info text, up to the packet's end
        return Ok((summary, Changes::default()));
    }
    let mut changes = Changes::default();
    if !reader.is_empty() {
        reader.lenenc_bytes("info")?;
        if summary.status.session_state_changed() {
            changes = session_track::parse(reader.lenenc_bytes("session state")?, tracked)?;
        }
    }
    reader.finish()?;
    Ok((summary, changes))
}

/// The text for the user, which some servers put to other uses; empty if there is none.
pub(crate) fn text(payload: &[u8], capabilities: Capabilities) -> Result<&[u8], ProtocolError> {
    let mut reader = Reader::new("OK", payload);
    reader.u8("header")?;
    reader.lenenc("affected rows")?;
    reader.lenenc("last insert id")?;
    reader.u16("status")?;
    reader.u16("warning count")?;
    if reader.is_empty() || !capabilities.contains(Capabilities::SESSION_TRACK) {
        return Ok(reader.rest());
    }
    reader.lenenc_bytes("info")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_tracked(bytes: &[u8]) -> Result<(Summary, Changes), ProtocolError> {
        parse(bytes, Capabilities::SESSION_TRACK, &mut Tracked::default())
    }

    #[test]
    fn use_database_as_recorded() {
        let bytes = [
            0, 0, 0, 0x02, 0x40, 0, 0, 0, 7, 1, 5, 4, 0x70, 0x66, 0x5f, 0x61,
        ];
        let (summary, changes) = parse_tracked(&bytes).unwrap();
        assert!(summary.status.autocommit() && !summary.status.in_transaction());
        assert!(changes.schema());
        for end in 0..bytes.len() {
            // Seven bytes are a whole packet: the info is left out where it is empty.
            assert_eq!(parse_tracked(&bytes[..end]).is_ok(), end == 7, "{end}");
        }
    }

    #[test]
    fn begin_as_recorded() {
        let bytes = [
            0, 0, 0, 0x03, 0x40, 0, 0, 0, 0x0b, 5, 9, 8, 0x54, 0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x5f,
            0x5f,
        ];
        let (summary, changes) = parse_tracked(&bytes).unwrap();
        assert!(summary.status.in_transaction());
        assert_eq!(changes, Changes::default());
    }

    #[test]
    fn without_tracking_the_text_runs_to_the_end() {
        let ok = b"\0\x03\x04\x02\0\0\0Records: 3";
        let none = Capabilities::default();
        let (summary, _) = parse(ok, none, &mut Tracked::default()).unwrap();
        assert_eq!((summary.affected_rows, summary.last_insert_id), (3, 4));
    }
}
