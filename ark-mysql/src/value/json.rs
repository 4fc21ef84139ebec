//! JSON: sent as text, because MySQL refuses JSON in bytes and MariaDB the JSON type.

use ark_mysql_proto::{DecodeErrorKind, EncodeErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{decode, encode};
use crate::types::Json;

decode!(Value: Json Text: |row, index| {
    serde_json::from_slice(row.bytes(index)?).map_err(|_| DecodeErrorKind::InvalidJson.at(index))
});
decode!(for {T: Deserialize<'r>} Json<T>: Json Text: |row, index| {
    serde_json::from_slice(row.bytes(index)?).map(Json).map_err(|_| DecodeErrorKind::InvalidJson.at(index))
});

encode!(Value as TEXT for Any Json Text: |value, out| out.text(&value.to_string()));
encode!(for {T: Serialize} Json<T> as TEXT for Any Json Text: |value, out| {
    match serde_json::to_string(&value.0) {
        Ok(text) => out.text(&text),
        Err(_) => Err(out.error(EncodeErrorKind::Json)),
    }
});
