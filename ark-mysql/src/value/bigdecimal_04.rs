//! Decimals of bigdecimal 0.4, which hold every DECIMAL; those with more digits than a DECIMAL has are not sent.

use std::borrow::Cow;

use ark_mysql_proto::{DecodeErrorKind, EncodeErrorKind};
use bigdecimal::BigDecimal;

use super::{decode, encode};
use crate::dynamic::{FromValue, Value};
use crate::types;

/// Most digits of a DECIMAL, before and behind its point.
const DIGITS: i64 = 65;

decode!(BigDecimal: Decimal: |row, index| {
    read(row.bytes(index)?).ok_or_else(|| DecodeErrorKind::InvalidNumber.at(index))
});
decode!(BigDecimal: Null: |_row, index| Err(DecodeErrorKind::UnexpectedValue.at(index)));

encode!(
    BigDecimal as DECIMAL for Any Decimal,
        compared TinyInt TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Float Double:
    |value, out| match sendable(value) {
        Some(value) => out.decimal(&value.to_plain_string()),
        None => Err(out.error(EncodeErrorKind::OutOfRange)),
    }
);

/// The grammar is that of our own reader: exponents are no DECIMAL.
fn read(text: &[u8]) -> Option<BigDecimal> {
    types::Decimal::from_ascii(text).ok()?;
    str::from_utf8(text).ok()?.parse().ok()
}

/// Before it is written out: the text of `1e1000000000` would be a gigabyte.
fn sendable(value: &BigDecimal) -> Option<Cow<'_, BigDecimal>> {
    if fits(value) {
        return Some(Cow::Borrowed(value));
    }
    Some(value.normalized()).filter(fits).map(Cow::Owned)
}

fn fits(value: &BigDecimal) -> bool {
    let (_, scale) = value.as_bigint_and_exponent();
    let digits = i64::try_from(value.digits()).unwrap_or(i64::MAX);
    let whole = digits.saturating_sub(scale);
    digits.max(whole) <= DIGITS && (0..=DIGITS).contains(&scale)
        || (-DIGITS..0).contains(&scale) && whole <= DIGITS
}

impl FromValue for BigDecimal {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Decimal(text) => read(text.as_bytes()),
            Value::Int(value) => Some((*value).into()),
            Value::UInt(value) => Some((*value).into()),
            _ => None,
        }
    }
}
