//! UUIDs of uuid 1: 16 bytes in BINARY(16) and its like, text in CHAR(36), MariaDB's UUID and what `UUID()` gives.
//!
//! The bytes stand in the order of the text, as `UUID_TO_BIN(text)` and MariaDB have them; `UUID_TO_BIN(text, 1)` swaps them, and so does `BIN_TO_UUID(bytes, 1)`.

use ark_mysql_proto::DecodeErrorKind;
use uuid::Uuid;
use uuid::fmt::{Hyphenated, Simple};

use super::forms::{read_forms, two_forms};
use super::{decode, encode};
use crate::dynamic::{FromValue, Value};

read_forms!(Uuid: text Uuid Text, bytes Bytes: |value| Self::try_parse(value).ok(), Self::from_slice(value).ok());
two_forms!(Uuid: text Uuid Text, bytes Bytes: |value, out| {
    out.text(value.hyphenated().encode_lower(&mut Self::encode_buffer()))
}, out.bytes(value.as_bytes()));

// The two for text alone, wherever it stands.
decode!(Hyphenated: Uuid Text: |row, index| {
    Uuid::try_parse(row.str(index)?).map(Uuid::hyphenated).map_err(|_| DecodeErrorKind::InvalidText.at(index))
});
decode!(Simple: Text: |row, index| {
    Uuid::try_parse(row.str(index)?).map(Uuid::simple).map_err(|_| DecodeErrorKind::InvalidText.at(index))
});
encode!(Hyphenated as TEXT for Any Uuid Text: |value, out| out.text(value.encode_lower(&mut Uuid::encode_buffer())));
encode!(Simple as TEXT for Any Text: |value, out| out.text(value.encode_lower(&mut Uuid::encode_buffer())));

impl FromValue for Uuid {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => Self::try_parse(text).ok(),
            Value::Bytes(bytes) => Self::from_slice(bytes).ok(),
            _ => None,
        }
    }
}
