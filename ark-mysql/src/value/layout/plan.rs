use ark_mysql_proto::params::write_bytes;
use ark_mysql_proto::{DecodeError, DecodeErrorKind, RowReader, Source, Wire};

use crate::types::Decimal;

/// Digits that an f64 keeps in every case.
const F64_DIGITS: usize = 15;

/// How to bring binary rows of a compatible layout into the expected one.
#[derive(Clone, Debug)]
pub struct Plan {
    steps: Box<[Step]>,
}

/// What happens to one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    from: Wire,
    to: Wire,
}

impl Step {
    /// Leaves a column as it is.
    pub(super) fn copy(wire: Wire) -> Self {
        Self {
            from: wire,
            to: wire,
        }
    }

    /// Changes its values one by one.
    pub(super) fn convert(from: Wire, to: Wire) -> Self {
        Self { from, to }
    }

    pub(super) fn is_copy(self) -> bool {
        self.from == self.to
    }

    fn apply(
        self,
        row: &mut RowReader<'_>,
        index: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeError> {
        match (self.from, self.to) {
            (from, to) if from == to => copy(from, row, index, out),
            (Wire::F32, Wire::F64) => {
                out.extend_from_slice(&f64::from(row.f32(index)?).to_le_bytes());
                Ok(())
            }
            (Wire::F64, _) => {
                let number = Decimal::from_f64(row.f64(index)?)
                    .map_err(|_| DecodeErrorKind::OutOfRange.at(index))?;
                write_decimal(number, self.to, index, out)
            }
            (Wire::Decimal, _) => {
                let number = Decimal::from_ascii(row.bytes(index)?)
                    .map_err(|_| DecodeErrorKind::InvalidNumber.at(index))?;
                write_decimal(number, self.to, index, out)
            }
            (from, Wire::Decimal | Wire::F64) => {
                write_decimal(integer(from, row, index)?.into(), self.to, index, out)
            }
            (from, to) => write_integer(integer(from, row, index)?, to, index, out),
        }
    }
}

impl Plan {
    pub(super) fn new(steps: Vec<Step>) -> Self {
        Self {
            steps: steps.into(),
        }
    }

    /// Writes the row into `out` as the decoder expects it, in place of what was there.
    ///
    /// # Errors
    /// `OutOfRange` for the first value that the expected type cannot hold, and everything that can be wrong with a row.
    pub fn rewrite(&self, row: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
        let mut reader = RowReader::new(row, self.steps.len())?;
        let values = reader.remaining().len();
        out.clear();
        out.extend_from_slice(
            row.get(..row.len().saturating_sub(values))
                .unwrap_or_default(),
        );
        for (index, step) in self.steps.iter().enumerate() {
            if !reader.is_null(index) {
                step.apply(&mut reader, index, out)?;
            }
        }
        reader.finish()
    }
}

fn copy(
    wire: Wire,
    row: &mut RowReader<'_>,
    index: usize,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    match wire {
        Wire::I8 | Wire::U8 => out.push(row.u8(index)?),
        Wire::I16 | Wire::U16 => out.extend_from_slice(&row.u16(index)?.to_le_bytes()),
        Wire::I32 | Wire::U32 | Wire::F32 => out.extend_from_slice(&row.u32(index)?.to_le_bytes()),
        Wire::I64 | Wire::U64 | Wire::F64 => out.extend_from_slice(&row.u64(index)?.to_le_bytes()),
        // The one-byte length of dates and times is a length-encoded one, too.
        Wire::Decimal | Wire::Text | Wire::Bytes | Wire::Bit | Wire::DateTime | Wire::Time => {
            write_bytes(out, row.bytes(index)?)
        }
        Wire::Null => return Err(DecodeErrorKind::UnexpectedValue.at(index)),
    }
    Ok(())
}

fn integer(wire: Wire, row: &mut RowReader<'_>, index: usize) -> Result<i128, DecodeError> {
    Ok(match wire {
        Wire::I8 => row.i8(index)?.into(),
        Wire::U8 => row.u8(index)?.into(),
        Wire::I16 => row.i16(index)?.into(),
        Wire::U16 => row.u16(index)?.into(),
        Wire::I32 => row.i32(index)?.into(),
        Wire::U32 => row.u32(index)?.into(),
        Wire::I64 => row.i64(index)?.into(),
        Wire::U64 => row.u64(index)?.into(),
        // Only reached where NULL is expected: a value of another type came.
        Wire::F32
        | Wire::F64
        | Wire::Decimal
        | Wire::Text
        | Wire::Bytes
        | Wire::Bit
        | Wire::DateTime
        | Wire::Time
        | Wire::Null => {
            return Err(DecodeErrorKind::UnexpectedValue.at(index));
        }
    })
}

fn write_integer(
    value: i128,
    wire: Wire,
    index: usize,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    macro_rules! narrow {
        ($integer:ident) => {
            out.extend_from_slice(
                &$integer::try_from(value)
                    .map_err(|_| DecodeErrorKind::OutOfRange.at(index))?
                    .to_le_bytes(),
            )
        };
    }
    match wire {
        Wire::I8 => narrow!(i8),
        Wire::U8 => narrow!(u8),
        Wire::I16 => narrow!(i16),
        Wire::U16 => narrow!(u16),
        Wire::I32 => narrow!(i32),
        Wire::U32 => narrow!(u32),
        Wire::I64 => narrow!(i64),
        Wire::U64 => narrow!(u64),
        Wire::F32
        | Wire::F64
        | Wire::Decimal
        | Wire::Text
        | Wire::Bytes
        | Wire::Bit
        | Wire::DateTime
        | Wire::Time
        | Wire::Null => {
            return Err(DecodeErrorKind::UnexpectedValue.at(index));
        }
    }
    Ok(())
}

fn write_decimal(
    number: Decimal,
    wire: Wire,
    index: usize,
    out: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    match wire {
        Wire::Decimal => number.with_text(|text| write_bytes(out, text.as_bytes())),
        Wire::F64 if number.significant_digits() <= F64_DIGITS => {
            out.extend_from_slice(&number.to_f64().to_le_bytes())
        }
        Wire::F64 => return Err(DecodeErrorKind::OutOfRange.at(index)),
        _ => {
            let value =
                i128::try_from(number).map_err(|_| DecodeErrorKind::OutOfRange.at(index))?;
            return write_integer(value, wire, index, out);
        }
    }
    Ok(())
}
