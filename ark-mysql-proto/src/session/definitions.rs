use crate::wire::Reader;
use crate::{ColumnDefinition, ProtocolError};

/// Reads the payload of [`Event::ColumnDefinitions`](super::Event::ColumnDefinitions) or
/// [`Event::ParamDefinitions`](super::Event::ParamDefinitions): packets with their headers.
/// `extended`: whether `MARIADB_EXTENDED_METADATA` is among the session's capabilities. Ends after the first error.
pub fn definitions(
    raw: &[u8],
    extended: bool,
) -> impl Iterator<Item = Result<ColumnDefinition<'_>, ProtocolError>> {
    let mut reader = Reader::new("definitions", raw);
    std::iter::from_fn(move || {
        if reader.is_empty() {
            return None;
        }
        let definition =
            next(&mut reader).and_then(|payload| ColumnDefinition::parse(payload, extended));
        if definition.is_err() {
            reader.rest();
        }
        Some(definition)
    })
}

fn next<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], ProtocolError> {
    let [a, b, c, _sequence] = reader.array("packet header")?;
    reader.bytes(
        usize::from(a) | usize::from(b) << 8 | usize::from(c) << 16,
        "packet",
    )
}
