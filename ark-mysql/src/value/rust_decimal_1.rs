//! Decimals of rust_decimal 1: exact, of up to 28 digits, 28 of them behind the point; a DECIMAL with more is an error.

use ark_mysql_proto::DecodeErrorKind;
use rust_decimal::Decimal;

use super::{decode, encode};
use crate::dynamic::{FromValue, Value};

decode!(Decimal: Decimal: |row, index| {
    let text = str::from_utf8(row.bytes(index)?).map_err(|_| DecodeErrorKind::InvalidNumber.at(index))?;
    exact(text).map_err(|kind| kind.at(index))
});
decode!(Decimal: Null: |_row, index| Err(DecodeErrorKind::UnexpectedValue.at(index)));

encode!(
    Decimal as DECIMAL for Any Decimal,
        compared TinyInt TinyIntUnsigned SmallInt SmallIntUnsigned MediumInt MediumIntUnsigned Int IntUnsigned BigInt BigIntUnsigned Year Float Double:
    |value, out| out.decimal(&value.to_string())
);

/// The zeros at the end count for the server and not for the number: without them it may fit.
fn exact(text: &str) -> Result<Decimal, DecodeErrorKind> {
    let number: crate::types::Decimal = text.parse().map_err(|_| DecodeErrorKind::InvalidNumber)?;
    Decimal::from_str_exact(text)
        .or_else(|_| Decimal::from_str_exact(shortest(text)))
        .ok()
        .filter(|read| read.is_zero() == number.is_zero())
        .ok_or(DecodeErrorKind::OutOfRange)
}

fn shortest(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

impl FromValue for Decimal {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Decimal(text) => exact(text).ok(),
            Value::Int(value) => Some((*value).into()),
            Value::UInt(value) => Some((*value).into()),
            _ => None,
        }
    }
}
