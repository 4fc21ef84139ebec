//! A column (or parameter) definition.
//!
//! <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html>

use crate::ProtocolError;
use crate::column_type::{ColumnFlags, ColumnType};
use crate::wire::Reader;
use crate::{Kind, Wire};

const PACKET: &str = "column definition";
/// What the length byte in front of the fixed fields always says.
const FIXED_FIELDS: u64 = 12;

/// What the server says about one column, borrowed from the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDefinition<'a> {
    /// The database.
    pub schema: &'a str,
    /// The table as the statement names it (its alias); empty for expressions.
    pub table: &'a str,
    /// The table's own name; a view's name for columns of views.
    pub org_table: &'a str,
    /// The column as the statement names it (its alias).
    pub name: &'a str,
    /// The column's own name; empty for expressions.
    pub org_name: &'a str,
    /// MariaDB's extended type name (`uuid`, `inet6`, `point`), where it was negotiated.
    pub extended_type: Option<&'a str>,
    /// MariaDB's extended format name (`json`), where it was negotiated.
    pub extended_format: Option<&'a str>,
    /// Collation id; 63 is "no text".
    pub charset: u16,
    /// Longest value in bytes of the connection's character set.
    pub length: u32,
    /// The type code.
    pub column_type: ColumnType,
    /// The flags.
    pub flags: ColumnFlags,
    /// Digits behind the point; 31 if they vary.
    pub decimals: u8,
}

impl<'a> ColumnDefinition<'a> {
    /// Reads a definition packet's payload. `extended`: MariaDB's extended metadata was negotiated.
    ///
    /// # Errors
    /// Names the field where the packet ends too early, is not UTF-8, or where something is left over.
    pub fn parse(payload: &'a [u8], extended: bool) -> Result<Self, ProtocolError> {
        let mut reader = Reader::new(PACKET, payload);
        text(&mut reader, "catalog")?;
        let schema = text(&mut reader, "schema")?;
        let table = text(&mut reader, "table")?;
        let org_table = text(&mut reader, "original table")?;
        let name = text(&mut reader, "name")?;
        let org_name = text(&mut reader, "original name")?;
        let (extended_type, extended_format) = if extended {
            extended_names(&mut reader)?
        } else {
            (None, None)
        };
        if reader.lenenc("length of the fixed fields")? != FIXED_FIELDS {
            return Err(reader.invalid("length of the fixed fields"));
        }
        let definition = Self {
            schema,
            table,
            org_table,
            name,
            org_name,
            extended_type,
            extended_format,
            charset: reader.u16("character set")?,
            length: reader.u32("column length")?,
            column_type: ColumnType(reader.u8("type")?),
            flags: ColumnFlags(reader.u16("flags")?),
            decimals: reader.u8("decimals")?,
        };
        reader.u16("filler")?;
        reader.finish()?;
        Ok(definition)
    }
}

impl ColumnDefinition<'_> {
    /// Whether its values are text in another character set than UTF-8 or ASCII: they must not be read as text. That is so when somebody has
    /// set `character_set_results` to something else. Collations that are not known are taken for UTF-8, in which everything is sent unless asked otherwise.
    pub fn is_foreign_text(&self) -> bool {
        let text = Kind::of(self).is_ok_and(|kind| kind.wire() == Wire::Text);
        text && !is_utf8(self.charset)
    }
}

/// Whether a collation is of utf8mb4, utf8mb3 or ascii.
fn is_utf8(collation: u16) -> bool {
    match collation {
        0 | 63 => true, // not told; no text at all
        11 | 65 | 33 | 76 | 83 | 192..=215 | 223 | 45 | 46 | 224..=247 => true,
        1..=254 => false,
        640..=767 => false, // MariaDB: UCS-2, UTF-16, UTF-32
        1024..=1278 => is_utf8(collation - 1024), // MariaDB: the same without padding
        2560..=3327 => false, // MariaDB's UCA 14.0.0 for UCS-2, UTF-16, UTF-32
        _ => true,
    }
}

fn text<'a>(reader: &mut Reader<'a>, field: &'static str) -> Result<&'a str, ProtocolError> {
    str::from_utf8(reader.lenenc_bytes(field)?).map_err(|_| reader.invalid(field))
}

/// Pairs of a key byte and a string: key 0 is the type's name, key 1 the format's; others may come one day.
fn extended_names<'a>(
    reader: &mut Reader<'a>,
) -> Result<(Option<&'a str>, Option<&'a str>), ProtocolError> {
    let mut pairs = Reader::new(PACKET, reader.lenenc_bytes("extended metadata")?);
    let (mut name, mut format) = (None, None);
    while !pairs.is_empty() {
        match (
            pairs.u8("extended metadata")?,
            text(&mut pairs, "extended metadata")?,
        ) {
            (0, value) => name = Some(value),
            (1, value) => format = Some(value),
            _ => {}
        }
    }
    Ok((name, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SELECT c FROM t AS x`, as MariaDB sends it; `extra` goes between the names and the fixed fields.
    fn packet(code: u8, charset: u16, length: u32, flags: u16, extra: &[u8]) -> Vec<u8> {
        let mut packet = b"\x03def\x04test\x01x\x01t\x04name\x01c".to_vec();
        packet.extend_from_slice(extra);
        packet.push(12);
        packet.extend_from_slice(&charset.to_le_bytes());
        packet.extend_from_slice(&length.to_le_bytes());
        packet.push(code);
        packet.extend_from_slice(&flags.to_le_bytes());
        packet.extend_from_slice(&[0, 0, 0]);
        packet
    }

    #[test]
    fn names_and_numbers_are_read() {
        let packet = packet(8, 63, 20, 0x1021, &[]);
        let definition = ColumnDefinition::parse(&packet, false).unwrap();
        assert_eq!(
            (definition.schema, definition.table, definition.org_table),
            ("test", "x", "t")
        );
        assert_eq!((definition.name, definition.org_name), ("name", "c"));
        assert!(
            definition.flags.not_null()
                && definition.flags.unsigned()
                && definition.flags.no_default()
        );
        assert_eq!(Kind::of(&definition), Ok(Kind::BigIntUnsigned));
    }

    #[test]
    fn every_truncation_and_a_byte_too_many_are_errors() {
        for extended in [false, true] {
            let whole = packet(
                252,
                45,
                4_294_967_295,
                144,
                if extended { b"\x06\x01\x04json" } else { b"" },
            );
            assert!(ColumnDefinition::parse(&whole, extended).is_ok());
            for end in 0..whole.len() {
                assert!(
                    ColumnDefinition::parse(whole.get(..end).unwrap(), extended).is_err(),
                    "cut at {end}"
                );
            }
            assert!(ColumnDefinition::parse(&[&whole[..], &[0]].concat(), extended).is_err());
        }
    }

    /// Type code, character set, length, flags, extended metadata; and what that is.
    type Case = (u8, u16, u32, u16, &'static [u8], Kind);

    #[test]
    fn kinds_of_real_columns() {
        let cases: [Case; 23] = [
            (1, 63, 4, 0, b"\0", Kind::TinyInt),
            (1, 63, 1, 0, b"\0", Kind::Bool),
            (1, 63, 1, 32, b"\0", Kind::TinyIntUnsigned),
            (9, 63, 8, 32, b"\0", Kind::MediumIntUnsigned),
            (3, 63, 7, 96, b"\0", Kind::IntUnsigned),
            (246, 63, 12, 0, b"\0", Kind::Decimal),
            (16, 63, 1, 32, b"\0", Kind::Bit1),
            (16, 63, 64, 32, b"\0", Kind::Bit),
            (7, 63, 19, 160, b"\0", Kind::Timestamp),
            (13, 63, 4, 96, b"\0", Kind::Year),
            (253, 45, 400, 128, b"\0", Kind::Text), // utf8mb4_bin: the BINARY flag says nothing
            (253, 63, 100, 128, b"\0", Kind::Bytes),
            (252, 224, 262_140, 16, b"\0", Kind::Text),
            (251, 45, 4, 0, b"\0", Kind::Text),
            (254, 45, 8, 256, b"\0", Kind::Enum),
            (254, 45, 32, 2048, b"\0", Kind::Set),
            (245, 63, 4_294_967_295, 144, b"\0", Kind::Json),
            (252, 45, 4_294_967_295, 144, b"\x06\x01\x04json", Kind::Json),
            (
                255,
                63,
                4_294_967_295,
                144,
                b"\x07\x00\x05point",
                Kind::Geometry,
            ),
            (242, 63, 12, 144, b"\0", Kind::Vector),
            (254, 45, 144, 160, b"\x06\x00\x04uuid", Kind::Uuid),
            (254, 45, 156, 160, b"\x07\x00\x05inet6", Kind::Inet6),
            (6, 63, 0, 128, b"\0", Kind::Null),
        ];
        for (code, charset, length, flags, extra, kind) in cases {
            let packet = packet(code, charset, length, flags, extra);
            assert_eq!(
                Kind::of(&ColumnDefinition::parse(&packet, true).unwrap()),
                Ok(kind)
            );
        }
        let unknown = packet(200, 63, 1, 0, b"");
        assert!(Kind::of(&ColumnDefinition::parse(&unknown, false).unwrap()).is_err());
    }
}
