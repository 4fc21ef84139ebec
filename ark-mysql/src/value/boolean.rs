//! `bool`: for `BOOL` columns, comparisons and `BIT(1)`. Whatever is neither 0 nor 1 is an error, never `true`.

use ark_mysql_proto::{DecodeError, DecodeErrorKind};

use super::{decode, encode};

decode!(bool: TinyInt Bool: |row, index| truth(row.i8(index)?.into(), index));
decode!(bool: BigInt: |row, index| truth(row.i64(index)?, index));
decode!(bool: Bit1: |row, index| match bits(row.bytes(index)?, index)? {
    0 => Ok(false),
    1 => Ok(true),
    _ => Err(DecodeErrorKind::InvalidBool.at(index)),
});

encode!(bool as I8 for Any Bool TinyInt TinyIntUnsigned Bit1: |value, out| out.i8(i8::from(*value)));

#[inline]
fn truth(value: i64, index: usize) -> Result<bool, DecodeError> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(DecodeErrorKind::InvalidBool.at(index)),
    }
}

/// A BIT value: big-endian, as few bytes as the declared length needs.
pub(super) fn bits(bytes: &[u8], index: usize) -> Result<u64, DecodeError> {
    if bytes.is_empty() || bytes.len() > 8 {
        return Err(DecodeErrorKind::InvalidLength.at(index));
    }
    Ok(bytes
        .iter()
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
}
