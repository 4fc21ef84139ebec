//! FLOAT, DOUBLE and DECIMAL.

use ark_mysql_proto::DecodeErrorKind;

use super::{decode, encode};
use crate::types::Decimal;

decode!(f32: Float: |row, index| row.f32(index));
decode!(f64: Float: |row, index| row.f32(index).map(Self::from));
decode!(f64: Double: |row, index| row.f64(index));
// Servers have sent DECIMALs that were no numbers.
decode!(Decimal: Decimal: |row, index| {
    Decimal::from_ascii(row.bytes(index)?).map_err(|_| DecodeErrorKind::InvalidNumber.at(index))
});

encode!(
    f32 as F32 for Any Float Double,
        compared TinyInt TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Decimal:
    |value, out| out.f32(*value)
);
encode!(
    f64 as F64 for Any Double,
        compared TinyInt TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Float Decimal:
    |value, out| out.f64(*value)
);
encode!(
    Decimal as DECIMAL for Any Decimal,
        compared TinyInt TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Float Double:
    |value, out| value.with_text(|text| out.decimal(text))
);
