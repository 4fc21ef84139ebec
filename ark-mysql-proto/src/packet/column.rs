//! A column (or parameter) definition.
//!
//! <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html>

use crate::ProtocolError;
use crate::column_type::{ColumnFlags, ColumnType};
use crate::wire::Reader;

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
        let (extended_type, extended_format) = if extended { extended_names(&mut reader)? } else { (None, None) };
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

fn text<'a>(reader: &mut Reader<'a>, field: &'static str) -> Result<&'a str, ProtocolError> {
    str::from_utf8(reader.lenenc_bytes(field)?).map_err(|_| reader.invalid(field))
}

/// Pairs of a key byte and a string: key 0 is the type's name, key 1 the format's; others may come one day.
fn extended_names<'a>(reader: &mut Reader<'a>) -> Result<(Option<&'a str>, Option<&'a str>), ProtocolError> {
    let mut pairs = Reader::new(PACKET, reader.lenenc_bytes("extended metadata")?);
    let (mut name, mut format) = (None, None);
    while !pairs.is_empty() {
        match (pairs.u8("extended metadata")?, text(&mut pairs, "extended metadata")?) {
            (0, value) => name = Some(value),
            (1, value) => format = Some(value),
            _ => {}
        }
    }
    Ok((name, format))
}
