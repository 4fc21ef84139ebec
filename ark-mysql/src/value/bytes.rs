//! Bytes of all sorts.

use std::borrow::Cow;
use std::sync::Arc;

use ark_mysql_proto::DecodeErrorKind;

use super::{decode, encode};

macro_rules! bytes {
    ($($rust:ty),*) => {
        $(decode!($rust: Bytes Geometry Vector: |row, index| row.bytes(index).map(Self::from));)*
    };
}

bytes!(Vec<u8>, &'r [u8], Cow<'r, [u8]>, Box<[u8]>, Arc<[u8]>);

decode!(for {const N: usize} [u8; N]: Bytes: |row, index| {
    row.bytes(index)?.try_into().map_err(|_| DecodeErrorKind::InvalidLength.at(index))
});

encode!([u8] as BYTES for Any Bytes Geometry Vector: |value, out| out.bytes(value));
encode!(Vec<u8> as BYTES for Any Bytes Geometry Vector: |value, out| out.bytes(value));
encode!(for {const N: usize} [u8; N] as BYTES for Any Bytes Geometry Vector: |value, out| out.bytes(value));
