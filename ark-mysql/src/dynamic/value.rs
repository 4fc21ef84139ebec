use ark_mysql_proto::row::{DecodeError, DecodeErrorKind, Source};
use ark_mysql_proto::{Kind, Wire};

use crate::types::{Date, DateTime, Time};

/// A value of a row whose columns were not known when the program was built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// NULL.
    Null,
    /// TINYINT to BIGINT, BOOL.
    Int(i64),
    /// TINYINT UNSIGNED to BIGINT UNSIGNED, YEAR, BIT.
    UInt(u64),
    /// FLOAT.
    Float(f32),
    /// DOUBLE.
    Double(f64),
    /// DECIMAL: its digits.
    Decimal(String),
    /// Text of all sorts, JSON, ENUM, SET.
    Text(String),
    /// Bytes of all sorts, GEOMETRY, VECTOR.
    Bytes(Vec<u8>),
    /// DATE.
    Date(Date),
    /// DATETIME and TIMESTAMP.
    DateTime(DateTime),
    /// TIME.
    Time(Time),
}

impl Value {
    /// Reads the next value of a row.
    pub(super) fn read<'r, S: Source<'r>>(
        row: &mut S,
        index: usize,
        kind: Kind,
    ) -> Result<Self, DecodeError> {
        if row.is_null(index) {
            return Ok(Self::Null);
        }
        Ok(match kind.wire() {
            Wire::I8 => Self::Int(row.i8(index)?.into()),
            Wire::I16 => Self::Int(row.i16(index)?.into()),
            Wire::I32 => Self::Int(row.i32(index)?.into()),
            Wire::I64 => Self::Int(row.i64(index)?),
            Wire::U8 => Self::UInt(row.u8(index)?.into()),
            Wire::U16 => Self::UInt(row.u16(index)?.into()),
            Wire::U32 => Self::UInt(row.u32(index)?.into()),
            Wire::U64 => Self::UInt(row.u64(index)?),
            Wire::F32 => Self::Float(row.f32(index)?),
            Wire::F64 => Self::Double(row.f64(index)?),
            Wire::Decimal => Self::Decimal(row.str(index)?.to_owned()),
            Wire::Text => Self::Text(row.str(index)?.to_owned()),
            Wire::Bytes => Self::Bytes(row.bytes(index)?.to_owned()),
            Wire::Null => Self::Text(row.str(index)?.to_owned()), // a NULL column that turned out to hold something: a string
            Wire::Bit => {
                Self::UInt(bits(row.bytes(index)?).ok_or(DecodeErrorKind::InvalidLength.at(index))?)
            }
            Wire::DateTime if kind == Kind::Date => Self::Date(row.date(index)?),
            Wire::DateTime => Self::DateTime(row.datetime(index)?),
            Wire::Time => Self::Time(row.time(index)?),
        })
    }
}

/// Big-endian, up to eight bytes.
fn bits(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= 8).then(|| {
        bytes
            .iter()
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    })
}
