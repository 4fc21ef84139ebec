//! GEOMETRY and VECTOR.

use ark_mysql_proto::DecodeErrorKind;

use super::{decode, encode};
use crate::types::Geometry;

decode!(Geometry: Geometry: |row, index| {
    Geometry::from_bytes(row.bytes(index)?).ok_or_else(|| DecodeErrorKind::InvalidLength.at(index))
});
encode!(Geometry as BYTES for Any Geometry: |value, out| out.bytes(&value.to_bytes()));

// Numbers of four bytes, little-endian, on both families; MariaDB calls the column VARBINARY.
decode!(Vec<f32>: Vector Bytes: |row, index| {
    let (numbers, []) = row.bytes(index)?.as_chunks::<4>() else {
        return Err(DecodeErrorKind::InvalidLength.at(index));
    };
    Ok(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect())
});
encode!([f32] as BYTES for Any Vector Bytes: |value, out| {
    let bytes: Vec<u8> = value.iter().flat_map(|number| number.to_le_bytes()).collect();
    out.bytes(&bytes)
});
encode!(Vec<f32> as BYTES for Any Vector Bytes: |value, out| super::Encode::<super::kind::Any>::encode(value.as_slice(), out));
